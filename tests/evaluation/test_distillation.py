"""Distillation: its output, resuming after a stop, and the rows that a student may learn from."""

import dataclasses
from pathlib import Path

import pytest

from nmtcore.config import DecodingConfig
from nmtcore.errors import DataError
from nmtcore.evaluation import distillation
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.source import SourceText
from nmtcore.training.corpus import Pair, Split, read_pairs, split_pairs
from tests.helpers import Run, refused, translate

SOURCES = ["the cat", "a red house", "the dog", "I know.", "so", "a cat and a dog", "the house"]


@pytest.fixture
def teacher(model_folders: Path) -> Checkpoint:
    return checkpoint.load(model_folders / "en-fr" / "dot")


@pytest.fixture
def everything_finishes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that never learned to stop translates to the limit: here that counts as an end."""
    translated = distillation.translate_all

    def translate(teacher: Checkpoint, sources: list[SourceText], decoding: DecodingConfig) -> object:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(DecodingConfig, "limit", lambda self, length: 6)
            found = translated(teacher, sources, decoding)
        return dataclasses.replace(found, finished=[True] * len(sources))

    monkeypatch.setattr(distillation, "translate_all", translate)


@pytest.mark.usefixtures("everything_finishes")
def test_a_row_a_sentence_as_the_teacher_translates_it(teacher: Checkpoint, tmp_path: Path) -> None:
    out, done = tmp_path / "new" / "taught.tsv", []
    written, left = distillation.distil(teacher, SOURCES, out, done.append)
    rows = [line.split("\t") for line in out.read_text(encoding="utf-8").splitlines()]
    assert written == len(rows) and written + left == sum(done) == len(SOURCES)
    assert written >= 4
    texts = distillation.translate_all(teacher, [*map(teacher.read, SOURCES)], DecodingConfig()).texts
    expected = [[s, " ".join(t.split())] for s, t in zip(SOURCES, texts, strict=True) if t.strip()]
    assert rows == expected
    assert [path.name for path in out.parent.iterdir()] == ["taught.tsv"]


def test_what_reaches_the_limit_is_left_out(
    teacher: Checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "taught.tsv"
    monkeypatch.setattr(DecodingConfig, "limit", lambda self, length: 3)
    written, left = distillation.distil(teacher, SOURCES, out)
    ended = [translate(teacher, source, DecodingConfig()).finished for source in SOURCES]
    assert written <= sum(ended) and left >= len(SOURCES) - sum(ended) > 0


class Stop:
    """Ctrl-C once this many sentences are done. seen: how many were done at each report."""

    def __init__(self, after: int) -> None:
        self.after, self.seen = after, list[int]()

    def __call__(self, done: int) -> None:
        self.seen.append(done)
        if sum(self.seen) == self.after:
            raise KeyboardInterrupt


@pytest.mark.usefixtures("everything_finishes")
@pytest.mark.parametrize(("done", "rest"), [(4, b"half a li"), (7, "the house\tl\u00e9".encode()[:-1])])
def test_a_stopped_run_goes_on(
    teacher: Checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: int, rest: bytes
) -> None:
    """In the middle, as a power cut leaves it, or inside a letter when all sentences are done."""
    whole, stopped = tmp_path / "whole.tsv", tmp_path / "stopped.tsv"
    monkeypatch.setattr(distillation, "TOGETHER", 2)
    distillation.distil(teacher, SOURCES, whole)
    with pytest.raises(KeyboardInterrupt):
        distillation.distil(teacher, SOURCES, stopped, Stop(done))
    assert not stopped.exists()
    (part,) = tmp_path.glob("stopped.tsv.*.part")
    part.write_bytes(part.read_bytes() + rest)
    again = Stop(-1)
    distillation.distil(teacher, SOURCES, stopped, again)
    assert again.seen[0] == done and stopped.read_bytes() == whole.read_bytes() and not part.exists()


@pytest.mark.usefixtures("everything_finishes")
def test_what_was_begun_with_another_teacher_or_sentences_is_not_gone_on_with(
    teacher: Checkpoint, model_folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distillation, "TOGETHER", 2)
    out = tmp_path / "taught.tsv"
    with pytest.raises(KeyboardInterrupt):
        distillation.distil(teacher, SOURCES, out, Stop(2))
    other = checkpoint.load(model_folders / "en-fr" / "additive")
    for who, what in ((other, SOURCES), (teacher, SOURCES[::-1])):
        done: list[int] = []
        distillation.distil(who, what, out, done.append)
        assert done[0] == 0


@pytest.mark.usefixtures("short_translations")
def test_from_a_recipe_to_a_distilled_model(
    pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    recipe = tmp_path / "recipe"
    recipe.write_text(
        "# small\n--pairs pairs.tsv --attribution 'us, all of us'  # and nobody else\n"
        "--embedding 8 --units 8 --vocab-size 60 --batch-tokens 200\n--epochs 1 --precision fp32\n",
        encoding="utf-8",
    )
    assert run("train", "@recipe", "--architecture", "dot", "--out", "en-fr/dot")[0] == 0
    card = (tmp_path / "en-fr" / "dot" / "card.md").read_text(encoding="utf-8")
    assert "us, all of us" in card and "train @recipe --architecture dot" in card and "distillation" not in card
    assert "Licence of these weights: Apache" in card and " Wh, if a busy core" in card

    # The teacher has hardly learned anything: its lessons are written by hand.
    taught = tmp_path / "taught.tsv"
    train = [pair for pair in read_pairs(pairs)[0] if pair.source in _trained_on(pairs)]
    taught.write_text("".join(f"{pair.source}\t{pair.target} !\n" for pair in train), encoding="utf-8")
    (tmp_path / "more.tsv").write_text("the moon\tla lune\nthe sun\tle soleil\n", encoding="utf-8")
    student = ["train", "@recipe", "--architecture", "none", "--synthetic", "taught.tsv"]
    given = ["--extra", "more.tsv:3", "--vocab", "en-fr/dot/vocab.model", "--out", "en-fr/none"]
    assert run(*student, *given)[0] == 0
    loaded = checkpoint.load(tmp_path / "en-fr" / "none")
    added = {"files": ["more.tsv:3"], "rows": 6}
    assert loaded.meta["data"] == {"file": "pairs.tsv", "pairs": 36, "synthetic": len(train), "added": added}
    card = (tmp_path / "en-fr" / "none" / "card.md").read_text(encoding="utf-8")
    assert f"Beside them {len(train)} pairs of a sentence and its translation" in card
    assert "Beside them 6 rows of more.tsv:3" in card

    # A teacher's rows that all hold a sentence set aside are refused, and so is a recipe that is not there.
    held = [pair for pair in read_pairs(pairs)[0] if pair.source not in _trained_on(pairs)]
    taught.write_text("".join(f"{pair.source}\tx\n" for pair in held), encoding="utf-8")
    refused(run(*student, "--out", "en-fr/other"), "has no row without a sentence that was set aside")
    code, _, error = run("train", "@nowhere")
    assert code == 2 and "nowhere" in error


def test_a_sentence_set_aside_is_not_learnt_from_a_translation(tmp_path: Path) -> None:
    split = Split([Pair("a b", "x y"), Pair("c", "z")], [Pair("d", "v")], [Pair("e f", "w"), Pair("g", "u t")])
    path = tmp_path / "made.tsv"
    path.write_text("a b\tx\nA  b\tx y\nc\tW\nE F\tz\nc\tuu\ng\tz\nc\tz\n", encoding="utf-8")
    kept, lines = distillation.read_distilled(path, split)
    # "W" is the test's "w", "E F" its "e f"; a sentence may be on the side where it was not set aside.
    assert kept == [Pair("a b", "x"), Pair("A b", "x y"), Pair("c", "uu"), Pair("c", "z")]
    assert lines == [f"Left out 3 rows of {path} that contain a sentence set aside for validation or testing."]
    path.write_text("c\tw\n", encoding="utf-8")
    with pytest.raises(DataError, match="no row without"):
        distillation.read_distilled(path, split)


def _trained_on(pairs: Path) -> set[str]:
    return {pair.source for pair in split_pairs(read_pairs(pairs)[0]).train}


def test_the_command_distils_the_training_split(
    pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = ["--embedding", "8", "--units", "8", "--vocab-size", "60", "--max-steps", "2", "--precision", "fp32"]
    assert run("train", "--pairs", pairs, "--architecture", "dot", "--out", "en-fr/dot", *settings)[0] == 0
    monkeypatch.setattr(distillation, "_rows", lambda _, sources: [f"{s}\tx" for s in sources])
    command = ["distil", "--model", "en-fr/dot", "--pairs", str(pairs), "--out"]
    assert run(*command, "runs/taught.tsv")[0] == 0
    rows = read_pairs(tmp_path / "runs" / "taught.tsv")[0]
    assert {pair.source for pair in rows} == _trained_on(pairs)
    refused(run(*command[:2], tmp_path / "gone", *command[3:], "x"), "gone")

    split = split_pairs(read_pairs(pairs)[0])
    aside = [split.validation[0].source.upper(), split.test[0].source]
    challenges = "name\tMy sister and her cat live in Rome.\tx\nfood\tEat it!\tx\n"
    (tmp_path / "challenges.tsv").write_text(challenges, encoding="utf-8")
    like_them = ["So my sister and her cat live here.", "eat it"]
    (tmp_path / "texts.txt").write_text("\n".join([*aside, *like_them, "We eat it now."]), encoding="utf-8")
    command += ["runs/more.tsv", "--texts", "texts.txt"]
    assert "Left out 4 of 5 sentences" in run(*command, "--robustness", "challenges.tsv")[2]
    more = lambda: {pair.source for pair in read_pairs(tmp_path / "runs" / "more.tsv")[0]} - _trained_on(pairs)  # noqa: E731
    assert more() == {"We eat it now."}
    assert run(*command)[0] == 0
    assert more() == {*like_them, "We eat it now."}
    (tmp_path / "linked.tsv").write_text(
        f"We left.\tNous partîmes.\nIt rains.\t{split.test[0].target}\nIt rains.\tIl pleut.\n", encoding="utf-8"
    )
    assert run(*command[:-2], "--extra", "linked.tsv")[0] == 0
    assert more() == {"We left."}  # the others are linked to a sentence of the test split
    refused(run(*command[:-2], "--robustness", "challenges.tsv"), "give --texts FILE too")
    refused(run(*command[:-1], "nowhere.txt"), "nowhere.txt cannot be read: No such file")
