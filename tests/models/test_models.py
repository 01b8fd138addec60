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
from tests.models.configurations import (
    CONFIGS,
    SENTENCES,
    TARGETS,
    V,
    convolutional,
    deep_recurrent,
    mask_predict,
    recurrent,
    stepped,
    transformer,
)


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


@pytest.mark.numerical
@pytest.mark.parametrize("fast", [True, False])
def test_hypotheses_that_change_places_are_their_histories(model: Seq2Seq, fast: bool) -> None:
    """Without `no_grad` around; a Transformer takes more than twice the steps that its cache has room for at first."""
    model = accelerate(model) if fast else model
    source, generator = pad([SENTENCES[0]] * 3), torch.Generator().manual_seed(5)
    memory = model.encode(source)
    state, histories = model.start(memory), torch.full((3, 1), SOS)
    for position in range(min(70, model.max_length) if isinstance(model, Transformer) else 14):
        out = model.step(histories[:, -1], state, memory)
        assert not out.logits.requires_grad
        if position % 7 == 6:
            assert torch.allclose(out.logits, model(source, pad(histories.tolist()))[:, -1], atol=1e-5)
        parents = torch.randint(3, (3,), generator=generator) if position % 3 else torch.arange(3)
        state = out.state.select(parents)
        assert state.position == position + 1
        following = torch.randint(4, V, (3, 1), generator=generator)
        histories = torch.cat((histories[parents], following), 1)


@pytest.mark.numerical
@pytest.mark.parametrize("fast", [True, False])
def test_one_hypothesis_becomes_several_and_several_one(model: Seq2Seq, fast: bool) -> None:
    model = accelerate(model) if fast else model
    one, two = (model.encode(pad([SENTENCES[0]] * count)) for count in (1, 2))
    state = model.step(torch.tensor([SOS]), model.start(one), one).state.select(torch.tensor([0, 0]))
    state = model.step(torch.tensor([6, 7]), state, two).state.select(torch.tensor([1]))
    logits = model.step(torch.tensor([8]), state, one).logits
    assert torch.allclose(logits, model(pad([SENTENCES[0]]), pad([[SOS, 7, 8]]))[:, -1], atol=1e-5)


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


def test_every_parameter_learns(model: Seq2Seq) -> None:
    logits = model(pad(SENTENCES), pad(TARGETS))
    logits.logsumexp(-1).sum().backward()
    unused = [name for name, p in model.named_parameters() if p.grad is None]
    assert not unused


@torch.no_grad()
def test_all_heads_of_a_layer_off_makes_their_concatenation_zero() -> None:
    model = random_model(transformer())
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
        (
            transformer(),
            Intervention(heads_off=(("cross", 3, 0),)),
            "no cross head 0 in layer 3: it has encoder layers 0 to 1",
        ),
        (
            transformer(),
            Intervention(heads_off=(("encoder", 0, 3),)),
            "no encoder head 3 in layer 0: .* with heads 0 to 2",
        ),
        (transformer(), Intervention(positions=(1, 0)), "this sentence has 6"),
        (transformer(), Intervention.attend_to(0, 0, 4), "this sentence has 6"),
        (transformer(), Intervention(parts_off=(("encoder", 2, "norm"),)), "layers 1 to 2; there is no layer 3"),
        (transformer(), Intervention(parts_off=(("decoder", 3, "cross"),)), "layers 1 to 3; there is no layer 4"),
        (recurrent(), Intervention(parts_off=(("encoder", 0, "norm"),)), "Only a Transformer"),
        (recurrent(), Intervention(heads_off=(("encoder", 0, 0),)), "no encoder head 0 .* it has cross layers 0 to 0"),
        (recurrent(), Intervention(heads_off=(("cross", 0, 1),)), "with heads 0 to 0"),
        (recurrent(), Intervention(positions="dropped"), "no positions"),
        (recurrent(), Intervention(target_positions="dropped"), "no positions"),
        (recurrent(), Intervention.attend_to(0, 0, 4), "this sentence has 6"),
        (recurrent(attention="none"), Intervention.attend_to(0, 0, 6), "no attention"),
        (deep_recurrent(), Intervention(positions="dropped"), "no positions"),
        (deep_recurrent(), Intervention(heads_off=(("cross", 1, 0),)), "it has cross layers 0 to 0"),
        (deep_recurrent(), Intervention(parts_off=(("encoder", 0, "norm"),)), "Only a Transformer"),
        (deep_recurrent(), Intervention.attend_to(0, 0, 4), "this sentence has 6"),
        (convolutional(), Intervention(heads_off=(("cross", 3, 0),)), "no cross head 0 in layer 3: .* layers 0 to 2"),
        (convolutional(), Intervention(heads_off=(("cross", 0, 1),)), "no cross head 1 in layer 0"),
        (convolutional(), Intervention(heads_off=(("encoder", 0, 0),)), "no encoder head"),
        (convolutional(), Intervention(parts_off=(("encoder", 0, "norm"),)), "Only a Transformer"),
        (convolutional(), Intervention(positions=(1, 0)), "this sentence has 6"),
    ],
)
def test_a_change_that_the_model_cannot_make_is_refused(config: ModelConfig, change: Intervention, words: str) -> None:
    with pytest.raises(InterventionError, match=words):
        random_model(config).encode(pad([SENTENCES[0]]), change)


@pytest.mark.parametrize("name", [*CONFIGS, "mask-predict"])
def test_a_saved_model_comes_back_with_its_options(name: str, vocab: Vocab, tmp_path: Path) -> None:
    config = dataclasses.replace(CONFIGS.get(name, mask_predict()), vocab_size=len(vocab))
    model = random_model(config)
    for parameter in model.parameters():
        parameter.data = parameter.data.half().float()  # as weights are stored
    checkpoint.save(tmp_path / "model", model, vocab, {})
    loaded = checkpoint.load(tmp_path / "model")
    assert loaded.config == config
    with torch.no_grad():
        assert torch.equal(loaded.model(pad(SENTENCES), pad(TARGETS)), model(pad(SENTENCES), pad(TARGETS)))
