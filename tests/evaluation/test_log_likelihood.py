"""Log-likelihood of the references."""

import pytest

from nmtcore.config import DecodingConfig
from nmtcore.evaluation.log_likelihood import reference_log_probability
from nmtcore.intervention import Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import EOS
from tests.evaluation.items import ITEMS
from tests.helpers import translate


def test_the_probability_of_references_is_that_of_a_forced_search(small_checkpoint: Checkpoint) -> None:
    sums, pieces = [], 0
    for item in ITEMS:
        for reference in item.references:
            ids = (*small_checkpoint.vocab.encode(reference), EOS)
            decoding = DecodingConfig(max_length=len(ids))
            forced = translate(small_checkpoint, item.source, decoding, Intervention.prefix(ids))
            sums.append(forced.log_probability)
            pieces += len(ids)
    a_reference, a_piece = reference_log_probability(small_checkpoint, ITEMS)
    assert a_reference == pytest.approx(sum(sums) / len(sums), rel=1e-4)
    assert a_piece == pytest.approx(sum(sums) / pieces, rel=1e-4)
