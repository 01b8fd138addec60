"""A question to a model, all that its record depends on, and the model that is ready to answer it."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from nmtcore.analysis.position_ablation import translate_permuted
from nmtcore.config import DecodingConfig, MaskPredictDecoding, writes_word_by_word
from nmtcore.decoding import decode, mask_predict
from nmtcore.decoding.trace import Trace
from nmtcore.errors import CheckpointError, NmtError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate

WARM_UP = "a"  # a text
# Characters of a text times the width of the beam: an ordinary sentence has some 400, and takes hundredths of a second;
# the longest text with the widest beam has thousands, and takes seconds.
HEAVY = 1000


class Model(NamedTuple):
    """A model folder at a time, the cache key of a checkpoint: a newly trained one replaces that in memory.

    name: stands in its traces; empty for the one that its config.json says. stamp: modification times of its files.
    """

    folder: str
    name: str = ""
    stamp: tuple[int, ...] = ()


class Question(NamedTuple):
    """What a person asks a model: the cache key of a Trace. order: of the pieces, where not as they stand."""

    model: Model
    text: str
    decoding: DecodingConfig
    intervention: Intervention = NO_CHANGE
    order: tuple[int, ...] = ()

    @property
    def heavy(self) -> bool:
        """Whether it takes so long that ordinary ones go before it: a long text with a wide beam."""
        return len(self.text) * self.decoding.beam >= HEAVY

    def joins(self, first: Question) -> bool:
        """Whether both may be decoded in one batch: padding must not cost more than the batch saves."""
        longest = 2 * len(first.text) + 20
        plain = Question(first.model, first.text, first.decoding)  # a batch has no changes
        alike = first == plain and self == plain._replace(text=self.text)
        return alike and len(self.text) <= longest and self.heavy == first.heavy


def load_model(model: Model) -> Checkpoint:
    """A model laid out for decoding. Raises CheckpointError with a sentence that names the wrong file."""
    try:
        loaded = checkpoint.load(model.folder)
    except CheckpointError as error:  # a visitor need not know where the server keeps its files
        place = Path(model.folder)
        raise CheckpointError(str(error).replace(str(place), f"{place.parent.name}/{place.name}")) from error
    ready = dataclasses.replace(loaded, model=accelerate(loaded.model), name=model.name or loaded.name)
    warm_up(ready)
    return ready


def warm_up(loaded: Checkpoint) -> None:
    """Decode once, so that the time that a page shows of a first sentence has no one-off costs of PyTorch in it."""
    with contextlib.suppress(NmtError):  # said to who asks
        if writes_word_by_word(loaded.config.architecture):
            decode.translate(loaded, WARM_UP, DecodingConfig(beam=2, max_length=2))
        else:
            mask_predict.translate(loaded, WARM_UP, MaskPredictDecoding(rounds=1))


def answer(loaded: Checkpoint, asked: Question) -> Trace:
    """The record of one question. Raises NmtError where there is none."""
    if asked.order:
        return translate_permuted(loaded, asked.text, asked.order, asked.decoding, asked.intervention)
    return decode.translate(loaded, asked.text, asked.decoding, asked.intervention)


def answers(loaded: Checkpoint, questions: Sequence[Question]) -> list[Trace | NmtError]:
    """The record of each of several questions that join, decoded together, or why there is none."""
    if len(questions) > 1:
        try:
            return [*decode.translate_batch(loaded, [q.text for q in questions], questions[0].decoding)]
        except NmtError:  # of one of them: the others are answered all the same
            pass
    found: list[Trace | NmtError] = []
    for question in questions:
        try:
            found.append(answer(loaded, question))
        except NmtError as error:
            found.append(error)
    return found
