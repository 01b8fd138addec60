"""Shared by page tests: opening a page, and reading what it drew and said."""

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest

from nmtcore.models import checkpoint
from pages.common.registry import script
from tests.helpers import PATIENCE, random_model


def page_at(page: str, **query: str) -> AppTest:
    """A page at an address, not yet run; `page` is its name in the registry."""
    at = AppTest.from_file(script(page), default_timeout=PATIENCE)
    for name, value in query.items():
        at.query_params[name] = value
    return at


def opened(page: str, **query: str) -> AppTest:
    """A page at an address, run once."""
    return page_at(page, **query).run()


def components(at: AppTest, name: str) -> list[dict[str, Any]]:
    """The data of each component of this name, from the top of the page."""
    assert not at.exception, at.exception
    return [
        json.loads(e.proto.bytes or e.proto.json) for e in at.get("bidi_component") if e.proto.component_name == name
    ]


def component_data(at: AppTest, name: str) -> dict[str, Any]:
    """The data of the single component of this name. Fails if the page did not draw it."""
    (data,) = components(at, name)
    return data


def press(at: AppTest, key: str, said: str = "") -> AppTest:
    """Press a disclosure button and run. said: `open` or `close`, if the person saw another label than the latest."""
    (found,) = (
        element.proto
        for element in at.get("bidi_component")
        if element.proto.component_name == "disclosure" and element.proto.id.endswith(f"-{key}")
    )
    asks = said or json.loads(found.bytes or found.json)["asks"]
    states = at._tree.get_widget_states()
    states.widgets.add(
        id=_make_trigger_id(found.id, "events"), json_trigger_value=json.dumps([{"event": "asked", "value": asks}])
    )
    return at._run(states)


def saved_figures(at: AppTest) -> dict[str, dict[str, Any]]:
    """The data that each figure of the page offers to save, by the figure's key."""
    return {data["host"].removeprefix("figure-"): data for data in components(at, "save_figure")}


def add_meta(folder: Path, **meta: Any) -> None:
    """Write into the metadata of a model folder, as training and evaluation do."""
    path = folder / checkpoint.CONFIG
    settings = json.loads(path.read_text(encoding="utf-8"))
    settings["meta"] |= meta
    path.write_text(json.dumps(settings), encoding="utf-8")


def rebuild(folder: Path, **settings: Any) -> checkpoint.Checkpoint:
    """Replace the model in a folder by an untrained one with other settings."""
    known = checkpoint.load(folder)
    model = random_model(dataclasses.replace(known.config, **settings))  # type: ignore[type-var]
    checkpoint.save(folder, model, known.vocab, known.meta)
    return checkpoint.load(folder)


def cells(table: str) -> list[list[str]]:
    """The contents of each cell of an HTML table, row by row, with its marks."""
    return [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr.*?</tr>", table)]


def said(at: AppTest) -> list[str]:
    """The plain sentences on the page; fails on any error."""
    assert not at.exception, at.exception
    assert not [*at.error, *at.warning]
    return [element.value for element in at.text]
