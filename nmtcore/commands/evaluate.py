"""python -m nmtcore evaluate: BLEU and chrF, alignment error rate and the challenge set, for one model or many."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from nmtcore.analysis import head_names
from nmtcore.commands.shared import (
    Commands,
    add_decoding,
    add_device,
    add_rounds,
    choose_decoding,
    choose_device,
    choose_rounds,
    load_model,
    rows_of_split,
    say,
)
from nmtcore.config import Decoding, MaskPredictDecoding, TransformerConfig, check_range, is_autoregressive
from nmtcore.decoding.batched import translate_all
from nmtcore.decoding.trace import Trace
from nmtcore.errors import DataError, SettingError
from nmtcore.evaluation import alignment_error, cards, challenge_set, copying
from nmtcore.evaluation.bleu_chrf import quality
from nmtcore.evaluation.gold_alignments import GoldAlignments, read_alignments
from nmtcore.evaluation.length_buckets import by_length
from nmtcore.evaluation.log_likelihood import reference_log_probability
from nmtcore.evaluation.mask_predict_rounds import by_rounds
from nmtcore.evaluation.references import Item, group_references, within_limits
from nmtcore.models.checkpoint import CONFIG, Checkpoint
from nmtcore.training.corpus import Pair, read_pairs

SHIPPED = Path("pretrained")
JUDGED = {  # by the key in config.json: what the share is of
    "robustness": "Right on {right} of {sentences} sentences as people type them",
    "copying": "Names and numbers as they should be in {right} of {sentences} sentences",
}


@dataclass(frozen=True)
class Material:
    """The files to evaluate on, read once for all models."""

    pairs: list[Pair] | None
    alignments: list[GoldAlignments]
    challenges: list[challenge_set.Challenge] | None
    copied: list[copying.Copied] | None
    languages: str  # that the files name, such as "en-fr", or ""


def add(commands: Commands) -> None:
    parser = commands.add_parser(
        "evaluate",
        help="measure how good models are",
        allow_abbrev=False,
        description="At least one of --pairs, --alignments, --robustness and --copying is needed.",
    )
    parser.set_defaults(run=run, prog=parser.prog)
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
        help="BLEU and chrF: a sentence, a tab and its translation a line; one source may have several lines",
    )
    parser.add_argument(
        "--swap",
        action="store_true",
        help="translate from the second column to the first, and from target to source in a .jsonl file of alignments",
    )
    parser.add_argument(
        "--split",
        choices=("all", "test", "validation"),
        default="all",
        help="which rows of --pairs: all, or those that the model's training set aside from the same file "
        "(%(default)s)",
    )
    parser.add_argument(
        "--limit", type=int, metavar="N", help="evaluate on the first N source sentences of --pairs alone"
    )
    parser.add_argument(
        "--by-length",
        action="store_true",
        help="BLEU and chrF also by the length of the source, with 95%% confidence intervals",
    )
    parser.add_argument(
        "--by-rounds",
        action="store_true",
        help="BLEU also by the number of rounds of a model that writes all words at once",
    )
    parser.add_argument(
        "--alignments",
        nargs="+",
        default=[],
        metavar="FILE",
        help="alignment error rate of every head, by the word links of each of these files: by hand, exact, or a "
        ".jsonl file of content words in news, of which rows of at most 15 source words are read",
    )
    parser.add_argument(
        "--robustness",
        metavar="FILE",
        help="challenge set: the share that is right of sentences as people type them, with their right translations",
    )
    parser.add_argument(
        "--copying",
        metavar="FILE",
        help="the share of names and numbers that the translations have as they should; the file says what that is",
    )
    add_decoding(parser)
    add_rounds(parser)
    parser.add_argument("--json", action="store_true", help="print the results of each model as one line of JSON")
    parser.add_argument("--write", action="store_true", help="add the results to the model's config.json and card.md")
    add_device(parser)


def run(options: argparse.Namespace) -> int:
    if not any((options.pairs, options.alignments, options.robustness, options.copying)):
        raise SettingError("There is nothing to evaluate on: give --pairs, --alignments, --robustness or --copying.")
    if not options.pairs and (
        options.by_length or options.by_rounds or options.limit is not None or options.split != "all"
    ):
        raise SettingError("--by-length, --by-rounds, --limit and --split need --pairs.")
    if options.limit is not None:
        check_range("limit", options.limit, 1, 1e9)
    searched, device = choose_decoding(options), choose_device(options)
    material = _read(options)
    folders = options.model or _shipped(material.languages)
    for folder in folders:
        checkpoint = load_model(folder, device, searched)
        decoding = choose_rounds(options, checkpoint, searched)
        translates = languages_of(checkpoint)
        if material.languages not in ("", translates):
            raise DataError(f"{folder} translates {translates}; the file is for {material.languages}.")
        measured = _evaluate(checkpoint, material, decoding, options)
        if options.write:
            judged = {name: challenge_set.summary(measured[name]) for name in JUDGED if name in measured}
            kept = {**measured, **judged}
            cards.record(folder, checkpoint.meta, kept)
        print(_line(checkpoint, measured) if options.json else _table(checkpoint, measured), flush=True)
    return 0


def languages_of(checkpoint: Checkpoint) -> str:
    """Such as "en-fr"."""
    return f"{checkpoint.meta.get('source')}-{checkpoint.meta.get('target')}"


def _read(options: argparse.Namespace) -> Material:
    """All files that the options name. Raises DataError."""
    pairs = challenges = copied = None
    named = set()
    if options.pairs:
        pairs, report = read_pairs(options.pairs, options.swap)
        for line in report.lines():
            say(line)
    links = [read_alignments(file, options.swap) for file in options.alignments]
    named |= {gold.languages for gold in links}
    if options.robustness:
        languages, challenges = challenge_set.read_challenges(options.robustness)
        named.add(languages)
    if options.copying:
        languages, copied = copying.read_copying(options.copying)
        named.add(languages)
    if len(named - {""}) > 1:
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
    """What config.json keeps, as asked for: scores, by_length, by_rounds, robustness, copying, heads, and ALIGNED's
    keys.
    """
    measured: dict[str, Any] = {}
    with tqdm(unit="sentence", disable=not sys.stderr.isatty(), dynamic_ncols=True, leave=False) as bar:
        if material.pairs is not None:
            rows = rows_of_split(checkpoint, material.pairs, options)
            items = group_references(rows)
            if options.limit is not None:
                items = items[: options.limit]
            count = len(items)
            items = within_limits(items, checkpoint.vocab, checkpoint.model.max_length)
            if len(items) < count:
                say(f"Left out {count - len(items):,} of {count:,} sentences: too long for the model.")
            done = translate_all(checkpoint, [checkpoint.read(item.source) for item in items], decoding, bar.update)
            measured["scores"] = {
                **quality(done.texts, items, checkpoint.meta.get("target", "")).to_json(),
                "references": sum(len(item.references) for item in items),
                **_of_references(checkpoint, items),
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
            measured["copying"] = copying.measure(checkpoint, material.copied, decoding, bar.update)
        for gold in material.alignments:
            measured |= _of_links(checkpoint, gold, bar)
    return measured


def _of_links(checkpoint: Checkpoint, gold: GoldAlignments, bar: tqdm[Any]) -> dict[str, Any]:
    """The alignment error rate; with links by hand also what names a Transformer's heads."""
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


def _of_references(checkpoint: Checkpoint, items: Sequence[Item]) -> dict[str, float]:
    """How likely the references are; nothing of a model that writes all words at once, which has no such number."""
    if not is_autoregressive(checkpoint.config.architecture):
        return {}
    a_reference, a_piece = reference_log_probability(checkpoint, items)
    return {
        "reference_log_probability": round(a_reference, 4),
        "reference_log_probability_per_piece": round(a_piece, 4),
    }


def _line(checkpoint: Checkpoint, measured: dict[str, Any]) -> str:
    """One line of JSON; the scores are on its top level."""
    data = {"model": checkpoint.name, "architecture": checkpoint.config.architecture, **measured.get("scores", {})}
    data |= {name: value for name, value in measured.items() if name != "scores"}
    return json.dumps(data, ensure_ascii=False)


def _table(checkpoint: Checkpoint, measured: dict[str, Any]) -> str:
    """The results for people."""
    lines = [checkpoint.name]
    if scores := measured.get("scores"):
        lines += [
            f"  BLEU {scores['bleu']:.2f}  {scores['bleu_signature']}",
            f"  chrF {scores['chrf']:.2f}  {scores['chrf_signature']}",
            f"  {scores['items']:,} sentences, {scores['references']:,} references{_likelihood(scores)}",
            f"  {scores['sentences_per_second']:,.1f} sentences, {scores['tokens_per_second']:,.0f} pieces a second",
        ]
    for row in measured.get("by_length", []):
        lines.append(
            f"  {row['low']:>2}-{row['high']:<2} words, {row['items']:>5,} sentences: "
            f"BLEU {row['bleu']:.1f} ({row['bleu_low']:.1f} to {row['bleu_high']:.1f}), "
            f"chrF {row['chrf']:.1f} ({row['chrf_low']:.1f} to {row['chrf_high']:.1f})"
        )
    for row in measured.get("by_rounds", []):
        lines.append(
            f"  {row['rounds']:>2} rounds: BLEU {row['bleu']:.1f}, chrF {row['chrf']:.1f}, "
            f"{row['sentences_per_second']:,.1f} sentences a second"
        )
    for name, sentence in JUDGED.items():
        if right := measured.get(name):
            lines.append("  " + sentence.format(right=f"{right['right']:.0%}", sentences=right["sentences"]))
            lines += [f"    {kind}: {k['right']:.0%} of {k['sentences']}" for kind, k in right["kinds"].items()]
    measured = {kind.pairs: measured[kind.key] for kind in cards.ALIGNED.values() if kind.key in measured}
    for pairs, rates in measured.items():
        lines += _alignment_lines(rates, pairs)
    if measured and not any(measured.values()):
        lines.append("  No attention, so no alignments")
    return "\n".join(lines)


def _likelihood(scores: dict[str, Any]) -> str:
    if "reference_log_probability" not in scores:
        return f"; {scores['rounds']} rounds, {scores['lengths']} lengths"
    return (
        f"; mean log-probability of a reference {scores['reference_log_probability']:.2f}, "
        f"of a piece {scores['reference_log_probability_per_piece']:.3f}"
    )


def _alignment_lines(measured: dict[str, Any] | None, pairs: str) -> list[str]:
    if measured is None:
        return []
    lines = [f"  Alignment error rate {measured['aer']:.3f} on {measured['pairs']:,} {pairs}"]
    for r in measured["readings"]:
        layer = "all layers" if r["layer"] is None else f"layer {r['layer'] + 1}"
        head = "all heads" if r["head"] is None else f"head {r['head'] + 1}"
        lines.append(
            f"    {layer}, {head}, at the {r['position']}: {r['aer']:.3f} (precision {r['precision']:.3f}, "
            f"recall {r['recall']:.3f}; {100 * r['eos']:.0f}% on <eos>, {100 * r['full_stop']:.0f}% on the full stop)"
            f"{', the best' if r == measured['best'] else ''}"
        )
    return lines
