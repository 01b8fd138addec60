"""The registry of pages: one entry a page, in the order of the lesson. Read by app.py, the footer and the tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pages.common.i18n import _

FOLDER = Path(__file__).parents[1]


@dataclass(frozen=True)
class PageEntry:
    """name: its part of the address; path: its script below `pages`; title: in the language of the reader."""

    name: str
    path: str
    title: Callable[[], str]

    @property
    def script(self) -> Path:
        return FOLDER / self.path


PAGES = (
    PageEntry("translate", "translate/page.py", lambda: _("Translate")),
    PageEntry("no_attention", "no_attention/page.py", lambda: _("No attention")),
    PageEntry("additive", "attention/additive.py", lambda: _("Additive attention")),
    PageEntry("dot", "attention/dot.py", lambda: _("Dot attention")),
    PageEntry("transformer", "transformer/page.py", lambda: _("Transformer")),
    PageEntry("positions", "positions/page.py", lambda: _("Positions")),
    PageEntry("beam", "beam/page.py", lambda: _("Beam search")),
    PageEntry("finetune", "finetune/page.py", lambda: _("Fine-tune")),
)


def script(name: str) -> str:
    """The path of the script of the page with this name. Raises KeyError where there is none."""
    return str({entry.name: entry.script for entry in PAGES}[name])
