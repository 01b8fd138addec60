"""Marian models as Hugging Face's transformers saves them: config.json, two .spm files, one or two vocab.json.

Weights are in model.safetensors, or in pytorch_model.bin, a pickle (files.py).
"""

from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from nmtcore.errors import CheckpointError
from nmtcore.marian.files import read_bytes, read_json, read_pickle, read_safetensors
from nmtcore.marian.layout import ForeignModel, Tables, first, joined, same
from nmtcore.marian.vocabulary import END, check_ids, marian_vocab

CONFIG, WEIGHTS, PICKLE = "config.json", "model.safetensors", "pytorch_model.bin"
SUPPORTED = "supported are Marian's models: model_type marian, with norms after each sub-layer and fixed sinusoids"
ACTIVATIONS = {"swish": "swish", "silu": "swish", "relu": "relu"}
MUST = {  # what a config.json may say, if it says it: of what our Transformer does not have
    "is_encoder_decoder": True,
    "normalize_before": False,
    "normalize_embedding": False,
    "add_final_layer_norm": False,
    "static_position_embeddings": True,
}
BLOCKS = {"attention": "self_attn", "self_attention": "self_attn", "cross_attention": "encoder_attn"}
LINEARS = {"inner": "fc1", "outer": "fc2"}
NORMS = {
    "encoder": ("self_attn_layer_norm", "final_layer_norm"),
    "decoder": ("self_attn_layer_norm", "encoder_attn_layer_norm", "final_layer_norm"),
}


def foreign_model(folder: Path) -> ForeignModel:
    """The model in a folder. Raises CheckpointError."""
    path = folder / CONFIG
    config = read_json(path)
    settings = _settings(config, path)
    pieces = [(str(folder / name), read_bytes(folder / name)) for name in ("source.spm", "target.spm")]
    pickled = (folder / PICKLE).exists() and not (folder / WEIGHTS).exists()
    file = folder / (PICKLE if pickled else WEIGHTS)
    weights = read_pickle(file) if pickled else read_safetensors(file)
    tables = _tables(weights, file, settings["width"])
    source_ids = check_ids(read_json(folder / "vocab.json"), len(tables.source), str(folder / "vocab.json"))
    name = "target_vocab.json" if config.get("separate_vocabs") else "vocab.json"
    target_ids = check_ids(read_json(folder / name), len(tables.target), str(folder / name))
    start = config.get("decoder_start_token_id", config.get("pad_token_id"))
    if type(start) is not int or not 0 <= start < len(tables.target):
        raise CheckpointError(f"{path} is damaged: decoder_start_token_id is no piece of the vocabulary.")
    end = config.get("eos_token_id")
    if end is not None and end != target_ids[END]:
        raise CheckpointError(
            f"{path} says eos_token_id {end}, but in {name} the piece {END} has the number {target_ids[END]}: "
            "a model that ends its translations with another piece is not supported."
        )
    vocab, rows = marian_vocab(pieces[0], pieces[1], source_ids, target_ids, start)
    return ForeignModel(settings, tables, vocab, rows, lambda ours: joined(weights, file, _names(ours)), file)


def _settings(config: Any, path: Path) -> dict[str, Any]:
    """Our settings, but those that tables decide. Raises CheckpointError for a model of another family."""
    if not isinstance(config, dict):
        raise CheckpointError(f"{path} is damaged: it must be an object.")
    family = config.get("model_type")
    if family != "marian":
        raise CheckpointError(f"{path} is of the family {family!r}, which cannot be imported; {SUPPORTED}.")
    for name, value in MUST.items():
        if config.get(name, value) != value:
            raise CheckpointError(f"{path} says {name} {config[name]}, which cannot be imported; {SUPPORTED}.")
    for name in ("attention_heads", "ffn_dim"):
        if config.get(f"encoder_{name}") != config.get(f"decoder_{name}"):
            raise CheckpointError(f"{path} has other {name} in the decoder than in the encoder: that is not supported.")
    activation = config.get("activation_function")
    if activation not in [*ACTIVATIONS]:  # a list is no key
        known = ", ".join(ACTIVATIONS)
        raise CheckpointError(f"{path} says activation_function {activation}; supported are {known}.")
    names = {
        "width": "d_model",
        "feedforward": "encoder_ffn_dim",
        "heads": "encoder_attention_heads",
        "encoder_layers": "encoder_layers",
        "decoder_layers": "decoder_layers",
    }
    for name in names.values():
        if type(config.get(name)) is not int:
            raise CheckpointError(f"{path} is damaged: {name} must be a whole number.")
    dropout = config.get("dropout", 0.1)
    if not isinstance(dropout, int | float):
        raise CheckpointError(f"{path} is damaged: dropout must be a number.")
    return {
        **{ours: config[theirs] for ours, theirs in names.items()},
        "norm": "post",
        "sinusoids": "halves",
        "activation": ACTIVATIONS[activation],
        "scale_embedding": bool(config.get("scale_embedding", False)),
        "dropout": min(dropout, 0.9),
    }


def _tables(weights: dict[str, Tensor], file: Path, width: int) -> Tables:
    """The tables. Those that are one in the model may be in the file once or several times."""
    read, written = (f"model.{side}.embed_tokens.weight" for side in ("encoder", "decoder"))
    source = first(weights, read, "model.shared.weight", written, "lm_head.weight")
    target = first(weights, written, "model.shared.weight", read)
    target = source if target is None or source is None or same(source, target) else target
    output = first(weights, "lm_head.weight")
    output = target if output is None or target is None or same(output, target) else output
    bias = first(weights, "final_logits_bias")
    if source is None or target is None or output is None:
        raise CheckpointError(f"{file} does not fit its settings: it has no embeddings.")
    bias = torch.zeros(len(output), dtype=torch.float16) if bias is None else bias.flatten()
    return Tables(source, target, output, bias).check(file, width)


def _names(ours: str) -> list[str]:
    """How a parameter of our layers is called there; those of queries, keys and values are three."""
    side, layer, block, part, *_, kind = ours.split(".")
    prefix = f"model.{side}.layers.{layer}"
    if block == "sublayers":
        return [f"{prefix}.{NORMS[side][int(part)]}.{kind}"]
    if block == "feedforward":
        return [f"{prefix}.{LINEARS[part]}.{kind}"]
    of = ("q_proj", "k_proj", "v_proj") if part == "project" else ("out_proj",)
    return [f"{prefix}.{BLOCKS[block]}.{name}.{kind}" for name in of]
