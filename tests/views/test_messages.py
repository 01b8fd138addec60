"""The pictures' messages: every one that a script uses exists."""

import re
from importlib import import_module

import pytest

from nmtcore.messages import Messages
from nmtcore.views.bundle import VIEWS, script_of
from nmtcore.views.walkthrough.messages import MESSAGES as WALKTHROUGH

PICTURES = sorted({path.parent.name for path in VIEWS.glob("*/data.py")} - {"walkthrough"})


@pytest.mark.parametrize("view", PICTURES)
def test_every_message_that_the_script_uses_is_there(view: str) -> None:
    script, known = script_of(view), import_module(f"nmtcore.views.{view}.data").MESSAGES
    used = set(re.findall(r"(?<!=)\bwords\.(\w+)", script))  # not in pick-view=words.hide
    families = set(re.findall(r"words\[`(\w+)\$\{", script))  # such as words[`pane_${name}`]
    assert used <= set(known) and used
    assert all(any(name.startswith(family) for name in known) for family in families)


def test_the_walkthrough_gets_the_rest_from_its_page() -> None:
    script = script_of("walkthrough")
    used = set(re.findall(r"data\.words\.(\w+)", script))
    assert used - {"says", "lab"} <= set(WALKTHROUGH)
    steps: Messages = {name: WALKTHROUGH[name] for name in ("heads", "names")}
    assert [len(parts) for parts in steps.values()] == [6, 6]
