"""References: one item per source, which of them a model can read, and their log-likelihood."""

import pytest

from nmtcore.config import DecodingConfig
from nmtcore.errors import DataError
from nmtcore.evaluation.references import Item, group_references, reference_log_probability, within_limits
from nmtcore.intervention import Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import EOS, Vocab
from nmtcore.training.corpus import Pair
from tests.evaluation.items import ITEMS
from tests.helpers import translate


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


def test_the_probability_of_references_is_that_of_a_forced_search(small_checkpoint: Checkpoint) -> None:
    sums, pieces = [], 0
    for item in ITEMS:
        for reference in item.references:
            ids = (*small_checkpoint.vocab.encode(reference), EOS)
            decoding = DecodingConfig(max_length=len(ids))
            forced = translate(small_checkpoint, item.source, decoding, Intervention.prefix(ids))
            sums.append(forced.log_probability)
            pieces += len(ids)
    assert reference_log_probability(small_checkpoint, ITEMS) == {
        "reference_log_probability": pytest.approx(sum(sums) / len(sums), rel=1e-4),
        "reference_log_probability_per_piece": pytest.approx(sum(sums) / pieces, rel=1e-4),
    }
