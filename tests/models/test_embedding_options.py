"""How a Transformer embeds a token: with or without sqrt(D), positions added or concatenated."""

import math
from typing import Any

import pytest
import torch

from nmtcore.config import TransformerConfig
from nmtcore.errors import SettingError
from nmtcore.intervention import Intervention
from nmtcore.models import checkpoint
from nmtcore.models.padded import pad
from tests.helpers import random_model
from tests.models.configurations import SENTENCES, TARGETS, V, transformer

D = 12


def position(at: int) -> list[float]:
    """PE(at) by the formula of the paper, component by component."""
    angles = [at / 10000 ** (2 * (i // 2) / D) for i in range(D)]
    return [math.cos(a) if i % 2 else math.sin(a) for i, a in enumerate(angles)]


@pytest.mark.parametrize("scaled", [True, False])
@pytest.mark.parametrize("beside", [True, False])
@torch.no_grad()
def test_an_embedding_is_the_formula(scaled: bool, beside: bool) -> None:
    model = random_model(transformer(scale_embedding=scaled, concatenate_positions=beside))
    tokens, start = [5, 9, 9, 4, 17], 3
    found = model.embed_positions(torch.tensor([tokens]), model.embed, start)[0]
    for row, token in enumerate(tokens):
        word = [float(x) * (math.sqrt(D) if scaled else 1) for x in model.embed.weight[token]]
        place = position(start + row)
        expected = [w + p for w, p in zip(word, place, strict=True)]
        if model.join_positions is not None:
            W = model.join_positions.weight.tolist()
            expected = [sum(a * x for a, x in zip(line, word + place, strict=True)) for line in W]
        torch.testing.assert_close(found[row], torch.tensor(expected), atol=1e-5, rtol=0)


@torch.no_grad()
def test_a_sum_is_the_concatenation_with_two_identities() -> None:
    beside, added = random_model(transformer(concatenate_positions=True)), random_model(transformer())
    weights = checkpoint.own_weights(beside)
    for name, weight in checkpoint.own_weights(added).items():
        weights.pop(name).copy_(weight)
    (join,) = weights.values()
    join.copy_(torch.cat((torch.eye(D), torch.eye(D)), 1))
    source, inputs = pad(SENTENCES), pad(TARGETS)
    torch.testing.assert_close(beside(source, inputs), added(source, inputs), atol=1e-5, rtol=0)


@torch.no_grad()
def test_without_positions_their_part_of_the_matrix_has_no_effect() -> None:
    model = random_model(transformer(concatenate_positions=True))
    assert model.join_positions is not None
    source, dropped = pad([SENTENCES[0]]), Intervention(positions="dropped")
    before = [model.encode(source, change).states for change in (dropped, Intervention())]
    model.join_positions.weight[:, D:] *= -2
    after = [model.encode(source, change).states for change in (dropped, Intervention())]
    assert torch.equal(before[0], after[0]) and not torch.allclose(before[1], after[1], atol=1e-3)


@pytest.mark.parametrize("positions", ["relative", "none"])
def test_without_a_table_there_is_nothing_to_put_beside_a_word(positions: Any) -> None:
    with pytest.raises(SettingError, match="concatenate_positions needs a position table"):
        TransformerConfig(V, positions=positions, concatenate_positions=True)
