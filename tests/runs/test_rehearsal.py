"""Rehearsal: a model's own earlier translations are mixed in, and how many it keeps is measured."""

from pathlib import Path
from typing import Any

import pytest

from nmtcore.errors import DataError, SettingError
from nmtcore.evaluation.references import group_references
from nmtcore.evaluation.validation import Scorer
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.runs import rehearsal, run_folder
from nmtcore.runs.config import REHEARSED
from nmtcore.runs.rehearsal import Rehearsal, sentences
from nmtcore.runs.run_folder import Run
from nmtcore.runs.worker import Worker
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.corpus import Pair
from tests.helpers import small
from tests.runs.helpers import config

PAIRS = [(f"the small cat sees {i} dogs .", f"le petit chat voit {i} chiens .") for i in range(60)]


@pytest.fixture(scope="module")
def begun(vocab: Vocab) -> Checkpoint:
    """A model that gives some output for every sentence, even if nonsense."""
    return small("dot", vocab)


def test_our_sentences_are_everyday_and_all_different() -> None:
    assert rehearsal.sentences("fr") == []
    for language in ("en", "zh"):
        found = sentences(language)
        assert len(set(found)) == len(found) == 96
        assert all(sentence == sentence.strip() and 3 <= len(sentence) <= 60 for sentence in found)
    assert sentences("fr") == sentences("../en") == []


def test_what_is_measured_is_not_trained_on(begun: Checkpoint, tmp_path: Path) -> None:
    new = [Pair(sentences("en")[0], "x")]
    made = rehearsal.make_rehearsal(begun, "en", ["A sentence of my own."], new, tmp_path / "kept.tsv")
    trained, held_out = ({pair.source for pair in part} for part in (made.train, made.held_out))
    assert not trained & held_out
    assert trained | held_out <= {*sentences("en")[1:], "A sentence of my own."}
    assert len(held_out) == (len(trained) + len(held_out)) // 4 >= 10
    again = rehearsal.make_rehearsal(begun, "zh", [], [], tmp_path / "kept.tsv")  # kept translations count
    assert again == made


def test_traditional_sentences_are_rehearsed_as_simplified_ones_and_not_where_they_are_new(
    begun: Checkpoint, tmp_path: Path
) -> None:
    own, new = ["我們是學生。", "這個問題很難。"], [Pair("我們是學生。", "We are pupils.")]
    made = rehearsal.make_rehearsal(begun, "zh", own, new, tmp_path / "kept.tsv")
    sources = {pair.source for pair in (*made.train, *made.held_out)}
    assert "这个问题很难。" in sources
    assert not sources & {"我们是学生。", *own}


def test_the_share_is_of_the_new_pairs() -> None:
    made = Rehearsal(tuple(Pair(str(i), str(i)) for i in range(6)))
    assert made.mixed(0.0, 40) == Rehearsal().mixed(0.5, 40) == []
    mixed = made.mixed(0.5, 40)
    assert len(mixed) == 20
    assert {mixed.count(pair) for pair in made.train} == {3, 4}


def test_too_few_sentences_are_refused(begun: Checkpoint, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="too few sentences to rehearse"):
        rehearsal.make_rehearsal(begun, "fr", ["Un chat.", "Deux chats."], [], tmp_path / "kept.tsv")


ONE = "\ufdfa"  # becomes 18 characters, as a vocabulary reads it


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rehearsal": 0.5}, "from scratch has nothing to rehearse"),
        ({"rehearsal": 1.5, "architecture": ""}, "rehearsal must be between 0 and 1"),
        ({"rehearsed": ("x" * 301,)}, "at most 300 characters"),
        ({"rehearsed": (ONE * (REHEARSED // 18 + 1),)}, "at most 300 characters"),
        ({"rehearsed": ("word",) * 2001}, "At most 2,000 sentences"),
        ({"rehearsed": ("two\nlines",)}, "is one line"),
    ],
)
def test_settings_are_checked(changes: dict[str, Any], message: str) -> None:
    config(rehearsed=(ONE * (REHEARSED // 18),))
    with pytest.raises(SettingError, match=message):
        config(**changes)


def run_with(root: Path, begun: Checkpoint, share: float) -> Run:
    start = root / "start"
    meta = {"source": "en", "target": "fr", "alignments": {"best": {"layer": 0, "head": 0}}}
    checkpoint.save(start, begun.model, begun.vocab, meta)
    changes = {"exercise": "", "architecture": "", "settings": {}, "source": "en", "target": "fr"}
    training = {"max_steps": 40, "learning_rate": 0.01, "batch_tokens": 400}
    settings = config(**changes, rehearsal=share, training=training)
    return run_folder.create(root / "runs", settings, PAIRS, "me", start)[0]


def test_a_run_tells_both_scores_and_forgets_less(begun: Checkpoint, tmp_path: Path) -> None:
    kept = {}
    for share in (0.0, 1.0):
        run = run_with(tmp_path / str(share), begun, share)
        Worker(run).work()
        assert run.status().state == "done", run.status().message
        scores = [event.get("old_score") for event in run.events() if event["event"] == "validation"]
        first = run.events()[0]
        assert first["pairs"] == (54 if share == 0 else 108)
        if share:
            assert len(scores) == 2 and scores[-1] == run.status().old_score
            old = rehearsal.make_rehearsal(begun, "en", [], [], run.folder / "start" / "rehearsal.tsv")
        else:
            assert scores == [None, None]
        kept[share] = run
    left = []
    for run in kept.values():
        after = checkpoint.load(run.best)
        assert after.meta["alignments_at_start"] == {"best": {"layer": 0, "head": 0}} and "alignments" not in after.meta
        left.append(Scorer(group_references(old.held_out), after.vocab, "fr")(after.model)[0])
    assert left[1] > left[0]


def test_a_sentence_of_too_many_pieces_is_not_rehearsed(begun: Checkpoint, tmp_path: Path) -> None:
    words = "a b c d " * 37
    assert len(words) <= REHEARSED
    own = [words + word for word in ("one", "two")]
    counts = [len(begun.vocab.encode(sentence.strip())) for sentence in own]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rehearsal, "MAX_PIECES", min(counts))
        made = rehearsal.make_rehearsal(begun, "en", own, [], tmp_path / "kept.tsv")
    sources = {pair.source for pair in (*made.train, *made.held_out)}
    assert {own[i] in sources for i in range(2) if counts[i] > min(counts)} <= {False}
    assert own[counts.index(min(counts))] in sources
