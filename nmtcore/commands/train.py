"""python -m nmtcore train: a model from sentence pairs, with a progress bar."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import datetime
import re
import signal
import sys
import time
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import torch
from tqdm import tqdm

from nmtcore.commands.shared import Commands, add_device, choose_device, say
from nmtcore.config import (
    ARCHITECTURES,
    DecodingConfig,
    TrainingConfig,
    config_classes,
    model_config,
)
from nmtcore.errors import DataError, SettingError
from nmtcore.evaluation.bleu import collect, quality, translate_all, within_limits
from nmtcore.evaluation.cards import Card, commit, typed_command
from nmtcore.evaluation.distillation import read_distilled
from nmtcore.grammar.grammar import Grammar
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.models.transfer import transfer
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.augmentation import LINKS
from nmtcore.training.batches import TrainingData, fixed_batches
from nmtcore.training.corpus import Pair, Split, SplitConfig, read_pairs, split_pairs
from nmtcore.training.events import Done, Event, Halved, Progress, Saved, Validation
from nmtcore.training.fit import fit
from nmtcore.training.parallel import Group, process_group, rank
from nmtcore.training.state import Translate, restore
from nmtcore.training.supplement import read_corpus, read_dictionary, without_held_out

LINE_SECONDS = 30  # between two lines of progress where there is no terminal
WORD_WEIGHT = 5  # times that each of --vocab-words counts as a sentence
BLEU_ITEMS, SAMPLES = 300, 2  # validation sentences that are translated, and shown, at every validation


def add(commands: Commands) -> None:
    train = commands.add_parser(
        "train",
        help="train a model on sentence pairs",
        allow_abbrev=False,
        fromfile_prefix_chars="@",
        description="@FILE stands for the options in a file, such as @pretrained/recipes/en-fr-transformer. "
        "`train --exercise NAME --help` shows how to train on an exercise, as the Fine-tune page does.",
    )
    train.set_defaults(run=run, prog=train.prog)
    train.add_argument("--pairs", required=True, metavar="FILE", help="sentence, tab, translation; plain or gzip")
    train.add_argument("--distilled", metavar="FILE", help="train on these pairs, as `distil` writes them, instead")
    train.add_argument(
        "--synthetic",
        nargs="+",
        default=[],
        metavar="FILE",
        help="train on these pairs too, as `distil` and `distil --back` write them (Nguyen et al. 2020)",
    )
    train.add_argument(
        "--corpus",
        nargs="+",
        default=[],
        metavar="FILE",
        help="train on these pairs too: kind, sentence, translation, as in pretrained/corpus; a file that is named "
        "twice counts twice",
    )
    train.add_argument(
        "--extra", nargs="+", default=[], metavar="FILE", help="train on these pairs too, in columns as in --pairs"
    )
    train.add_argument(
        "--dictionary", nargs="+", default=[], metavar="FILE", help="train on the usual translation of each word too"
    )
    train.add_argument("--architecture", required=True, choices=ARCHITECTURES)
    train.add_argument("--out", required=True, metavar="DIR", help="the model's folder, usable after every validation")
    train.add_argument("--swap", action="store_true", help="translate from the second column to the first")
    train.add_argument(
        "--reversed",
        action="store_true",
        help="set aside what a model without this option sets aside, then translate from target to source; "
        "for `distil --back`",
    )
    train.add_argument("--source", metavar="LANGUAGE", help="such as en (default: from --out PAIR/NAME)")
    train.add_argument("--target", metavar="LANGUAGE", help="such as fr (default: from --out PAIR/NAME)")
    train.add_argument("--vocab", metavar="FILE", help="use this vocab.model rather than learn one")
    train.add_argument(
        "--warm-start",
        metavar="DIR",
        help="begin with the weights of this model, of the same shape and vocabulary (Loshchilov and Hutter 2017)",
    )
    train.add_argument(
        "--transfer",
        metavar="DIR",
        help="begin with the weights of this model, which may have another vocabulary, fewer layers and narrower "
        "feed-forward networks (Net2Net, Chen et al. 2016)",
    )
    train.add_argument(
        "--vocab-words", metavar="FILE", help="words, one a line, that shall have few pieces in a new vocabulary"
    )
    train.add_argument("--vocab-size", type=int, default=8000, metavar="N", help="pieces to learn (%(default)s)")
    train.add_argument(
        "--joined", type=float, default=0.1, metavar="SHARE", help="rows to join from others (%(default)s)"
    )
    train.add_argument(
        "--linked", action="store_true", help="make one long sentence of half of the joined rows (en-fr and zh-en)"
    )
    train.add_argument(
        "--varied", type=float, default=0.0, metavar="SHARE", help="rows to write as people type them (%(default)s)"
    )
    train.add_argument(
        "--grammar",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="rows that the grammar of the two languages makes anew for each epoch (%(default)s)",
    )
    train.add_argument(
        "--sampled",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="rows of each epoch to cut into pieces at random (subword regularisation, Kudo 2018; %(default)s)",
    )
    for field in dataclasses.fields(SplitConfig):
        name = f"--split-{field.name}"
        train.add_argument(name, type=int, default=field.default, metavar="N", help="%(default)s")
    add_device(train)
    train.add_argument("--runs", metavar="DIR", help="what resuming needs (default: runs/PAIR-NAME)")
    train.add_argument("--resume", action="store_true", help="go on with the run in --runs")
    train.add_argument("--attribution", default="not stated", help="whose data it is and its licence, for the card")
    _add_fields(train.add_argument_group("training"), TrainingConfig)
    shown: frozenset[str] = frozenset()
    for config, names in config_classes().items():
        shown |= _add_fields(train.add_argument_group(f"model: {', '.join(names)}"), config, shown)


def _add_fields(group: argparse._ArgumentGroup, config: type, known: frozenset[str] = frozenset()) -> frozenset[str]:
    """One option for each field of a configuration that is not in `known`; returns all names."""
    hints = get_type_hints(config)
    for field in dataclasses.fields(config):
        if field.name in known or field.name == "vocab_size":
            continue
        flag, hint = f"--{field.name.replace('_', '-')}", hints[field.name]
        text = f"(default: {field.default})"
        if get_origin(hint) is Literal:
            group.add_argument(flag, choices=get_args(hint), help=text)
        elif hint is bool:
            group.add_argument(flag, action=argparse.BooleanOptionalAction, help=text)
        else:
            group.add_argument(flag, type=hint, metavar="N" if hint is int else "X", help=text)
    return known | {field.name for field in dataclasses.fields(config)}


def _chosen(options: argparse.Namespace, config: type) -> dict[str, Any]:
    """The fields of a configuration that were given on the command line."""
    values = {field.name: getattr(options, field.name, None) for field in dataclasses.fields(config)}
    return {name: value for name, value in values.items() if value is not None and name != "vocab_size"}


def run(options: argparse.Namespace) -> int:
    """Under torchrun every process runs this: each takes its rows of every batch, the first writes and prints."""
    device = choose_device(options)
    with process_group(device) as group:
        return _train(options, device, group)


def _train(options: argparse.Namespace, device: torch.device, group: Group) -> int:
    out = Path(options.out)
    source, target = _languages(options, out)
    state = _folders(options, out, f"{source}-{target}-{out.name}", group)
    training = TrainingConfig(**_chosen(options, TrainingConfig))
    settings = {name: value for config in config_classes() for name, value in _chosen(options, config).items()}
    model_config(options.architecture, options.vocab_size, **settings)  # a wrong setting shows before the data are read
    out.mkdir(parents=True, exist_ok=True)  # and so does a folder that cannot be made

    material = _material(options)
    split = material.split
    with group.first():
        vocab = _vocabulary(options, state, [sentence for pair in material.learnt for sentence in pair], group)
    config = model_config(options.architecture, len(vocab), **settings)
    torch.manual_seed(training.seed)
    model = checkpoint.build(config).to(device)
    begun = _warm_start(options, model, vocab)
    links = _links(options, source, target)
    size, seed = training.batch_tokens, training.seed
    shares = options.joined, options.varied, options.sampled
    fresh = _fresh(f"{source}-{target}") if options.grammar else None
    data = TrainingData(
        material.learnt,
        vocab,
        size,
        seed,
        *shares,
        links,
        max_length=model.max_length,
        grammar=options.grammar,
        fresh=fresh,
    )
    card = _card(options, (source, target), material, begun, model, training)
    say(
        f"{material.rows:,} pairs: {len(material.learnt):,} to train on, {len(split.validation):,} for validation, "
        f"{len(split.test):,} for testing. {len(vocab):,} pieces, "
        f"{card.weights:,} weights, {device if group.size == 1 else f'{group.size} processes, {device.type}'}."
    )

    def ship(best: Seq2Seq, found: Validation, seconds: float) -> None:
        checkpoint.save(out, best, vocab, card.meta(found, seconds), card.text(found, seconds))

    if not group.rank:
        (state / "done").unlink(missing_ok=True)
    events = fit(
        model,
        data,
        fixed_batches(vocab, split.validation, size),
        training,
        state=state,
        resume=options.resume,
        ship=ship,
        translate=_translator(split.validation, vocab, target),
        group=group,
    )
    if _watch(events, state):
        if not group.rank:
            (state / "done").touch()
        return 0
    say(f"Stopped; the same command with --resume goes on. The best model so far is in {out}.")
    return 130


def _fresh(pair: str) -> Callable[[int, int], list[tuple[str, str]]]:
    """What makes sentence pairs from a number and a seed. Raises DataError where the languages have no grammar."""
    grammar = Grammar.load(pair=pair)
    return lambda count, seed: [(made.source, made.target) for made in grammar.pairs(count, seed)]


def _folders(options: argparse.Namespace, out: Path, name: str, group: Group) -> Path:
    """The folder of the run's state. Raises SettingError where a folder holds what would be lost."""
    if out.exists() and not (out / checkpoint.CONFIG).exists() and (not out.is_dir() or any(out.iterdir())):
        raise SettingError(f"{out} is not a model folder: choose an empty or a new one.")
    if options.warm_start and options.transfer:
        raise SettingError("--warm-start and --transfer exclude each other: a model begins with one other's weights.")
    begun = options.warm_start or options.transfer
    if begun and out.resolve() == Path(begun).resolve():
        raise SettingError(f"{begun} is the model to begin with and --out: write the new model to another folder.")
    state = Path(options.runs) if options.runs else Path("runs") / name
    unfinished = (state / "state.json").exists() and not (state / "done").exists()
    if unfinished and not options.resume and not group.rank:
        raise SettingError(f"{state} holds an unfinished run: give --resume to go on with it, or another --runs.")
    return state


@dataclass(frozen=True)
class Material:
    """What is learned from.

    learnt: the pairs to train on, `synthetic` of them made by a model and `added` of them from other files;
    rows: of the file that can be used.
    """

    split: Split
    config: SplitConfig
    learnt: list[Pair]
    synthetic: int
    added: int
    rows: int


def _material(options: argparse.Namespace) -> Material:
    """Read all pairs and set some aside. Raises DataError for too few."""
    pairs, report = read_pairs(options.pairs, options.swap)
    for line in report.lines():
        say(line)
    config = SplitConfig(options.split_validation, options.split_test, options.split_seed)
    split = split_pairs(pairs, config)
    if options.reversed:
        split = split.reversed()
    if not split.validation:
        raise DataError(f"{options.pairs} has too few pairs to set some aside: at least 20 with no sentence in common.")
    given = _made(options.distilled, split) if options.distilled else split.train
    synthetic = [pair for file in options.synthetic for pair in _made(file, split)]
    learnt = list(dict.fromkeys([*given, *synthetic]))
    added = _added(options, split)
    return Material(split, config, learnt + added, len(learnt) - len(given), len(added), len(pairs))


def _added(options: argparse.Namespace, split: Split) -> list[Pair]:
    """The pairs of --corpus, --extra and --dictionary, without what is set aside."""
    added = [pair for file in options.corpus for pair in read_corpus(file)]
    for file in options.extra:
        added += read_pairs(file, options.swap)[0]
    targets = [pair.target for pair in [*split.train, *added]]
    added += [pair for file in options.dictionary for pair in read_dictionary(file, targets)]
    kept = without_held_out(added, split)
    if added:
        say(f"{len(kept):,} rows from other files; {len(added) - len(kept):,} with a sentence set aside are left out.")
    return kept


def _card(
    options: argparse.Namespace,
    languages: tuple[str, str],
    material: Material,
    begun: dict[str, Any],
    model: Seq2Seq,
    training: TrainingConfig,
) -> Card:
    source, target = languages
    split = material.split
    return Card(
        source=source,
        target=target,
        pairs=Path(options.pairs),
        kept=material.rows,
        distilled=len(material.learnt) - material.synthetic if options.distilled else 0,
        synthetic=material.synthetic,
        added={Path(file).name for file in (*options.corpus, *options.extra, *options.dictionary)},
        added_rows=material.added,
        sampled=options.sampled,
        begun=begun,
        swap=options.swap,
        reversed=options.reversed,
        joined=options.joined,
        linked=options.linked,
        varied=options.varied,
        attribution=options.attribution,
        command=typed_command(options.arguments),
        commit=commit(),
        split=material.config,
        parts=(len(split.train), len(split.validation), len(split.test)),
        config=model.config,
        weights=checkpoint.parameters(model),
        training=training,
        device=model.device,
    )


def _links(options: argparse.Namespace, source: str, target: str) -> tuple[tuple[str, str], ...]:
    """Raises SettingError where --linked is asked for and it is not known how these languages link sentences."""
    if options.linked and (source, target) not in LINKS:
        known = " and ".join("-".join(languages) for languages in LINKS)
        raise SettingError(f"--linked is for {known}, not for {source}-{target}.")
    return LINKS[source, target] if options.linked else ()


def _languages(options: argparse.Namespace, out: Path) -> tuple[str, str]:
    """The names of the two languages: as given, or from a folder such as en-fr/dot."""
    match = re.fullmatch(r"([a-z]{2,3})-([a-z]{2,3})", out.absolute().parent.name)
    source, target = match.groups() if match else ("source", "target")
    return options.source or source, options.target or target


def _made(file: str, split: Split) -> list[Pair]:
    """A model's translations of training sentences."""
    pairs, lines = read_distilled(file, split)
    for line in lines:
        say(line)
    return pairs


def _warm_start(options: argparse.Namespace, model: Seq2Seq, vocab: Vocab) -> dict[str, Any]:
    """Give `model` the weights of a trained one, if one is named; how long that was trained. Raises SettingError."""
    folder = options.warm_start or options.transfer
    if not folder:
        return {}
    start = checkpoint.load(folder)
    if options.transfer:
        try:
            transfer(start.model, start.vocab, model, vocab)
        except ValueError as error:
            raise SettingError(f"The model in {folder} cannot be grown into this one: {error}.") from error
    else:
        shapes = [(type(c), dataclasses.asdict(c) | {"dropout": 0.0}) for c in (start.config, model.config)]
        if shapes[0] != shapes[1]:
            raise SettingError(
                f"The model in {folder} has another shape: --warm-start needs the settings that it has; --transfer "
                "takes a smaller model."
            )
        if start.vocab != vocab:
            vocabulary = f"{folder}/{checkpoint.VOCAB}"
            raise SettingError(f"The model in {folder} has another vocabulary: add --vocab {vocabulary}.")
        restore(model, checkpoint.own_weights(start.model))
    trained = checkpoint.numbers(start.meta, "trained")
    before = checkpoint.numbers(start.meta, "trained", "begun")
    return {name: trained[name] + before.get(name, 0) for name in ("epochs", "seconds") if name in trained}


def _vocabulary(options: argparse.Namespace, state: Path, sentences: list[str], group: Group) -> Vocab:
    """That of the resumed run, the given one, or a new one; kept with the run's state.

    Raises SettingError where the given one is not that of the resumed run.
    """
    kept = state / checkpoint.VOCAB
    if (options.resume or group.rank) and kept.exists():  # the first process has learned it
        vocab = Vocab.load(kept)
        if options.vocab and Vocab.load(options.vocab) != vocab:
            raise SettingError(f"{options.vocab} has changed since this run began: resume with --vocab {kept}.")
        return vocab
    if options.vocab_words and not options.vocab:
        words = Path(options.vocab_words).read_text(encoding="utf-8").split()
        sentences = [*sentences, *words * WORD_WEIGHT]
    vocab = Vocab.load(options.vocab) if options.vocab else Vocab.train(sentences, options.vocab_size)
    state.mkdir(parents=True, exist_ok=True)
    vocab.save(kept)
    return vocab


def _translator(pairs: Sequence[Pair], vocab: Vocab, target: str) -> Translate:
    """What `fit` calls at every validation: BLEU, greedy, on some sentences, and how it translates a few."""
    items = within_limits(collect(pairs), vocab)[:BLEU_ITEMS]

    def translate(model: Seq2Seq) -> tuple[float, tuple[str, ...]]:
        decoder = Checkpoint(accelerate(model), vocab, "", {})
        texts = translate_all(decoder, [i.source for i in items], DecodingConfig()).texts
        samples = zip(items[:SAMPLES], texts, strict=False)
        return quality(texts, items, target).bleu, tuple(f"{item.source} -> {text}" for item, text in samples)

    return translate


def _watch(events: Iterator[Event], state: Path) -> bool:
    """Show the events until the end; False when a signal asked to stop before it."""
    stopped: list[int] = []

    def stop(number: int, frame: types.FrameType | None) -> None:
        if not rank():  # the other processes end when the first one does
            stopped.append(number)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    terminal = sys.stderr.isatty() and not rank()
    last = -float("inf")
    try:
        with tqdm(unit="step", disable=not terminal, dynamic_ncols=True) as bar, contextlib.closing(events):  # type: ignore[type-var]
            for event in events:
                if isinstance(event, Progress):
                    bar.total, bar.n = event.total, event.step
                    bar.set_postfix_str(f"loss {event.loss:.3f}, {event.tokens_per_second:,.0f} tokens/s")
                    now = time.monotonic()
                    if not terminal and now - last >= LINE_SECONDS:
                        last = now
                        say(
                            f"step {event.step:,} of {event.total:,}, epoch {event.epoch:.2f}: loss {event.loss:.3f}, "
                            f"rate {event.learning_rate:.2e}, {event.tokens_per_second:,.0f} tokens/s, "
                            f"{datetime.timedelta(seconds=round(event.seconds_left))} left"
                        )
                elif isinstance(event, Validation):
                    bleu = "" if event.bleu is None else f", BLEU {event.bleu:.1f}"
                    better = ", kept" if event.better else ""
                    where = f"step {event.step:,}, epoch {event.epoch:.2f}"
                    say(f"{where}: validation loss {event.loss:.4f}{bleu}{better}")
                    for sample in event.samples:
                        say(f"  {sample}")
                elif isinstance(event, Done):
                    why = "" if event.reason == "finished" else " early: validation no longer got better"
                    say(
                        f"Done{why} after {event.step:,} steps and {event.seconds:,.0f} s. "
                        f"Validation loss {event.best_loss:.4f} at step {event.best_step:,}, whose weights are kept."
                    )
                    return True
                elif isinstance(event, Halved):
                    say(
                        f"step {event.step:,}: the memory was too small for a whole batch. From now on each is worked "
                        "on in two halves whose gradients are added: every update is as large as before."
                    )
                elif not isinstance(event, Saved):
                    raise AssertionError(event)
                if stopped:
                    return False
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return False
