"""Prepare a run: its pairs, its vocabulary and its model; and estimate how long it will take."""

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from nmtcore.config import model_config
from nmtcore.errors import DataError, SettingError
from nmtcore.evaluation.references import group_references
from nmtcore.evaluation.validation import Scorer
from nmtcore.limits import TRAINING_PIECES
from nmtcore.models import checkpoint
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.runs.config import Device, RunConfig
from nmtcore.runs.memory import TrainingMemory, training_memory
from nmtcore.runs.rehearsal import Rehearsal, make_rehearsal
from nmtcore.text.vocabulary import CONTINUED, UNK, Vocab, is_byte
from nmtcore.training.batches import TrainingData
from nmtcore.training.config import AugmentationConfig
from nmtcore.training.corpus import Pair, Side, Split, SplitConfig, split_pairs
from nmtcore.training.exercises import Exercise
from nmtcore.training.initialisation import build_model
from nmtcore.training.loss import autocast, batch_loss
from nmtcore.training.material import Material, Prepared, prepare
from nmtcore.training.precision import with_precision

VALIDATION = 150  # pairs set aside, at most a tenth
ASIDE = SplitConfig(validation=VALIDATION, test=0)
ANSWERED = 8  # mean number of sources per answer above which answers are classes rather than sentences
FEWEST = 20  # pairs, enough to set some aside
ENOUGH = 0.6  # s of gradients after which an estimate stops, to be there in less than two seconds
UPDATE = 1.4  # time of an update relative to its gradient
EVALUATION = 3  # time of an evaluation with its checkpoint, relative to the first translation of its sentences
TRIES = 2, 12  # fewest and most gradients in an estimate
BATCHES = 4  # different batches for them, since the first one of a shape takes far longer than the next
PARTS = 3 + TRIES[0]  # about equally long parts of an estimate: model, gradients, evaluation, memory
SCORED = 100  # unseen pairs translated at every evaluation


def prepare_run(
    config: RunConfig, pairs: list[Pair], start: Path, state: Path | None = None
) -> tuple[Prepared, Rehearsal]:
    """Split the pairs of a run and load the model in `start`, which is first made there for a run from scratch.

    A run always begins with the weights in `start`, so that it can be started again. state: the folder of a resumed
    run. Raises DataError for too few pairs, CheckpointError for a damaged model.
    """
    file = f"exercise {config.exercise}" if config.exercise else "pairs.tsv"
    material = few_pairs(pairs, file, config.source, config.target)
    train, unseen, _ = material.split
    if not (start / checkpoint.CONFIG).exists():
        vocab = learn_vocab(config.task, config.vocab_size, train)
        checkpoint.save(start, new_model(config, vocab), vocab, {"source": config.source, "target": config.target})
    begun = checkpoint.load(start)
    train, unseen = within_pieces(begun.vocab, train), within_pieces(begun.vocab, unseen)
    old, kept = Rehearsal(), start / "rehearsal.tsv"
    if config.rehearsal:
        old = make_rehearsal(begun, config.source, config.rehearsed, pairs, kept)
    mixed = old.mixed(config.rehearsal, len(train))
    material = dataclasses.replace(
        material,
        split=Split(train, unseen, []),
        pairs=[*train, *mixed],
        added=len(mixed),
        added_files=[kept.name],
    )
    begun.model.to(device(config.device))
    return prepare(material, begun, config.training, AugmentationConfig(), state), old


def few_pairs(
    pairs: list[Pair], file: str, source: str, target: str, attribution: str = Material.attribution
) -> Material:
    """Split the pairs of an exercise or a user. Raises DataError if they are too few to set some aside."""
    train, unseen = set_aside(pairs)
    if not unseen:
        enough = f"give at least {FEWEST} that have no sentence in common"
        raise DataError(f"There are too few pairs to set some aside: {enough}.")
    split = Split(train, unseen, [])
    return Material(source, target, file, len(pairs), ASIDE, split, train, attribution=attribution)


def set_aside(pairs: list[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Split pairs into those to train on and those to evaluate on, without a common source or target.

    If a few answers stand for many sources (such as yes and no), only the sources are kept apart. With too few pairs,
    none are set aside; pairs that share a sentence stay together, so even many pairs can be too few.
    """
    if len(pairs) < FEWEST:
        return list(pairs), []
    answers = len({pair.target for pair in pairs})
    sides: tuple[Side, ...] = (0,) if 1 < answers <= len(pairs) / ANSWERED else (0, 1)
    train, unseen, _ = split_pairs(pairs, ASIDE, sides)
    return train, unseen


def within_pieces(vocab: Vocab, pairs: list[Pair]) -> list[Pair]:
    """The pairs whose sides have at most TRAINING_PIECES pieces. Raises DataError if there are none."""
    sources = vocab.encode_all([pair.source for pair in pairs])
    targets = vocab.target.encode_all([pair.target for pair in pairs])
    lengths = [max(len(source), len(target)) for source, target in zip(sources, targets, strict=True)]
    short = [pair for pair, length in zip(pairs, lengths, strict=True) if length <= TRAINING_PIECES]
    if not short:
        raise DataError(f"Every pair has a side of more than {TRAINING_PIECES} pieces: give shorter sentences.")
    return short


def learn_vocab(task: Exercise | None, size: int, pairs: list[Pair]) -> Vocab:
    """A vocabulary made only from the pairs: every character has a piece, and a digit of an exercise is one piece."""
    sentences = [sentence for pair in pairs[:20_000] for sentence in pair]
    words: list[str] = []
    if task is not None and task.whole_words:
        words = sorted({word for sentence in sentences for word in sentence.split()})
        # Letters get pieces too, for the start and the inside of a word, so that people can type other words.
        sentences += [" ".join(word) for word in words] + [word + word for word in words]
    while True:
        try:
            return Vocab.train(sentences, size, 1.0, task is None or task.split_digits, words)
        except DataError:
            if size >= 8000:  # double the size only if there are more characters than pieces
                raise
            size *= 2


def new_model(config: RunConfig, vocab: Vocab) -> Seq2Seq:
    """A model with random weights, determined by the seed."""
    return build_model(model_config(config.architecture, len(vocab), **config.settings), config.training)


def unknown_pieces(vocab: Vocab, pairs: list[Pair]) -> dict[str, int]:
    """Out-of-vocabulary pieces of the pairs, including characters read byte by byte, with their frequencies."""
    unknown = {UNK, *(index for index in range(len(vocab)) if is_byte(vocab.token(index)))}
    counts: dict[str, int] = {}
    for side, cut in ((0, vocab), (1, vocab.target)):
        sentences = [pair[side] for pair in pairs]
        for sentence, ids in zip(sentences, cut.encode_all(sentences), strict=True):
            if unknown.isdisjoint(ids):
                continue
            for piece, index in zip(cut.pieces(sentence), ids, strict=True):
                if index in unknown and piece != CONTINUED:
                    counts[piece] = counts.get(piece, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


@dataclass(frozen=True)
class Estimate:
    """An estimate for a run, made before it starts.

    parameters: of the model; seconds: of training with its evaluations; steps: updates; memory: on the device.
    """

    parameters: int
    seconds: float
    steps: int
    memory: TrainingMemory


def estimate(
    config: RunConfig, pairs: list[Pair], start: Path | None = None, begin_part: Callable[[], None] = lambda: None
) -> Estimate:
    """Estimate time and memory: extrapolate from a few gradients on some of the pairs, and from one evaluation.

    begin_part: called before each of PARTS, for a progress bar. Raises the errors of `prepare_run`.
    """
    begin_part()
    before = torch.get_rng_state()
    few = pairs[:2000]
    if start is not None:
        begun = checkpoint.load(start)
        vocab, model = begun.vocab, begun.model
    else:
        vocab = learn_vocab(config.task, config.vocab_size, few)
        model = new_model(config, vocab)
    few = within_pieces(vocab, few)
    training = with_precision(config.training, model)  # for this CPU, which makes the estimate
    lengths = [len(ids) + 1 for ids in vocab.target.encode_all([pair.target for pair in few])]
    steps = max(1, round(training.epochs * len(pairs) * sum(lengths) / len(few) / training.batch_tokens))
    if training.batch_rows:
        steps = max(steps, round(training.epochs * len(pairs) / training.batch_rows))
    steps = min(steps, training.max_steps) if training.max_steps else steps
    size = min(training.batch_tokens, 1000 if checkpoint.parameters(model) < 1_000_000 else 300)
    batches = TrainingData(few[:300], vocab, size, 1).epoch(0)
    times: dict[int, float] = {}  # the shortest for each batch
    model.train()
    started = time.perf_counter()
    least, most = TRIES
    for i in range(most):
        if i >= least and time.perf_counter() - started > ENOUGH:
            break
        if i < least:
            begin_part()
        number = i // least % min(BATCHES, len(batches))
        batch = batches[number]
        began = time.thread_time()  # excludes other programs that run meanwhile
        with autocast(model.device, training.precision):
            loss = batch_loss(model, batch, training.label_smoothing)
        loss.backward()  # type: ignore[no-untyped-call]
        seconds = time.thread_time() - began
        seconds *= max(1.0, training.batch_tokens / max(batch.tokens, size))
        times[number] = min(seconds, times.get(number, seconds))
    begin_part()
    began = time.thread_time()
    Scorer(group_references(few[: min(SCORED, max(1, len(pairs) // 10))]), vocab).translate(model)
    evaluation = EVALUATION * (time.thread_time() - began)
    evaluations = max(1, steps // training.validate_every) if training.validate_every else training.epochs
    seconds = UPDATE * steps * sum(times.values()) / len(times) + evaluation * evaluations
    begin_part()
    memory = training_memory(model, max(batches, key=lambda batch: batch.tokens), training)
    torch.set_rng_state(before)
    return Estimate(checkpoint.parameters(model), seconds, steps, memory)


def devices() -> list[Device]:
    """The available devices, fastest first: every CUDA GPU, Apple's MPS, the CPU."""
    listed = []
    if torch.cuda.is_available():
        for i in range(torch.cuda.device_count()):
            free, _ = torch.cuda.mem_get_info(i)
            listed.append(Device(f"cuda:{i}", torch.cuda.get_device_name(i), free))
    if torch.backends.mps.is_available():
        listed.append(Device("mps", "Apple MPS"))
    return [*listed, Device("cpu", "CPU")]


def device(name: str) -> torch.device:
    """The torch device with this name. Raises SettingError if it is not, or no longer, available."""
    if name not in [found.id for found in devices()]:
        raise SettingError(f"The device {name} is no longer available: start again on another one.")
    return torch.device(name)
