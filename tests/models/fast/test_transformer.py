"""The cache of a Transformer's steps: it grows, its rows are reordered, and nothing is lost."""

import pytest
import torch

from nmtcore.config import TransformerConfig
from nmtcore.models.fast import accelerate
from nmtcore.models.padded import pad
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.models.transformer import Transformer
from nmtcore.text.vocabulary import EOS, SOS

pytestmark = pytest.mark.numerical

V, ROWS, LENGTH = 19, 3, 70  # more than twice the room that a cache begins with
SOURCE = [5, 9, 4, 17, EOS]


@pytest.fixture(scope="module")
def model() -> Seq2Seq:
    torch.manual_seed(4)
    return accelerate(Transformer(TransformerConfig(V, 12, 20, 3, 1, 2)).eval())


@torch.no_grad()
def test_hypotheses_that_change_places_at_every_step_are_their_histories(model: Seq2Seq) -> None:
    generator = torch.Generator().manual_seed(5)
    memory = model.encode(pad([SOURCE] * ROWS))
    state = model.start(memory)
    histories = torch.full((ROWS, 1), SOS)
    for position in range(LENGTH):
        out = model.step(histories[:, -1], state, memory)
        if position % 7 == 6:
            assert torch.allclose(out.logits, model(pad([SOURCE] * ROWS), pad(histories.tolist()))[:, -1], atol=1e-5)
        parents = torch.randint(ROWS, (ROWS,), generator=generator) if position % 3 else torch.arange(ROWS)
        state = out.state.select(parents)
        assert state.position == position + 1
        following = torch.randint(4, V, (ROWS, 1), generator=generator)
        histories = torch.cat((histories[parents], following), 1)


@torch.no_grad()
def test_one_hypothesis_becomes_several_and_several_one(model: Seq2Seq) -> None:
    one = model.encode(pad([SOURCE]))
    state = model.step(torch.tensor([SOS]), model.start(one), one).state.select(torch.tensor([0, 0]))
    two = model.encode(pad([SOURCE] * 2))
    state = model.step(torch.tensor([6, 7]), state, two).state.select(torch.tensor([1]))
    logits = model.step(torch.tensor([8]), state, one).logits
    assert torch.allclose(logits, model(pad([SOURCE]), pad([[SOS, 7, 8]]))[:, -1], atol=1e-5)
