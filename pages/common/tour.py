"""The guided tour of a page: one plain sentence a step about what is on the screen, with a frame around it.

A page makes its steps from what it shows, in its own `tour.py`. The browser writes the step to the address (`tour=3`)
without a run of the page. Nor does a sentence about a place in a picture, such as a step of the decoding, need a run:
the browser moves the picture there by its own link parameters, and back when the tour goes on.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from nmtcore.decoding.trace import Array
from nmtcore.text.words import bare, is_punctuation, name_at
from pages.common.component import fetched_component
from pages.common.i18n import _
from pages.common.screen import TOUR

LONGEST = 60  # letters of a text quoted in a sentence

# Not isolated: the page's style asks whether there is a tour, and the bar reaches over the whole window.
_tour = fetched_component("tour", isolate_styles=False)


@dataclass(frozen=True)
class Target:
    """A part of the page. key: of a control, container or picture; part: a CSS selector within it, if not the whole.

    All elements that match the selector are framed together.
    """

    key: str
    part: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"key": css_key(self.key), "part": self.part}


@dataclass(frozen=True)
class TourStep:
    """A sentence and its subject: the first visible one of the targets.

    shows: the picture's link parameters when it shows what the sentence describes; None for an absent parameter, which
    is at its default.
    """

    says: str
    targets: tuple[Target, ...]
    shows: Mapping[str, str | None] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"says": self.says, "targets": [target.to_json() for target in self.targets], "shows": dict(self.shows)}


def tour_step(says: str, *targets: Target | str, shows: Mapping[str, str | None] | None = None) -> TourStep:
    """Make a step; a target that is a string is the key of a whole control or picture. shows: as of `TourStep`."""
    resolved = tuple(Target(target) if isinstance(target, str) else target for target in targets)
    return TourStep(says, resolved, shows or {})


def from_first_section(steps: Sequence[TourStep]) -> list[TourStep]:
    """The steps on a page with sections: a step that names no section is about the first one."""
    return [replace(step, shows={"section": None, **step.shows}) for step in steps]


def css_key(key: str) -> str:
    """A Streamlit key as in the CSS class `st-key-...`."""
    return re.sub(r"[^a-zA-Z0-9_-]", "-", key.strip())


def guided_tour(steps: Sequence[TourStep], own: Sequence[str] = ()) -> None:
    """Offer the tour, if it has steps; it is invisible until somebody starts it.

    own: parameters in `shows` that the reader also sets: links to a step keep the reader's values.
    """
    if not steps:
        return
    words = {
        "tour": _("Guided tour"),
        "count": _("{step} of {count}"),
        "back": _("Back"),
        "next": _("Next"),
        "leave": _("Leave"),
        "ignored": _("The link asks for step {step} of the tour, which has {count}: it begins at the first."),
    }
    link = {"step": TOUR.within(1, len(steps)).to_json()}
    made = [step.to_json() for step in steps]
    _tour(key="guided-tour", data={"steps": made, "words": words, "link": link, "own": list(own)}, height="content")


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
    """A word's bar, counted from 0, in a figure of `bars_by_word`, with its label; otherwise the whole figure."""
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
        sentence = _("For “{word}” {model} puts most of its attention, {weight}, on “{source}”.")
    else:
        sentence = _("For “{word}” {model} puts the largest part of its attention, {weight}, on “{source}”.")
    return sentence.format(**values)


def your_sentence(text: str) -> str:
    """The opening of a tour: the sentence on the screen."""
    says = _("This tour is about “{sentence}”. Type another sentence here at any time, and it will be about that one.")
    return says.format(sentence=quoted(text))
