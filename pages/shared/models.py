"""The models on the shelf, loaded once, and what they made of a sentence, decoded once.

A model's id is its folder under pretrained/: `en-fr/dot`. Ids come from the disk or from a fixed list, never
from what a person typed. Models and traces are shared between all sessions: read them only.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

import streamlit as st
import torch

from nmtcore import checkpoint, decode
from nmtcore.checkpoint import Checkpoint
from nmtcore.config import ARCHITECTURES, Architecture, DecodingConfig
from nmtcore.errors import CheckpointError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.text import encode
from nmtcore.trace import Trace

PAIRS = ("en-fr", "zh-en")  # these first; others by name
PATIENCE = 0.6  # seconds of decoding after which a page draws what there is

# One thread a sentence: many sessions share the machine, and the matrices of one sentence are small.
torch.set_num_threads(1)


def shelf() -> Path:
    """The folder of all models. ALIGNMENT_LAB_MODELS names another than the one that ships."""
    return Path(os.environ.get("ALIGNMENT_LAB_MODELS") or Path(__file__).parents[2] / "pretrained")


def pairs() -> tuple[str, ...]:
    """The language pairs that have at least one model, in a fixed order."""
    found = {path.parent.parent.name for path in shelf().glob(f"*-*/*/{checkpoint.CONFIG}")}
    return tuple(sorted(found, key=lambda pair: (PAIRS.index(pair) if pair in PAIRS else len(PAIRS), pair)))


def models(pair: str) -> tuple[str, ...]:
    """The ids of the four models of a pair, from no attention to the Transformer, there or not."""
    return tuple(f"{pair}/{architecture}" for architecture in ARCHITECTURES)


def load(model: str) -> Checkpoint:
    """A model by its id. Raises CheckpointError with a sentence that names the wrong file."""
    return _load(str(shelf() / model), _stamp(model))


def translate(model: str, text: str, decoding: DecodingConfig, change: Intervention = NO_CHANGE) -> Trace:
    """What a model does with `text`. Raises CheckpointError, TextError (too long) or InterventionError."""
    return _translate(str(shelf()), model, _stamp(model), text, decoding, change)


def translate_all(pair: str, text: str, decoding: DecodingConfig) -> dict[Architecture, Trace | CheckpointError | None]:
    """What each model of a pair does with `text`: a trace, why the model cannot be used, or None.

    None is for a model whose turn has not come when PATIENCE is over: draw the others, then ask again. What has been
    decoded is remembered, so each call gets further. Raises TextError.
    """
    found: dict[Architecture, Trace | CheckpointError | None] = dict.fromkeys(ARCHITECTURES)
    began = time.monotonic()
    for architecture in ARCHITECTURES:
        try:
            found[architecture] = translate(f"{pair}/{architecture}", text, decoding)
        except CheckpointError as error:
            found[architecture] = error
        if time.monotonic() - began > PATIENCE:
            break
    return found


def _stamp(model: str) -> tuple[int, ...]:
    """When the model's files were written, so that a newly trained model replaces the one in memory."""
    times = []
    for name in (checkpoint.CONFIG, checkpoint.WEIGHTS, checkpoint.VOCAB):
        with contextlib.suppress(OSError):
            times.append((shelf() / model / name).stat().st_mtime_ns)
    return tuple(times)


@st.cache_resource(max_entries=16, show_spinner=False)
def _load(folder: str, stamp: tuple[int, ...]) -> Checkpoint:
    try:
        return checkpoint.load(folder)
    except CheckpointError as error:  # a visitor need not know where the server keeps its files
        raise CheckpointError(str(error).replace(str(shelf()), shelf().name)) from error


@st.cache_data(max_size="400MB", show_spinner=False)
def _translate(
    root: str, model: str, stamp: tuple[int, ...], text: str, decoding: DecodingConfig, change: Intervention
) -> Trace:
    loaded = load(model)
    encode(text, loaded.vocab)  # refuses what is too long for the models
    return decode.translate(loaded, text, decoding, change)
