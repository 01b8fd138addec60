"""Properties of every architecture: step equals forward, padding changes nothing, rows sum to one."""

import dataclasses
from pathlib import Path

import pytest
import torch

from nmtcore.config import ModelConfig
from nmtcore.errors import InterventionError
from nmtcore.intervention import LAYER_PARTS, Intervention, LayerPart
from nmtcore.models import checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.models.padded import pad
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.models.transformer import Transformer
from nmtcore.text.vocabulary import SOS, Vocab
from tests.helpers import random_model
from tests.models.configurations import CONFIGS, SENTENCES, TARGETS, V, recurrent, stepped, transformer


@pytest.fixture(params=CONFIGS)
def model(request: pytest.FixtureRequest) -> Seq2Seq:
    return random_model(CONFIGS[request.param])


@pytest.mark.numerical
@torch.no_grad()
def test_step_equals_forward(model: Seq2Seq) -> None:
    source, inputs = pad(SENTENCES), pad(TARGETS)
    forward = model(source, inputs)
    assert forward.shape == (3, 7, V)
    assert torch.allclose(stepped(model, source, inputs)[inputs.mask], forward[inputs.mask], atol=1e-5)


@pytest.mark.parametrize("fast", [True, False])
def test_stepping_needs_no_ceremony(model: Seq2Seq, fast: bool) -> None:
    """As a learner would: no `no_grad` around, more steps than the cache has room for at first, rows reordered."""
    if fast:
        model = accelerate(model)
    times = min(3, model.max_length // 12) if isinstance(model, Transformer) else 1  # only their cache grows
    source, inputs = pad([SENTENCES[0]] * 2), pad([[SOS, *range(5, 16)] * times] * 2)
    memory = model.encode(source)
    state, logits = model.start(memory), []
    for token in inputs.ids.unbind(1):
        out = model.step(token, state, memory)
        state = out.state.select(torch.tensor([1, 0]))
        logits.append(out.logits)
    found = torch.stack(logits, 1)
    assert not found.requires_grad
    assert torch.allclose(found, model(source, inputs), atol=1e-4)


@pytest.mark.numerical
@torch.no_grad()
def test_batch_mates_and_padding_change_nothing(model: Seq2Seq) -> None:
    together = model(pad(SENTENCES), pad(TARGETS))
    for i, (sentence, target) in enumerate(zip(SENTENCES, TARGETS, strict=True)):
        alone = model(pad([sentence]), pad([target]))
        assert torch.allclose(together[i, : len(target)], alone[0], atol=1e-5)


@pytest.mark.numerical
@torch.no_grad()
def test_attention_rows_sum_to_one_and_never_fall_on_padding(model: Seq2Seq) -> None:
    source = pad(SENTENCES)
    memory = model.encode(source)
    out = model.step(torch.tensor([SOS] * 3), model.start(memory), memory)
    maps = {**memory.attention, **out.attention}
    assert ("cross" in maps) == (getattr(model.config, "attention", "") != "none")
    for kind, layers in maps.items():
        for weights in layers:  # (B, H, T, S)
            assert torch.allclose(weights.sum(-1), torch.ones_like(weights.sum(-1)), atol=1e-5)
            if kind != "decoder":
                padded = ~source.mask[:, None, None].expand_as(weights)
                assert (weights[padded] == 0).all()


@pytest.mark.numerical
@torch.no_grad()
def test_select_reorders_hypotheses(model: Seq2Seq) -> None:
    source = pad([SENTENCES[0]] * 3)
    memory = model.encode(source)
    first = model.step(torch.tensor([SOS, SOS, SOS]), model.start(memory), memory)
    state = model.step(torch.tensor([4, 5, 6]), first.state, memory).state
    order = torch.tensor([2, 0, 0])
    out = model.step(torch.tensor([7, 8, 9]), state.select(order), memory)
    for row, history in enumerate(([SOS, 6, 7], [SOS, 4, 8], [SOS, 4, 9])):
        alone = model(pad([SENTENCES[0]]), pad([history]))[0, -1]
        assert torch.allclose(out.logits[row], alone, atol=1e-5)


def test_every_parameter_learns(model: Seq2Seq) -> None:
    logits = model(pad(SENTENCES), pad(TARGETS))
    logits.logsumexp(-1).sum().backward()
    unused = [name for name, p in model.named_parameters() if p.grad is None]
    assert not unused


@torch.no_grad()
def test_all_heads_of_a_layer_off_makes_their_concatenation_zero() -> None:
    model = random_model(transformer())
    assert isinstance(model, Transformer)
    off = Intervention(heads_off=tuple(("cross", 1, h) for h in range(3)))
    source = pad([SENTENCES[0]])
    memory = model.encode(source)
    changed = model.step(torch.tensor([SOS]), model.start(memory), memory, off)
    plain = model.step(torch.tensor([SOS]), model.start(memory), memory)
    assert not torch.allclose(changed.logits, plain.logits)
    layer = model.decoder[1].cross_attention
    q = torch.randn(2, 3, 4, 4)
    output = layer(q, q, q, None, (0, 1, 2)).output
    assert torch.equal(output, layer.output.bias.expand_as(output))


@pytest.mark.numerical
@pytest.mark.parametrize("norm", ["pre", "post"])
@torch.no_grad()
def test_parts_of_a_layer_that_are_off_pass_nothing_on(norm: str) -> None:
    """A layer without its sub-layers is the identity, except for the norms of post-norm."""
    model = random_model(transformer(norm=norm))
    assert isinstance(model, Transformer)
    layer, x = model.encoder[1], torch.randn(2, 5, 12)
    off: tuple[LayerPart, ...] = ("attention", "feedforward")
    first, second = layer.sublayers
    expected = x if norm == "pre" else second.norm(first.norm(x))
    assert torch.equal(layer(x, None, (), off).x, expected)
    assert torch.equal(layer(x, None, (), (*off, "norm")).x, x)
    assert not layer(x, None, (), (*off, "norm", "residual")).x.any()
    alone = layer(x, None, (), ("residual", "norm")).x
    q, k, v = layer.attention.queries_keys_values(x)
    assert torch.allclose(alone, layer.feedforward(layer.attention(q, k, v).output).output, atol=1e-6)
    changed = {part: layer(x, None, (), (part,)).x for part in LAYER_PARTS["encoder"]}
    assert all(not torch.allclose(y, layer(x, None).x, atol=1e-3) for y in changed.values())


@torch.no_grad()
def test_a_replaced_row_is_what_the_step_sees() -> None:
    for config in (transformer(), recurrent(), recurrent(attention="dot")):
        model = random_model(config)
        memory = model.encode(pad([SENTENCES[0]]))
        row = Intervention.attend_to(0, 2, 6)
        out = model.step(torch.tensor([SOS]), model.start(memory), memory, row)
        for weights in out.attention["cross"]:
            assert (weights[..., 2] == 1).all() and weights.sum() == weights[..., 2].sum()
        plain = model.step(torch.tensor([SOS]), model.start(memory), memory)
        assert not torch.allclose(out.logits, plain.logits)


@pytest.mark.numerical
@pytest.mark.parametrize(
    "config", [transformer(), transformer(positions="relative", max_relative_position=2)], ids=["absolute", "relative"]
)
@torch.no_grad()
def test_without_positions_shuffling_the_source_shuffles_the_encoder(config: ModelConfig) -> None:
    """It is a bag of words; and words that keep their positions have the same states."""
    model = random_model(config)
    order = [3, 0, 5, 1, 4, 2]
    shuffled = [SENTENCES[0][i] for i in order]
    dropped = Intervention(positions="dropped")
    plain = model.encode(pad([SENTENCES[0]]), dropped).states[0]
    assert torch.allclose(model.encode(pad([shuffled]), dropped).states[0], plain[order], atol=1e-5)
    placed = model.encode(pad([SENTENCES[0]])).states[0]
    moved = model.encode(pad([shuffled]), Intervention(positions=tuple(order))).states[0]
    assert torch.allclose(moved, placed[order], atol=1e-5)
    assert not torch.allclose(model.encode(pad([shuffled])).states[0], placed[order], atol=1e-2)


@pytest.mark.numerical
@pytest.mark.parametrize(("layers", "alike"), [(1, True), (3, False)])
@torch.no_grad()
def test_without_positions_one_layer_reads_what_was_written_as_a_bag_of_words(layers: int, alike: bool) -> None:
    """With more layers the future mask reveals the order: what each token has seen depends on what came before it."""
    model = random_model(transformer(decoder_layers=layers))
    source, dropped = pad([SENTENCES[0]]), Intervention(target_positions="dropped")

    def read(tokens: list[int], change: Intervention) -> torch.Tensor:
        """The logits after these tokens."""
        memory = model.encode(source, change)
        state = model.start(memory)
        for token in tokens:
            out = model.step(torch.tensor([token]), state, memory, change)
            state = out.state
        return out.logits

    first, second = [SOS, 7, 4, 9, 5], [SOS, 4, 9, 7, 5]  # the last is the query
    assert torch.allclose(read(first, dropped), read(second, dropped), atol=1e-5) == alike
    assert not torch.allclose(read(first, Intervention()), read(second, Intervention()), atol=1e-3)
    assert torch.equal(model.encode(source, dropped).states, model.encode(source).states)
    assert Intervention.from_json(dropped.to_json()) == dropped


@pytest.mark.parametrize(
    ("config", "change", "words"),
    [
        (transformer(), Intervention(heads_off=(("cross", 3, 0),)), "layers 0 to 2"),
        (transformer(), Intervention(heads_off=(("encoder", 0, 3),)), "heads 0 to 2"),
        (transformer(), Intervention(positions=(1, 0)), "this sentence has 6"),
        (transformer(), Intervention.attend_to(0, 0, 4), "this sentence has 6"),
        (transformer(), Intervention(parts_off=(("encoder", 2, "norm"),)), "layers 1 to 2; there is no layer 3"),
        (transformer(), Intervention(parts_off=(("decoder", 3, "cross"),)), "layers 1 to 3; there is no layer 4"),
        (recurrent(), Intervention(parts_off=(("encoder", 0, "norm"),)), "Only a Transformer"),
        (recurrent(), Intervention(heads_off=(("encoder", 0, 0),)), "one cross-attention head"),
        (recurrent(), Intervention(positions="dropped"), "no positions"),
        (recurrent(), Intervention(target_positions="dropped"), "no positions"),
        (recurrent(), Intervention.attend_to(0, 0, 4), "the source has 6"),
        (recurrent(attention="none"), Intervention.attend_to(0, 0, 6), "no attention"),
    ],
)
def test_a_change_that_the_model_cannot_make_is_refused(config: ModelConfig, change: Intervention, words: str) -> None:
    with pytest.raises(InterventionError, match=words):
        random_model(config).encode(pad([SENTENCES[0]]), change)


@pytest.mark.parametrize("name", CONFIGS)
def test_a_saved_model_comes_back_with_its_options(name: str, vocab: Vocab, tmp_path: Path) -> None:
    config = dataclasses.replace(CONFIGS[name], vocab_size=len(vocab))
    model = random_model(config)
    for parameter in model.parameters():
        parameter.data = parameter.data.half().float()  # as weights are stored
    checkpoint.save(tmp_path / "model", model, vocab, {})
    loaded = checkpoint.load(tmp_path / "model")
    assert loaded.config == config
    with torch.no_grad():
        assert torch.equal(loaded.model(pad(SENTENCES), pad(TARGETS)), model(pad(SENTENCES), pad(TARGETS)))
