"""Load a model by its name and translate a sentence with it: `nmtcore.load` and `nmtcore.translate`."""

import dataclasses
from functools import lru_cache
from pathlib import Path
from typing import Any

from nmtcore.config import DecodingConfig, MaskPredictDecoding, is_autoregressive
from nmtcore.decoding import decode, mask_predict
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.errors import SettingError, TextError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.places import model_folder

BEAM = 5  # as on the pages
KEPT = 8  # models kept in memory, enough to compare many of them


def load(model: str | Path | Checkpoint) -> Checkpoint:
    """Load a model that is ready to translate, by the name of a shipped one, such as "en-fr/dot", or by its folder.

    Raises CheckpointError, which lists the available models or names the faulty file.
    """
    if isinstance(model, Checkpoint):
        return model
    folder = model_folder(model).resolve()
    try:
        changed = (folder / checkpoint.WEIGHTS).stat().st_mtime_ns
    except OSError:  # `checkpoint.load` says what is wrong
        changed = 0
    return _load(folder, changed)


@lru_cache(maxsize=KEPT)
def _load(folder: Path, changed: int) -> Checkpoint:
    """Load and cache a model. changed: time of its weights file, so a model trained again is loaded again."""
    loaded = checkpoint.load(folder)
    return dataclasses.replace(loaded, model=accelerate(loaded.model))


def translate(
    model: str | Path | Checkpoint, text: str, *, intervention: Intervention = NO_CHANGE, **settings: Any
) -> Trace | MaskPredictRecord:
    """Translate a sentence and return the record of the decode: a Trace, or a MaskPredictRecord for mask-predict.

    The text is cleaned first, Mandarin is converted to simplified characters, and emoji are set apart.
    settings: fields of DecodingConfig, such as `beam=1` for greedy search (default: a beam of 5), or `rounds` and
    `lengths` of MaskPredictDecoding. Raises SettingError, TextError or InterventionError, each a sentence.
    """
    if not text.strip():
        raise TextError("There is nothing to translate.")
    loaded = load(model)
    source = loaded.read(text)
    searches = is_autoregressive(loaded.config.architecture)
    kind = DecodingConfig if searches else MaskPredictDecoding
    names = [field.name for field in dataclasses.fields(kind)]
    if wrong := settings.keys() - {*names}:
        raise SettingError(f"{loaded.name} has no setting {', '.join(sorted(wrong))}. There are: {', '.join(names)}.")
    if not searches:
        if intervention != NO_CHANGE:
            raise SettingError(f"{loaded.name} writes all words at once: it has no search that could be changed.")
        return mask_predict.translate(loaded, source, MaskPredictDecoding(**settings))
    return decode.translate(loaded, source, DecodingConfig(**{"beam": BEAM, **settings}), intervention)
