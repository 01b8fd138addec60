"""The receptive field: the words whose replacement changes a state in the model itself, layer by layer."""

import numpy as np
import pytest
import torch

from nmtcore.config import ConvolutionalConfig
from nmtcore.figures.receptive_field import field_table, find_receptive_field, pyramid
from nmtcore.models.padded import pad
from tests.helpers import random_model


@pytest.mark.parametrize(("kernel", "layers", "word"), [(3, 2, 4), (5, 3, 1), (1, 2, 0), (3, 1, 10)])
@torch.no_grad()
def test_the_words_that_it_names_are_those_that_the_state_depends_on(kernel: int, layers: int, word: int) -> None:
    config = ConvolutionalConfig(30, 10, 12, kernel=kernel, encoder_layers=layers, decoder_layers=1)
    model = random_model(config)
    words = list(range(4, 15))
    plain = model.encode(pad([words])).states[0, word]
    field = find_receptive_field(config, len(words), word)
    assert field.shape == (layers + 1, len(words)) and field[-1].nonzero()[0].tolist() == [word]
    for i in range(len(words)):
        other = model.encode(pad([[*words[:i], 20, *words[i + 1 :]]])).states[0, word]
        assert torch.allclose(other, plain, atol=1e-7) == (not field[0, i]), i
    deeper = find_receptive_field(ConvolutionalConfig(30, 10, 12, kernel=kernel, encoder_layers=1), len(words), word)
    assert np.array_equal(field[-2], deeper[0]), "the last layer sees what a single one does"


def test_the_picture_has_a_row_a_layer_with_the_words_below() -> None:
    field = find_receptive_field(ConvolutionalConfig(30, kernel=3, encoder_layers=2), 7, 1)
    tokens = ["a", "b", "a", "<c>", "d", "e", "<eos>"]
    table = field_table(field, tokens)
    assert table["seen"].tolist() == [4, 3, 1] and table["last"].tolist() == ["<c>", "a", "b"]
    drawn = pyramid(field, tokens, ["words", "layer 1", "layer 2"]).to_dict()
    assert drawn["layout"]["xaxis"]["ticktext"][3] == "&lt;c&gt;" and drawn["layout"]["yaxis"]["range"] == [-0.5, 2.5]
