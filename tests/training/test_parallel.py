"""A batch's gradient in parts: in two halves if memory is short, and in two processes, as in one."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from nmtcore.__main__ import main
from nmtcore.config import model_config
from nmtcore.errors import OutOfMemory
from nmtcore.models import checkpoint
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.runs.worker import Worker
from nmtcore.text.vocabulary import Vocab
from nmtcore.training import parallel
from nmtcore.training.batches import Batch, TrainingData, fixed_batches
from nmtcore.training.events import Halved, Progress, Validation
from nmtcore.training.loop import fit
from nmtcore.training.loss import batch_loss
from nmtcore.training.parallel import Gradient, split_rows, take_rows
from tests.accelerator import NAME, Accelerator
from tests.helpers import PATIENCE, SIZES, WORD_BY_WORD
from tests.paths import ROOT
from tests.runs.helpers import make as make_run
from tests.training.test_loop import PAIRS, parts, settings


@pytest.fixture(scope="module")
def vocab() -> Vocab:
    return Vocab.train([s for pair in PAIRS for s in pair], 60)


def make(vocab: Vocab, architecture: str) -> Seq2Seq:
    torch.manual_seed(3)
    return checkpoint.build(model_config(architecture, len(vocab), dropout=0.0, **SIZES[architecture]))


def batch_of(vocab: Vocab, rows: int = 5) -> Batch:
    """Rows of unequal lengths."""
    pairs = [pair._replace(source=" ".join(pair.source.split()[: 1 + i])) for i, pair in enumerate(PAIRS[:rows])]
    return fixed_batches(vocab, pairs, 10_000)[0]


def test_rows_of_a_batch_keep_their_own_labels(vocab: Vocab) -> None:
    batch = batch_of(vocab)
    part = take_rows(batch, [3, 1])
    lengths = batch.inputs.mask.sum(1).tolist()
    firsts = [sum(lengths[:row]) for row in (3, 1)]
    expected = [batch.labels[first : first + lengths[row]] for first, row in zip(firsts, (3, 1), strict=True)]
    assert part.labels.tolist() == torch.cat(expected).tolist()
    for row, of in enumerate((3, 1)):
        assert (
            part.source.ids[row][part.source.mask[row]].tolist() == batch.source.ids[of][batch.source.mask[of]].tolist()
        )
    assert part.source.mask.any(0).all()  # no column of padding alone


@pytest.mark.parametrize(
    ("architecture", "where"), [*((architecture, "cpu") for architecture in WORD_BY_WORD), ("additive", NAME)]
)
def test_two_halves_give_the_gradient_of_the_whole(
    device: Accelerator, vocab: Vocab, architecture: str, where: str
) -> None:
    batch = batch_of(vocab)
    assert [len(part.source.ids) for part in split_rows(batch, 2)] == [3, 2]
    found = []
    for count in (1, 2):
        model = make(vocab, architecture).to(where)
        gradient = Gradient(model, settings())
        gradient.parts = count
        loss = gradient(batch)
        assert all(parameter.grad is not None for parameter in model.parameters())  # as DistributedDataParallel wants
        assert not device.waits.keys() - {"_to_copy"}
        found.append((loss.cpu(), [p.grad.cpu() for p in model.parameters()]))
    (whole, expected), (halves, got) = found
    assert float(halves) == pytest.approx(float(whole), abs=1e-6)
    for a, b in zip(expected, got, strict=True):
        torch.testing.assert_close(a, b, atol=1e-6, rtol=1e-5)


def short_of_memory(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """A device with room for at most `rows` rows at a time."""

    def limited(model: Seq2Seq, batch: Batch, smoothing: float) -> Tensor:
        if len(batch.source.ids) > rows:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return batch_loss(model, batch, smoothing)

    monkeypatch.setattr(parallel, "batch_loss", limited)


def test_short_of_memory_it_goes_on_in_halves_and_says_so(vocab: Vocab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmtcore.training.meter.REPORT_SECONDS", 0.0)  # after each update, however slow the machine
    data, validation = TrainingData(PAIRS[:12], vocab, 60), fixed_batches(vocab, PAIRS[12:], 60)
    largest = max(len(batch.source.ids) for batch in data.epoch(0))
    plain = list(fit(make(vocab, "dot"), data, validation, settings()))
    short_of_memory(monkeypatch, largest - 1)
    events = list(fit(make(vocab, "dot"), data, validation, settings()))
    assert [type(event) for event in events].count(Halved) == 1
    losses = [[e.loss for e in found if isinstance(e, Validation | Progress)] for found in (plain, events)]
    assert losses[0] == pytest.approx(losses[1], abs=1e-5)


def test_a_second_time_it_proposes_a_smaller_batch(vocab: Vocab, monkeypatch: pytest.MonkeyPatch) -> None:
    short_of_memory(monkeypatch, 0)
    data, validation = parts(vocab)
    with pytest.raises(OutOfMemory, match="The memory of cpu is not enough .* batches of 6 pieces"):
        list(fit(make(vocab, "dot"), data, validation, settings()))


def test_a_run_tells_of_the_halves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = make_run(tmp_path)
    short_of_memory(monkeypatch, 10)
    Worker(run).work()
    assert run.status().state == "done"
    assert [event["event"] for event in run.events()].count("halved") == 1


def arguments(folder: Path, steps: int = 6) -> list[str]:
    """`train` on a small file of pairs in `folder`."""
    folder.mkdir(exist_ok=True)
    pairs = folder / "pairs.tsv"
    pairs.write_text("".join(f"{a} {b} {c}\t{c} {b} {a}\n" for a in "pqrst" for b in "uvwxyz" for c in "klmno"))
    given = f"""train --pairs {pairs} --out {folder / "out"} --runs {folder / "state"} --architecture dot --embedding 8
        --units 8 --dropout 0 --precision fp32 --batch-tokens 130 --max-steps {steps} --validate-every 2 --warmup 2
        --device cpu --vocab-size 30 --learning-rate 0.01 --seed 3"""
    return given.split()


def outcome(folder: Path, said: str) -> tuple[list[float], dict[str, Tensor]]:
    """The validation losses in the output, and the last weights."""
    (state,) = (folder / "state").glob("state-*.safetensors")
    weights = {name: tensor for name, tensor in load_file(state).items() if name.startswith("model.")}
    return [float(loss) for loss in re.findall(r"validation loss ([0-9.]+)", said)], weights


def test_two_processes_train_as_one_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments(tmp_path / "one")) == 0
    alone, one = outcome(tmp_path / "one", capsys.readouterr().err.rpartition("Done")[0])
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "nmtcore"]
    done = subprocess.run(
        [*launcher, *arguments(tmp_path / "two")], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    together, two = outcome(tmp_path / "two", done.stderr.rpartition("Done")[0])
    assert len(alone) == 3 and together == pytest.approx(alone, abs=1e-4)  # and only the first process prints
    for name, tensor in one.items():
        torch.testing.assert_close(two[name], tensor, atol=1e-4, rtol=1e-4)
    assert (tmp_path / "two" / "state" / "done").exists()
