"""Costs of a model: the counts agree with the papers' formulas, also at lengths that were not counted."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from nmtcore.analysis import costs
from nmtcore.analysis.complexity import Complexity, crossing, layer_complexity
from nmtcore.analysis.costs import (
    OperationCounter,
    count,
    in_rounds,
    operations,
    parameters,
    stacked_operations,
)
from nmtcore.analysis.larger_models import LARGER, LargerModel
from nmtcore.config import (
    ConvolutionalConfig,
    DeepRecurrentConfig,
    MaskPredictConfig,
    ModelConfig,
    RecurrentConfig,
    TransformerConfig,
)
from nmtcore.decoding.mask_predict import write_rounds
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.padded import pad
from nmtcore.places import model_names, pretrained_folder
from nmtcore.text.vocabulary import Vocab
from tests.helpers import small

SHIPPED = pretrained_folder()
S, T = 5, 7  # pieces of the source and of the translation


def test_parameters_are_the_numbers_of_the_weights(small_checkpoint: Checkpoint) -> None:
    numbers = sum(parameter.numel() for parameter in small_checkpoint.model.parameters())
    assert parameters(small_checkpoint.config) == numbers


@pytest.mark.parametrize("name", model_names(SHIPPED))
def test_kept_counts_are_those_of_the_models(name: str) -> None:
    config, _meta = checkpoint.read_config(SHIPPED / name)
    assert repr(config) in costs._stored(), "python -m nmtcore.analysis.count_shipped counts it"
    found = operations(config, 4, 5)
    assert found == count(config, 4, 5) and found != operations(config, 5, 4)


def test_the_larger_models_are_counted_from_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [stacked_operations(larger.config, 4, 5) for larger in LARGER]
    monkeypatch.setattr(costs, "count", lambda *_: pytest.fail("counted"))
    assert [stacked_operations(larger.config, 4, 5) for larger in LARGER] == known
    assert all(found.sequential_decoding > found.sequential_encoding > 0 for found in known)


def test_multiply_adds_of_a_recurrent_layer_as_counted_by_hand() -> None:
    V, E, D = 50, 6, 8
    found = operations(RecurrentConfig(V, "gru", E, D, attention="none"), S, T)
    encoder = 2 * S * 3 * (E * D // 2 + (D // 2) ** 2)  # two directions of D / 2, three gates
    decoder = T * 3 * (E * D + D * D)
    assert found.encode == encoder + D * D  # C = tanh(W h)
    assert found.total == found.encode + D * D + decoder + T * (D * E + E * V)  # s_0, layer, combine, logits


def test_multiply_adds_of_a_transformer_layer_as_counted_by_hand() -> None:
    V, D, F = 50, 8, 12
    found = operations(TransformerConfig(V, D, F, 2, 1, 1), S, T)
    encoder = S * (4 * D * D + 2 * D * F) + 2 * S * S * D
    keys_values = 2 * S * D * D
    decoder = T * (4 * D * D + 2 * D * D + 2 * D * F) + 2 * T * T * D + 2 * T * S * D
    assert found.encode == encoder + keys_values
    assert found.total == found.encode + decoder + T * D * V


def test_rounds_of_mask_predict_cost_what_a_run_of_them_costs(vocab: Vocab) -> None:
    model = small("mask-predict", vocab).model
    one = operations(model.config, S, T)
    for rounds in (1, 3, 2 * T):  # of the last rounds, every second would write nothing
        with torch.no_grad(), FlopCounterMode(display=False) as counter:
            memory = model.encode(pad([list(range(4, 4 + S))]))
            run = write_rounds(model, memory, torch.tensor([[T]]), rounds)
        found = in_rounds(model.config, S, T, rounds)
        assert found.total == counter.get_total_flops() // 2
        of_a_round = one.sequential_training - one.sequential_encoding
        assert found.sequential_decoding == one.sequential_encoding + len(run) * of_a_round
        assert (found.encode, found.sequential_training) == (one.encode, one.sequential_training)
    assert len(run) < 2 * T and in_rounds(model.config, S, T, 1) == one
    longer = operations(model.config, S, 3 * T)
    assert one.sequential_training == one.sequential_decoding == longer.sequential_decoding
    assert one.sequential_training - one.sequential_encoding > 4


def test_the_counter_of_pytorch_finds_the_same_with_the_numbers_there(
    small_checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.backends.mkldnn, "enabled", False)  # its LSTM is one operation, which is not counted
    source, inputs = pad([list(range(4, 4 + S))]), pad([list(range(4, 4 + T))])
    counts = []
    for run in (lambda: small_checkpoint.model.encode(source), lambda: small_checkpoint.model(source, inputs)):
        with torch.no_grad(), FlopCounterMode(display=False) as counter:
            run()
        counts.append(counter.get_total_flops() // 2)
    assert operations(small_checkpoint.config, S, T)[:2] == tuple(counts)


def test_a_large_model_is_counted_as_a_small_one_is(
    small_checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = small_checkpoint.config
    cells = [replace(config, cell=cell) for cell in ("lstm", "rnn")] if isinstance(config, RecurrentConfig) else []
    configs = [config, *cells]
    small = [count(config, S, T) for config in configs]
    count.cache_clear()
    monkeypatch.setattr(costs, "LARGE", 0)  # on a device that has only shapes
    assert [count(config, S, T) for config in configs] == small
    count.cache_clear()


def test_what_many_ask_at_once_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    config = RecurrentConfig(vocab_size=37, embedding=6, units=10, attention="dot")
    built, together = list[str](), threading.Barrier(8)
    build = costs._built

    def ask(_number: int) -> tuple[int, int]:
        together.wait()
        return operations(config, S, T).total, parameters(config)

    monkeypatch.setattr(costs, "_built", lambda config, device: (built.append(device), build(config, device))[1])
    with ThreadPoolExecutor(8) as pool:
        answers = set(pool.map(ask, range(8)))
    many, built[:] = built.copy(), []
    other = replace(config, units=12)
    operations(other, S, T)
    parameters(other)
    assert len(answers) == 1 and sorted(many) == sorted(built), "as often as for one"


def test_other_lengths_follow_exactly_from_those_that_were_counted(small_checkpoint: Checkpoint) -> None:
    for source, target in ((1, 1), (S, T), (17, 3)):
        assert operations(small_checkpoint.config, source, target) == count(small_checkpoint.config, source, target)


@pytest.mark.parametrize("layers", [(3, 2), (2, 4), (4, 1)])
@pytest.mark.parametrize("deep", LARGER[-2:], ids=lambda deep: deep.title)
def test_a_deep_stack_costs_what_its_layers_counted_one_by_one_do(deep: LargerModel, layers: tuple[int, int]) -> None:
    config = replace(deep.config, encoder_layers=layers[0], decoder_layers=layers[1])
    assert costs.stacked_operations(config, S, T) == count(config, S, T)


def test_what_is_no_polynomial_is_counted_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    config = TransformerConfig(51, 8, 12, 2, 1, 1)
    monkeypatch.setattr(costs, "differences", lambda config: None)
    assert operations(config, S, T) == count(config, S, T)


def test_the_longest_chain_is_of_products_that_wait() -> None:
    a = torch.ones(3, 3)
    with torch.no_grad(), OperationCounter() as chain:
        first = a @ a
        _aside = a @ a
        second = (first + 1).T[:2] @ a
    assert (chain.longest, chain.flops, second.shape) == (2, 2 * (27 + 27 + 18), (2, 3))


@pytest.mark.parametrize(
    ("config", "training", "decoding"),
    [
        (RecurrentConfig(50, "gru", 6, 8, attention="none"), (1, 1), 3),  # h, s; input or state, combine, logits
        (RecurrentConfig(50, "gru", 6, 8, encoder_layers=1, attention="dot"), (1, 1), 5),
        (TransformerConfig(50, 8, 12, 2, 2, 1), (0, 0), 11),  # 4 + 4 products of attention, 2 of the network, logits
    ],
)
def test_steps_that_wait_grow_with_the_sentence_only_where_a_network_is_recurrent(
    config: ModelConfig, training: tuple[int, int], decoding: int
) -> None:
    here, longer, more = operations(config, S, T), operations(config, S + 1, T), operations(config, S, T + 1)
    assert tuple(one.sequential_training - here.sequential_training for one in (longer, more)) == training
    assert longer.sequential_encoding - here.sequential_encoding == training[0]
    assert more.sequential_decoding - here.sequential_decoding == decoding


def test_larger_models_are_as_large_as_their_papers_say() -> None:
    millions = {model.title: parameters(model.config) / 1e6 for model in LARGER}
    assert millions["Transformer, base"] == pytest.approx(65, rel=0.05)
    assert millions["Transformer, big"] == pytest.approx(213, rel=0.05)
    per_layer = 4 * 512**2 + 4 * 512 + 2 * 512 * 2048 + 2048 + 512 + 4 * 512
    assert (millions["Deep, 48 + 6 layers"] - millions["Deep, 30 + 6 layers"]) * 1e6 == pytest.approx(18 * per_layer)


def test_layers_cross_where_the_table_says() -> None:
    attention, recurrent = Complexity("self_attention", 6), Complexity("recurrent", 30)
    n = crossing(attention, recurrent)
    assert n == 30 * 30 / 6 == crossing(recurrent, attention)
    assert attention.operations(n) == recurrent.operations(n)
    assert attention.operations(n - 1) < recurrent.operations(n - 1)
    assert crossing(recurrent, Complexity("convolution", 30, 3)) is None
    assert crossing(attention, recurrent, (6, 1)) == 30 * 30 / 6 / 6 == crossing(recurrent, attention, (1, 6))


def test_the_longest_path_between_two_words() -> None:
    assert [Complexity(layer, 8, 3).path(9) for layer in ("recurrent", "self_attention", "convolution")] == [9, 1, 4]


def test_the_complexity_of_a_model_has_its_own_width() -> None:
    assert layer_complexity(RecurrentConfig(50, units=34)) == Complexity("recurrent", 34)
    assert layer_complexity(TransformerConfig(50, 24, heads=2)) == Complexity("self_attention", 24)
    assert layer_complexity(DeepRecurrentConfig(50, units=34)) == Complexity("recurrent", 34)
    assert layer_complexity(ConvolutionalConfig(50, units=34, kernel=5)) == Complexity("convolution", 34, 5)
    assert layer_complexity(MaskPredictConfig(50, 24, heads=2)) == Complexity("self_attention", 24)
