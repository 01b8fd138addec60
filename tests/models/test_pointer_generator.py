"""The pointer-generator: its distribution sums to one with repeated source words, and agrees with the formula."""

import pytest
import torch

from nmtcore.intervention import Intervention
from nmtcore.models.padded import pad
from nmtcore.models.seq2seq import State
from nmtcore.text.vocabulary import EOS, SOS
from tests.helpers import random_model
from tests.models.configurations import SENTENCES, TARGETS, V, recurrent

SOURCE = [5, 9, 9, 4, 9, 17, EOS]  # one word three times


@torch.no_grad()
def test_it_is_the_formula_and_sums_to_one() -> None:
    """P(y) = g P_vocab(y) + (1 - g) sum of alpha_i over the places i that hold y, word by word."""
    model = random_model(recurrent(copying=True))
    memory = model.encode(pad([SOURCE]))
    state: State = model.start(memory)
    for token in (SOS, 12, 9):
        out = model.step(torch.tensor([token]), state, memory)
        state = out.state
        g = float(out.inner["generate"][0])
        assert 0.01 < g < 0.99
        vocabulary = model.project(out.inner["output"][0])[0].softmax(-1)
        alpha = out.attention["cross"][0][0, 0, 0]
        expected = [
            g * float(vocabulary[y]) + (1 - g) * sum(float(alpha[i]) for i, x in enumerate(SOURCE) if x == y)
            for y in range(V)
        ]
        torch.testing.assert_close(out.logits[0].exp(), torch.tensor(expected), atol=1e-6, rtol=0)
        assert float(out.logits.exp().sum()) == pytest.approx(1.0, abs=1e-5)


@torch.no_grad()
def test_padding_is_never_copied() -> None:
    model = random_model(recurrent(copying=True))
    log_p = model(pad(SENTENCES), pad(TARGETS))
    assert torch.allclose(log_p.exp().sum(-1), torch.ones(3, 7), atol=1e-5)
    alone = model(pad([SENTENCES[1]]), pad([TARGETS[1]]))
    assert torch.allclose(log_p[1, 0], alone[0, 0], atol=1e-5)


def test_its_gradient_is_that_of_the_formula() -> None:
    """Words that are repeated in the source are counted once, backwards too."""
    model = random_model(recurrent(copying=True))
    ids, T = torch.tensor([SOURCE]), 3
    output, copied, memory = model.teacher_forced(pad([SOURCE]), pad([[SOS, 12, 9]]))
    output, copied = output[0].detach().requires_grad_(), copied[0].detach().requires_grad_()
    _, _, first = memory.prepared[1]
    labels, rows = torch.tensor([9, 4, 20]), torch.arange(T)
    logits, u = model.project(output), output[:, -1:]
    found = model.mixture(logits, u, copied, ids.expand(T, -1), first.expand(T, -1))
    of_mixture = torch.autograd.grad(found[rows, labels].sum(), (output, copied))
    g = output[:, -1:].sigmoid()
    P = g * model.project(output).softmax(-1)
    pointed = torch.zeros_like(P)
    for i in (SOURCE.index(x) for x in set(SOURCE)):
        pointed = pointed + torch.nn.functional.one_hot(ids[0, i], V) * copied[:, i : i + 1]
    of_formula = torch.autograd.grad((P + (1 - g) * pointed).log()[rows, labels].sum(), (output, copied))
    for a, b in zip(of_mixture, of_formula, strict=True):
        torch.testing.assert_close(a, b, atol=1e-5, rtol=1e-4)


@torch.no_grad()
def test_what_is_looked_at_by_hand_is_copied() -> None:
    model = random_model(recurrent(copying=True))
    model.generate.bias.fill_(-9.0)  # it copies whatever it looks at
    memory = model.encode(pad([SOURCE]))
    for place, word in enumerate(SOURCE):
        change = Intervention.attend_to(0, place, len(SOURCE))
        out = model.step(torch.tensor([SOS]), model.start(memory), memory, change)
        assert int(out.logits.argmax()) == word
