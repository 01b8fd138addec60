"""Pictures of nmtcore.views as Streamlit components: the script and the style of a picture, and its data."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import streamlit as st

from nmtcore.messages import Messages
from nmtcore.system.host_memory import give_back
from nmtcore.views import bundle
from pages.common.address import write_state
from pages.common.i18n import _
from pages.common.shared import fingerprint, shared
from pages.common.state import State

SCRIPT_PATH = "views/{view}.js"  # below the app's own path
PAGE_PATH = "views/{view}.html"  # the page of a picture without data, which the browser fills in and saves
OUTLINES_PATH = "views/outlines.json"  # kit/outline.js asks for it
FETCH = Path(__file__).with_name("fetch_view.js")
# The pages' own components that are fetched like pictures: their scripts are long, and every run would send them.
PAGE_SCRIPTS = {
    name: Path(__file__).with_name(file)
    for name, file in {
        "save_figure": "figure.js",
        "tour": "tour.js",
        "projection": "projection.js",
        "navigation": "navigation.js",
    }.items()
}


@dataclass(frozen=True)
class Slice:
    """The fields of a page's state that a picture reads and writes, by the picture's names for them.

    runs: the names whose change makes the page run; the others change only the browser's address.
    """

    state: State
    fields: Mapping[str, str]
    runs: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The declarations; `now` is the value that the page was drawn with, for those whose change makes it run."""
        declared, texts = self.state.parameters(), self.state.texts()
        declarations = {use: declared[name].to_json() for use, name in self.fields.items()}
        for use in self.runs:
            declarations[use] |= {"runs": True, "now": texts.get(declarations[use]["name"])}
        return declarations

    def take(self, sent: object) -> None:
        """What the picture has sent back: texts by name, as in its address. A client can send anything."""
        if not isinstance(sent, dict):
            return
        declared = self.state.parameters()
        values, heard = {}, {}
        for use, name in self.fields.items():
            text = sent.get(use, "")
            value = declared[name].parse(text) if isinstance(text, str) else declared[name].default
            if use in sent and isinstance(text, str | None) and value is not None:
                values[name], heard[name] = value, text
        write_state(type(self.state), values, heard)


LARGE = 2_000_000  # bytes of a picture, which takes about ten times as much memory to make
MOST_BYTES = 100_000_000  # bytes of cached pictures, as they are sent


def mount(
    view: str,
    data: partial[dict[str, Any]],
    *,
    key: str,
    state: Slice | None = None,
    **on_change: Callable[[], None],
) -> None:
    """Draw a picture, with its messages in the language of the page.

    data: `data` of its folder with arguments, called only if the result is not in the cache.
    state: the fields that the picture reads and writes; without them it leaves the address alone.
    on_change: callbacks by name, called before the page runs again because the picture has set a value of that name
    (`ask=...`); the value is then in the session state under `key`.
    """
    sent: dict[str, Any] = {"page": PAGE_PATH.format(view=view)}
    if state:
        sent["link"] = state.to_json()
        on_change["state"] = lambda: state.take(reported(key, "state"))
    calls = {f"on_{name}_change": call for name, call in on_change.items()}
    _component(view)(key=key, data=_serialized(data, sent), **calls)


@shared(MOST_BYTES, len, key=fingerprint)
def _serialized(data: partial[dict[str, Any]], more: Mapping[str, Any]) -> bytes:
    """A picture as JSON, made once for everybody who looks at the same one; kit/mount.js reads it."""
    record = data()
    record = {**record, "words": localized(record["words"]), **more}
    serialized = json.dumps(record, separators=(",", ":")).encode()
    if len(serialized) > LARGE:
        give_back()
    return serialized


def reported(key: str, name: str) -> Any:
    """What the picture with this key has set, before this run of the page mounts it.

    It comes from the browser, where anybody can send another value: the caller must check it.
    """
    return st.session_state.get(key, {}).get(name)


def localized(messages: Messages) -> dict[str, Any]:
    """The messages of a picture in the language of the page."""
    return {name: _localized(message) for name, message in messages.items()}


def _localized(message: Any) -> Any:
    if isinstance(message, str):
        return _(message)
    if isinstance(message, Mapping):
        return localized(message)
    return [_localized(part) for part in message]


def fetched_component(name: str, **settings: Any) -> Callable[..., Any]:
    """A component whose script the browser fetches: of a view, or of PAGE_SCRIPTS. settings: as of `component`."""
    return st.components.v2.component(name, js=fetching_script(name), **settings)


_component = cache(fetched_component)


def _script(name: str) -> str:
    return bundle.script(PAGE_SCRIPTS[name]) if name in PAGE_SCRIPTS else bundle.script_of(name)


def _style(name: str) -> str:
    return bundle.style(PAGE_SCRIPTS[name].with_suffix(".css")) if name in PAGE_SCRIPTS else bundle.style_of(name)


def served_script(name: str) -> str:
    """Script and style of a view, or of a component of PAGE_SCRIPTS, as one module."""
    return f"export const style = {json.dumps(_style(name))};\n{_script(name)}"


def fetching_script(name: str) -> str:
    """A short script that fetches the whole one, and the style, from this server."""
    address = f"{SCRIPT_PATH.format(view=name)}?v={script_version(name)}"
    return bundle.script(FETCH).replace('ADDRESS = ""', f"ADDRESS = {json.dumps(address)}")


def script_version(name: str) -> str:
    """A hash of what is fetched."""
    return hashlib.sha256(served_script(name).encode()).hexdigest()[:16]


@cache
def script_names() -> frozenset[str]:
    """The names of the views that have a script, and of PAGE_SCRIPTS."""
    views = (folder.name for folder in bundle.VIEWS.iterdir() if (folder / f"{folder.name}.js").is_file())
    return frozenset((*views, *PAGE_SCRIPTS))
