"""How a page is presented, as a part of its state: the guided tour's step, projection, and the pinned picture.

The browser writes the first two without a run of the page. A pinned picture is not an image: the page at its address is
opened again, in a frame, and computes its picture from the same parameters (`pin=transformer?head=cross.2.3`). Only the
app's own pages and parameters are accepted from a link.
"""

from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from nmtcore.messages import N_
from nmtcore.views.kit.link_state import Choice, Parameter, Text, Whole
from pages.common.i18n import _
from pages.common.question import Question
from pages.common.registry import PAGES, PageEntry
from pages.common.state import State, says, stated

# The page decides how many steps its tour has; the tour itself says if it lacks a step.
TOUR = Whole("tour", 0, 1, 10)
PROJECTION = Choice(
    "projection", "", ("on", "beside"),
    wrong=says(N_("The link asks for the projection {asked!r}, which is neither on nor beside: the page is shown.")),
)  # fmt: skip
PIN = "pin"
LEFT_OUT = (PIN, PROJECTION.name, TOUR.name)  # a pinned picture cannot pin another, and is always projected
MOST = 2000  # characters of its address


@dataclass(frozen=True)
class PinnedPicture:
    """A page and its query parameters."""

    page: PageEntry
    query: tuple[tuple[str, str], ...]

    @property
    def code(self) -> str:
        """As in the address of another page."""
        return f"{self.page.name}?{urlencode(self.query)}"

    @property
    def address(self) -> str:
        """Address of the projected picture, relative to any page."""
        return self.page.link({**dict(self.query), PROJECTION.name: "on"})

    @property
    def title(self) -> str:
        """The page's title, and the sentence if it has one."""
        text = dict(self.query).get(Question.parameters()["typed"].name, "")
        return " · ".join(filter(None, (self.page.title(), text)))


def read_pin(code: str) -> PinnedPicture | None:
    """The picture that a code denotes; None if it names no page of this app."""
    name, __, query = code.partition("?")
    entry = next((entry for entry in PAGES if entry.name == name), None)
    if entry is None or len(code) > MOST:
        return None
    known = {parameter.name for parameter in entry.state.parameters().values()} - set(LEFT_OUT)
    pairs = dict(parse_qsl(query, keep_blank_values=True))
    return PinnedPicture(entry, tuple((key, value) for key, value in pairs.items() if key in known))


@dataclass(frozen=True)
class Pin(Parameter[PinnedPicture | None]):
    """The pinned picture, as `page?its own parameters`."""

    def parse(self, text: str) -> PinnedPicture | None:
        return read_pin(text)

    def text(self, value: PinnedPicture | None) -> str:
        return value.code if value else ""


def _not_here(asked: str) -> str:
    return _("The link pins a picture that is not here: it was left out.") if asked else ""


@dataclass(frozen=True)
class Screen(State):
    """tour: the step of the guided tour, from 1, 0 for none; projection: of a picture of the page, alone or beside the
    pinned one; picture: which, by its key, empty for the first; pin: the other."""

    tour: int = stated(TOUR)
    projection: str = stated(PROJECTION)
    picture: str = stated(Text("picture", ""))
    pin: PinnedPicture | None = stated(Pin(PIN, None, wrong=_not_here))
