"""Occlusion: checked against typing the sentence without the word, and against forced decoding."""

import numpy as np
import pytest

from nmtcore.analysis import occlusion
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.intervention import Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import EOS
from tests.helpers import rounding, translate

TEXT = "the small cat sees a red house ."
WORDS = TEXT.split()


@pytest.fixture(scope="module")
def trace(small_checkpoint: Checkpoint) -> Trace:
    return translate(small_checkpoint, TEXT, DecodingConfig(beam=3, max_length=12))


@pytest.fixture(scope="module")
def found(small_checkpoint: Checkpoint, trace: Trace) -> occlusion.Occlusion:
    return occlusion.occlude(small_checkpoint, trace)


@pytest.mark.numerical
def test_the_whole_source_scores_as_search_did(
    small_checkpoint: Checkpoint, trace: Trace, found: occlusion.Occlusion
) -> None:
    assert found.target == trace.target
    exact = rounding(small_checkpoint.model, np.abs(found.whole).max())
    np.testing.assert_allclose(found.whole, [step.log_probability for step in trace.steps], rtol=0, atol=exact)
    assert occlusion.positions(trace) == found.without.size


@pytest.mark.numerical
def test_each_word_is_left_out_alone(small_checkpoint: Checkpoint, trace: Trace, found: occlusion.Occlusion) -> None:
    assert found.words == tuple(WORDS)
    assert found.without.shape == (len(WORDS), len(trace.target))
    assert [i for group in found.pieces for i in group] == list(range(len(trace.source) - 1))  # never <eos>
    ids = small_checkpoint.vocab.encode(TEXT)
    forced = Intervention.prefix(trace.ids)
    for word in (0, 4, len(WORDS) - 1):
        shorter = " ".join(w for i, w in enumerate(WORDS) if i != word)
        kept = [i for at, i in enumerate(ids) if at not in found.pieces[word]]
        assert small_checkpoint.vocab.encode(shorter) == kept  # the same question, asked by typing
        again = translate(small_checkpoint, shorter, DecodingConfig(max_length=len(trace.target)), forced)
        assert again.ids == trace.ids
        exact = rounding(small_checkpoint.model, abs(again.log_probability))
        assert found.without[word].sum() == pytest.approx(again.log_probability, abs=exact)
        assert found.drops[word] == pytest.approx(trace.log_probability - again.log_probability, abs=2 * exact)


@pytest.mark.numerical
def test_scoring_in_parts_changes_nothing(small_checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [*small_checkpoint.vocab.encode(TEXT), EOS]
    sources = [ids, ids[1:], ids[3:], ids[-1:]]
    target = [*small_checkpoint.vocab.encode("le petit chat"), EOS]
    whole = occlusion.forced_decoding(small_checkpoint, sources, target)
    monkeypatch.setattr(occlusion, "TOKENS", 1)
    parts = occlusion.forced_decoding(small_checkpoint, sources, target)
    np.testing.assert_allclose(parts, whole, rtol=0, atol=rounding(small_checkpoint.model, np.abs(whole).max()))
    assert whole.shape == (4, len(target))
    assert len({round(float(row.sum()), 4) for row in whole}) == 4


def test_one_word_can_be_left_out_of_one(small_checkpoint: Checkpoint) -> None:
    found = occlusion.occlude(small_checkpoint, translate(small_checkpoint, "cat", DecodingConfig(max_length=5)))
    assert found.words == ("cat",)
    assert np.isfinite(found.without).all()
