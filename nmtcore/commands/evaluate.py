"""Evaluate one or more models: BLEU and chrF, alignment error rate, challenge set.

At least one of --pairs, --alignments, --robustness and --copying is needed.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from nmtcore.analysis import head_names
from nmtcore.commands import shared
from nmtcore.config import Decoding, MaskPredictDecoding, TransformerConfig, check_range
from nmtcore.decoding.batched import translate_all
from nmtcore.decoding.trace import Trace
from nmtcore.errors import DataError, SettingError
from nmtcore.evaluation import alignment_error, cards, challenge_set
from nmtcore.evaluation.bleu_chrf import by_length, by_rounds, quality
from nmtcore.evaluation.gold_alignments import GoldAlignments, read_alignments
from nmtcore.evaluation.references import group_references, reference_log_probability, within_limits
from nmtcore.models.checkpoint import CONFIG, Checkpoint
from nmtcore.training.corpus import Pair

SHIPPED = Path("pretrained")
JUDGED = ("robustness", "copying")  # keys in config.json, which keeps one failure of each kind


@dataclass(frozen=True)
class Material:
    """The files to evaluate on, read once for all models."""

    pairs: list[Pair] | None
    alignments: list[GoldAlignments]
    challenges: list[challenge_set.Challenge] | None
    copied: list[challenge_set.Copied] | None
    languages: str  # named by the files, such as "en-fr", or ""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        nargs="+",
        default=[],
        metavar="DIR",
        help="folders of models (default: all in pretrained/ for the languages that the file of --alignments, "
        "--robustness or --copying names)",
    )
    parser.add_argument(
        "--pairs",
        metavar="FILE",
        help="BLEU and chrF: one sentence, a tab and its translation per line; a source may have several lines",
    )
    shared.add_split(parser)
    parser.add_argument(
        "--limit", type=int, metavar="N", help="evaluate only on the first N source sentences of --pairs"
    )
    parser.add_argument(
        "--by-length",
        action="store_true",
        help="BLEU and chrF also by source length, with 95%% confidence intervals",
    )
    parser.add_argument(
        "--by-rounds",
        action="store_true",
        help="BLEU also by number of rounds, for a model that writes all words at once",
    )
    parser.add_argument(
        "--alignments",
        nargs="+",
        default=[],
        metavar="FILE",
        help="alignment error rate of every head on the word links in each of these files: made by hand, exact, or a "
        ".jsonl file of content words in news, limited to rows of at most 15 source words",
    )
    parser.add_argument(
        "--robustness",
        metavar="FILE",
        help="challenge set: the share of sentences, written as people type them, that are translated acceptably",
    )
    parser.add_argument(
        "--copying",
        metavar="FILE",
        help="the share of names and numbers that are translated as the file requires",
    )
    shared.add_decoding(parser)
    parser.add_argument("--json", action="store_true", help="print the results of each model as one line of JSON")
    parser.add_argument("--write", action="store_true", help="add the results to the model's config.json and card.md")
    shared.add_device(parser)


def run(options: argparse.Namespace) -> int:
    if not any((options.pairs, options.alignments, options.robustness, options.copying)):
        raise SettingError("There is nothing to evaluate on: give --pairs, --alignments, --robustness or --copying.")
    if not options.pairs and (
        options.by_length or options.by_rounds or options.limit is not None or options.split != "all"
    ):
        raise SettingError("--by-length, --by-rounds, --limit and --split need --pairs.")
    if options.limit is not None:
        check_range("limit", options.limit, 1, 1e9)
    device, material = shared.choose_device(options), _read(options)
    for folder in options.model or _shipped(material.languages):
        checkpoint = shared.load_model(folder, device)
        decoding = shared.choose_decoding(options, checkpoint)
        translates = f"{checkpoint.meta.get('source')}-{checkpoint.meta.get('target')}"
        if material.languages not in ("", translates):
            raise DataError(f"{folder} translates {translates}; the file is for {material.languages}.")
        measured = _evaluate(checkpoint, material, decoding, options)
        judged = {name: challenge_set.summary(measured[name]) for name in JUDGED if name in measured}
        if options.write:
            cards.record(folder, checkpoint.meta, measured | judged)
        print(_line(checkpoint, measured) if options.json else _as_text(checkpoint, measured | judged), flush=True)
    return 0


def _read(options: argparse.Namespace) -> Material:
    """Read all files that the options name. Raises DataError."""
    pairs = challenges = copied = None
    named = set()
    if options.pairs:
        pairs = shared.read_given(options)
    links = [read_alignments(file, options.swap) for file in options.alignments]
    named |= {gold.languages for gold in links}
    if options.robustness:
        languages, challenges = challenge_set.read_challenges(options.robustness)
        named.add(languages)
    if options.copying:
        languages, copied = challenge_set.read_copying(options.copying)
        named.add(languages)
    named.discard("")
    if len(named) > 1:
        raise DataError(f"The files are for different languages: {' and '.join(sorted(named))}.")
    return Material(pairs, links, challenges, copied, max(named, default=""))


def _shipped(languages: str) -> list[str]:
    """The folders of all models for these languages."""
    folders = sorted(str(path.parent) for path in SHIPPED.glob(f"{languages}/*/{CONFIG}")) if languages else []
    if not folders:
        raise SettingError("There is no model to evaluate: name its folder with --model.")
    return folders


def _evaluate(
    checkpoint: Checkpoint, material: Material, decoding: Decoding, options: argparse.Namespace
) -> dict[str, Any]:
    """Measurements for config.json: scores, by_length, by_rounds, robustness, copying, heads, and ALIGNED's keys."""
    measured: dict[str, Any] = {}
    with tqdm(unit="sentence", disable=not sys.stderr.isatty(), dynamic_ncols=True, leave=False) as bar:
        if material.pairs is not None:
            rows = shared.rows_of_split(checkpoint, material.pairs, options)
            items = group_references(rows)[: options.limit]
            count = len(items)
            items = within_limits(items, checkpoint.vocab, checkpoint.model.max_length)
            if len(items) < count:
                shared.say(f"Left out {count - len(items):,} of {count:,} sentences: too long for the model.")
            done = translate_all(checkpoint, [checkpoint.read(item.source) for item in items], decoding, bar.update)
            measured["scores"] = {
                **quality(done.texts, items, checkpoint.meta.get("target", "")),
                "references": sum(len(item.references) for item in items),
                **reference_log_probability(checkpoint, items),
                "sentences_per_second": round(len(items) / done.seconds, 2),
                "tokens_per_second": round(done.tokens / done.seconds, 2),
                "file": Path(options.pairs).name,
                "split": options.split,
                **{name: value for name, value in vars(decoding).items() if name != "max_length"},
                "hardware": cards.hardware(checkpoint.model.device),
            }
            if options.by_length:
                measured["by_length"] = by_length(checkpoint, items, decoding, bar.update)
            if options.by_rounds and isinstance(decoding, MaskPredictDecoding):
                measured["by_rounds"] = by_rounds(checkpoint, items, decoding.lengths, bar.update)
        if material.challenges is not None:
            measured["robustness"] = challenge_set.measure(checkpoint, material.challenges, decoding, bar.update)
        if material.copied is not None:
            measured["copying"] = challenge_set.measure(checkpoint, material.copied, decoding, bar.update)
        for gold in material.alignments:
            measured |= _alignment_scores(checkpoint, gold, bar)
    return measured


def _alignment_scores(checkpoint: Checkpoint, gold: GoldAlignments, bar: tqdm[Any]) -> dict[str, Any]:
    """The alignment error rate; with links made by hand, also the statistics that name a Transformer's heads."""
    named = gold.kind == "hand" and isinstance(checkpoint.config, TransformerConfig)
    traces: list[Trace] = []

    def forced(trace: Trace) -> None:
        bar.update()
        if named:
            traces.append(trace)

    rates = alignment_error.measure(
        checkpoint, gold.pairs, forced, linked_only=gold.linked_only, any_reading=gold.kind == "news"
    )
    heads = {"heads": head_names.to_json(traces)} if named else {}
    return {cards.ALIGNED[gold.kind].key: rates, **heads}


def _line(checkpoint: Checkpoint, measured: dict[str, Any]) -> str:
    """One line of JSON, with the scores at the top level."""
    data = {"model": checkpoint.name, "architecture": checkpoint.config.architecture, **measured.get("scores", {})}
    data |= {name: value for name, value in measured.items() if name != "scores"}
    return json.dumps(data, ensure_ascii=False)


def _as_text(checkpoint: Checkpoint, measured: dict[str, Any]) -> str:
    """The results as text: the section of the model's card, and every reading of its attention."""
    section = cards.scores({"source": checkpoint.meta.get("source", ""), **measured})
    lines = [checkpoint.name, *section.removeprefix(f"{cards.SCORES}\n").strip("\n").split("\n")]
    aligned = [measured[kind.key] for kind in cards.ALIGNED.values() if kind.key in measured]
    for rates in filter(None, aligned):
        lines += [
            f"  {cards.place(r)}, at the {r['position']}: {r['aer']:.3f} (precision {r['precision']:.3f}, recall "
            f"{r['recall']:.3f}; {100 * r['eos']:.0f}% on <eos>, {100 * r['full_stop']:.0f}% on the full stop)"
            f"{', the best' if r == rates['best'] else ''}"
            for r in rates["readings"]
        ]
    if aligned and not any(aligned):
        lines.append("- No attention, so no alignments")
    return "\n".join(lines)
