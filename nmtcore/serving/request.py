"""A request to a model, with everything that its record depends on; loads the model and answers it."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from nmtcore.analysis.position_ablation import translate_permuted
from nmtcore.analysis.speed import clock_of
from nmtcore.config import Decoding, DecodingConfig, MaskPredictDecoding, is_autoregressive
from nmtcore.decoding import decode, mask_predict
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.errors import CheckpointError, NmtError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.limits import HEAVY_WORK, estimated_pieces
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.text.source import SourceText

WARM_UP = "a"  # the text of the warm-up
DECODES = 10  # the fastest of these counts
ENOUGH = 0.08  # s in total, after which no further decode starts

Answer = Trace | MaskPredictRecord | float  # the record of a decode, or the seconds it takes


class ModelKey(NamedTuple):
    """The cache key of a checkpoint: a model folder at a certain time, so that a retrained model replaces the old one.

    name: its name in traces; empty for the name in its config.json. stamp: modification times of its files.
    """

    folder: str
    name: str = ""
    stamp: tuple[int, ...] = ()


class DecodeRequest(NamedTuple):
    """What to decode with which model, and how: the cache key of its Answer.

    decoding: word by word or all words at once, as the model writes. order: of the pieces, if they are shuffled.
    timed: whether the answer is the time of a decode in seconds instead of its record.
    """

    model: ModelKey
    source: SourceText
    decoding: Decoding
    intervention: Intervention = NO_CHANGE
    order: tuple[int, ...] = ()
    timed: bool = False

    @property
    def width(self) -> int:
        """How many translations are decoded in parallel: the width of the beam, or the number of lengths tried."""
        return self.decoding.beam if isinstance(self.decoding, DecodingConfig) else self.decoding.lengths

    @property
    def heavy(self) -> bool:
        """Whether it takes so long that ordinary requests go first, like a long text with a wide beam."""
        return estimated_pieces(self.source.text) * self.width >= HEAVY_WORK

    def joins(self, first: DecodeRequest) -> bool:
        """Whether both may be decoded in one batch: padding must not cost more than batching saves."""
        longest = 2 * estimated_pieces(first.source.text) + 5
        plain = DecodeRequest(first.model, first.source, first.decoding)  # a batch has no changes
        searched = isinstance(first.decoding, DecodingConfig)
        alike = searched and first == plain and self == plain._replace(source=self.source)
        return alike and estimated_pieces(self.source.text) <= longest and self.heavy == first.heavy


def load_model(model: ModelKey, warm: bool = True) -> Checkpoint:
    """Load a model for decoding. warm: whether to decode once, which lays out its weights.

    Raises CheckpointError with a sentence that names the file at fault.
    """
    try:
        loaded = checkpoint.load(model.folder)
    except CheckpointError as error:  # visitors need not know where the server keeps its files
        place = Path(model.folder)
        raise CheckpointError(str(error).replace(str(place), f"{place.parent.name}/{place.name}")) from error
    ready = dataclasses.replace(loaded, model=accelerate(loaded.model), name=model.name or loaded.name)
    if warm:
        warm_up(ready)
    return ready


def warm_up(loaded: Checkpoint) -> None:
    """Decode once, so that the time shown for a first sentence does not include PyTorch's one-off costs."""
    with contextlib.suppress(NmtError):  # reported when somebody makes a request
        if is_autoregressive(loaded.config.architecture):
            decode.translate(loaded, loaded.read(WARM_UP), DecodingConfig(beam=2, max_length=2))
        else:
            mask_predict.translate(loaded, loaded.read(WARM_UP), MaskPredictDecoding(rounds=1))


def answer(loaded: Checkpoint, request: DecodeRequest) -> Answer:
    """Answer one request. Raises NmtError if that fails."""
    return quickest(loaded, request) if request.timed else record(loaded, request)


def quickest(loaded: Checkpoint, request: DecodeRequest) -> float:
    """Seconds of the fastest of several decodes in a row, each with its whole record.

    Whatever else the machine does only adds time, so the fastest is the best estimate.
    """
    clock = clock_of(loaded.model.device)
    times: list[float] = []
    while len(times) < DECODES and sum(times) < ENOUGH:
        began = clock()
        record(loaded, request)
        times.append(clock() - began)
    return min(times)


def record(loaded: Checkpoint, request: DecodeRequest) -> Trace | MaskPredictRecord:
    """The record of one decode."""
    if not isinstance(request.decoding, DecodingConfig):
        return mask_predict.translate(loaded, request.source, request.decoding)
    if request.order:
        return translate_permuted(loaded, request.source, request.order, request.decoding, request.intervention)
    return decode.translate(loaded, request.source, request.decoding, request.intervention)


def answers(loaded: Checkpoint, requests: Sequence[DecodeRequest]) -> list[Answer | NmtError]:
    """Decode several requests that join in one batch; a failed one gets its error instead of an answer."""
    decoding = requests[0].decoding
    if len(requests) > 1 and isinstance(decoding, DecodingConfig):
        try:
            return [*decode.translate_batch(loaded, [one.source for one in requests], decoding)]
        except NmtError:  # one of them fails: the others are answered all the same
            pass
    answered: list[Answer | NmtError] = []
    for request in requests:
        try:
            answered.append(answer(loaded, request))
        except NmtError as error:
            answered.append(error)
    return answered
