"""The guided tour of a page: one plain sentence a step about what is on the screen, with a frame around it.

A page makes its steps from what it shows, in its own `tour.py`. The browser writes the step to the address (`tour=3`)
without a run of the page. Nor does a sentence about a place in a picture, such as a step of the decoding, need a run:
the browser moves the picture there by its own link parameters, and back when the tour goes on.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pages.common.component import page_component
from pages.common.i18n import _
from pages.common.screen import TOUR

# Not isolated: the page's style asks whether there is a tour, and the bar reaches over the whole window.
_tour = page_component("tour", isolate_styles=False)


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
