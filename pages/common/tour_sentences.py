"""Sentences shared by several guided tours, with the numbers of the decode on the screen."""

from typing import NamedTuple

from nmtcore.decoding.trace import Array
from nmtcore.text.words import bare, is_punctuation, name_at
from pages.common.i18n import _
from pages.common.tour import Target

LONGEST = 60  # letters of a text quoted in a sentence


class LargestWeight(NamedTuple):
    """The largest weight of a row of attention: target and source position, both from zero."""

    row: int
    column: int
    weight: float


def quoted(text: str) -> str:
    """A text quoted in a sentence: shortened if it is long, and described if it is empty."""
    text = " ".join(text.split()) or _("(nothing)")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"


def largest_weight(weights: Array, target: tuple[str, ...]) -> LargestWeight:
    """The position of the largest of (T, S) weights, in the rows of words if there are any besides marks."""
    words = [j for j, piece in enumerate(target) if is_word(piece)] or list(range(len(target)))
    row = max(words, key=lambda j: float(weights[j].max()))
    return LargestWeight(row, int(weights[row].argmax()), float(weights[row].max()))


def is_word(piece: str) -> bool:
    """Whether a piece is neither punctuation nor a mark such as `<eos>`."""
    text = bare(piece)
    return bool(text) and not is_punctuation(text) and not (text.startswith("<") and text.endswith(">"))


def word_bar(figure: str, at: int) -> tuple[Target, Target]:
    """The bar of a word, counted from 0, in a figure of `bars_by_word`, with its label; otherwise the whole figure."""
    return Target(figure, f".ytick:nth-child({at + 1}), .point:nth-child({at + 1})"), Target(figure)


def attends_to(model: str, target: tuple[str, ...], source: tuple[str, ...], largest: LargestWeight) -> str:
    """A sentence about the source word to which a model, or a head, attended most."""
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
    """The opening of a tour: the sentence on the screen."""
    says = _("All of this tour is about “{sentence}”; another sentence can be typed here at any time.")
    return says.format(sentence=quoted(text))
