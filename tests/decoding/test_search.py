"""Search against slow, obvious references."""

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch

from nmtcore.config import (
    ConvolutionalConfig,
    DecodingConfig,
    DeepRecurrentConfig,
    ModelConfig,
    RecurrentConfig,
    TransformerConfig,
)
from nmtcore.decoding.recorder import best_hypothesis, search_record, tree
from nmtcore.decoding.search import GROUP, Search, beam_search, largest
from nmtcore.decoding.trace import BeamNode, length_penalty, path
from nmtcore.errors import InterventionError, SettingError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.padded import pad
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.text.vocabulary import EOS, PAD, SOS
from tests.helpers import random_model

V = 15
CONFIGS: dict[str, ModelConfig] = {
    "none": RecurrentConfig(V, attention="none", embedding=8, units=10),
    "additive": RecurrentConfig(V, attention="additive", embedding=8, units=10),
    "dot": RecurrentConfig(V, attention="dot", embedding=8, units=10, cell="lstm"),
    "transformer": TransformerConfig(V, width=8, feedforward=12, heads=2, encoder_layers=1, decoder_layers=2),
    "copying": RecurrentConfig(V, embedding=8, units=10, copying=True),
    "deep-lstm": DeepRecurrentConfig(V, 8, 10, 2, 3),
    "convolutional": ConvolutionalConfig(V, 8, 10, 3, 1, 2),
    "relative": TransformerConfig(V, 8, 12, 2, 1, 2, positions="relative", max_relative_position=2),
}
SOURCES = [[5, 9, 4, 7, EOS], [6, 6, EOS]]
MODELS = list(CONFIGS)


@functools.cache
def model_of(name: str, size: int = V, seed: int = 11) -> Seq2Seq:
    """A model with sharper probabilities than at initialisation, so that hypotheses differ."""
    return random_model(replace(CONFIGS[name], vocab_size=size), seed, 2.5)


def next_log_probabilities(model: Seq2Seq, source: Sequence[int], prefix: Sequence[int]) -> list[float]:
    return _next_log_probabilities(model, tuple(source), tuple(prefix))


@functools.cache
@torch.no_grad()
def _next_log_probabilities(model: Seq2Seq, source: tuple[int, ...], prefix: tuple[int, ...]) -> list[float]:
    logits = model(pad([source]), pad([[SOS, *prefix]]))[0, -1]
    return logits.log_softmax(-1).tolist()


@torch.no_grad()
def coverage(model: Seq2Seq, source: Sequence[int], ids: Sequence[int]) -> float:
    memory = model.encode(pad([source]))
    state, sums = model.start(memory), [0.0] * len(source)
    for token in [SOS, *ids][: len(ids)]:
        out = model.step(torch.tensor([token]), state, memory)
        state = out.state
        if "cross" not in out.attention:
            return 0.0
        row = out.attention["cross"][-1][0].mean(0)[0].tolist()
        sums = [s + w for s, w in zip(sums, row, strict=True)]
    return sum(math.log(max(min(s, 1.0), 1e-6)) for s in sums)


def reference(model: Seq2Seq, source: Sequence[int], k: int, limit: int) -> list[tuple[list[int], float]]:
    """Beam search as one would write it on a blackboard. Returns finished hypotheses with log P."""
    live: list[tuple[list[int], float]] = [([], 0.0)]
    finished: list[tuple[list[int], float]] = []
    for _ in range(limit):
        continuations = [
            ([*ids, token], total + value)
            for ids, total in live
            for token, value in enumerate(next_log_probabilities(model, source, ids))
            if token not in (PAD, SOS)
        ]
        continuations.sort(key=lambda c: -c[1])
        best = continuations[: k - len(finished)]
        finished += [c for c in best if c[0][-1] == EOS]
        live = [c for c in best if c[0][-1] != EOS]
        if not live:
            break
    return finished or live


def winner(nodes: Sequence[BeamNode], decoding: DecodingConfig) -> BeamNode:
    """The best hypothesis of a tree of all nodes: the slow reference of `best_hypothesis`."""
    ends = [n for n in nodes if n.fate == "finished"]
    ends = ends or [n for n in nodes if n.fate == "kept" and n.step == nodes[-1].step]
    return max(ends, key=lambda n: n.score(decoding.alpha, decoding.beta))


def best_ids(found: Search, sentence: int, decoding: DecodingConfig) -> list[int]:
    return [*best_hypothesis(search_record(found, sentence), decoding).tokens]


@pytest.mark.numerical
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_beam_equals_the_slow_reference(name: str, k: int) -> None:
    model = model_of(name)
    decoding = DecodingConfig(beam=k, alpha=0.9, beta=0.3, max_length=7)
    found = beam_search(model, pad(SOURCES), decoding)
    for b, source in enumerate(SOURCES):
        expected = reference(model, source, k, 7)
        nodes = tree(search_record(found, b))
        ends = [n for n in nodes if n.fate == "finished"] or [n for n in nodes if n.fate == "kept" and n.step == 7]
        ours = {tuple(n.token_id for n in path(nodes, end)): end for end in ends}
        assert set(ours) == {tuple(ids) for ids, _ in expected}
        scores = {}
        for ids, total in expected:
            node = ours[tuple(ids)]
            assert node.total == pytest.approx(total, abs=1e-4)
            assert node.coverage == pytest.approx(coverage(model, source, ids), abs=1e-3)
            scores[tuple(ids)] = total / length_penalty(len(ids), 0.9) + 0.3 * node.coverage
        best = winner(nodes, decoding)
        assert best_ids(found, b, decoding) == [n.token_id for n in path(nodes, best)]
        assert scores[tuple(n.token_id for n in path(nodes, best))] == pytest.approx(max(scores.values()), abs=1e-4)


@pytest.mark.numerical
@pytest.mark.parametrize("name", MODELS)
def test_beam_of_one_is_greedy(name: str) -> None:
    model = model_of(name)
    decoding = DecodingConfig(max_length=12)
    found = beam_search(model, pad(SOURCES), decoding)
    for b, source in enumerate(SOURCES):
        expected: list[int] = []
        while len(expected) < 12 and EOS not in expected:
            values = next_log_probabilities(model, source, expected)
            expected.append(max((t for t in range(V) if t not in (PAD, SOS)), key=values.__getitem__))
        assert best_ids(found, b, decoding) == expected


@pytest.mark.numerical
@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("name", ["additive", "transformer"])  # the first is a GRU: LSTMs in bfloat16 need units
def test_coverage_is_summed_in_float32_under_autocast(name: str, k: int) -> None:
    """As in tests/benchmarks/precision.py: matrix products in bfloat16, which NumPy does not know."""
    with torch.autocast("cpu", torch.bfloat16):
        found = beam_search(model_of(name), pad(SOURCES), DecodingConfig(beam=k, max_length=5))
    assert found.coverage.dtype == np.float32 and found.coverage.min() < 0


@pytest.mark.numerical
@pytest.mark.parametrize("name", MODELS)
def test_a_wide_beam_is_exhaustive(name: str) -> None:
    model = model_of(name, size=6)  # three tokens beside the specials: <unk>, 4, 5
    decoding = DecodingConfig(beam=20, alpha=0.0, max_length=3)
    source = [4, 5, EOS]
    found = beam_search(model, pad([source]), decoding)
    nodes = tree(search_record(found))
    every = [(*ids, EOS) for n in range(3) for ids in itertools.product((1, 4, 5), repeat=n)]

    def log_probability(ids: tuple[int, ...]) -> float:
        return sum(next_log_probabilities(model, source, ids[:j])[t] for j, t in enumerate(ids))

    best = winner(nodes, decoding)
    assert tuple(n.token_id for n in path(nodes, best)) == max(every, key=log_probability)
    assert best.total == pytest.approx(max(map(log_probability, every)), abs=1e-4)


@pytest.mark.numerical
@pytest.mark.parametrize("name", MODELS)
def test_forcing_a_prefix_of_the_greedy_output_gives_the_greedy_output(name: str) -> None:
    model = model_of(name)
    decoding = DecodingConfig(max_length=10)
    source = pad(SOURCES[:1])
    ids = best_ids(beam_search(model, source, decoding), 0, decoding)
    for length in range(len(ids)):
        forced = beam_search(model, source, decoding, Intervention.prefix(ids[:length]))
        assert best_ids(forced, 0, decoding) == ids


@pytest.mark.numerical
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("k", [1, 3])
def test_forced_and_forbidden_tokens(name: str, k: int) -> None:
    model = model_of(name)
    decoding = DecodingConfig(beam=k, max_length=8)
    plain = best_ids(beam_search(model, pad(SOURCES), decoding), 0, decoding)
    unlikely = min((t for t in range(4, V)), key=next_log_probabilities(model, SOURCES[0], plain[:1]).__getitem__)
    change = Intervention(forced=((1, unlikely),), forbidden=((None, plain[0]),))
    found = beam_search(model, pad(SOURCES), decoding, change)
    ids = best_ids(found, 0, decoding)
    assert ids[1] == unlikely and plain[0] not in ids
    nodes = tree(search_record(found))
    forbidden = [n for n in nodes if n.fate == "forbidden"]
    assert any(n.token_id == plain[0] and n.step == 1 for n in forbidden)
    assert all(n.rank == 0 for n in forbidden)
    assert {n.token_id for n in nodes if n.step == 2 and n.fate not in ("forbidden", "pruned")} == {unlikely}
    first = [n for n in nodes if n.step == 1]
    values = next_log_probabilities(model, SOURCES[0], [])  # the model's own probabilities stay what they were
    for node in first:
        assert node.log_probability == pytest.approx(values[node.token_id], abs=1e-4)


@pytest.mark.numerical
def test_every_node_adds_up_and_ranks_are_in_order() -> None:
    model = model_of("transformer")
    nodes = tree(search_record(beam_search(model, pad(SOURCES), DecodingConfig(beam=4, max_length=9))))
    for node in nodes[1:]:
        assert node.total == pytest.approx(nodes[node.parent].total + node.log_probability, abs=1e-4)
        assert nodes[node.parent].step == node.step - 1
        assert nodes[node.parent].fate in ("root", "kept")
    for step in range(1, nodes[-1].step + 1):
        level = sorted((n for n in nodes if n.step == step), key=lambda n: n.rank)
        assert [n.rank for n in level] == list(range(1, len(level) + 1))
        assert all(a.total >= b.total for a, b in itertools.pairwise(level))
        taken = sum(n.fate == "finished" for n in nodes if n.step < step)
        assert all((n.fate == "pruned") == (n.rank > 4 - taken) for n in level)


@pytest.mark.numerical
def test_ranks_of_a_wide_beam_count_all_that_was_considered() -> None:
    model, wide = model_of("additive"), 14
    found = beam_search(model, pad(SOURCES), DecodingConfig(beam=wide, max_length=4))
    nodes = tree(search_record(found))
    for step, seen in enumerate(found.steps, 1):
        every = sorted(seen.totals[0][seen.totals[0] > -np.inf].ravel().tolist(), reverse=True)
        level = [n for n in nodes if n.step == step]
        assert len(level) < len(every) or step == 1
        for node in level:
            assert every[node.rank - 1] == pytest.approx(node.total, abs=1e-5)
        ranks = [n.rank for n in level if n.fate != "pruned"]
        assert sorted(ranks) == list(range(1, len(ranks) + 1))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (Intervention(forced=((0, V),)), "cannot be forced"),
        (Intervention(forbidden=((None, PAD),)), "cannot be forced"),
        (Intervention.prefix([5] * 9), "steps 1 to 8"),
        (Intervention(attention=((8, (1.0, 0, 0, 0, 0)),)), "steps 1 to 8"),
    ],
)
def test_a_change_beyond_the_search_is_refused(change: Intervention, words: str) -> None:
    with pytest.raises(InterventionError, match=words):
        beam_search(model_of("additive"), pad(SOURCES[:1]), DecodingConfig(max_length=8), change)
    assert NO_CHANGE.to_json() == {}


@pytest.mark.parametrize("settings", [{"beam": 0}, {"beam": 50}, {"beam": 2.5}, {"alpha": math.nan}, {"beta": -1.0}])
def test_settings_outside_their_range_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(SettingError, match="must be"):
        DecodingConfig(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("width", [1, 3])
def test_a_search_ends_where_the_learned_positions_do(width: int) -> None:
    model = random_model(TransformerConfig(V, 8, 12, 2, 1, 1, positions="learned", max_positions=7), 5)
    with torch.no_grad():
        model.unembed.weight[EOS] = -5.0 * model.unembed.weight.mean(0).sign()  # it does not want to stop
    found = beam_search(model, pad([SOURCES[0]]), DecodingConfig(beam=width))
    assert len(found.steps) <= 7


@pytest.mark.numerical
@pytest.mark.parametrize(
    ("rows", "size", "count"), [(1, 60 * GROUP, 10), (7, 44 * GROUP, 11), (3, 5 * GROUP, 9), (2, 913, 10)]
)
def test_the_largest_of_a_row_are_those_of_topk(rows: int, size: int, count: int) -> None:
    torch.manual_seed(rows)
    numbers = torch.randn(rows, size)
    numbers[:, : size // 2 : 3] = -math.inf
    numbers[0, [0, 1, size - 1]] = torch.tensor([9.0, 8.0, 7.0])
    for ours, expected in zip(largest(numbers, count), numbers.topk(count), strict=True):
        assert torch.equal(ours, expected)
