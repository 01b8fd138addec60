"""Growth that changes nothing at first, and embeddings that follow their pieces to another vocabulary."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from nmtcore.config import TransformerConfig, model_config
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import own_weights
from nmtcore.models.padded import pad
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.models.transfer import spelled, transfer_weights
from nmtcore.text.vocabulary import EOS, SOS, UNK, Vocab
from tests.helpers import SENTENCES, small


def transformer(vocab: Vocab, **settings: object) -> Seq2Seq:
    sizes = {"width": 12, "feedforward": 14, "heads": 3, "encoder_layers": 2, "decoder_layers": 1}
    torch.manual_seed(4)
    model = checkpoint.build(model_config("transformer", len(vocab), **(sizes | settings)))
    for parameter in model.parameters():
        parameter.data += 0.3 * torch.randn_like(parameter)
    return model.eval()


def logits(model: Seq2Seq, vocab: Vocab) -> torch.Tensor:
    sources = pad([[*vocab.encode(text), EOS] for text in SENTENCES[:2]])
    targets = pad([[SOS, *vocab.encode(text)] for text in SENTENCES[2:4]])
    with torch.no_grad():
        return model(sources, targets)[targets.mask]


@pytest.mark.parametrize(
    ("norm", "larger"),
    [
        ("pre", {}),
        ("post", {}),
        ("pre", {"feedforward": 33}),
        ("post", {"feedforward": 33}),
        ("pre", {"encoder_layers": 5}),
        ("pre", {"decoder_layers": 4}),
        ("pre", {"encoder_layers": 3, "decoder_layers": 2, "feedforward": 19}),
    ],
)
def test_a_grown_model_says_the_same_at_first(vocab: Vocab, norm: str, larger: dict[str, int]) -> None:
    start, model = transformer(vocab, norm=norm), transformer(vocab, norm=norm, **larger)
    before = logits(start, vocab)
    if larger:
        assert not torch.allclose(logits(model, vocab), before, atol=1e-2)
    transfer_weights(start, vocab, model, vocab)
    torch.testing.assert_close(logits(model, vocab), before, atol=1e-5, rtol=0)


RECURRENT = {"cell": "gru", "embedding": 8, "units": 6}  # another width than the embeddings'


@pytest.mark.parametrize(
    ("architecture", "settings"),
    [
        ("none", {}),
        ("none", {"context": "every_step", "cell": "rnn"}),
        ("additive", {}),
        ("additive", {"cell": "lstm", "encoder_layers": 2, "decoder_layers": 3}),
        ("additive", {"embedding": 6, "merge": "sum"}),
        ("additive", {"embedding": 9, "merge": "mean", "encoder_layers": 2}),
        ("copying", {}),
        ("dot", {}),
        ("dot", {"cell": "lstm", "bidirectional": False, "encoder_layers": 2}),
        ("dot", {"input_feeding": True, "embedding": 12}),
        ("dot", {"attention": "general", "locality": "predictive"}),
        ("dot", {"attention": "scaled_dot"}),
        ("dot", {"wider": {"units": 16, "embedding": 11}}),
        ("copying", {"wider": {"units": 10, "embedding": 9}}),
        ("dot", {"input_feeding": True, "wider": {"units": 6, "embedding": 13}}),
    ],
)
def test_a_wider_recurrent_model_says_the_same_at_first_and_can_learn(
    vocab: Vocab, architecture: str, settings: dict[str, object]
) -> None:
    wider = settings.pop("wider", {"units": 16})
    assert isinstance(wider, dict)

    def build(seed: int, sizes: dict[str, object]) -> Seq2Seq:
        torch.manual_seed(seed)
        return checkpoint.build(model_config(architecture, len(vocab), **(RECURRENT | settings | sizes)))

    start, model = build(6, {}).eval(), build(16, wider).eval()
    for parameter in start.parameters():
        parameter.data += 0.3 * torch.randn_like(parameter)
    before = logits(start, vocab)
    assert not torch.allclose(logits(model, vocab), before, atol=1e-2)
    transfer_weights(start, vocab, model, vocab)
    if settings.get("attention") == "scaled_dot":  # its scores are divided by sqrt(16) now, no longer by sqrt(6)
        return
    torch.testing.assert_close(logits(model, vocab), before, atol=1e-5, rtol=0)
    source = pad([[*vocab.encode(SENTENCES[0]), EOS]])
    for _ in range(3):  # first what reads the new units learns, then these units do
        model.zero_grad()
        model(source, pad([[SOS, *vocab.encode(SENTENCES[2])]])).square().mean().backward()
        for parameter in model.parameters():
            assert parameter.grad is not None
            parameter.data -= 1e-2 * parameter.grad
    for name, parameter in model.named_parameters():
        if "weight_hh" in name:
            assert parameter.grad is not None
            units = parameter.grad.abs().amax(1).view(-1, parameter.size(1)).amax(0)  # the most of a unit's gates
            assert (units > 0).all(), name


def test_what_was_added_can_learn(vocab: Vocab) -> None:
    start = transformer(vocab)
    model = transformer(vocab, encoder_layers=3, feedforward=20).train()
    transfer_weights(start, vocab, model, vocab)
    source = pad([[*vocab.encode(SENTENCES[0]), EOS]])
    model(source, pad([[SOS, *vocab.encode(SENTENCES[2])]])).square().sum().backward()
    added = {name: p.grad for name, p in model.named_parameters() if name.startswith("encoder.2.")}
    assert any(grad is not None and grad.abs().max() > 0 for grad in added.values())


@pytest.mark.parametrize("architecture", ["dot", "transformer"])
def test_a_shared_piece_keeps_its_embedding(vocab: Vocab, architecture: str) -> None:
    other = Vocab.train([*SENTENCES[::-1], "the old house likes a cat", "un chat rouge"] * 3, 75)
    assert len(other) != len(vocab)
    start = small(architecture, vocab).model
    model = small(architecture, other, seed=6).model
    fresh = {name: weight.clone() for name, weight in own_weights(model).items()}
    transfer_weights(start, vocab, model, other)
    old = {vocab.token(i): i for i in range(len(vocab))}
    embedding, started = own_weights(model)["embed.weight"], own_weights(start)["embed.weight"]
    shared = [piece for piece in map(other.token, range(len(other))) if piece in old]
    assert 20 < len(shared) < len(other)
    for index in range(len(other)):
        piece = other.token(index)
        if piece in old:
            assert torch.equal(embedding[index], started[old[piece]])
        else:
            ids = spelled(vocab, other)[index]
            expected = started[ids].mean(0) if ids else fresh["embed.weight"][index]
            torch.testing.assert_close(embedding[index], expected)
    for name, weight in own_weights(model).items():
        if len(weight) != len(other):
            assert torch.equal(weight, own_weights(start)[name]), name


def test_a_new_piece_is_spelled_by_the_longest_old_ones(vocab: Vocab) -> None:
    other = Vocab.train(["catcat dogcat catcat dogcat the the"] * 9, 30)
    found = spelled(vocab, other)
    assert found[:4] == [[0], [1], [2], [3]]
    for index, ids in enumerate(found):
        if len(ids) > 1:
            assert "".join(map(vocab.token, ids)) in other.token(index)
            assert UNK not in ids


def test_what_does_not_fit_is_named(vocab: Vocab) -> None:
    start = transformer(vocab)
    with pytest.raises(ValueError, match="is smaller than in the trained model"):
        transfer_weights(start, vocab, transformer(vocab, feedforward=10), vocab)
    with pytest.raises(ValueError, match="has another shape"):
        transfer_weights(start, vocab, transformer(vocab, width=18), vocab)
    config = start.config
    assert isinstance(config, TransformerConfig)
    fewer = checkpoint.build(dataclasses.replace(config, encoder_layers=1))
    with pytest.raises(ValueError, match="it has no encoder.1.*all of the trained model's layers"):
        transfer_weights(start, vocab, fewer, vocab)
    gru, wider_lstm = (
        checkpoint.build(model_config("dot", len(vocab), **(RECURRENT | {"cell": cell, "units": units})))
        for cell, units in (("gru", 6), ("lstm", 10))
    )
    with pytest.raises(ValueError, match="cell is lstm, gru in the trained model"):
        transfer_weights(gru, vocab, wider_lstm, vocab)
    with pytest.raises(ValueError, match="is smaller than in the trained model"):
        transfer_weights(wider_lstm, vocab, checkpoint.build(dataclasses.replace(wider_lstm.config, units=4)), vocab)


@pytest.mark.parametrize(
    ("architecture", "start", "alike"),
    [
        ("copying", "additive", "decoder.weight_hh_l0"),
        ("mask-predict", "transformer", "encoder.0.feedforward.inner.weight"),
    ],
)
def test_another_architecture_begins_with_what_both_have(
    vocab: Vocab, architecture: str, start: str, alike: str
) -> None:
    begun, model = small(start, vocab).model, small(architecture, vocab, seed=6).model
    drawn = {name: weight.clone() for name, weight in own_weights(model).items()}
    transfer_weights(begun, vocab, model, vocab)
    old, new = own_weights(begun), own_weights(model)
    torch.testing.assert_close(new[alike], old[alike], atol=0, rtol=0)
    for name, weight in new.items():
        shared = name in old and old[name].shape == weight.shape
        torch.testing.assert_close(weight, old[name] if shared else drawn[name], atol=0, rtol=0)
    assert any(name not in old for name in new)


def test_another_architecture_with_other_embeddings_is_refused(vocab: Vocab) -> None:
    with pytest.raises(ValueError, match="embeddings have"):
        transfer_weights(transformer(vocab, width=24), vocab, small("additive", vocab).model, vocab)
