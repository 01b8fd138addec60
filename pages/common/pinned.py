"""The pinned picture: the address of a picture of this app, kept in the link and shown beside another one.

It is not an image: the page at that address is opened again, in a frame, and computes its picture from the same
parameters (`pin=transformer?head=cross.2.3`). Only the app's own pages and parameters are accepted from a link.
"""

from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from pages.common import registry
from pages.common.i18n import _
from pages.common.question import Question
from pages.common.registry import PageEntry
from pages.common.screen import PIN, PROJECTION, TOUR

MOST = 2000  # characters of an address
LEFT_OUT = (PIN.name, PROJECTION.name, TOUR.name)  # a pinned picture cannot pin another, and is always projected


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
        query = urlencode([*self.query, (PROJECTION.name, "on")])
        return f"./{'' if self.page is registry.PAGES[0] else self.page.name}?{query}"

    @property
    def title(self) -> str:
        """The page's title, and the sentence if it has one."""
        text = dict(self.query).get(Question.parameters()["typed"].name, "")
        return " · ".join(filter(None, (self.page.title(), text)))


def read_pin(code: str) -> PinnedPicture | None:
    """The picture that a code denotes; None if it names no page of this app."""
    name, __, query = code.partition("?")
    entry = next((entry for entry in registry.PAGES if entry.name == name), None)
    if entry is None or len(code) > MOST:
        return None
    known = {parameter.name for parameter in entry.state.parameters().values()} - set(LEFT_OUT)
    pairs = dict(parse_qsl(query, keep_blank_values=True))
    return PinnedPicture(entry, tuple((key, value) for key, value in pairs.items() if key in known))


def asked_pin(code: str) -> tuple[PinnedPicture | None, tuple[str, ...]]:
    """The picture that a code in the address pins, and a sentence if there is no such picture."""
    if not code:
        return None, ()
    picture = read_pin(code)
    if picture is None:
        return None, (_("The link pins a picture that is not here: it was left out."),)
    return picture, ()
