"""Types of the alignment panels' data for the browser; kit/records.d.ts has the same types for JavaScript."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from nmtcore.intervention import AttentionKind
from nmtcore.messages import Messages


class PanelRecord(TypedDict):
    """One model's column; T target pieces, S source pieces."""

    title: str
    hue: str  # colour of the model
    source: Sequence[str]
    target: Sequence[str]
    source_words: Sequence[int]  # the number of the word that each piece belongs to
    target_words: Sequence[int]
    weights: Sequence[Sequence[float]] | None  # T rows of S; null for a model without attention
    played: bool  # whether it can be played step by step
    waits: bool  # whether later words are shown in grey, not left out
    vector: Sequence[float] | None  # the context vector of a model without attention
    translation: str
    parts: Sequence[tuple[str, int | None]]  # parts of the translation, each with the number of its word, if it is one
    probabilities: Sequence[float]  # of the translation's words, including `<eos>`
    doubtful: Sequence[int]  # the numbers of those that are marked
    generation: Sequence[float]  # g of each step of a pointer-generator
    underlined: Sequence[int]  # the numbers of words of the translation
    meaning: str  # the message that says why they are underlined
    windows: Sequence[tuple[int, int]]  # with local attention: first and last source piece that each step may see
    kind: AttentionKind
    search: str | None  # address of the page with the model's beam search
    neighbors: str | None  # address of the page with the words as vectors; empty for this page
    caption: Sequence[str]
    candidates: Sequence[Sequence[tuple[str, float, int]]]  # piece, probability and id, for each step
    taken: Sequence[int]  # the id that was taken at each step


class VerdictRecord(TypedDict):
    """What a model makes of what somebody expected in place of a word."""

    asked: str  # as in the address: `panel.step.` and an id or, after `=`, what was typed
    title: str  # heading of the translation that the model then writes; empty if there is none
    parts: Sequence[tuple[str, bool]]  # of that translation, each with whether it is underlined
    notes: str
    says: Sequence[str]


class AlignmentRecord(TypedDict):
    """The panels of one sentence, made by `data`."""

    panels: Sequence[PanelRecord]
    words: Messages
    sentence: str
    height: int  # the most px for the rows of a figure
    compact: bool  # no taller than its rows
    play: bool
    verdict: NotRequired[VerdictRecord | None]
