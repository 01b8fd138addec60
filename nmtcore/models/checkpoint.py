"""Checkpoints: model directories with config.json, model.safetensors (float16 or int8), vocab.model and card.md.

Nothing is ever pickled.
"""

import dataclasses
import json
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as to_safetensors
from torch import Tensor
from torch.overrides import TorchFunctionMode

from nmtcore.config import ARCHITECTURES, ModelConfig, config_classes
from nmtcore.errors import CheckpointError, SettingError
from nmtcore.files import atomic_write, refuse_special, replace
from nmtcore.models.quantisation import SCALE, dequantise, quantise
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.text.source import SourceText, read_source
from nmtcore.text.vocabulary import Vocab

FORMATS = {"float16": 1, "int8": 2}  # `format` in config.json, by storage: older programs read only float16

CONFIG, WEIGHTS, VOCAB, CARD = "config.json", "model.safetensors", "vocab.model", "card.md"
ROWS = {"by_length": ("low", "high", "items", "bleu", "chrf"), "by_rounds": ("rounds", "bleu")}  # lists in the metadata
LARGEST_NUMBER = 1e15  # above any plausible measurement


@dataclass(eq=False)
class Checkpoint:
    """A model ready to translate: in eval mode, float32. meta: languages, scores and settings, from config.json."""

    model: Seq2Seq
    vocab: Vocab
    name: str
    meta: dict[str, Any]

    @property
    def config(self) -> ModelConfig:
        return self.model.config

    def read(self, typed: str) -> SourceText:
        """Read a text in the model's source language."""
        return read_source(typed, self.meta.get("source", ""))

    def read_target(self, typed: str) -> SourceText:
        """Read a text in the model's target language."""
        return read_source(typed, self.meta.get("target", ""))


DRAWN = (Tensor.uniform_, Tensor.normal_)  # some functions of torch.nn.init sample through these methods


class WithoutInitialisation(TorchFunctionMode):
    """Skip weight initialisation while a model is built whose weights are then read from a file.

    Drawing random weights takes time, and on the device `meta` it would also load torch's compiler.
    """

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if getattr(func, "__module__", "") == "torch.nn.init" or func in DRAWN:
            return args[0] if args else (kwargs or {})["tensor"]
        return func(*args, **(kwargs or {}))


def build(config: ModelConfig) -> Seq2Seq:
    """A new model with random weights."""
    model: Seq2Seq = pkgutil.resolve_name(ARCHITECTURES[config.architecture].model)(config)
    return model


def save(
    folder: Path | str,
    model: Seq2Seq,
    vocab: Vocab,
    meta: Mapping[str, Any],
    card: str = "",
    storage: str = "float16",
) -> None:
    """Write a model directory that `load` reads. Each file is replaced atomically: no reader sees half of one.

    storage: "float16", or "int8" with one scale per row. Raises CheckpointError if a weight is not finite or is too
    large for float16.
    """
    folder = Path(folder)
    weights = {}
    for name, tensor in own_weights(model).items():
        weights[name] = tensor.detach().to("cpu", torch.float16).contiguous()
        if not weights[name].isfinite().all():
            raise CheckpointError(f"The model cannot be saved: {name} holds a value that is not finite in float16.")
    if storage == "int8":
        weights = quantise(weights)
    config = {
        "format": FORMATS[storage],
        "class": type(model.config).__name__,
        "architecture": model.config.architecture,
        "config": dataclasses.asdict(model.config),
        "meta": dict(meta),
    }
    folder.mkdir(parents=True, exist_ok=True)
    vocab.save(folder / f".{VOCAB}")
    (folder / f".{WEIGHTS}").write_bytes(to_safetensors(weights))
    (folder / f".{CARD}").write_text(card, encoding="utf-8")
    (folder / f".{CONFIG}").write_text(json.dumps(config, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    for name in (VOCAB, WEIGHTS, CARD, CONFIG):
        replace(folder / f".{name}", folder / name)


def mark_finished(folder: Path | str) -> None:
    """Remove the mark `unfinished` from a model whose training has ended."""
    path = Path(folder) / CONFIG
    data = json.loads(path.read_text(encoding="utf-8"))
    if data["meta"].pop("unfinished", False):
        atomic_write(path, (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode())


def load(folder: Path | str) -> Checkpoint:
    """Load a checkpoint from a model directory. Raises CheckpointError, which names the faulty file and the reason."""
    folder = Path(folder)
    config, meta = read_config(folder)
    vocab = Vocab.load(folder / VOCAB)
    if len(vocab) != config.vocab_size:
        raise CheckpointError(
            f"{folder / VOCAB} has {len(vocab)} pieces, but {CONFIG} says {config.vocab_size}: "
            "they do not belong to the same model."
        )
    # Names and shapes are compared first, on the meta device: a wrong config.json must not cost memory.
    with torch.device("meta"), WithoutInitialisation():
        expected = own_weights(build(config))
    weights = _read_weights(folder / WEIGHTS, {name: tuple(t.shape) for name, t in expected.items()})
    with WithoutInitialisation():
        model = build(config)
    with torch.no_grad():
        for name, tensor in own_weights(model).items():
            tensor.data = weights.pop(name).to(tensor.dtype)
    name = meta.get("name") or f"{folder.resolve().parent.name}/{folder.resolve().name}"
    return Checkpoint(model.eval(), vocab, str(name), meta)


def read_config(folder: Path | str) -> tuple[ModelConfig, dict[str, Any]]:
    """Read the configuration and the metadata of a checkpoint, without its weights. Raises CheckpointError."""
    path = Path(folder) / CONFIG
    if not path.parent.is_dir():
        raise CheckpointError(f"There is no model folder {folder}.")
    try:
        refuse_special(path)
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise CheckpointError(f"{folder} is not a model folder: it has no {CONFIG}.") from error
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} is damaged: it is not JSON.") from error
    if not isinstance(data, dict) or not isinstance(data.get("format"), int) or "class" not in data:
        raise CheckpointError(f"{path} was not written by this program: it has no format and class.")
    newest = max(FORMATS.values())
    if data["format"] > newest:
        raise CheckpointError(
            f"{path} has format {data['format']}; this program reads formats up to {newest}. Use a newer version of it."
        )
    classes = {cls.__name__: cls for cls in config_classes()}
    cls = classes.get(str(data["class"]))
    if cls is None:
        raise CheckpointError(f"{path} names an architecture that this program does not have: {data['class']!r}.")
    fields, meta = data.get("config"), data.get("meta", {})
    if not isinstance(fields, dict) or not isinstance(meta, dict):
        raise CheckpointError(f"{path} is damaged: config and meta must be objects.")
    types = {field.name: type(getattr(cls(4), field.name)) for field in dataclasses.fields(cls)}
    if set(fields) != set(types):
        wrong = ", ".join(sorted(set(fields) ^ set(types)))
        raise CheckpointError(f"{path} does not have the settings of {data['class']}: {wrong} missing or unknown.")
    for name, kind in types.items():
        if type(fields[name]) is not kind and not (kind is float and type(fields[name]) is int):
            raise CheckpointError(f"{path} is damaged: {name} must be of the type {kind.__name__}.")
    try:
        return cls(**fields), _without_damage(meta)
    except (SettingError, OverflowError) as error:
        raise CheckpointError(f"{path} has a wrong setting: {error}") from error


def _without_damage(meta: dict[str, Any]) -> dict[str, Any]:
    """Repair damaged metadata: impossible numbers become None, and rows that lack a number are dropped."""
    meta = {name: _plausible(value) for name, value in meta.items()}
    for name in {"source", "target"} & set(meta):
        meta[name] = str(meta[name])
    for name, numbers in ROWS.items():
        if name in meta:
            meta[name] = _rows(meta[name], numbers)
    for name in ("alignments", "alignments_at_start"):
        if isinstance(alignments := meta.get(name), dict) and "readings" in alignments:
            readings = _rows(alignments["readings"], ("aer",))
            alignments["readings"] = [row for row in readings if {"head", "position"} <= set(row)]
    return meta


def _rows(value: Any, numbers: tuple[str, ...]) -> list[dict[str, Any]]:
    rows = [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
    return [row for row in rows if all(isinstance(row.get(name), (int, float)) for name in numbers)]


def _plausible(value: Any) -> Any:
    """A JSON value in which None replaces impossible numbers, such as one too large for a float."""
    if isinstance(value, dict):
        return {name: _plausible(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plausible(item) for item in value]
    if isinstance(value, (int, float)) and not abs(value) <= LARGEST_NUMBER:  # true for NaN too
        return None
    return value


def meta_numbers(meta: Mapping[str, Any], *path: str) -> dict[str, float]:
    """The numbers in one part of a model's metadata, found by its path of keys; empty if the part is missing."""
    part: Any = meta
    for key in path:
        part = part.get(key) if isinstance(part, Mapping) else None
    return {k: v for k, v in part.items() if isinstance(v, (int, float))} if isinstance(part, Mapping) else {}


def own_weights(model: torch.nn.Module) -> dict[str, Tensor]:
    """The state dict with each tensor once: a tied weight is listed under its first name."""
    named: dict[int, str] = {}
    tensors = model.state_dict(keep_vars=True)
    for name, tensor in tensors.items():
        named.setdefault(id(tensor), name)
    return {name: tensors[name] for name in named.values()}


def parameters(model: torch.nn.Module) -> int:
    """The number of parameters of a model; tied weights count once."""
    return sum(tensor.numel() for tensor in own_weights(model).values())


def _read_weights(path: Path, shapes: dict[str, tuple[int, ...]]) -> dict[str, Tensor]:
    """Read exactly these tensors as float32, checking names, shapes and that all values are finite.

    An int8 tensor is multiplied by the scales that are stored beside it.
    """
    try:
        refuse_special(path)
        with safe_open(path, framework="pt") as file:
            stored = set(file.keys())
            scaled = {name for name in shapes if name + SCALE in stored - set(shapes)}
            names = stored - {name + SCALE for name in scaled}
            if names != set(shapes):
                wrong = sorted(names ^ set(shapes))
                raise CheckpointError(
                    f"{path} does not fit {CONFIG}: {', '.join(wrong[:3])} missing or unknown ({len(wrong)} in all)."
                )
            weights = {}
            for name, shape in shapes.items():
                stored_shape = tuple(file.get_slice(name).get_shape())
                if stored_shape != shape:
                    raise CheckpointError(
                        f"{path} does not fit {CONFIG}: {name} is {stored_shape}, but must be {shape}."
                    )
                tensor = file.get_tensor(name)
                weights[name] = tensor.float()
                if name in scaled or tensor.dtype == torch.int8:
                    scale = file.get_tensor(name + SCALE) if name in scaled else None
                    if scale is None or tuple(scale.shape) != (shape[0], *[1] * (len(shape) - 1)):
                        raise CheckpointError(f"{path} is damaged: {name} needs one scale per row.")
                    weights[name] = dequantise(tensor, scale)
                # A sum takes one pass where `isfinite` takes several; NaN and infinity survive in it.
                if not weights[name].sum().isfinite() and not weights[name].isfinite().all():
                    raise CheckpointError(f"{path} is damaged: {name} holds values that are not finite.")
            return weights
    except FileNotFoundError as error:
        raise CheckpointError(f"{path} is missing.") from error
    except SafetensorError as error:
        raise CheckpointError(f"{path} is damaged: it is not a safetensors file, or it ends early.") from error
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror or error}.") from error
