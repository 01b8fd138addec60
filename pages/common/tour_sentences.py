"""Sentences of guided tours that several pages say, with the numbers of the decode on the screen."""

from typing import NamedTuple

from nmtcore.decoding.trace import Array
from nmtcore.text.words import bare, is_punctuation, name_at
from pages.common.i18n import _
from pages.common.tour import Target

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


def word_bar(figure: str, at: int) -> tuple[Target, Target]:
    """The bar of a word, counted from 0, in a figure of `bars_by_word`, with the word; else all of the figure."""
    return Target(figure, f".ytick:nth-child({at + 1}), .point:nth-child({at + 1})"), Target(figure)


def attends_to(model: str, target: tuple[str, ...], source: tuple[str, ...], largest: LargestWeight) -> str:
    """Where the largest part of the attention of a model, or a head, lay for a word."""
    values = {
        "model": model,
        "word": name_at(target, largest.row),
        "source": name_at(source, largest.column),
        "weight": f"{largest.weight:.2f}",
    }
    if largest.weight > 0.5:
        sentence = _("For “{word}” most of the attention of {model}, {weight}, lies on “{source}”.")
    else:
        sentence = _("For “{word}” the largest part of the attention of {model}, {weight}, lies on “{source}”.")
    return sentence.format(**values)


def your_sentence(text: str) -> str:
    """The sentence on the screen, which all of the tour is about."""
    says = _("All of this tour is about “{sentence}”; another sentence can be typed here at any time.")
    return says.format(sentence=quoted(text))
