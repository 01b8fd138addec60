"""Masks of a padded batch as plain data: its pieces, and the scores of every head before masking."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from nmtcore.analysis.masks import PaddedBatch
from nmtcore.figures.palette import HUES
from nmtcore.intervention import AttentionKind
from nmtcore.text.words import word_of
from nmtcore.views.binary import in_base64
from nmtcore.views.heads.head import KINDS
from nmtcore.views.masks.messages import MESSAGES


def data(batch: PaddedBatch, *, model: str, sentences: list[str]) -> dict[str, Any]:
    """All heads over the batch. The browser applies masks and softmax, so that it can show another head at once.

    model: identifies the model's picture; sentences: B texts, the page's own first.
    kinds: for each kind of attention the scores q k^T / sqrt(d_k), (L, H, T_1 + ... + T_B, S): for the real queries of
    every sentence, over all places of the row, 32-bit numbers in base64.
    """
    sources, inputs = _lengths(batch.source_mask), _lengths(batch.input_mask)
    return {
        "model": model,
        "hue": HUES["transformer"],
        "sentence": sentences[0],
        "sentences": sentences,
        "sources": [list(row) for row in batch.sources],
        "inputs": [list(row) for row in batch.inputs],
        "source_words": [word_of(row) for row in batch.sources],
        "input_words": [word_of(row) for row in batch.inputs],
        "lengths": {"sources": sources, "inputs": inputs},
        "opens": opening_row(batch),
        "kinds": {kind: _scores(batch, kind) for kind in KINDS},
        "words": MESSAGES,
    }


def opening_row(batch: PaddedBatch) -> int:
    """The row that is shown first: the first in which the padding mask hides something, if there is one.

    It is the page's own sentence if the translation of another is longer.
    """
    inputs = _lengths(batch.input_mask)
    return next((row for row, length in enumerate(inputs) if length < max(inputs)), 0)


def _lengths(mask: Tensor) -> list[int]:
    """The number of tokens in each row, before its padding."""
    lengths: list[int] = mask.sum(1).tolist()
    return lengths


def _scores(batch: PaddedBatch, kind: AttentionKind) -> dict[str, Any]:
    real = batch.source_mask if kind == "encoder" else batch.input_mask  # (B, T)
    layers = [batch.scores(kind, layer).transpose(1, 2)[real] for layer in range(len(batch.attention[kind]))]
    scores = torch.stack(layers).transpose(1, 2)  # (L, H, T_1 + ... + T_B, S)
    numbers = np.asarray(scores.float().cpu().numpy(), "<f4")
    return {"layers": len(layers), "heads": scores.size(1), "scores": in_base64(numbers)}
