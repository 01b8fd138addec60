"""The registry of pages: one entry a page, in the order of the lesson. Read by app.py, the footer and the tests."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from nmtcore.config import Architecture, is_autoregressive
from pages.common.i18n import _
from pages.common.state import State

FOLDER = Path(__file__).parents[1]
EVERY, ANY = "every", "any"


@dataclass(frozen=True)
class PageEntry:
    """name: its part of the address; path: its script below `pages`; title: in the language of the reader.

    offers: the architecture whose models can be chosen on the page; EVERY autoregressive one; or ANY.
    """

    name: str
    path: str
    title: Callable[[], str]
    offers: str = ""

    @property
    def script(self) -> Path:
        return FOLDER / self.path

    @property
    def address(self) -> str:
        """Relative to any page; the first page is the app's own address."""
        return f"./{'' if self.name == PAGES[0].name else self.name}"

    def link(self, texts: Mapping[str, str]) -> str:
        return f"{self.address}?{urlencode(texts)}"

    @property
    def state(self) -> type[State]:
        """The state class of the page, in `state.py` of its folder. Imported late: it imports the registry too."""
        module = import_module(f"pages.{self.script.parent.name}.state")
        state_class: type[State] = getattr(module, f"{self.name.title().replace('_', '')}State")
        return state_class


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
    PageEntry("corpus", "corpus/page.py", lambda: _("Corpus"), ANY),
)


@cache
def streamlit_page(entry: PageEntry) -> StreamlitPage:
    """A page for `st.navigation`, made in the first run: Streamlit looks for its script on the disk."""
    return st.Page(entry.script, title=entry.title(), url_path=entry.name, default=entry is PAGES[0])


def entry(name: str) -> PageEntry:
    """The page with this name. Raises KeyError if there is none."""
    return {entry.name: entry for entry in PAGES}[name]


def page_texts(page: str, **values: Any) -> dict[str, str]:
    """Query parameters for a link to a page, from values of its state by field name."""
    declared = entry(page).state.parameters()
    return {declared[name].name: declared[name].text(value) for name, value in values.items()}


def offering(architecture: Architecture) -> list[str]:
    """The titles of the pages on which a model of this architecture can be chosen."""
    offers = {ANY, architecture, EVERY if is_autoregressive(architecture) else ANY}
    return [page.title() for page in PAGES if page.offers in offers]


def script(name: str) -> str:
    """The path of the script of the page with this name. Raises KeyError if there is none."""
    return str(entry(name).script)
