"""Options shared by several commands: device, search and settings; loading a model; lines on standard error.

The comment after a field of a configuration is the help text of its option.
"""

import argparse
import dataclasses
import inspect
import math
import re
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import torch
from tqdm import tqdm

from nmtcore.config import (
    ARCHITECTURES,
    Decoding,
    DecodingConfig,
    MaskPredictDecoding,
    check_range,
    is_autoregressive,
)
from nmtcore.errors import SettingError
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.places import model_folder
from nmtcore.training.corpus import Pair, Split, SplitConfig, read_pairs, split_pairs
from nmtcore.training.parallel import grouped, local_rank, rank

COMMENT = re.compile(r"^    (\w+): [^\n]*?  # ([^\n]+)$", re.MULTILINE)  # after a field of a configuration


def add_split(parser: argparse.ArgumentParser) -> None:
    """Options that select rows and columns of --pairs: --split and --swap."""
    parser.add_argument(
        "--split",
        choices=("all", "validation", "test"),
        default="all",
        help="which rows of --pairs: all, or those that the (first) model's training set aside from the same file "
        "(%(default)s)",
    )
    parser.add_argument(
        "--swap",
        action="store_true",
        help="translate from the second column to the first, and from target to source in a .jsonl file of alignments",
    )


def add_device(parser: argparse.ArgumentParser) -> None:
    """The options --device and --threads."""
    parser.add_argument(
        "--device",
        choices=("auto", "cpu", "cuda"),
        default="auto",
        help="where to compute; auto is the GPU if there is one (%(default)s)",
    )
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads (default: PyTorch's choice)")


def choose_device(options: argparse.Namespace) -> torch.device:
    """The requested device, with the requested number of threads. Raises SettingError."""
    if options.threads is not None:
        check_range("threads", options.threads, 1, 1024)
        torch.set_num_threads(options.threads)
    if options.device == "cpu" or (options.device == "auto" and not torch.cuda.is_available()):
        return torch.device("cpu")
    if not torch.cuda.is_available():
        raise SettingError("There is no CUDA device here: choose --device cpu.")
    return torch.device("cuda", local_rank()) if grouped() else torch.device("cuda")


def add_beam(parser: argparse.ArgumentParser) -> None:
    """The option --beam."""
    parser.add_argument(
        "--beam",
        type=int,
        default=DecodingConfig.beam,
        metavar="N",
        help="beam width; 1 is greedy search (%(default)s)",
    )


def add_decoding(parser: argparse.ArgumentParser) -> None:
    """The options of beam search, --beam, --alpha and --beta, and that of mask-predict, --rounds."""
    add_beam(parser)
    parser.add_argument(
        "--alpha",
        type=float,
        default=DecodingConfig.alpha,
        metavar="A",
        help="length penalty; larger values prefer longer translations (%(default)s)",
    )
    parser.add_argument(
        "--beta",
        type=float,
        default=DecodingConfig.beta,
        metavar="B",
        help="coverage penalty; larger values prefer translations that attend to every source piece (%(default)s)",
    )
    usual = MaskPredictDecoding.rounds
    said = f"rounds of mask-predict, for a model that writes all words at once (default: {usual})"
    parser.add_argument("--rounds", type=int, metavar="T", help=said)


def choose_search(options: argparse.Namespace) -> DecodingConfig:
    """The requested beam search. Raises SettingError."""
    return DecodingConfig(options.beam, options.alpha, options.beta)


def choose_decoding(options: argparse.Namespace, checkpoint: Checkpoint) -> Decoding:
    """The decoding settings of a model: mask-predict if it needs it, otherwise search. Raises SettingError."""
    searched = choose_search(options)
    if not is_autoregressive(checkpoint.config.architecture):
        return MaskPredictDecoding() if options.rounds is None else MaskPredictDecoding(options.rounds)
    if options.rounds is not None:
        raise SettingError(
            f"{checkpoint.name} writes word by word: --rounds is for models that write all words at once."
        )
    if searched.beta and not ARCHITECTURES[checkpoint.config.architecture].attention:
        raise SettingError(f"{checkpoint.name} has no attention, so beta, which rewards coverage, has no meaning.")
    return searched


def add_fields(parser: argparse.ArgumentParser, config: type, title: str = "", prefix: str = "") -> None:
    """One option for each field of a configuration, in a group with this title if it has one."""
    group = parser.add_argument_group(title) if title else parser
    hints, texts = get_type_hints(config), comments(config)
    for field in dataclasses.fields(config):
        text = f"{texts[field.name]} (default: {field.default})"
        _add_field(group, f"{prefix}{field.name}", hints[field.name], text)


def add_model_fields(parser: argparse.ArgumentParser) -> None:
    """One option for each field of the models' configurations, grouped by the architectures that have it."""
    defaults: dict[str, dict[str, object]] = {}  # by field, then by architecture
    kinds: dict[str, tuple[Any, str]] = {}  # type and comment of a field, from the first class that has it
    for name, entry in ARCHITECTURES.items():
        config: type = entry.config
        hints, texts = get_type_hints(config), comments(config)
        for field in dataclasses.fields(entry.config):
            if field.name != "vocab_size":
                defaults.setdefault(field.name, {})[name] = entry.settings.get(field.name, field.default)
                kinds.setdefault(field.name, (hints[field.name], texts.get(field.name, "")))
    groups: dict[str, argparse._ArgumentGroup] = {}
    for field_name, by_architecture in defaults.items():
        who = "all architectures" if len(by_architecture) == len(ARCHITECTURES) else ", ".join(by_architecture)
        if who not in groups:
            groups[who] = parser.add_argument_group(f"model: {who}")
        hint, text = kinds[field_name]
        _add_field(groups[who], field_name, hint, f"{text} (default: {_describe_defaults(by_architecture)})")


def _describe_defaults(by_architecture: Mapping[str, object]) -> str:
    """The default of a field, or each default with its architectures."""
    if len(set(by_architecture.values())) == 1:
        return str(next(iter(by_architecture.values())))
    those: dict[object, list[str]] = {}
    for name, value in by_architecture.items():
        those.setdefault(value, []).append(name)
    return "; ".join(f"{value} for {', '.join(names)}" for value, names in those.items())


def _add_field(group: argparse._ActionsContainer, name: str, hint: Any, text: str) -> None:
    flag, text = f"--{name.replace('_', '-')}", text.strip().replace("%", "%%")
    if get_origin(hint) is Literal:
        group.add_argument(flag, choices=get_args(hint), help=text)
    elif hint is bool:
        group.add_argument(flag, action=argparse.BooleanOptionalAction, help=text)
    else:
        group.add_argument(flag, type=hint, metavar="N" if hint is int else "X", help=text)


@cache  # since every command builds all options, and reading a source takes a hundredth of a second
def comments(config: type) -> Mapping[str, str]:
    """The comment after each field of a configuration, which is also its help text."""
    classes = [cls for cls in reversed(config.__mro__) if dataclasses.is_dataclass(cls)]
    return {name: text for cls in classes for name, text in COMMENT.findall(inspect.getsource(cls))}


def chosen_fields(options: argparse.Namespace, config: type, prefix: str = "") -> dict[str, Any]:
    """The fields of a configuration that were given on the command line."""
    values = {field.name: getattr(options, f"{prefix}{field.name}", None) for field in dataclasses.fields(config)}
    return {name: value for name, value in values.items() if value is not None and name != "vocab_size"}


def load_model(folder: str, device: torch.device) -> Checkpoint:
    """Load a model onto its device, laid out for decoding. Raises CheckpointError."""
    loaded = checkpoint.load(model_folder(folder))
    return dataclasses.replace(loaded, model=accelerate(loaded.model.to(device)))


def check_languages(models: Sequence[Checkpoint], *sides: Literal["source", "target"]) -> None:
    """Raises SettingError for models whose languages differ. A model in a folder that names no pair says none."""
    for side in sides:
        codes = {code: model.name for model in models if len(code := str(model.meta.get(side, side))) <= 3}
        if len(codes) > 1:
            said = ", ".join(f"{code} for {name}" for code, name in codes.items())
            raise SettingError(f"Models of different languages cannot be compared; {side}: {said}.")


def output_file(path: Path, *endings: str) -> Path:
    """The path of a file to write. Raises SettingError for another ending, or a folder that does not exist."""
    if path.suffix not in endings:
        raise SettingError(f"{path} must end in {', '.join(endings[:-1])} or {endings[-1]}.")
    if not path.absolute().parent.is_dir():
        raise SettingError(f"There is no folder {path.parent}.")
    return path


def split_of(name: str, meta: Mapping[str, Any], pairs: Sequence[Pair], file: str) -> Split:
    """The split of the file's pairs when the model was trained. Raises SettingError if it is not known."""
    try:
        config = SplitConfig(**meta["split"])
        rows = int(meta.get("data", {}).get("pairs", len(pairs)))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SettingError(
            f"{name} does not say how its data were split: train it with `train`, or evaluate it with --split all."
        ) from error
    if rows != len(pairs):
        raise SettingError(
            f"{name} was trained on {rows:,} pairs; {file} has {len(pairs):,}. "
            "Its split can only be found again in the same file."
        )
    return split_pairs(pairs, config)


def rows_of_split(checkpoint: Checkpoint, pairs: Sequence[Pair], options: argparse.Namespace) -> Sequence[Pair]:
    """The rows of the requested split. Raises SettingError if it cannot be found again."""
    if options.split == "all":
        return pairs
    if bool(checkpoint.meta.get("swap")) != options.swap:
        raise SettingError(
            f"{checkpoint.name} was trained {'without' if options.swap else 'with'} --swap: do the same."
        )
    split = split_of(checkpoint.name, checkpoint.meta, pairs, options.pairs)
    return split.test if options.split == "test" else split.validation


def read_given(options: argparse.Namespace, most: float = math.inf) -> list[Pair]:
    """Read the (first) sentence pairs of --pairs, and print which rows are left out. Raises DataError."""
    pairs, report = read_pairs(options.pairs, options.swap, most)
    for line in report.lines():
        say(line)
    return pairs


def say(line: str) -> None:
    """Print a line for people, above a progress bar if there is one; with several processes only the first prints."""
    if rank():
        return
    tqdm.write(line, file=sys.stderr)
    sys.stderr.flush()
