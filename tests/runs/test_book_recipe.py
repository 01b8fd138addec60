"""The recipe of the books: its settings, and the exercises that it suits."""

from dataclasses import replace
from pathlib import Path

import pytest

from nmtcore.config import model_config
from nmtcore.errors import SettingError
from nmtcore.runs import run_folder
from nmtcore.runs.defaults import TOO_FEW, make_book_run
from nmtcore.runs.records import scores_by_length
from nmtcore.runs.worker import Worker
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.batches import TrainingData
from nmtcore.training.config import TrainingConfig
from nmtcore.training.corpus import Pair
from nmtcore.training.exercises import EXERCISES


@pytest.mark.parametrize("name", [name for name in EXERCISES if name not in TOO_FEW])
def test_it_is_the_books_and_every_task_has_its_pairs(name: str) -> None:
    config, pairs = make_book_run(EXERCISES[name], seed=3)
    assert len(set(pairs)) == 10_000
    training = config.training
    assert (training.epochs, training.batch_rows, training.optimiser, training.max_steps) == (10, 64, "rmsprop", 0)
    model = model_config(config.architecture, 99, **config.settings)
    assert (model.cell, model.units, model.bidirectional) == ("lstm", 256, True)
    assert (model.encoder_layers, model.decoder_layers) == (1, 1)


def test_it_learns_to_reverse_in_its_first_updates(tmp_path: Path) -> None:
    config, pairs = make_book_run(EXERCISES["reverse"])
    config = replace(config, training=replace(config.training, max_steps=80))  # of 1,560
    run, _ = run_folder.create(tmp_path, config, pairs, "me")
    Worker(run).work()
    assert run.status().state == "done"
    in_place = scores_by_length(run.events())  # percent of the digits; by chance, 10
    assert in_place[min(in_place)] >= 60


@pytest.mark.parametrize("by_length", [True, False])
def test_a_batch_has_as_many_rows_as_asked_for(by_length: bool) -> None:
    pairs = [Pair(*pair) for pair in EXERCISES["copy"].pairs(47)]
    vocab = Vocab.train([side for pair in pairs for side in pair], 40, 1.0, split_digits=False)
    data = TrainingData(pairs, vocab, 100_000, by_length=by_length, batch_rows=5)
    sizes = sorted(len(rows) for rows in data.epoch(2).rows)
    assert sizes == [2] + [5] * 9
    both = TrainingData(pairs, vocab, 30, by_length=by_length, batch_rows=5).epoch(2)
    assert min(len(rows) for rows in both.rows) < 5 and sum(len(rows) for rows in both.rows) == 47
    assert all(batch.source.ids.numel() <= 30 for batch in both)


def test_no_number_of_rows_below_zero() -> None:
    with pytest.raises(SettingError, match="batch_rows"):
        TrainingConfig(batch_rows=-1)
