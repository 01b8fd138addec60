"""Measure the figures in docs/benchmarks.md: run the commands in it and put their output below them.

    python -m tests.benchmarks.report            # which sections there are, and when each was measured
    python -m tests.benchmarks.report load pages # measure these sections anew; let nothing else run meanwhile

A section is a pair of comments, `<!-- measure NAME: python -m ... -->` and `<!-- end NAME -->`; what stands between
them is the command, the date, and what the command printed, the machine and its speed first. Environment variables may
stand before `python`, as in a shell.
"""

import argparse
import datetime
import itertools
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.paths import ROOT

DOCUMENT = ROOT / "docs" / "benchmarks.md"
_SECTION = re.compile(
    r"(<!-- measure (?P<name>[\w-]+): (?P<command>[^\n]+) -->\n)(?P<body>.*?)(<!-- end (?P=name) -->)", re.S
)
_MEASURED = re.compile(r"Measured on (\d{4}-\d\d-\d\d)")


def run(command: str) -> str:
    """A benchmark's output. Raises CalledProcessError if it fails."""
    words = shlex.split(command)
    settings = dict(word.split("=", 1) for word in itertools.takewhile(lambda word: word != "python", words))
    arguments = words[len(settings) + 1 :]
    if not arguments:
        raise ValueError(f"A benchmark is a command of Python: {command}")
    environment = {**os.environ, **settings}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


def measured(text: str, names: list[str], run: Callable[[str], str], today: datetime.date) -> str:
    """The document with the named sections remeasured. Raises ValueError for a section that it does not have."""
    sections = {match["name"]: match for match in _SECTION.finditer(text)}
    if unknown := sorted({*names} - {*sections}):
        raise ValueError(f"There is no section {', '.join(unknown)}; there are {', '.join(sections)}.")

    def anew(match: re.Match[str]) -> str:
        if match["name"] not in names:
            return match[0]
        printed = run(match["command"]).strip()
        return f"{match[1]}`{match['command']}` Measured on {today}.\n\n{printed}\n{match[5]}"

    return _SECTION.sub(anew, text)


def dates(text: str) -> dict[str, str]:
    """When each section was measured; empty for one that was not."""
    found = ((match["name"], _MEASURED.search(match["body"])) for match in _SECTION.finditer(text))
    return {name: date[1] if date else "" for name, date in found}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what docs/benchmarks.md quotes.")
    parser.add_argument("names", nargs="*", help="sections to measure anew; without any, list them")
    names = parser.parse_args().names
    document = DOCUMENT.read_text(encoding="utf-8")
    if not names:
        for name, date in dates(document).items():
            print(f"{name:<16} {date or 'never'}")
        return
    try:
        for name in names:  # written after each, so that one that fails loses nothing
            document = measured(document, [name], run, datetime.date.today())
            Path(DOCUMENT).write_text(document, encoding="utf-8")
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
