"""Pairs and traces of a run stay small, however long typed text becomes when it is cleaned and cut into pieces."""

from pathlib import Path

import numpy as np
import pytest

from nmtcore.decoding.decode import force
from nmtcore.errors import DataError
from nmtcore.limits import TRAINING_PIECES
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.runs import preparation, worker
from nmtcore.runs.preparation import estimate, within_pieces
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.batches import Batch
from nmtcore.training.corpus import Pair
from tests.runs.helpers import config

ORDINARY = [Pair(f"the small cat sees {i} dogs .", f"le petit chat voit {i} chiens .") for i in range(40)]


def test_pairs_of_too_many_pieces_are_left_out(vocab: Vocab) -> None:
    length = len(vocab.encode("cat"))
    longest, longer = (" ".join(["cat"] * (TRAINING_PIECES // length + more)) for more in (0, 1))
    pairs = [Pair(longest, "a"), Pair("a", longer), Pair(longer, "a"), Pair("b", "c")]
    assert within_pieces(vocab, pairs) == [pairs[0], pairs[3]]
    with pytest.raises(DataError, match=f"more than {TRAINING_PIECES} pieces"):
        within_pieces(vocab, pairs[1:3])


def test_an_estimate_never_works_on_a_row_of_too_many_pieces(
    model_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def loss(model: object, batch: Batch, smoothing: float) -> None:
        seen.append(max(batch.source.ids.size(1), batch.inputs.ids.size(1)))
        raise DataError("seen")

    monkeypatch.setattr(preparation, "batch_loss", loss)
    start = model_folders / "en-fr" / "dot"
    long = [Pair("cat " * 250 + str(i), "chat " * 200 + str(i)) for i in range(30)]
    with pytest.raises(DataError, match=f"more than {TRAINING_PIECES} pieces"):
        estimate(config(architecture="", settings={}), long, start)
    assert not seen
    with pytest.raises(DataError, match="seen"):
        estimate(config(architecture="", settings={}), [*long, *ORDINARY], start)
    assert len(seen) == 1 and seen[0] <= TRAINING_PIECES + 1


def test_a_run_trains_and_measures_on_rows_of_few_pieces(model_folders: Path, tmp_path: Path) -> None:
    start = tmp_path / "start"
    begun = checkpoint.load(model_folders / "en-fr" / "dot")
    checkpoint.save(start, begun.model, begun.vocab, {})
    pairs = [*ORDINARY, *(Pair("cat " * 250 + str(i), f"un {i}") for i in range(400, 440))]
    made, _ = preparation.prepare_run(config(architecture="", settings={}), pairs, start)
    assert made.unseen and {*made.unseen, *made.data.pairs} <= {*ORDINARY}


def test_a_trace_that_is_kept_has_few_weights(vocab: Vocab, small_checkpoint: Checkpoint) -> None:
    trace = force(small_checkpoint, "the small cat", "le petit chat")
    assert worker.keep_small(trace) == trace
    cross = trace.attention_of("cross")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "MAX_WEIGHTS", cross.weights.size if cross else 0)
        small = worker.keep_small(trace).attention_of("cross")
        assert (small is None) == (cross is None)
        assert cross is None or small is not None and np.array_equal(small.weights, cross.weights)
        patch.setattr(worker, "MAX_WEIGHTS", cross.weights.size - 1 if cross else 0)
        assert worker.keep_small(trace).attention == ()
