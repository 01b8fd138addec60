"""Links to the app's pages, which carry the question and the pinned picture.

The browser takes both from its address when somebody follows a link, so that a new sentence changes no link; and it
stays in the app: the page of the new address is opened as by the browser's own back and forward.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pages.common.component import fetched_component
from pages.common.question import Question
from pages.common.registry import PageEntry
from pages.common.screen import PIN

COLUMN, ROW, ENDS = "column", "row", "ends"  # how links lie: below each other, beside each other, at both ends

# Without styles of its own: tools for accessibility look for the first link of a page, and not into components.
_navigation = fetched_component("navigation", html='<div class="page-links"></div>', isolate_styles=False)


@dataclass(frozen=True)
class PageLink:
    """A link to a page. says: its words; asked: query parameters of its own; current: whether it leads to this page."""

    page: PageEntry
    says: str
    asked: dict[str, str] = field(default_factory=dict)
    current: bool = False


def carried() -> tuple[str, ...]:
    """The query parameters that go along to another page: those of the question, and the pinned picture."""
    return (*(parameter.name for parameter in Question.parameters().values()), PIN)


def navigation(links: Sequence[PageLink], *, key: str, look: str = ROW, carries: bool = True) -> None:
    """Draw links to pages. carries: whether they carry the present question and the pinned picture along."""
    data = {
        "links": [
            {"address": link.page.address, "says": link.says, "asked": link.asked, "current": link.current}
            for link in links
        ],
        "carried": carried() if carries else (),
        "look": look,
    }
    _navigation(key=key, data=data)
