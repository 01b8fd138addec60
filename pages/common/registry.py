"""The registry of pages: one entry a page, in the order of the lesson. Read by app.py, the footer and the tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nmtcore.config import Architecture, is_autoregressive
from pages.common.i18n import _

FOLDER = Path(__file__).parents[1]
EVERY, ANY = "every", "any"


@dataclass(frozen=True)
class PageEntry:
    """name: its part of the address; path: its script below `pages`; title: in the language of the reader.

    offers: the architecture whose models can be chosen on the page; EVERY that writes word by word; or ANY.
    """

    name: str
    path: str
    title: Callable[[], str]
    offers: str = ""

    @property
    def script(self) -> Path:
        return FOLDER / self.path


PAGES = (
    PageEntry("translate", "translate/page.py", lambda: _("Translate"), EVERY),
    PageEntry("no_attention", "no_attention/page.py", lambda: _("No attention"), "none"),
    PageEntry("additive", "attention/additive.py", lambda: _("Additive attention"), "additive"),
    PageEntry("dot", "attention/dot.py", lambda: _("Dot attention"), "dot"),
    PageEntry("transformer", "transformer/page.py", lambda: _("Transformer"), "transformer"),
    PageEntry("positions", "positions/page.py", lambda: _("Positions"), "transformer"),
    PageEntry("beam", "beam/page.py", lambda: _("Beam search"), EVERY),
    PageEntry("finetune", "finetune/page.py", lambda: _("Fine-tune")),
    PageEntry("architectures", "architectures/page.py", lambda: _("Architectures"), ANY),
)


def offering(architecture: Architecture) -> list[str]:
    """The titles of the pages on which a model of this architecture can be chosen."""
    offers = {ANY, architecture, EVERY if is_autoregressive(architecture) else ANY}
    return [entry.title() for entry in PAGES if entry.offers in offers]


def script(name: str) -> str:
    """The path of the script of the page with this name. Raises KeyError where there is none."""
    return str({entry.name: entry.script for entry in PAGES}[name])
