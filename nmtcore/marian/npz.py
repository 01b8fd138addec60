"""Marian's own files: one .npz with its settings, YAML, inside; two sentencepiece models; one or two lists of pieces.

Its matrices are transposed, its tables have no row for padding, and the decoder starts with zeros.
"""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nmtcore.errors import CheckpointError
from nmtcore.marian.files import Array, read_arrays, read_bytes
from nmtcore.marian.layout import ForeignModel, Tables, first, joined
from nmtcore.marian.vocabulary import Ids, check_ids, marian_vocab, sentencepiece_ids

SETTINGS = "special:model.yml"
SUPPORTED = "supported are Transformers with norms after each sub-layer, self attention and fixed sinusoids"
MUST: dict[str, tuple[str, ...]] = {  # what the settings may say, if they say it
    "type": ("transformer",),
    "transformer-preprocess": ("",),
    "transformer-postprocess": ("dan", "an"),
    "transformer-preprocess-emb": ("", "d"),
    "transformer-postprocess-emb": ("", "d"),
    "transformer-postprocess-top": ("",),
    "transformer-decoder-autoreg": ("self-attention",),
    "transformer-train-position-embeddings": ("false",),
    "transformer-no-projection": ("false",),
    "transformer-ffn-depth": ("2",),
    "transformer-ffn-activation": ("swish", "relu"),
    "transformer-rnn-projection": ("false",),
    "lemma-dim-emb": ("0",),
    "input-types": ("[]",),
    "output-omit-bias": ("false",),
}
BLOCKS = {"attention": "self", "self_attention": "self", "cross_attention": "context"}
NORMS = {
    "encoder": ("self_Wo_ln", "ffn_ffn_ln"),
    "decoder": ("self_Wo_ln", "context_Wo_ln", "ffn_ffn_ln"),
}


def foreign_model(folder: Path) -> ForeignModel:
    """The model in a folder with one .npz. Raises CheckpointError."""
    files = sorted(folder.glob("*.npz"))
    if len(files) != 1:
        names = ", ".join(file.name for file in files)
        raise CheckpointError(f"{folder} has {len(files)} models of Marian ({names}): leave one there.")
    file = files[0]
    arrays = read_arrays(file)
    if SETTINGS not in arrays:
        raise CheckpointError(f"{file} is no model of Marian: it has no settings inside ({SETTINGS}).")
    settings = _settings(arrays.pop(SETTINGS).tobytes(), file)
    weights = {name: _tensor(array, name, file) for name, array in arrays.items() if not name.startswith("special:")}
    pieces = [(str(folder / name), read_bytes(folder / name)) for name in ("source.spm", "target.spm")]
    tables = _tables(weights, file, settings["width"])
    source_ids, target_ids = _lists(folder, pieces, tables)
    vocab, rows = marian_vocab(pieces[0], pieces[1], source_ids, target_ids, start=None)
    return ForeignModel(settings, tables, vocab, rows, lambda ours: _weight(weights, file, ours), file)


def _tensor(array: Array, name: str, file: Path) -> Tensor:
    if array.dtype.kind != "f":
        raise CheckpointError(f"{file} is not supported: {name} holds {array.dtype}, not floating-point numbers.")
    return torch.from_numpy(np.ascontiguousarray(array, dtype=np.float32))


def _settings(content: bytes, file: Path) -> dict[str, Any]:
    """Our settings, but those that tables decide. Raises CheckpointError for another kind of model."""
    said = _yaml(content.rstrip(b"\0"), str(file))
    for name, values in MUST.items():
        value = str(said.get(name, values[0]))
        if value not in values:
            raise CheckpointError(f"{file} says {name} {value!r}, which cannot be imported; {SUPPORTED}.")
    names = {
        "width": "dim-emb",
        "feedforward": "transformer-dim-ffn",
        "heads": "transformer-heads",
        "encoder_layers": "enc-depth",
        "decoder_layers": "dec-depth",
    }
    if wrong := [name for name in names.values() if not str(said.get(name, "")).isdecimal()]:
        raise CheckpointError(f"{file} is damaged: its settings must say {wrong[0]}, a whole number.")
    return {
        **{ours: int(said[theirs]) for ours, theirs in names.items()},
        "norm": "post",
        "sinusoids": "marian",
        "activation": said.get("transformer-ffn-activation", "swish"),
    }


def _yaml(content: bytes, file: str) -> dict[str, Any]:
    """Settings or a list of pieces in YAML, all values as text: a piece such as `no` is not a boolean."""
    import yaml  # here, as `import_model` has checked that it is there

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        data = yaml.load(content, Loader=loader)  # of a BaseLoader, which makes texts, lists and dictionaries alone
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise CheckpointError(f"{file} is damaged: its settings are not YAML.") from error
    if not isinstance(data, dict):
        raise CheckpointError(f"{file} is damaged: its settings are not YAML.")
    return {key: "[]" if value == [] else value for key, value in data.items()}


def _lists(folder: Path, pieces: list[tuple[str, bytes]], tables: Tables) -> tuple[Ids, Ids]:
    """The lists of pieces of source and target: of *vocab.yml, one or two, or of the sentencepiece models."""
    files = sorted(folder.glob("*vocab*.yml"))
    if not files:
        lists = [(file, sentencepiece_ids(content, file)) for file, content in pieces]
    else:
        lists = [(str(file), _numbers(_yaml(read_bytes(file), str(file)), file)) for file in files]
    if len(lists) > 2:
        raise CheckpointError(f"{folder} has {len(lists)} lists of pieces: leave one, or two for source and target.")
    names = {"src": 0, "source": 0, "trg": 1, "target": 1}
    lists.sort(key=lambda one: next((side for name, side in names.items() if name in Path(one[0]).name), 0))
    (first, source), (last, target) = lists[0], lists[-1]
    return check_ids(source, len(tables.source), first), check_ids(target, len(tables.target), last)


def _numbers(said: dict[str, Any], file: Path) -> dict[str, int]:
    try:
        return {piece: int(number) for piece, number in said.items()}
    except (TypeError, ValueError) as error:
        raise CheckpointError(f"{file} is damaged: it must give each piece a number.") from error


def _tables(weights: dict[str, Tensor], file: Path, width: int) -> Tables:
    """The tables: one, or several where they are not tied."""
    source, target = first(weights, "encoder_Wemb", "Wemb"), first(weights, "decoder_Wemb", "Wemb")
    bias = first(weights, "decoder_ff_logit_out_b")
    if source is None or target is None or bias is None:
        raise CheckpointError(f"{file} does not fit its settings: it has no embeddings.")
    output = first(weights, "decoder_ff_logit_out_W", "decoder_ff_logit_out_Wt")
    output = target if output is None else output if len(output) == len(target) else output.T
    return Tables(source, target, output, bias.flatten()).check(file, width)


def _weight(weights: dict[str, Tensor], file: Path, ours: str) -> Tensor:
    """The tensor of a parameter of our layers: transposed, and biases without their first axis."""
    matrix = ours.endswith("weight") and ".norm." not in ours
    return joined(weights, file, _names(ours), (lambda tensor: tensor.mT) if matrix else Tensor.flatten)


def _names(ours: str) -> list[str]:
    """How a parameter of our layers is called there; those of queries, keys and values are three."""
    side, layer, block, part, *_, kind = ours.split(".")
    prefix = f"{side}_l{int(layer) + 1}"
    letter = "W" if kind == "weight" else "b"
    if block == "sublayers":
        return [f"{prefix}_{NORMS[side][int(part)]}_{'scale' if kind == 'weight' else 'bias'}"]
    if block == "feedforward":
        return [f"{prefix}_ffn_{letter}{1 if part == 'inner' else 2}"]
    return [f"{prefix}_{BLOCKS[block]}_{letter}{of}" for of in ("qkv" if part == "project" else "o")]
