"""Sentences of guided tours that several pages say, with the numbers of the decode on the screen."""

from __future__ import annotations

from typing import NamedTuple

from nmtcore.decoding.trace import Array, Trace
from nmtcore.text.words import bare, is_punctuation, name_at
from pages.common.i18n import _, ngettext

LONGEST = 60  # letters of a text that a sentence repeats


class LargestWeight(NamedTuple):
    """The largest weight of a row of attention: target and source position, both from zero."""

    row: int
    column: int
    weight: float


def quoted(text: str) -> str:
    """A text for a sentence: cut where it is long, and a word for it where it is empty."""
    text = " ".join(text.split()) or _("(nothing)")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"


def largest_weight(weights: Array, target: tuple[str, ...]) -> LargestWeight:
    """Where the largest weight of (T, S) lies: in the rows of words, if there are any beside marks."""
    words = [j for j, piece in enumerate(target) if is_word(piece)] or list(range(len(target)))
    row = max(words, key=lambda j: float(weights[j].max()))
    return LargestWeight(row, int(weights[row].argmax()), float(weights[row].max()))


def is_word(piece: str) -> bool:
    """Whether a piece is neither punctuation nor a mark such as `<eos>`."""
    text = bare(piece)
    return bool(text) and not is_punctuation(text) and not (text.startswith("<") and text.endswith(">"))


def attends_to(model: str, target: tuple[str, ...], source: tuple[str, ...], largest: LargestWeight) -> str:
    """What a model wrote at a step, and where the largest part of its attention lay."""
    values = {
        "step": largest.row + 1,
        "model": model,
        "word": name_at(target, largest.row),
        "source": name_at(source, largest.column),
        "weight": f"{largest.weight:.2f}",
    }
    if largest.weight > 0.5:
        sentence = _("At step {step} {model} wrote “{word}”; most of its attention, {weight}, lies on “{source}”.")
    else:
        sentence = _(
            "At step {step} {model} wrote “{word}”; its attention is spread, and the largest part, {weight}, lies on "
            "“{source}”."
        )
    return sentence.format(**values)


def reads_pieces(text: str, trace: Trace) -> str:
    """The sentence on the screen, and how a model reads it."""
    count = len(trace.source)
    return ngettext(
        "“{sentence}” is read as {count} piece, the mark <eos> that ends it.",
        "“{sentence}” is read as {count} pieces, the last of them the mark <eos>.",
        count,
    ).format(sentence=quoted(text), count=count)
