"""Model cards: write card.md, the origin and the scores of a model's weights, from its config.json."""

import contextlib
import dataclasses
import json
import math
import re
import shlex
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch

from nmtcore.errors import CheckpointError
from nmtcore.evaluation.gold_alignments import Kind
from nmtcore.files import atomic_write
from nmtcore.limits import MAX_CHARACTERS, MAX_PIECES
from nmtcore.models.checkpoint import CARD, CONFIG, meta_numbers, parameters, read_config
from nmtcore.system.processes import processor_name
from nmtcore.text.languages import language
from nmtcore.training.events import Validation
from nmtcore.training.material import Material, Prepared

SCORES = "## Scores"
LENGTHS = (
    "Where a length has fewer than 100 sentences, the others are joined from shorter ones, which are easier than one "
    "sentence of that length; in brackets, 95% bootstrap intervals."
)


class AlignmentKind(NamedTuple):
    """How the alignment error rate of one kind of gold alignment is stored and described."""

    key: str  # in config.json
    column: str  # heading in a table
    pairs: str  # follows the number of pairs


ALIGNED: dict[Kind, AlignmentKind] = {
    "hand": AlignmentKind("alignments", "by hand", "pairs with links by hand"),
    "exact": AlignmentKind("exact_alignments", "exact", "pairs with exact links"),
    "news": AlignmentKind("news_alignments", "news", "pairs of news with links of content words by hand"),
}
WATTS = 10  # per busy core
EXACT = "exact match in percent"  # the score of an exercise's outputs


@dataclass
class Card:
    """The training data, settings and origin of a model, from which its card and config.json are written."""

    prepared: Prepared
    origin: str  # the command, or the name of a run on the Fine-tune page
    measure: str = "BLEU"  # how validation sentences are scored
    storage: str = "float16"  # or int8
    commit: str = field(default_factory=lambda: commit())  # at the start of training

    @property
    def begun(self) -> dict[str, float]:
        """Epochs and seconds of training before a warm start; empty without one."""
        return trained_before(self.prepared.begun.meta)

    @property
    def imported(self) -> Mapping[str, Any]:
        """Origin and licence of the imported model that training began with; empty if it was not imported."""
        imported = self.prepared.begun.meta.get("imported")
        return imported if isinstance(imported, Mapping) else {}

    def meta(self, validation: Validation, seconds: float) -> dict[str, Any]:
        """The metadata for config.json."""
        trained: dict[str, Any] = {
            "step": validation.step,
            "epochs": round(validation.epoch, 3),
            "seconds": round(seconds),
            "hardware": hardware(self.prepared.begun.model.device),
            "validation_loss": round(validation.loss, 5),
        }
        if self.begun:
            trained["begun"] = self.begun
        if validation.bleu is not None:
            trained["validation_bleu"] = round(validation.bleu, 2)
        data = self.prepared.material
        return {
            "source": data.source,
            "target": data.target,
            "swap": data.swap,
            "data": {"file": data.file, "pairs": data.rows}
            | ({"synthetic": data.synthetic} if data.synthetic else {})
            | ({"added": {"files": sorted(data.added_files), "rows": data.added}} if data.added else {}),
            "split": dataclasses.asdict(data.config),
            **dataclasses.asdict(self.prepared.data.augmentation),
            "training": dataclasses.asdict(self.prepared.training),
            "trained": trained,
            **({"imported": self.imported} if self.imported else {}),
        }

    def text(self, validation: Validation, seconds: float) -> str:
        """The text of card.md."""
        prepared, model, data = self.prepared, self.prepared.begun.model, self.prepared.material
        settings = ", ".join(f"{k} {v}" for k, v in dataclasses.asdict(model.config).items())
        augmentation = ", ".join(f"{k.replace('_', ' ')} {v:g}" for k, v in vars(prepared.data.augmentation).items())
        training = ", ".join(f"{k} {v}" for k, v in dataclasses.asdict(prepared.training).items() if v != "")
        weights, bleu = parameters(model), validation.bleu
        perplexity = math.exp(validation.loss) if validation.loss < 100 else math.inf  # if training diverges
        score = "" if bleu is None else f"; {self.measure} {bleu:.1f}, greedy, on some validation sentences"
        return f"""# {data.source} to {data.target}: {model.config.architecture}

- Data: {data.file}, {data.rows:,} pairs{", columns swapped" if data.swap else ""}; \
at most {data.config.validation:,} groups of linked sentences are kept for validation and {data.config.test:,} \
for testing (seed {data.config.seed}): {len(data.split.train):,} pairs of training sentences, \
{len(data.split.validation):,} and {len(data.split.test):,} kept.{self._further_data()}
- Attribution and licence of the data: {data.attribution}.
- Licence of these weights: {self._licence()}.
- Model: {settings}.
- Size: {weights:,} weights, {2 * weights / 1e6:.1f} MB in float16{self._stored()}.
- Limits: texts of at most {MAX_PIECES} pieces and {MAX_CHARACTERS:,} characters. Names, rare words and sentences much \
longer than those of its training fail most.
- Training: {training}, {augmentation}.
- {self.origin}{self.commit}
- Hardware: {hardware(model.device)}. Time: {seconds / 60:,.0f} minutes up to these weights, step {validation.step:,}, \
epoch {validation.epoch:.1f}{self._before()}.{energy(model.device, seconds + self.begun.get("seconds", 0))}
- Validation loss: {validation.loss:.4f} nats a piece (perplexity {perplexity:.2f}){score}.
"""

    def _licence(self) -> str:
        """The licence of the weights: that of the imported ones that they began with; ours if the data has an
        attribution, as shipped models do; else not stated."""
        if origin := self.imported:
            return f"that of the weights they began with, from {origin.get('from')}: {origin.get('licence')}"
        stated = self.prepared.material.attribution != Material.attribution
        return "Apache License 2.0; the attribution above goes with them" if stated else "not stated"

    def _stored(self) -> str:
        if self.storage != "int8":
            return ""
        return "; its file has half of that, matrices as int8 with a scale a row (Dettmers et al. 2022)"

    def _before(self) -> str:
        """A phrase about training before a warm start; empty without one."""
        if not self.begun:
            return ""
        epochs, seconds = self.begun.get("epochs", 0), self.begun.get("seconds", 0)
        return f", after a warm start from {epochs:.1f} epochs of {seconds / 60:,.0f} minutes"

    def _further_data(self) -> str:
        said, data = "", self.prepared.material
        if data.synthetic:
            said += (
                f" Beside them {data.synthetic:,} pairs of a sentence and its translation by a larger model "
                "(sequence-level knowledge distillation, Kim and Rush 2016)."
            )
        if data.added:
            said += f" Beside them {data.added:,} rows of {', '.join(sorted(data.added_files))}."
        return said


def typed_command(arguments: Sequence[str]) -> str:
    """The training command as typed, with file names in place of absolute paths.

    Leaves out --resume, since a run that was stopped and resumed ends as if it had never stopped.
    """
    words = []
    for word in (word for word in arguments if word != "--resume"):
        flag, equals, value = word.partition("=") if word.startswith("--") else ("", "", word)
        path = Path(value)
        if path.is_absolute():
            value = path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else path.name
        words.append(flag + equals + value)
    return shlex.join(["python", "-m", "nmtcore", *words])


def hardware(device: torch.device) -> str:
    """The name of the processor, as its maker gives it."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    count = torch.get_num_threads()
    return f"{processor_name()}, {count} thread{'' if count == 1 else 's'}, torch {torch.__version__.partition('+')[0]}"


def commit() -> str:
    """A phrase with the library's git commit; empty outside a repository."""
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        git = ["git", "-C", str(Path(__file__).parent)]
        revision, changed = (
            subprocess.run([*git, *command], capture_output=True, check=True, text=True).stdout.strip()
            for command in (("rev-parse", "--short", "HEAD"), ("status", "--porcelain", "--untracked-files=no", "."))
        )
        return f", with the library at commit {revision}{' and changes that were not committed' if changed else ''}"
    return ""


def energy(device: torch.device, seconds: float) -> str:
    """Estimate energy on a CPU, which does not measure it: busy cores times the typical watts of one core."""
    if device.type != "cpu":
        return ""
    return f" Energy: about {torch.get_num_threads() * seconds * WATTS / 3600:,.0f} Wh, if a busy core takes {WATTS} W."


def trained_before(meta: Mapping[str, Any]) -> dict[str, float]:
    """Epochs and seconds of a model's training according to config.json, including those before a warm start."""
    trained, before = meta_numbers(meta, "trained"), meta_numbers(meta, "trained", "begun")
    return {name: trained[name] + before.get(name, 0) for name in ("epochs", "seconds") if name in trained}


def training_hours(meta: Mapping[str, Any]) -> float | None:
    """Hours of training according to config.json, including training before a warm start; None if not recorded."""
    seconds = trained_before(meta).get("seconds")
    return None if seconds is None else seconds / 3600


def training_watt_hours(meta: Mapping[str, Any]) -> float | None:
    """The estimate of `energy` from config.json; None if not recorded, or if the device was not a CPU."""
    hours, trained = training_hours(meta), meta.get("trained")
    threads = re.search(r", (\d+) threads?,", str(trained.get("hardware"))) if isinstance(trained, Mapping) else None
    return None if hours is None or threads is None else int(threads[1]) * hours * WATTS


def record(folder: Path | str, known: Mapping[str, Any], measured: Mapping[str, Any]) -> None:
    """Add scores to the metadata in config.json, and a section Scores to card.md; weights stay untouched.

    known: the metadata of the model that was measured. Raises CheckpointError if the folder now holds another model,
    since training may have continued in the meantime.
    """
    folder = Path(folder)
    _, meta = read_config(folder)
    if meta != known:
        raise CheckpointError(f"{folder} has changed since it was loaded: its scores are not written; evaluate again.")
    meta |= measured
    config = json.loads((folder / CONFIG).read_text(encoding="utf-8")) | {"meta": meta}
    card = folder / CARD
    before = card.read_bytes().decode(errors="replace") if card.exists() else ""
    atomic_write(folder / CONFIG, (json.dumps(config, ensure_ascii=False, indent=2) + "\n").encode())
    atomic_write(card, with_section(before, scores(meta)).encode())


def with_section(card: str, section: str) -> str:
    """A card that ends with this section, which replaces an earlier one with the same heading."""
    heading = section.partition("\n")[0]
    # From the heading to the next one, or to the end.
    kept = re.sub(rf"^{heading}\n.*?(?=^## |\Z)", "", card, flags=re.DOTALL | re.MULTILINE).rstrip()
    return f"{kept}\n\n{section}".lstrip()


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table."""
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


def place(reading: Mapping[str, Any]) -> str:
    """The layer and head of a reading of attention, counted from one."""
    layer = "the mean of all layers" if reading["layer"] is None else f"layer {reading['layer'] + 1}"
    head = "the mean of all heads" if reading["head"] is None else f"head {reading['head'] + 1}"
    return f"{layer}, {head}"


def scores(meta: Mapping[str, Any]) -> str:
    """The section Scores of a card. It counts layers and heads from one; config.json counts them from zero."""
    lines = [SCORES, ""]
    piecewise = not language(meta.get("source", "")).separated
    if numbers := meta.get("scores"):
        search = _search(numbers)
        part = "all rows" if numbers["split"] == "all" else f"the {numbers['split']} split"
        lines += [
            f"- {part[0].upper()}{part[1:]} of {numbers['file']}: {numbers['items']:,} sentences with "
            f"{numbers['references']:,} references, {search}.",
            f"- BLEU {numbers['bleu']:.1f} (`{numbers['bleu_signature']}`).",
            f"- chrF {numbers['chrf']:.1f} (`{numbers['chrf_signature']}`).",
        ]
        if "reference_log_probability" in numbers:
            a_piece = numbers["reference_log_probability_per_piece"]
            lines.append(
                f"- Mean log-probability of a reference {numbers['reference_log_probability']:.2f}, of a piece of it "
                f"{a_piece:.3f}."
            )
        lines += [
            f"- Speed: {numbers['sentences_per_second']:,.0f} sentences, {numbers['tokens_per_second']:,.0f} pieces a "
            f"second in batches; {numbers['hardware']}.",
        ]
    if numbers := meta.get("robustness"):
        lines.append(
            f"- Right on {numbers['right']:.0%} of {numbers['sentences']} sentences as people type them: "
            f"{_kinds(numbers)}."
        )
    if numbers := meta.get("copying"):
        lines.append(f"- Names and numbers that stand in the translation as they should: {_kinds(numbers)}.")
    for kind in ALIGNED.values():
        if numbers := meta.get(kind.key):
            best = numbers["best"]
            lines.append(
                f"- Alignment error rate {best['aer']:.3f} on {numbers['pairs']:,} sentence {kind.pairs}, "
                f"{place(best)}, at the decoder's {best['position']}; "
                f"{100 * best['eos']:.0f}% of its attention goes to `<eos>`, {100 * best['full_stop']:.0f}% to the "
                "full stop."
            )
    for name, what in (("robustness", "Known failures"), ("copying", "Names and numbers that went wrong")):
        if failures := (meta.get(name) or {}).get("failures"):
            lines += ["", f"{what}, one of each kind:", ""]
            lines += [f"- {kind}: `{source}` became `{text}`" for kind, source, text in failures]
    if numbers := meta.get("by_length"):
        rows = [
            (
                f"{row['low']}-{row['high']}",
                f"{row['items']:,}",
                _with_interval(row, "bleu"),
                _with_interval(row, "chrf"),
            )
            for row in numbers
        ]
        lines += ["", *table((f"source {'pieces' if piecewise else 'words'}", "sentences", "BLEU", "chrF"), rows)]
        lines += ["", LENGTHS]
    if numbers := meta.get("by_rounds"):
        rows = [
            (f"{row['rounds']}", f"{row['bleu']:.1f}", f"{row['chrf']:.1f}", f"{row['sentences_per_second']:,.0f}")
            for row in numbers
        ]
        lines += ["", *table(("rounds", "BLEU", "chrF", "sentences a second"), rows)]
    return "\n".join(lines + _depth(meta) + _heads(meta)) + "\n"


def _with_interval(row: Mapping[str, Any], name: str) -> str:
    return f"{row[name]:.1f} ({row[f'{name}_low']:.1f} to {row[f'{name}_high']:.1f})"


def _search(decoding: Mapping[str, Any]) -> str:
    """The decoding settings that the scores were measured with."""
    if "rounds" in decoding:
        return f"{decoding['rounds']} rounds of mask-predict, {decoding['lengths']} lengths"
    search = "greedy" if decoding["beam"] == 1 else f"beam {decoding['beam']}, alpha {decoding['alpha']:g}"
    return search + (f", beta {decoding['beta']:g}" if decoding["beam"] > 1 and decoding["beta"] else "")


def _kinds(measured: Mapping[str, Any]) -> str:
    """The share of correct sentences of each kind."""
    return ", ".join(f"{kind} {k['right']:.0%} of {k['sentences']}" for kind, k in measured["kinds"].items())


def _depth(meta: Mapping[str, Any]) -> list[str]:
    """A table of validation losses with and without residual connections, if `tests.benchmarks.depth` measured them."""
    if not (depth := meta.get("depth")):
        return []
    said = (
        f"Validation loss of {depth['planned']:,} updates by this recipe, and of as many of a plain stack, without "
        "residual connections (`python -m tests.benchmarks.depth`):"
    )
    return ["", said, "", *depth_table(depth["losses"])]


def depth_table(losses: Iterable[tuple[int, float, float]]) -> list[str]:
    """A table of validation losses by number of updates, with residual connections and without."""
    rows = ((f"{step:,}", f"{residual:.3f}", f"{plain:.3f}") for step, residual, plain in losses)
    return table(("updates", "with residual connections", "without"), rows)


def _heads(meta: Mapping[str, Any]) -> list[str]:
    """A table of alignment error rates for every layer and head, counted from one, if there are several."""
    rates: dict[tuple[str, str], dict[str, float]] = {}
    columns = [(kind, p) for kind in ALIGNED.values() if meta.get(kind.key) for p in ("output", "input")]
    for kind in dict.fromkeys(kind for kind, _ in columns):
        for r in meta[kind.key].get("readings", []):
            layer, head = ("all" if r[key] is None else str(r[key] + 1) for key in ("layer", "head"))
            rates.setdefault((layer, head), {})[kind.key + r["position"]] = r["aer"]
    if len(rates) < 2:
        return []
    lines = ["", "Alignment error rate of every layer and head, at the decoder's output and input:", ""]
    rows = [
        (*where, *(f"{of_head[kind.key + p]:.3f}" if kind.key + p in of_head else "" for kind, p in columns))
        for where, of_head in rates.items()
    ]
    return [*lines, *table(("layer", "head", *(f"{kind.column}, {p}" for kind, p in columns)), rows)]
