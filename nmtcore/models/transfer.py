"""Transfer learning: start a model from the weights of one that is smaller, reads other pieces or is built otherwise.

Vocabulary transfer: a piece that the trained model had keeps its embedding; a new one begins as the mean of the
embeddings of the old pieces that spell it. Growth that changes nothing at first (Net2Net, Chen et al. 2016): an added
layer's last products are zero, so that its residual passes everything on (with pre-norm; post-norm normalises it once
more); added units of a feed-forward network have no weight in the layer after.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import torch
from torch import Tensor

from nmtcore.models.checkpoint import own_weights
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.text.vocabulary import SPECIAL, Vocab

CLOSING = re.compile(r"(output|outer)\.(weight|bias)$")  # the last products of a sub-layer
LAYER = re.compile(r"^(encoder|decoder)\.(\d+)\.")


@torch.no_grad()
def transfer(start: Seq2Seq, start_vocab: Vocab, model: Seq2Seq, vocab: Vocab) -> None:
    """Give `model` what `start` has learned. Raises ValueError, naming a weight that does not fit.

    `model` may have another vocabulary, more layers and wider feed-forward networks; all else must be alike. Of another
    class, it shares at least the embeddings' size.
    """
    old, new = own_weights(start), own_weights(model)
    sources = None if start_vocab == vocab else spelled(start_vocab, vocab)
    if type(start) is not type(model):
        return _share(old, new, sources, len(start_vocab))
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
