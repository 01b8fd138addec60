"""Alignment against known links: pieces become words, rows without a link do not count."""

import pytest

from nmtcore.analysis.link_agreement import agreement_with_links, first_seen
from tests.helpers import trace_of

SOURCE, TARGET = ("▁se", "ven", "▁one", "<eos>"), ("▁a", "▁b", "c", "▁d", "<eos>")
WEIGHTS = [
    [0.3, 0.3, 0.4, 0.0],  # the pieces of the first word together have more than the second
    [0.0, 0.0, 0.6, 0.4],
    [0.5, 0.4, 0.0, 0.1],  # b and c are one word, with 0.45 on the first word: no piece alone has more than 0.3
    [0.1, 0.1, 0.8, 0.0],
    [0.0, 0.0, 0.0, 1.0],
]
MADE = trace_of([(token, -0.5) for token in TARGET], SOURCE, WEIGHTS)


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        (((0,), (1,), (1,)), 2 / 3),
        (((0,), (0,), (1,)), 1.0),
        (((1,), (), (1,)), 0.5),
        (((), (0, 1), ()), 1.0),
    ],
)
def test_the_largest_weight_of_a_word_is_looked_up(links: tuple[tuple[int, ...], ...], expected: float) -> None:
    found = agreement_with_links(MADE, [frozenset(link) for link in links])
    assert found == pytest.approx(expected)


def test_what_cannot_be_compared_has_no_agreement() -> None:
    assert agreement_with_links(MADE, [frozenset({0})] * 2) is None, "three words, two links"
    assert agreement_with_links(MADE, [frozenset({5})] * 3) is None, "no such source word"
    assert agreement_with_links(MADE, [frozenset()] * 3) is None, "no link at all"


def test_the_first_step_that_is_right_enough() -> None:
    assert first_seen([(0, None), (5, 0.4), (10, 0.95), (15, 0.2)]) == 10
    assert first_seen([(0, 0.89)]) is None
