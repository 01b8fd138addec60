"""The pages of the static site: what each is called and asks, and the data of its opening picture.

Names of parameters are those of the app, so that a link leads to the same place in both; a test compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from nmtcore.analysis.aligning_head import aligning_head
from nmtcore.config import ARCHITECTURES, CORE, Architecture, DecodingConfig
from nmtcore.decoding.decode import translate
from nmtcore.decoding.trace import Trace
from nmtcore.messages import N_
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.views.alignment.data import Panel
from nmtcore.views.alignment.data import data as alignment_data
from nmtcore.views.alignment.messages import MESSAGES as ALIGNMENT

BEAM = 5  # the width that pages open with
Checkpoints = Mapping[Architecture, Checkpoint]
Link = dict[str, dict[str, Any]]  # a parameter by what the picture uses it for, as kit/link_state.js reads it

NOTE_UNSPACED = N_("Mandarin has no spaces between words: there the browser's own segmenter says where a word ends.")

PIECE = r"\d{1,3}"
PICKS: Link = {
    "pick": {
        "name": "pick",
        "kind": "pattern",
        "pattern": rf"(\d{{1,2}})\.(?=[ts])(?:t({PIECE}))?(?:s({PIECE}))?",
        "groups": ["panel", "target", "source"],
    },
    "view": {
        "name": "pick-view",
        "kind": "codes",
        "item": r"words|hide|plain|ribbons|both|(?:top|least)\d{1,3}",
        "separator": ".",
    },
    "step": {"name": "pick-step", "kind": "whole", "low": 1, "high": 999, "default": 0},
}


@dataclass(frozen=True)
class SitePage:
    """A page. name: of its file and in the worker; label: in the line of pages; models: those that it opens with.

    several: whether more models can be chosen; link: parameters that the picture reads and writes; forget: the names of
    those that belong to one sentence; first: the number of the example that it opens with.
    """

    name: str
    label: str
    title: str
    about: str
    view: str
    models: tuple[Architecture, ...]
    opening: Callable[[str, Checkpoints], dict[str, Any]]
    several: bool = False
    link: Link = field(default_factory=dict)
    forget: tuple[str, ...] = ()
    first: int = 0


def decoded(checkpoint: Checkpoint, text: str) -> Trace:
    """The decode that a page opens with."""
    return translate(checkpoint, text, DecodingConfig(BEAM))


def translate_opening(text: str, checkpoints: Checkpoints) -> dict[str, Any]:
    """The alignment panels. They say nothing of time: it is that of another machine."""
    panels = []
    for name, checkpoint in checkpoints.items():
        panel = Panel.of(
            ARCHITECTURES[name].title,
            name,
            decoded(checkpoint, text),
            aligning_head(checkpoint.config, checkpoint.meta),
        )
        panels.append(replace(panel, seconds=None))
    messages = {**ALIGNMENT, "note_unspaced": NOTE_UNSPACED}
    return alignment_data(panels, sentence=text, play=True, marks=True, messages=messages)


PAGES: tuple[SitePage, ...] = (
    SitePage(
        "index",
        N_("Translate"),
        N_("Where does each model look?"),
        N_("The same sentence by several models. Pick a word to see, in each, what it was made from."),
        "alignment",
        CORE,
        translate_opening,
        several=True,
        link=PICKS,
        forget=("pick", "pick-step"),
    ),
)
