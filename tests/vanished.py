"""Tests that vanish unnoticed: a commit that takes out many tests must say why, in a line `Removes tests: ...`.

A commit made in a stale tree takes out what others have added meanwhile, and everything still passes. So each commit
since SINCE, and the working tree, is compared with the commit before it.
"""

import re
import subprocess
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

SINCE = "2026-11-23T16:00:00Z"
MANY = 10  # tests that a commit may take out, or rename, without a word
REASON = re.compile(r"^Removes tests: \S", re.M)
_TEST = re.compile(r"^([+-])\s*(?:async )?(?:def (test_\w+)|test\(([\"'`].+?[\"'`]),)")


class Commit(NamedTuple):
    """A commit with its message and its diff of the tests; `name` is empty for the working tree."""

    name: str
    message: str
    diff: str


def vanished(diff: str) -> list[str]:
    """The names of tests, of Python and JavaScript, that a diff takes out and nowhere puts back, nor others for them.

    As many as are new are renamed, or written otherwise.
    """
    gone: Counter[str] = Counter()
    for line in diff.splitlines():
        if match := _TEST.match(line):
            gone[match[2] or match[3]] += 1 if match[1] == "-" else -1
    new = sum(-count for count in gone.values() if count < 0)
    return sorted(gone.elements())[new:]


def unexplained(commits: Iterable[Commit]) -> dict[str, list[str]]:
    """The commits that take out MANY tests or more and do not say why, with these tests."""
    found = {commit.name: vanished(commit.diff) for commit in commits if not REASON.search(commit.message)}
    return {name: tests for name, tests in found.items() if len(tests) >= MANY}


def history(repository: Path) -> list[Commit]:
    """The commits since SINCE that touch tests, oldest first, then the working tree; none outside a repository."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(repository), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, errors="replace").stdout

    try:
        names = git("log", "--reverse", "--no-merges", f"--since={SINCE}", "--format=%H", "HEAD", "--", "tests").split()
    except (OSError, subprocess.CalledProcessError):
        return []
    shallow = {*git("rev-list", "--max-parents=0", "HEAD").split()}  # in a shallow clone the oldest has no parent here
    made = [
        Commit(name, git("log", "-1", "--format=%B", name), git("show", "--format=", "-M", name, "--", "tests"))
        for name in names
        if name not in shallow
    ]
    return [*made, Commit("", "", git("diff", "HEAD", "-M", "--", "tests"))]
