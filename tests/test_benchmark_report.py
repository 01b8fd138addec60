"""The page of benchmarks: each named section gets its own command's output, and no other changes."""

import datetime

import pytest

from tests.benchmarks.report import DOCUMENT, dates, measured, run

DAY = datetime.date(2026, 3, 5)
TEXT = """# Speed
Before.
<!-- measure one: python -m one --fast -->
`python -m one --fast` Measured on 2025-01-02.

old
<!-- end one -->
Between.
<!-- measure two: python -m two -->
<!-- end two -->
After.
"""


def test_only_the_named_section_is_measured_by_its_own_command() -> None:
    commands: list[str] = []

    def run(command: str) -> str:
        commands.append(command)
        return "| a |\n|---|\n| \\1 |\n"  # a backslash is not a group reference

    after = measured(TEXT, ["two"], run, DAY)
    assert commands == ["python -m two"]
    begin, end = "<!-- measure two: python -m two -->\n", "<!-- end two -->"
    assert after == TEXT.replace(
        begin + end, f"{begin}`python -m two` Measured on 2026-03-05.\n\n| a |\n|---|\n| \\1 |\n{end}"
    )
    assert dates(TEXT) == {"one": "2025-01-02", "two": ""}
    assert measured(after, ["two"], lambda _: "| a |\n|---|\n| \\1 |", DAY) == after


def test_an_unknown_section_is_refused_before_anything_is_measured() -> None:
    with pytest.raises(ValueError, match="no section three; there are one, two"):
        measured(TEXT, ["one", "three"], lambda _: pytest.fail("measured"), DAY)


def test_every_section_of_the_document_has_its_own_name_and_a_command_of_the_benchmarks() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    assert document.count("<!-- measure ") == document.count("<!-- end ") == len(dates(document)) > 5


def test_a_command_may_have_environment_variables_before_it() -> None:
    assert run("""A=1 B='x = y' python -c 'import os; print(os.environ["A"] + os.environ["B"])'""") == "1x = y\n"
    assert run("python -c 'print(7)'") == "7\n"


@pytest.mark.parametrize("command", ["", "python", "A=1", "A=1 python", "A=1 rm -r x", "rm x"])
def test_what_is_no_command_of_python_is_refused(command: str) -> None:
    with pytest.raises(ValueError):
        run(command)
