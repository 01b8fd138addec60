"""No commit takes out many tests without saying why."""

import subprocess
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.vanished import MANY, Commit, history, unexplained, vanished


def diff(*lines: str) -> str:
    return "\n".join(lines)


def test_every_commit_that_takes_out_tests_says_why() -> None:
    for name, tests in unexplained(history(ROOT)).items():
        where = f"Commit {name[:10]}" if name else "The working tree"
        pytest.fail(
            f"{where} takes out {len(tests)} tests, {', '.join(tests[:5])} ...: was it made from a stale tree? "
            "If they go on purpose, say so in the message: a line `Removes tests: why`."
        )


def test_a_test_that_moves_or_changes_has_not_vanished() -> None:
    assert vanished(diff("-def test_a() -> None:", "+++ b/tests/b.py", "+    def test_a(self) -> None:")) == []
    assert vanished(diff("-def test_a():", "+def test_c():", "-def test_b():")) == ["test_b"], "one has another name"
    assert vanished(diff("-def test_a():", "-def test_a():", "+def test_a():", "-async def test_b():")) == [
        "test_a",
        "test_b",
    ]
    assert vanished(diff('-test("a tree", () => {', "-def helper():")) == ['"a tree"']


@pytest.mark.parametrize("count", [MANY - 1, MANY])
def test_many_need_a_reason(count: int) -> None:
    gone = diff(*(f"-def test_{i}():" for i in range(count)))
    assert bool(unexplained([Commit("abc", "Simpler pages", gone)])) == (count >= MANY)
    assert not unexplained([Commit("abc", "No grammar\n\nRemoves tests: with what they test", gone)])


def test_the_history_of_a_repository_ends_with_its_working_tree(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", "-C", str(tmp_path), *who, *arguments], check=True, capture_output=True)

    assert history(tmp_path / "nowhere") == []
    git("init")
    file = tmp_path / "tests" / "test_a.py"
    file.parent.mkdir()
    file.write_text("".join(f"def test_{i}(): ...\n" for i in range(MANY + 5)))
    git("add", ".")
    git("commit", "-m", "Begin")
    file.write_text("def test_0(): ...\n")
    git("commit", "-am", "Less")
    file.write_text("")
    commits = history(tmp_path)
    assert [bool(commit.name) for commit in commits] == [True, False]
    assert len(vanished(commits[0].diff)) == MANY + 4 and vanished(commits[1].diff) == ["test_0"]
    assert [*unexplained(commits)] == [commits[0].name]
