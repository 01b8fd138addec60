"""Transfer learning: start from the weights of a model that is smaller or has another vocabulary or architecture.

Vocabulary transfer: a piece that the trained model had keeps its embedding; a new one begins as the mean of the
embeddings of the old pieces that spell it. Growth that changes nothing at first (Net2Net, Chen et al. 2016): an added
layer's last products are zero, so that its residual passes everything on (with pre-norm; post-norm normalises it once
more); added units of a feed-forward or recurrent network have no weight in what reads them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict

import torch
from torch import Tensor

from nmtcore.config import RecurrentConfig
from nmtcore.models.checkpoint import own_weights
from nmtcore.models.recurrent import GATES, Recurrent
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.text.vocabulary import SPECIAL, Vocab

CLOSING = re.compile(r"(output|outer)\.(weight|bias)$")  # the last products of a sub-layer
EMBEDDING = "embed.weight"
LAYER = re.compile(r"^(encoder|decoder)\.(\d+)\.")


@torch.no_grad()
def transfer_weights(start: Seq2Seq, start_vocab: Vocab, model: Seq2Seq, vocab: Vocab) -> None:
    """Give `model` what `start` has learned. Raises ValueError, naming a weight that does not fit.

    `model` may have another vocabulary, more layers and wider feed-forward networks, or more recurrent units and larger
    embeddings; all else must be alike. Of another class, it shares at least the embeddings' size.
    """
    old, new = own_weights(start), own_weights(model)
    sources = None if start_vocab == vocab else spelled(start_vocab, vocab)
    if type(start) is not type(model):
        return _share(old, new, sources, len(start_vocab))
    if isinstance(start, Recurrent) and isinstance(model, Recurrent) and _is_wider(model, start):
        return _widen(start, model, sources, len(start_vocab))
    if missing := sorted(old.keys() - new.keys()):
        raise ValueError(f"it has no {missing[0]}: it must have all of the trained model's layers")
    for name, weight in new.items():
        if name not in old:
            if not LAYER.match(name):
                raise ValueError(f"the trained model has no {name}")
            if CLOSING.search(name):
                weight.zero_()
        elif _copied(old[name], weight, sources, len(start_vocab)):
            continue
        elif any(a < b for a, b in zip(weight.shape, old[name].shape, strict=True)):
            raise ValueError(f"{name} is smaller than in the trained model")
        else:
            if CLOSING.search(name):
                weight.zero_()
            elif "feedforward" not in name:
                raise ValueError(f"{name} has another shape than in the trained model")
            weight[tuple(slice(size) for size in old[name].shape)] = old[name]


def _is_wider(model: Recurrent, start: Recurrent) -> bool:
    return model.config.units > start.config.units or model.config.embedding > start.config.embedding


def _widen(start: Recurrent, model: Recurrent, sources: list[list[int]] | None, pieces: int) -> None:
    """Grow a recurrent model in width: no old unit reads a new one at first; new units keep their initialisation.

    A score that is a dot product multiplies new units of the decoder with those of the keys: the latter begin at zero.
    So do the new numbers of h~_j, which the output layer multiplies with those of the embeddings. With scaled_dot all
    scores become smaller, since they are divided by the square root of more units.
    """
    old, new = own_weights(start), own_weights(model)
    may_differ = {"vocab_size", "units", "embedding", "dropout"}
    for name, value in asdict(start.config).items():
        if name not in may_differ and getattr(model.config, name) != value:
            raise ValueError(f"{name} is {getattr(model.config, name)}, {value} in the trained model")
    for name, weight in new.items():
        if _copied(old[name], weight[:, : start.config.embedding] if name == EMBEDDING else weight, sources, pieces):
            continue
        if any(a < b for a, b in zip(weight.shape, old[name].shape, strict=True)):
            raise ValueError(f"{name} is smaller than in the trained model")
        kept = [_kept_units(start.config, model.config, name, dim) for dim in range(weight.dim())]
        if weight.dim() > 1:  # (rows, columns): a row is what a unit reads
            weight[kept[0][:, None], _others(kept[1], weight.size(1))] = 0
        if _makes_keys(start.config, name) or name.startswith("combine."):
            weight[_others(kept[0], len(weight))] = 0
        weight[torch.meshgrid(*kept, indexing="ij")] = old[name]


def _others(kept: Tensor, size: int) -> Tensor:
    """The indices below `size` that are not in `kept`."""
    others = torch.ones(size, dtype=torch.bool)
    others[kept] = False
    return others.nonzero()[:, 0]


def _makes_keys(config: RecurrentConfig, name: str) -> bool:
    """Whether the rows of a weight make keys that a decoder's state is multiplied with: s . h, or s . (W h)."""
    if config.attention in ("none", "additive", "concat"):  # their score is no dot product with the state
        return False
    if config.attention == "general":
        return name.startswith("score.")
    return name.startswith("encoder.") and f"_l{config.encoder_layers - 1}" in name


def _kept_units(start: RecurrentConfig, model: RecurrentConfig, name: str, dim: int) -> Tensor:
    """Where the rows (dim 0) or columns (dim 1) of a weight of a recurrent model lie in a wider one: their indices.

    The two directions of a concatenated encoder state grow side by side; a decoder's state has its old units where
    that has them, so that the dot product of the two stays.
    """
    D, d, added = start.units, start.direction_units, model.direction_units - start.direction_units
    units = torch.arange(D)
    spread = units + added * (units >= d)  # the second direction begins later in the wider model
    blocks = {
        "embedding": (torch.arange(start.embedding), model.embedding),
        "direction": (torch.arange(d), model.direction_units),
        "state": (spread, model.units),
        "number": (torch.arange(1), 1),
    }
    places, first = [], 0
    for block in _blocks(start, name, dim):
        inside, size = blocks[block]
        places.append(inside + first)
        first += size
    return torch.cat(places)


def _blocks(config: RecurrentConfig, name: str, dim: int) -> list[str]:
    """What stands one after the other in the rows (dim 0) or columns (dim 1) of a weight of a recurrent model."""
    part = name.split(".")[0]
    first = name.endswith(("weight_ih_l0", "weight_ih_l0_reverse"))
    if part in ("encoder", "decoder"):
        unit = "direction" if part == "encoder" else "state"
        if dim == 0:
            return [unit] * GATES[config.cell]
        if "hh" in name:
            return [unit]
        if not first:  # the layer below, of an encoder both of its directions
            return ["direction"] * (1 + config.bidirectional) if part == "encoder" else ["state"]
        fed = ["state"] if config.context in ("input", "every_step") else ["embedding"] if config.input_feeding else []
        return ["embedding", *(fed if part == "decoder" else [])]
    if part == "bridge" and dim == 0:
        return ["state"] * config.decoder_layers * (2 if config.cell == "lstm" else 1)
    if part == "combine":
        columns = {"start": ["state"], "output": ["state", "state"]}.get(
            config.context, ["state", "state", "embedding"]
        )
        return columns if dim else ["embedding"]
    if part == "generate" and dim == 1:  # of a model that copies: from s_j, C_j and e(y_{j-1})
        return ["state", "state", "embedding"]
    return ["number"] if dim == 0 and name.endswith(("v.weight", "generate.weight")) else ["state"]


def _share(old: dict[str, Tensor], new: dict[str, Tensor], sources: list[list[int]] | None, pieces: int) -> None:
    embedding = old["embed.weight"]  # (V, E)
    if embedding.shape[1:] != new["embed.weight"].shape[1:]:
        raise ValueError(
            f"its embeddings have {new['embed.weight'].size(1)} numbers, the trained ones {embedding.size(1)}"
        )
    for name, weight in new.items():
        if name in old:
            _copied(old[name], weight, sources, pieces)


def _copied(old: Tensor, new: Tensor, sources: Sequence[Sequence[int]] | None, pieces: int) -> bool:
    """Copy a weight by its pieces, of which the old vocabulary has so many, or whole. Whether either could be done."""
    if sources and old.shape == (pieces, *new.shape[1:]) and len(new) == len(sources):
        for row, ids in enumerate(sources):
            if ids:
                new[row] = old[list(ids)].mean(0)
    elif old.shape == new.shape:
        new.copy_(old)
    else:
        return False
    return True


def spelled(old: Vocab, new: Vocab) -> list[list[int]]:
    """For each piece of `new` the ids of the pieces of `old` that spell it, empty where none do."""
    known = {old.token(i): i for i in range(len(old))}
    longest = max(map(len, known))
    result = []
    for index in range(len(new)):
        piece = new.token(index)
        if piece in known:
            result.append([known[piece]])
            continue
        ids = []
        start = 0
        while start < len(piece) and piece not in SPECIAL and not piece.startswith("<0x"):
            for end in range(min(len(piece), start + longest), start, -1):
                if piece[start:end] in known:
                    ids.append(known[piece[start:end]])
                    start = end
                    break
            else:
                start += 1
        result.append(ids)
    return result
