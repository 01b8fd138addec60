"""Every probe gives the same answer on another device as on the CPU, or refuses for the same reason."""

import dataclasses
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from torch import Tensor

from nmtcore.analysis.embeddings import embedding_tables
from nmtcore.analysis.gates import recompute_gates
from nmtcore.analysis.general_score import head_score, own_score
from nmtcore.analysis.head_ablation import without_each_head
from nmtcore.analysis.head_parts import attention_inputs, recompute_head
from nmtcore.analysis.masks import padded_batch
from nmtcore.analysis.occlusion import occlude
from nmtcore.analysis.position_ablation import permuted_states, translate_permuted
from nmtcore.analysis.positional_encodings import position_table
from nmtcore.analysis.relative_bias import recompute_bias
from nmtcore.analysis.residual_stream import recompute_stream
from nmtcore.analysis.speed import measure
from nmtcore.analysis.teacher_forcing import force_truth
from nmtcore.analysis.word_swaps import swap_words
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import NmtError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import Vocab
from tests.accelerator import Accelerator, on_device
from tests.helpers import WORD_BY_WORD, small, translate

SENTENCE = "the small cat sees"
WORDS = ("the", "cat", "dog", "sees", "red", "old", "house")


def numbers(value: Any) -> Iterator[float]:
    """All numbers in a record of any structure."""
    if isinstance(value, Tensor):
        value = value.cpu().numpy()
    if isinstance(value, np.ndarray):
        yield from value.ravel().tolist()
    elif isinstance(value, bool | int | float | np.number):
        yield float(value)
    elif isinstance(value, dict):
        yield from numbers(list(value.values()))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from numbers(part)
    elif dataclasses.is_dataclass(value):
        yield from numbers([getattr(value, field.name) for field in dataclasses.fields(value)])


def ordinary(model: Checkpoint) -> Trace:
    return translate(model, SENTENCE, DecodingConfig(1, max_length=4))


FIVE = [f"the {a} {b} ." for a, b in zip(WORDS[1:6], WORDS[2:7], strict=True)]
PROBES: dict[str, Callable[[Checkpoint], Any]] = {
    "occlusion": lambda m: occlude(m, ordinary(m)),
    "gates": lambda m: recompute_gates(m, ordinary(m)),
    "head ablation": lambda m: [without_each_head(m, ordinary(m), kind, 1) for kind in ("encoder", "cross")],
    "head parts": lambda m: recompute_head(m, ordinary(m), "cross", 0, 1),
    "attention inputs": lambda m: attention_inputs(m, ordinary(m), "decoder"),
    "general score": lambda m: head_score(m, ordinary(m), 0, 1).scores,
    "own matrix": lambda m: own_score(m, ordinary(m)).scores,
    "masks": lambda m: padded_batch(m, [[5, 6, 7], [8]], [[5, 6, 3], [9, 3]]).attention["cross"],
    "position table": lambda m: position_table(m, 5),
    "relative bias": lambda m: recompute_bias(m, ordinary(m)),
    "residual stream": lambda m: [recompute_stream(m, ordinary(m), stack) for stack in ("encoder", "decoder")],
    "teacher forcing": lambda m: force_truth(m, m.read(SENTENCE), m.read_target("a red cat")),
    "permuted": lambda m: (
        translate_permuted(
            m, m.read(SENTENCE), tuple(reversed(range(len(m.vocab.encode(SENTENCE))))), DecodingConfig(1, max_length=4)
        ).log_probability
    ),
    "permuted states": lambda m: permuted_states(m, m.read(SENTENCE), range(len(m.vocab.encode(SENTENCE)))).kept,
    "embeddings": lambda m: embedding_tables(m)["target"].rows,
    "word swaps": lambda m: swap_words(m, FIVE, 3).moves,
    "speed": lambda m: measure(m.model, [5, 6, 7], 4, rounds=1).length,
}


def answer(probe: Callable[[Checkpoint], Any], model: Checkpoint) -> list[float] | str:
    """A probe's result, or why it does not suit this architecture."""
    try:
        return list(numbers(probe(model)))
    except (NmtError, AssertionError) as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("probe", PROBES)
def test_every_probe_answers_there_what_it_answers_on_the_cpu(
    device: Accelerator, small_checkpoint: Checkpoint, probe: str
) -> None:
    expected, found = answer(PROBES[probe], small_checkpoint), answer(PROBES[probe], on_device(small_checkpoint))
    if isinstance(expected, str):
        assert found == expected
    else:
        assert not isinstance(found, str) and len(expected) > 0, found
        np.testing.assert_allclose(found, expected, atol=2e-3)


RECURRENT = {"none", "additive", "dot", "copying", "deep-lstm"}
HEADS = {"transformer", "relative"}
ANSWER = {  # what only some architectures answer
    **{"gates": RECURRENT, "word swaps": RECURRENT, "masks": {"transformer"}, "relative bias": {"relative"}},
    "own matrix": set[str](),  # of the general score
    **dict.fromkeys(("head ablation", "head parts", "attention inputs", "general score"), HEADS),
    **dict.fromkeys(("position table", "residual stream"), HEADS),
}


@pytest.mark.parametrize("probe", PROBES)
def test_an_architecture_answers_or_says_in_a_sentence_what_it_lacks(vocab: Vocab, probe: str) -> None:
    found = {name: answer(PROBES[probe], small(name, vocab)) for name in WORD_BY_WORD}
    refused = {name: said for name, said in found.items() if isinstance(said, str)}
    assert found.keys() - refused.keys() == ANSWER.get(probe, {*WORD_BY_WORD})
    for said in refused.values():
        assert re.fullmatch(r"(Intervention|Data)Error: (Only a|This model|Masks of).*\.", said)
