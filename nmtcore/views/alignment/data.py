"""Alignment panels as plain data: what each model looked at, with its caption.

Pointing, picking, switches and saving happen in the browser. The pick and the switches are in the page's
address (`pick=1.t4`, `pick-view=words.hide`), written there by the picture, so no run of a page is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from nmtcore.analysis.word_confidence import (
    WordConfidence,
    copied_words,
    generation_probabilities,
    split_at_words,
    word_confidences,
)
from nmtcore.config import Architecture
from nmtcore.decoding.trace import Array, AttentionMap, Candidate, Index, Step, Trace
from nmtcore.errors import TraceError
from nmtcore.figures.palette import HUES
from nmtcore.messages import Messages
from nmtcore.text.diff import Segments
from nmtcore.text.words import word_of
from nmtcore.views.alignment.messages import MESSAGES
from nmtcore.views.alignment.record import AlignmentRecord, PanelRecord, VerdictRecord

if TYPE_CHECKING:
    from nmtcore.decoding.mask_predict import MaskPredictRecord

CANDIDATES = 6  # candidates per step: the written piece, and five others


@dataclass(frozen=True, eq=False)
class Panel:
    """One model's column: heading, translation, caption, and the picture of one layer and head.

    With `attention` it is a matrix whose queries are `target` and whose keys are `source`; with `vector` it is
    the context vector of a model without attention; with neither, the place is kept for a result to come.
    Raises TraceError for a matrix of other tokens, or for a missing layer or head.
    """

    title: str
    architecture: Architecture
    source: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    attention: AttentionMap | None = None
    vector: tuple[float, ...] | None = None
    layer: Index = 0
    head: Index = 0
    translation: str = ""
    log_probability: float | None = None
    finished: bool = True  # False if the length limit ended the translation
    notes: tuple[str, ...] = ()  # more items for the caption, translated: the step, a sentence about the head
    words: tuple[WordConfidence, ...] = ()  # words of the translation, if their probabilities are known
    trace: Trace | None = None  # the decode, for the candidates while it is played
    search: str | None = None  # address of the page with this model's beam search; a step can be added
    neighbors: str | None = None  # address of the page with this model's words as vectors; empty for this page
    generation: tuple[float, ...] = ()  # g of every step of a pointer-generator
    underlined: tuple[int, ...] = ()  # numbers of words of the translation
    meaning: str = "note_copied"  # the message that says why those are underlined
    autoregressive: bool = True  # whether it wrote word by word and so can be played
    windows: tuple[tuple[int, int], ...] = ()  # for local attention: first and last source piece a step may see

    def __post_init__(self) -> None:
        if self.attention is None:
            return
        if (self.attention.queries, self.attention.keys) != (self.target, self.source):
            raise TraceError(f"The panel {self.title!r} has other tokens than its attention.")
        self.attention.check(self.layer, self.head)

    @classmethod
    def of(cls, title: str, architecture: Architecture, trace: Trace, head: tuple[int, int] | None = None) -> Panel:
        """A decode: its cross attention, or the one vector of a model without attention.

        head: layer and head, counted from 0; by default the mean over the heads of the last layer.
        """
        cross = trace.attention_of("cross")
        layer, head_or_mean = cross.drawn(head) if cross else (0, "mean")
        words = word_confidences(trace)
        return cls(
            title,
            architecture,
            trace.source,
            trace.target,
            attention=cross,
            vector=None if cross else tuple(trace.inner["summary"][-1].tolist()),
            layer=layer,
            head=head_or_mean,
            translation=trace.text,
            log_probability=trace.log_probability,
            finished=trace.finished,
            words=words,
            trace=trace,
            generation=generation_probabilities(trace),
            underlined=copied_words(trace, words),
            windows=windows(trace),
        )

    @classmethod
    def of_rounds(cls, title: str, record: MaskPredictRecord, messages: Messages = MESSAGES) -> Panel:
        """The panel of a mask-predict decode: cross attention of the last round, averaged over heads."""
        rounds = messages["rounds"].format(count=len(record.rounds))
        return cls(
            title,
            record.architecture,
            record.source,
            record.target,
            attention=record.attention,
            layer=record.attention.layers - 1,
            head="mean",
            translation=record.text,
            notes=(rounds,),
            words=word_confidences(record),
            autoregressive=False,
        )

    def against(self, segments: Segments) -> Panel:
        """Underline what another translation lacks. segments: this translation's, from `word_diff`."""
        marked = [differs for text, differs in segments for _ in text]  # one per character
        differing, end = [], 0
        for text, number in split_at_words(self.translation, self.words):
            start, end = end, end + len(text)
            if number is not None and any(marked[start:end]):
                differing.append(number)
        return replace(self, underlined=tuple(differing), meaning="note_differs")

    def matrix(self) -> Array:
        """The weights of a panel with attention, T x S, averaged over a layer or head that is `mean`."""
        assert self.attention is not None
        return self.attention.matrix(self.layer, self.head)

    def weights(self) -> list[list[float]] | None:
        """The same as the browser gets them, to four decimals."""
        return None if self.attention is None else four_decimals(self.matrix())

    def caption(self, messages: Messages = MESSAGES) -> list[str]:
        """The items of the caption: log-probability, layer and head, notes."""
        items: list[str] = []
        if self.log_probability is not None:
            items.append(messages["log_p"].format(value=f"{self.log_probability:.2f}".replace("-", "\u2212")))
        if self.attention is not None and self.attention.layers * self.attention.heads > 1:
            items.append(self._layer_and_head(messages))
        return [*items, *self.notes, *([] if self.finished else [messages["unfinished"]])]

    def _layer_and_head(self, messages: Messages) -> str:
        layer = self.layer if self.layer == "mean" else self.layer + 1
        head = self.head if self.head == "mean" else self.head + 1
        if layer == "mean":
            name = "mean_of_all" if head == "mean" else "mean_of_layers"
        else:
            name = "mean_of_heads" if head == "mean" else "layer_head"
        return str(messages[name].format(layer=layer, head=head))

    def to_json(self, messages: Messages = MESSAGES, marks: bool = False, play: bool = False) -> PanelRecord:
        """What the browser gets. marks, play: as in `data`."""
        steps = self.trace.steps if self.trace and play else ()
        return {
            "title": self.title,
            "hue": HUES[self.architecture],
            "source": self.source,
            "target": self.target,
            "source_words": word_of(self.source),
            "target_words": word_of(self.target),
            "weights": self.weights(),
            "played": self.autoregressive
            and (self.vector is not None if self.attention is None else self.attention.kind != "encoder"),
            "waits": self.attention is None or self.attention.kind == "cross",
            "vector": None if self.vector is None else four_decimals(self.vector),
            "translation": self.translation,
            "parts": split_at_words(self.translation, self.words),
            "probabilities": [round(word.probability, 4) for word in self.words],
            "doubtful": [number for number, word in enumerate(self.words) if marks and word.doubtful],
            "generation": [round(g, 4) for g in self.generation],
            "underlined": self.underlined,
            "meaning": self.meaning,
            "windows": self.windows,
            "kind": "cross" if self.attention is None else self.attention.kind,
            "search": self.search,
            "neighbors": self.neighbors,
            "caption": self.caption(messages),
            "candidates": [[(c.token, round(c.probability, 4), c.id) for c in likeliest(step)] for step in steps],
            "taken": [step.id for step in steps],
        }


def four_decimals(values: ArrayLike) -> Any:
    """Nested lists of float32 numbers, rounded to four decimals without error, since the product is a float64."""
    return np.round(np.asarray(values, np.float64), 4).tolist()


def windows(trace: Trace) -> tuple[tuple[int, int], ...]:
    """The window of local attention at each step, from its scores; empty if the whole source is visible."""
    scores = trace.inner.get("scores")
    if scores is None or np.isfinite(scores).all():
        return ()
    seen = [np.flatnonzero(np.isfinite(row)) for row in scores[:, 0]]  # -inf outside the window
    return tuple((int(places[0]), int(places[-1])) for places in seen)


def likeliest(step: Step, count: int = CANDIDATES) -> tuple[Candidate, ...]:
    """The top-k candidates of a step; the written piece takes the last place if it is not among them."""
    candidates = step.candidates[:count]
    if any(candidate.id == step.id for candidate in candidates):
        return candidates
    return (*candidates[: count - 1], Candidate(step.token, step.id, step.log_probability))


def data(
    panels: Sequence[Panel],
    *,
    sentence: str = "",
    height: int = 560,
    compact: bool = False,
    play: bool = False,
    marks: bool = False,
    verdict: VerdictRecord | None = None,
    messages: Messages = MESSAGES,
) -> dict[str, Any]:
    """The panels, linked to each other.

    sentence: the heading and file name of saved pictures.
    height: the most px for the rows of a figure; beyond that they scroll.
    compact: no taller than its rows, for a picture beside others.
    play: offer to play the decoding step by step, in the browser.
    marks: mark the words to which a model gave a probability below one half.
    verdict: on what somebody put in place of a word.
    """
    asks = play and any(panel.trace or not panel.target for panel in panels)  # a panel without target may get a trace
    links = {name: messages[f"{name}_links"] for name in ("idle", "idle_tap")}
    record: AlignmentRecord = {
        "panels": [panel.to_json(messages, marks, play) for panel in panels],
        "words": messages if asks else {**messages, **links},
        "sentence": sentence,
        "height": height,
        "compact": compact,
        "play": play,
        "verdict": verdict,
    }
    return dict(record)
