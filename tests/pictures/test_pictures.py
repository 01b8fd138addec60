"""Pictures as text: every record's drawing, and the changes when somebody acts, match those in `drawn/`."""

import difflib
import json
from typing import Any

import pytest

from pages.common.component import PAGE_SCRIPTS, script_names
from tests.pictures import records
from tests.pictures.stories import DRAWN, can_draw, draw, stories

STORIES = stories()
AGAIN = "If that is meant: python -m tests.pictures, and read git diff tests/pictures."
drawing = pytest.mark.skipif(not can_draw(), reason="Pictures are drawn by Node and jsdom: .ci/node installs it.")


@pytest.fixture(scope="module")
def drawn() -> dict[str, str]:
    return draw(STORIES)


@drawing
@pytest.mark.parametrize("name", STORIES)
def test_a_picture_is_drawn_as_before(drawn: dict[str, str], name: str) -> None:
    before = (DRAWN / f"{name}.txt").read_text(encoding="utf-8")
    changes = difflib.unified_diff(before.splitlines(), drawn[name].splitlines(), "kept", "drawn", n=2, lineterm="")
    assert drawn[name] == before, f"{AGAIN}\n" + "\n".join(changes)


def test_every_picture_has_a_record_and_every_text_a_story() -> None:
    pages = {*PAGE_SCRIPTS, "lesson"}  # a lesson is a page of pictures
    assert {view for view, _ in records.MADE.values()} == script_names() - pages
    assert json.loads(records.NAMES.read_text(encoding="utf-8")) == list(records.MADE)
    assert {path.stem for path in records.RECORDS.iterdir()} == records.MADE.keys()
    assert {path.stem for path in DRAWN.iterdir()} == STORIES.keys()


def shape(value: Any) -> Any:
    """A record without its numbers and without the texts that a model writes: names of fields, lengths, kinds."""
    if isinstance(value, dict):
        return {name: value if name in ("words", "link") else shape(value) for name, value in value.items()}
    if isinstance(value, list):
        return [shape(part) for part in value]
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


@pytest.mark.parametrize("name", records.MADE)
def test_a_kept_record_is_what_its_view_makes_today(name: str) -> None:
    assert shape(records.make(name)) == shape(records.kept(name)), AGAIN
