"""References: one item per source, and which of them a model can read."""

import pytest

from nmtcore.errors import DataError
from nmtcore.evaluation.references import Item, group_references, within_limits
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.corpus import Pair
from tests.evaluation.items import ITEMS


def test_rows_with_one_source_are_one_item() -> None:
    rows = [Pair("a", "x"), Pair("b", "y"), Pair("a", "z"), Pair("A", "x")]
    assert group_references(rows) == [Item("a", ("x", "z")), Item("b", ("y",)), Item("A", ("x",))]


def test_what_is_too_long_for_a_model_is_left_out(vocab: Vocab) -> None:
    with pytest.raises(DataError, match="at most 300 pieces"):
        within_limits([Item("cat " * 301, ("chat",))], vocab)
    kept = within_limits([*ITEMS, Item("cat", ("chat " * 301,))], vocab)
    assert kept == ITEMS
    assert within_limits([Item("cat cat cat", ("chat",)), Item("cat", ("chat",))], vocab, max_length=4) == [
        Item("cat", ("chat",))
    ]
