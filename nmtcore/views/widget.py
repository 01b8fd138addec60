"""A picture as a notebook widget, by anywidget (the extra `widget`), and a reader's choices as Python values."""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from nmtcore.errors import SettingError
from nmtcore.views import bundle
from nmtcore.views.html import THEME

FRONT_END = Path(__file__).with_name("widget.js")
PICK = re.compile(r"(\d+)\.(?:t(\d+)w?)?(?:s(\d+))?", re.ASCII)  # panel, target and source, as in an address


def front_end(view: str) -> str:
    """The module that anywidget loads: the picture's script, its style as text, and `render`. It loads nothing else."""
    theme = THEME.replace(":root", ":host").replace("body {", "main {").replace("color-scheme: light dark;", "")
    style = json.dumps(theme + bundle.style_of(view))
    draw = bundle.named(bundle.script_of(view), "draw")
    return f"{draw}\n{bundle.named(bundle.script(FRONT_END), 'widget')}\nexport default widget(draw, {style});\n"


@cache
def _widget_class(view: str) -> Any:
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise SettingError("A picture as a widget needs anywidget: pip install 'alignment-lab[widget]'") from error
    traits = {
        "_esm": front_end(view),
        "data": traitlets.Dict().tag(sync=True),  # the drawn data; another picture's data replaces it in place
        "values": traitlets.Dict().tag(sync=True),  # the reader's choices, by the picture's names for them
    }
    return type("PictureWidget", (anywidget.AnyWidget,), traits)


def make_widget(view: str, data: Mapping[str, Any]) -> Any:
    """The widget of a picture, an `anywidget.AnyWidget`. Raises SettingError if anywidget is not installed."""
    return _widget_class(view)(data=json.loads(json.dumps(data)), values={})


def picked(data: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The choices made in a picture. values: as set by its script.

    A picked piece of an alignment is {"panel": 0, "target": 3, "target_piece": "▁rouge", ...}; a node of a search tree
    is {"node": 7, "token": "▁rouge", "rank": 1, ...}; everything else is as in a page's address.
    """
    chosen = {name: value for name, value in values.items() if value is not None}
    match = PICK.fullmatch(str(chosen.pop("pick", "")))
    if match:
        panel, target, source = (None if number is None else int(number) for number in match.groups())
        panels = data.get("panels") or ()
        chosen["panel"] = panel
        for side, place in (("target", target), ("source", source)):
            if place is not None:
                chosen[side] = place
                if panel is not None and panel < len(panels) and place < len(panels[panel][side]):
                    chosen[f"{side}_piece"] = panels[panel][side][place]
    return chosen | (chosen.get("node") or {})
