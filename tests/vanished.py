"""Tests that vanish unnoticed: a commit that removes many tests must say why, in a line `Removes tests: ...`.

A commit made in a stale tree removes what others have added meanwhile, and everything still passes. So each commit
since SINCE, and the working tree, is compared with the commit before it; and a merge with what its parents had, of
which it must lack only what one of them removed.
"""

import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

SINCE = "2026-11-23T16:00:00Z"
MANY = 10  # tests that a commit may remove, or rename, without explanation
REASON = re.compile(r"^Removes tests: \S", re.M)
_TEST = re.compile(r"^([+-]?)\s*(?:async )?(?:def (test_\w+)|test\(([\"'`].+?[\"'`]),)")


class Commit(NamedTuple):
    """A commit with its message and the names of the tests that it removes; `name` is empty for the working tree."""

    name: str
    message: str
    vanished: list[str]


def vanished(diff: str) -> list[str]:
    """The names of Python and JavaScript tests that a diff removes without adding them, or others, elsewhere.

    For every new test one counts as renamed or rewritten.
    """
    gone: Counter[str] = Counter()
    for line in diff.splitlines():
        if (match := _TEST.match(line)) and match[1]:
            gone[match[2] or match[3]] += 1 if match[1] == "-" else -1
    return _not_replaced(gone)


def vanished_in_merge(base: Counter[str], parents: Sequence[Counter[str]], merge: Counter[str]) -> list[str]:
    """The names of tests that a merge lacks though a parent has them and no parent took them out since `base`.

    base, parents, merge: how many tests have each name in the tree of the merge base, of each parent and of the merge.
    """
    gone: Counter[str] = Counter()
    for name in set().union(merge, *parents):
        changes = [parent[name] - base[name] for parent in parents]
        added, taken_out = max(0, *changes), sum(min(0, change) for change in changes)
        known = any(parent[name] for parent in parents)
        gone[name] = max(0, base[name] + added + taken_out - merge[name]) if known else -merge[name]
    return _not_replaced(gone)


def _not_replaced(gone: Counter[str]) -> list[str]:
    """The names that are gone, less as many as are new, which have a negative count."""
    new = sum(-count for count in gone.values() if count < 0)
    return sorted(gone.elements())[new:]


def unexplained(commits: Iterable[Commit]) -> dict[str, list[str]]:
    """The commits that remove MANY tests or more without saying why, with these tests."""
    return {
        commit.name: commit.vanished
        for commit in commits
        if len(commit.vanished) >= MANY and not REASON.search(commit.message)
    }


def history(repository: Path) -> list[Commit]:
    """The commits since SINCE that touch tests and all merges, oldest first, then the working tree.

    None outside a repository.
    """

    def git(*arguments: str, fails: bool = False) -> str:
        command = ["git", "-C", str(repository), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=not fails, errors="replace").stdout

    def log(*arguments: str) -> list[str]:
        """What is between the NUL bytes of the log, which a text has none of."""
        return git("log", "--reverse", f"--since={SINCE}", *arguments).split("\0")[1:]

    def tests(tree: str) -> Counter[str]:
        lines = git(
            "grep", "-hE", r"def test_|test\(", tree, "--", "tests", fails=True
        ).splitlines()  # fails where none is
        return Counter(match[2] or match[3] for line in lines if (match := _TEST.match(line)))

    def merge_vanished(name: str, parents: list[str]) -> list[str]:
        base = git("merge-base", "--octopus", *parents, fails=True).strip()
        return vanished_in_merge(tests(base) if base else Counter(), [*map(tests, parents)], tests(name))

    try:
        every = log("--format=%x00%H%x00%P%x00%B", "HEAD")
        patches = log("--no-merges", "--full-history", "-p", "-M", "--format=%x00%H%x00", "HEAD", "--", "tests")
    except (OSError, subprocess.CalledProcessError):
        return []
    gone = {name: vanished(patch) for name, patch in zip(patches[::2], patches[1::2], strict=True)}
    shallow = {*git("rev-list", "--max-parents=0", "HEAD").split()}  # in a shallow clone the oldest has no parent here
    made = []
    for name, parents, message in zip(every[::3], every[1::3], every[2::3], strict=True):
        if " " in parents:
            gone[name] = merge_vanished(name, parents.split())
        if name in gone and name not in shallow:
            made.append(Commit(name, message.strip(), gone[name]))
    return [*made, Commit("", "", vanished(git("diff", "HEAD", "-M", "--", "tests")))]
