"""python -m nmtcore train: train a model on sentence pairs, with a progress bar."""

from __future__ import annotations

import argparse
import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from nmtcore.commands.shared import (
    Commands,
    add_device,
    add_model_fields,
    add_training_fields,
    choose_device,
    chosen_fields,
    comments,
    say,
)
from nmtcore.commands.training_data import Material, choose_links, grammar_pairs, make_vocabulary, read_material
from nmtcore.commands.training_progress import show_progress
from nmtcore.config import ARCHITECTURES, DecodingConfig, config_classes, model_config
from nmtcore.errors import SettingError
from nmtcore.evaluation.bleu import group_references, quality, translate_all, within_limits
from nmtcore.evaluation.cards import Card, commit, typed_command
from nmtcore.host_memory import limit_primitive_cache
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.models.transfer import transfer
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.batches import TrainingData, fixed_batches
from nmtcore.training.config import TrainingConfig
from nmtcore.training.corpus import Pair, SplitConfig
from nmtcore.training.events import Validation
from nmtcore.training.fit import fit
from nmtcore.training.initialisation import initialise
from nmtcore.training.parallel import Group, process_group
from nmtcore.training.state import Translate, interpolated, restore

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
    train.add_argument(
        "--pairs",
        required=True,
        metavar="FILE",
        help="a sentence, a tab and its translation a line, plain or gzip; some are set aside for validation and "
        "testing",
    )
    train.add_argument(
        "--distilled",
        metavar="FILE",
        help="knowledge distillation: train on these pairs, which `distil` wrote, instead of those of --pairs",
    )
    train.add_argument(
        "--synthetic",
        nargs="+",
        default=[],
        metavar="FILE",
        help="train on these pairs too, which `distil` or `distil --back` wrote (data diversification, Nguyen et al. "
        "2020)",
    )
    train.add_argument(
        "--corpus",
        nargs="+",
        default=[],
        metavar="FILE",
        help="train on these pairs too: a kind, a sentence and its translation a line, as in pretrained/corpus; a file "
        "that is named twice counts twice",
    )
    train.add_argument(
        "--extra",
        nargs="+",
        default=[],
        metavar="FILE",
        help="train on these pairs too; their columns are those of --pairs",
    )
    train.add_argument(
        "--dictionary",
        nargs="+",
        default=[],
        metavar="FILE",
        help="train on the usual translation of each word of this dictionary too",
    )
    train.add_argument("--architecture", required=True, choices=ARCHITECTURES, help="the kind of model")
    train.add_argument("--out", required=True, metavar="DIR", help="the model's folder, usable after every validation")
    train.add_argument("--swap", action="store_true", help="translate from the second column to the first")
    train.add_argument(
        "--reversed",
        action="store_true",
        help="translate from the target to the source, with the same split as without this option: a teacher for "
        "`distil --back`",
    )
    train.add_argument(
        "--source",
        metavar="LANGUAGE",
        help="its code, such as en (default: that in the folder --out, such as my-models/en-fr/dot)",
    )
    train.add_argument("--target", metavar="LANGUAGE", help="its code, such as fr (default: as for --source)")
    train.add_argument("--vocab", metavar="FILE", help="use this vocab.model rather than learn one")
    train.add_argument(
        "--interpolate",
        type=float,
        default=1.0,
        metavar="SHARE",
        help="save the weighted mean (1 - SHARE) * weights of --warm-start + SHARE * trained weights, SHARE above 0 "
        "and at most 1 (WiSE-FT, Wortsman et al. 2022; %(default)s)",
    )
    train.add_argument(
        "--storage",
        choices=checkpoint.FORMATS,
        default="float16",
        help="how weights are stored: as float16, or quantised to int8 with one scale for each row, in half the space "
        "(%(default)s)",
    )
    train.add_argument(
        "--warm-start",
        metavar="DIR",
        help="begin with the weights of this model, which has the same settings and vocabulary (Loshchilov and Hutter "
        "2017)",
    )
    train.add_argument(
        "--transfer",
        metavar="DIR",
        help="transfer learning: begin with the weights of this model, which may have another vocabulary, and may be "
        "smaller (Net2Net, Chen et al. 2016): a Transformer of fewer layers or narrower feed-forward networks, a "
        "recurrent model of fewer units or smaller embeddings. Of a model of another kind, the weights that both have "
        "are taken",
    )
    train.add_argument(
        "--vocab-words",
        metavar="FILE",
        help="words, one a line, that are to have few pieces in a new vocabulary; a word that stands on several lines "
        "counts several times (a word becomes one piece only if the data have it in two forms, such as `word` and "
        "`word,`)",
    )
    train.add_argument(
        "--vocab-size", type=int, default=8000, metavar="N", help="pieces of a new vocabulary (%(default)s)"
    )
    train.add_argument(
        "--joined",
        type=float,
        default=0.1,
        metavar="SHARE",
        help="rows added to each epoch, as a share of the pairs, each of two to six pairs joined (%(default)s)",
    )
    train.add_argument(
        "--linked",
        action="store_true",
        help="make one long sentence of the pairs in half of the joined rows (en-fr and zh-en)",
    )
    train.add_argument(
        "--varied",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="data augmentation: rows added to each epoch, as a share of the pairs, each a pair with other names or "
        "numbers, in lower case, without a full stop or in British spelling (%(default)s)",
    )
    train.add_argument(
        "--grammar",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="rows added to each epoch, as a share of the pairs, which the grammar of the two languages makes "
        "(%(default)s)",
    )
    train.add_argument(
        "--sampled",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="share of the pairs that each epoch cuts into pieces at random (subword regularisation, Kudo 2018; "
        "%(default)s)",
    )
    for field in dataclasses.fields(SplitConfig):
        name = f"--split-{field.name}"
        text = f"{comments(SplitConfig)[field.name]} (%(default)s)"
        train.add_argument(name, type=int, default=field.default, metavar="N", help=text)
    add_device(train)
    train.add_argument(
        "--runs", metavar="DIR", help="folder of what --resume needs (default: runs/PAIR-NAME, such as runs/en-fr-dot)"
    )
    train.add_argument("--resume", action="store_true", help="go on with the training that stopped in --runs")
    train.add_argument(
        "--attribution",
        default="not stated",
        help="whose the data are, and their licence, for the model's card (%(default)s)",
    )
    add_training_fields(train)
    add_model_fields(train)


def run(options: argparse.Namespace) -> int:
    """Under torchrun every process runs this: each takes its rows of every batch, the first writes and prints."""
    limit_primitive_cache()
    device = choose_device(options)
    with process_group(device) as group:
        return _train(options, device, group)


def _train(options: argparse.Namespace, device: torch.device, group: Group) -> int:
    out = Path(options.out)
    source, target = _languages(options, out)
    state = _folders(options, out, f"{source}-{target}-{out.name}", group)
    training = TrainingConfig(**chosen_fields(options, TrainingConfig))
    settings = {name: value for config in config_classes() for name, value in chosen_fields(options, config).items()}
    model_config(options.architecture, options.vocab_size, **settings)  # a wrong setting shows before the data are read
    out.mkdir(parents=True, exist_ok=True)  # and so does a folder that cannot be made

    material = read_material(options)
    split = material.split
    with group.first():
        vocab = make_vocabulary(options, state, [sentence for pair in material.pairs for sentence in pair], group)
    config = model_config(options.architecture, len(vocab), **settings)
    torch.manual_seed(training.seed)
    model = checkpoint.build(config)
    initialise(model, training)
    model = model.to(device)
    begun = _warm_start(options, model, vocab)
    if options.interpolate < 1:
        begun["interpolate"] = options.interpolate
    links = choose_links(options, source, target)
    size, seed = training.batch_tokens, training.seed
    shares = options.joined, options.varied, options.sampled
    fresh = grammar_pairs(f"{source}-{target}", split) if options.grammar else None
    data = TrainingData(
        material.pairs,
        vocab,
        size,
        seed,
        *shares,
        links,
        max_length=model.max_length,
        grammar=options.grammar,
        fresh=fresh,
        by_length=training.sort_by_length,
        batch_rows=training.batch_rows,
    )
    card = _card(options, (source, target), material, begun, model, training)
    say(
        f"{material.rows:,} pairs: {len(material.pairs):,} to train on, {len(split.validation):,} for validation, "
        f"{len(split.test):,} for testing. {len(vocab):,} pieces, "
        f"{card.weights:,} weights, {device if group.size == 1 else f'{group.size} processes, {device.type}'}."
    )

    def ship(best: Seq2Seq, found: Validation, seconds: float) -> None:
        if options.interpolate < 1:
            best = interpolated(checkpoint.load(options.warm_start).model.to(device), best, options.interpolate)
        checkpoint.save(out, best, vocab, card.meta(found, seconds), card.text(found, seconds), options.storage)

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
    if show_progress(events):
        if not group.rank:
            (state / "done").touch()
        return 0
    say(f"Stopped; the same command with --resume goes on. The best model so far is in {out}.")
    return 130


def _folders(options: argparse.Namespace, out: Path, name: str, group: Group) -> Path:
    """The folder of the run's state. Raises SettingError where a folder holds what would be lost."""
    if out.exists() and not (out / checkpoint.CONFIG).exists() and (not out.is_dir() or any(out.iterdir())):
        raise SettingError(f"{out} is not a model folder: choose an empty or a new one.")
    if options.warm_start and options.transfer:
        raise SettingError("--warm-start and --transfer exclude each other: a model begins with one other's weights.")
    if not 0 < options.interpolate <= 1 or (options.interpolate < 1 and not options.warm_start):
        raise SettingError("--interpolate is a share above 0, at most 1, and below 1 for a --warm-start alone.")
    begun = options.warm_start or options.transfer
    if begun and out.resolve() == Path(begun).resolve():
        raise SettingError(f"{begun} is the model to begin with and --out: write the new model to another folder.")
    state = Path(options.runs) if options.runs else Path("runs") / name
    unfinished = (state / "state.json").exists() and not (state / "done").exists()
    if unfinished and not options.resume and not group.rank:
        raise SettingError(f"{state} holds an unfinished run: give --resume to go on with it, or another --runs.")
    return state


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
        distilled=len(material.pairs) - material.synthetic - material.added if options.distilled else 0,
        synthetic=material.synthetic,
        added={Path(file).name for file in (*options.corpus, *options.extra, *options.dictionary)},
        added_rows=material.added,
        sampled=options.sampled,
        grammar=options.grammar,
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
        storage=options.storage,
        training=training,
        device=model.device,
    )


def _languages(options: argparse.Namespace, out: Path) -> tuple[str, str]:
    """The names of the two languages: as given, or from a folder such as en-fr/dot."""
    match = re.fullmatch(r"([a-z]{2,3})-([a-z]{2,3})", out.absolute().parent.name)
    source, target = match.groups() if match else ("source", "target")
    return options.source or source, options.target or target


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


def _translator(pairs: Sequence[Pair], vocab: Vocab, target: str) -> Translate:
    """What `fit` calls at every validation: BLEU, greedy, on some sentences, and how it translates a few."""
    items = within_limits(group_references(pairs), vocab)[:BLEU_ITEMS]

    def translate(model: Seq2Seq) -> tuple[float, tuple[str, ...]]:
        decoder = Checkpoint(accelerate(model), vocab, "", {})
        texts = translate_all(decoder, [i.source for i in items], DecodingConfig()).texts
        samples = zip(items[:SAMPLES], texts, strict=False)
        return quality(texts, items, target).bleu, tuple(f"{item.source} -> {text}" for item, text in samples)

    return translate
