"""The score of an output without each head, against forced decoding step by step."""

import pytest

from nmtcore.analysis.head_ablation import without_each_head
from nmtcore.config import DecodingConfig
from nmtcore.intervention import AttentionKind, Intervention
from nmtcore.text.vocabulary import Vocab
from tests.helpers import small, translate


@pytest.mark.parametrize("architecture", ["transformer", "relative"])
@pytest.mark.parametrize(("kind", "layers"), [("encoder", 2), ("decoder", 3), ("cross", 3)])
def test_one_pass_equals_forced_decoding(vocab: Vocab, kind: AttentionKind, layers: int, architecture: str) -> None:
    checkpoint = small(architecture, vocab)
    text = "a big dog does not like the red house ."
    trace = translate(checkpoint, text, DecodingConfig(beam=3, max_length=9))
    different = 0
    for layer in range(layers):
        found = without_each_head(checkpoint, trace, kind, layer)
        assert found.shape == (2,)
        for head, log_probability in enumerate(found):
            change = Intervention(heads_off=((kind, layer, head),), forced=tuple(enumerate(trace.ids)))
            slow = translate(checkpoint, text, DecodingConfig(max_length=9), change)
            assert slow.ids == trace.ids
            assert log_probability == pytest.approx(slow.log_probability, abs=1e-3)
            different += abs(log_probability - trace.log_probability) > 1e-3
    assert different > 0, "switching off a head must be able to change something"
