"""Preparation of a run: its vocabulary, rows of few pieces, small traces, and the estimate of its memory."""

from pathlib import Path

import numpy as np
import pytest
import torch

from nmtcore.config import ARCHITECTURES
from nmtcore.decoding.decode import force
from nmtcore.errors import DataError
from nmtcore.limits import TRAINING_PIECES
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint, parameters
from nmtcore.runs import preparation, worker
from nmtcore.runs.memory import COPIES, TrainingMemory, training_memory
from nmtcore.runs.preparation import estimate, learn_vocab, unknown_pieces, within_pieces
from nmtcore.text.vocabulary import UNK, Vocab
from nmtcore.training.batches import Batch, fixed_batches
from nmtcore.training.config import TrainingConfig
from nmtcore.training.corpus import Pair
from nmtcore.training.exercises import EXERCISES
from nmtcore.training.loss import batch_loss
from tests.helpers import PAIRS, small
from tests.paths import ROOT
from tests.runs.helpers import config


@pytest.mark.parametrize("name", [name for name, task in EXERCISES.items() if task.whole_words])
def test_each_word_of_an_exercise_that_asks_for_it_is_one_piece(name: str) -> None:
    """The alignment is then between words: one row per word, not split into letters."""
    task = EXERCISES[name]
    pairs = task.pairs(1500)
    vocab = learn_vocab(task, task.pieces, [Pair(*pair) for pair in pairs])
    for sentence in [task.pinned, task.answer(task.pinned), *(side for pair in pairs[:50] for side in pair)]:
        assert vocab.pieces(sentence) == [f"▁{word}" for word in sentence.split()]


def test_characters_that_a_vocabulary_has_not_are_counted_also_where_it_reads_their_bytes(vocab: Vocab) -> None:
    pairs = [Pair("the cat 🙂 漢 漢", "漢 the"), Pair("the dog", "the cat")]
    shipped = Vocab.load(ROOT / "pretrained" / "en-fr" / "dot" / "vocab.model")
    assert UNK not in shipped.encode("漢 🙂") and UNK in vocab.encode("漢")
    for one in (vocab, shipped):
        assert unknown_pieces(one, pairs) == {"漢": 3, "🙂": 1}


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


def settings(**changes: object) -> TrainingConfig:
    return TrainingConfig(**{"precision": "fp32", **changes})  # type: ignore[arg-type]


def allocated(run: object) -> int:
    """The peak of allocated bytes while `run` worked, by the profiler's account of the allocator."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
        run()  # type: ignore[operator]
    now = most = 0
    for event in profile.profiler.kineto_results.events():
        if event.name() == "[memory]":
            now += event.nbytes()
            most = max(most, now)
    return most


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_it_is_about_what_an_update_takes(vocab: Vocab, architecture: str) -> None:
    model = small(architecture, vocab).model.train()
    batch = fixed_batches(vocab, PAIRS * 8, 10_000)[0]
    found = training_memory(model, batch, settings())
    pieces = max(batch.source.ids.numel(), batch.inputs.ids.numel())
    taken = allocated(lambda: batch_loss(model, batch, 0.1).backward())
    gradients = 4 * parameters(model)
    assert 0.7 * taken < found.each * pieces + gradients < 2 * taken


def test_what_is_fixed_follows_the_optimiser_and_the_average(vocab: Vocab) -> None:
    model = small("dot", vocab).model
    batch = fixed_batches(vocab, PAIRS, 100)[0]
    weights = 4 * parameters(model)
    sizes = {"sgd": 0, "momentum": 1, "adamw": 2}
    for optimiser, moments in sizes.items():
        found = training_memory(model, batch, settings(optimiser=optimiser, average=3))
        assert found.fixed == weights * (COPIES + 3 + moments)


def test_half_the_bits_need_less_and_the_largest_batch_fits(vocab: Vocab) -> None:
    model = small("transformer", vocab).model
    batch = fixed_batches(vocab, PAIRS, 100)[0]
    whole, half = (training_memory(model, batch, settings(precision=p)) for p in ("fp32", "bf16"))
    assert half.each < whole.each and half.fixed == whole.fixed
    memory = TrainingMemory(1000, 8.5)
    assert memory.needed(100) == 1850 and memory.largest_batch(1850) == 100 and memory.largest_batch(999) == 0
