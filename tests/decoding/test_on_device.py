"""Every architecture decodes on another device as on the CPU, and each step synchronizes once."""

import numpy as np
import pytest

from nmtcore.config import DecodingConfig
from nmtcore.decoding import mask_predict
from nmtcore.decoding.decode import force, translate_batch
from nmtcore.decoding.trace import Trace
from nmtcore.errors import InterventionError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import Vocab
from tests.accelerator import NAME, Accelerator, on_device
from tests.helpers import small, translate

SENTENCE = "the small cat sees"


def changes(model: Checkpoint, fast: bool) -> dict[str, Intervention]:
    """One of each kind of Intervention that the architecture can make; two for the readable model, to be quick."""
    length, vocab = len(model.vocab.encode(SENTENCE)) + 1, model.vocab
    cat, dog = (tuple(vocab.encode(word)) for word in ("cat", "dog"))
    found = {
        "none": NO_CHANGE,
        "forced": Intervention.prefix(cat),
        "forbidden": Intervention(forbidden=((None, cat[0]), (1, dog[0]))),
        "contains": Intervention(contains=(dog,)),
        "head off": Intervention(heads_off=(("cross", 0, 0),)),
        "row": Intervention.attend_to(1, 2, length),
        "part off": Intervention(parts_off=(("decoder", 1, "feedforward"),)),
        "dropped": Intervention(positions="dropped", target_positions="dropped"),
        "shuffled": Intervention(positions=tuple(reversed(range(length)))),
    }
    possible = {}
    for name, change in found.items():
        if not fast and name not in ("none", "row"):
            continue
        try:
            model.model.check(change, length)
        except InterventionError:
            continue
        possible[name] = change
    return possible


def same(found: Trace, expected: Trace) -> None:
    """Both records hold the same search; numbers differ by rounding at most."""
    assert (found.text, found.ids, found.finished) == (expected.text, expected.ids, expected.finished)
    assert found.log_probability == pytest.approx(expected.log_probability, abs=1e-3)
    assert [n.token_id for n in found.beam[:30]] == [n.token_id for n in expected.beam[:30]]
    for a, b in zip(found.attention, expected.attention, strict=True):
        np.testing.assert_allclose(a.weights, b.weights, atol=1e-4)
    assert found.inner.keys() == expected.inner.keys()
    for name, values in expected.inner.items():
        np.testing.assert_allclose(found.inner[name], values, atol=1e-3, err_msg=name)


@pytest.mark.parametrize("fast", [False, True])
def test_decoding_there_finds_what_it_finds_on_the_cpu_and_each_step_reads_back_once(
    device: Accelerator, small_checkpoint: Checkpoint, fast: bool
) -> None:
    moved = on_device(small_checkpoint, fast)
    assert moved.model.device.type == NAME
    for name, change in changes(small_checkpoint, fast).items():
        for beam in (1, 3) if name == "none" else (2,):
            counts = []
            for steps in (3, 5):  # the untrained models never end a sentence
                device.waits.clear()
                decoding = DecodingConfig(beam, max_length=steps)
                there = translate(moved, SENTENCE, decoding, change)
                counts.append((device.waited, max(node.step for node in there.beam)))
            (few, short), (many, long) = counts
            assert few and long > short and many - few <= long - short, f"{name}, beam {beam}: {counts}"
            same(there, translate(small_checkpoint, SENTENCE, decoding, change))
    same(force(moved, SENTENCE, "a red cat"), force(small_checkpoint, SENTENCE, "a red cat"))
    texts = [SENTENCE, "a dog", "the old red house"]
    decoding = DecodingConfig(2, max_length=4)
    for found, expected in zip(
        translate_batch(moved, [*map(moved.read, texts)], decoding),
        translate_batch(small_checkpoint, [*map(small_checkpoint.read, texts)], decoding),
        strict=True,
    ):
        same(found, expected)


def test_all_words_at_once_there_are_those_of_the_cpu(device: Accelerator, vocab: Vocab) -> None:
    here = small("mask-predict", vocab)
    there = on_device(here)
    expected, found = (mask_predict.translate(model, model.read(SENTENCE)) for model in (here, there))
    assert device.waited and (found.text, found.target) == (expected.text, expected.target)
    assert found.lengths[0].mean == pytest.approx(expected.lengths[0].mean, abs=1e-4)
    ids = vocab.encode_all([SENTENCE, "a dog"])
    assert mask_predict.translate_ids(there, ids, found.decoding) == mask_predict.translate_ids(
        here, ids, found.decoding
    )
    same(force(there, SENTENCE, "a red cat"), force(here, SENTENCE, "a red cat"))
