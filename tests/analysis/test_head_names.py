"""Roles of heads: made-up maps with a known answer, slow loops over the cells, damaged cards."""

from typing import Any

import numpy as np
import pytest

from nmtcore.analysis.head_names import HeadName, head_names, mean_shares, role_shares, to_json
from nmtcore.decoding.decode import force
from nmtcore.decoding.trace import AttentionMap
from nmtcore.intervention import AttentionKind
from nmtcore.text.vocabulary import Vocab
from tests.helpers import small

SOURCE = ("▁the", "▁red", "▁cat", "▁sat", ".", "<eos>")
INPUTS = ("<sos>", "▁le", "▁chat", "▁dort")


def looking(kind: AttentionKind, tokens: tuple[str, ...], away: int) -> AttentionMap:
    """One head that looks `away` tokens to the right with 0.9 of its weight, as far as there is such a token."""
    size = len(tokens)
    weights = np.zeros((1, 1, size, size), np.float32)
    for row in range(size):
        seen = row + 1 if kind == "decoder" else size
        weights[0, 0, row, :seen] = 0.1 / seen
        weights[0, 0, row, min(max(row + away, 0), seen - 1)] += 0.9
    return AttentionMap(kind, tokens, tokens, weights)


@pytest.mark.parametrize(("away", "role"), [(-1, "previous"), (0, "itself"), (1, "next")])
def test_a_head_that_looks_aside_has_most_of_that_role(away: int, role: str) -> None:
    shares = {name: float(share[0, 0]) for name, share in role_shares(looking("encoder", SOURCE, away)).items()}
    assert max(("previous", "itself", "next"), key=shares.__getitem__) == role
    assert shares[role] == pytest.approx(0.9 + 0.1 / len(SOURCE), abs=1e-6)
    assert shares["whole"] < 0.4


def test_decoder_heads_have_no_next_word_and_their_marker_is_the_first() -> None:
    shares = role_shares(looking("decoder", INPUTS, -1))
    assert "next" not in shares
    assert float(shares["previous"][0, 0]) == pytest.approx(0.9 + 0.1 * (1 / 3 + 1 / 4) / 2, abs=1e-6)
    # None of the rows that see three and four words has the marker before it.
    assert float(shares["marker"][0, 0]) == pytest.approx(0.1 * (1 / 3 + 1 / 4) / 2, abs=1e-6)


def test_equal_weights_are_the_whole_sentence() -> None:
    even = np.full((2, 3, 6, 6), 1 / 6, np.float32)
    assert role_shares(AttentionMap("encoder", SOURCE, SOURCE, even))["whole"] == pytest.approx(np.ones((2, 3)))


def test_means_over_traces_are_those_of_a_loop(vocab: Vocab) -> None:
    checkpoint = small("transformer", vocab)
    traces = [force(checkpoint, *pair) for pair in (("a red cat sees a house .", "un chat ."), ("a dog", "le chien"))]
    means = mean_shares(traces)
    for kind, roles in means.items():
        for role, share in roles.items():
            each = [role_shares(m)[role] for trace in traces for m in trace.attention if m.kind == kind]
            assert share == pytest.approx(sum(each) / len(each)), (kind, role)
    kept = to_json(traces)
    assert kept["sentences"] == 2
    assert kept["encoder"]["itself"] == pytest.approx(means["encoder"]["itself"], abs=5e-4)


def test_the_role_that_is_farthest_above_its_least_names_the_head() -> None:
    meta = {
        "heads": {"encoder": {"previous": [[0.49, 0.6]], "whole": [[0.7, 0.81]]}, "decoder": {"marker": [[0.9]]}},
        "alignments": {"readings": [
            {"layer": 0, "head": 1, "position": "output", "aer": 0.05},
            {"layer": 0, "head": 0, "position": "output", "aer": 0.5},
            {"layer": 1, "head": 0, "position": "input", "aer": 0.0},
            {"layer": 1, "head": None, "position": "output", "aer": 0.0},
        ]},
    }  # fmt: skip
    names = head_names(meta)
    assert names[("encoder", 0, 1)] == HeadName("previous", 0.6)
    assert names[("decoder", 0, 0)] == HeadName("marker", 0.9)
    assert names[("cross", 0, 1)] == HeadName("aligned", pytest.approx(0.95))
    assert len(names) == 3


@pytest.mark.parametrize(
    "meta",
    [{}, {"heads": 3}, {"heads": {"encoder": []}}, {"heads": {"encoder": {"previous": [["x", None, 7.0], 5]}}},
     {"alignments": {"readings": [None, {"position": "output", "layer": "0", "head": 0, "aer": "0"}]}}],
)  # fmt: skip
def test_a_card_without_usable_numbers_names_no_head(meta: dict[str, Any]) -> None:
    assert head_names(meta) == {}
