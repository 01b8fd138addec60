"""No commit removes many tests without saying why."""

import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.vanished import MANY, Commit, history, unexplained, vanished, vanished_in_merge


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
    gone = [f"test_{i}" for i in range(count)]
    assert bool(unexplained([Commit("abc", "Simpler pages", gone)])) == (count >= MANY)
    assert not unexplained([Commit("abc", "No grammar\n\nRemoves tests: with what they test", gone)])


def test_a_merge_must_keep_what_no_parent_took_out() -> None:
    base = Counter(["test_a", "test_b", "test_c"])
    ours = Counter(["test_a", "test_b", "test_c", "test_ours"])
    theirs = Counter(["test_a", "test_c", "test_theirs"])  # without test_b
    whole = Counter(["test_a", "test_c", "test_ours", "test_theirs"])
    assert vanished_in_merge(base, [ours, theirs], whole) == []
    assert vanished_in_merge(base, [ours, theirs], ours) == ["test_theirs"], "of a stale tree"
    assert vanished_in_merge(base, [ours, theirs], whole - Counter(["test_a", "test_ours"])) == ["test_a", "test_ours"]
    assert vanished_in_merge(base, [ours, theirs], whole - Counter(["test_a"]) + Counter(["test_new"])) == [], "renamed"
    assert vanished_in_merge(Counter(), [Counter(["test_a"]), Counter(["test_a"])], Counter(["test_a"])) == []


def git(repository: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", "-C", str(repository), *who, *arguments], check=True, capture_output=True)


def test_the_history_of_a_repository_ends_with_its_working_tree(tmp_path: Path) -> None:
    assert history(tmp_path / "nowhere") == []
    git(tmp_path, "init")
    file = tmp_path / "tests" / "test_a.py"
    file.parent.mkdir()
    file.write_text("".join(f"def test_{i}(): ...\n" for i in range(MANY + 5)))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "Begin")
    file.write_text("def test_0(): ...\n")
    git(tmp_path, "commit", "-am", "Less")
    file.write_text("")
    commits = history(tmp_path)
    assert [bool(commit.name) for commit in commits] == [True, False]
    assert len(commits[0].vanished) == MANY + 4 and commits[1].vanished == ["test_0"]
    assert [*unexplained(commits)] == [commits[0].name]


@pytest.mark.parametrize("strategy", [(), ("--strategy=ours",)])
def test_a_merge_that_drops_a_branch_is_seen(tmp_path: Path, strategy: tuple[str, ...]) -> None:
    def commit(name: str, count: int) -> None:
        (tmp_path / "tests").mkdir(exist_ok=True)
        text = "".join(f"def test_{name}_{i}() -> None: ...\n" for i in range(count))
        (tmp_path / "tests" / f"test_{name}.py").write_text(text)
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-m", name)

    git(tmp_path, "init")
    commit("old", 1)
    git(tmp_path, "checkout", "-b", "branch")
    commit("theirs", MANY)
    git(tmp_path, "checkout", "main")
    commit("ours", MANY)
    git(tmp_path, "merge", "branch", "--no-ff", "-m", "Merge", *strategy)
    gone = unexplained(history(tmp_path))
    assert [*gone.values()] == ([[f"test_theirs_{i}" for i in range(MANY)]] if strategy else [])
