"""A reader's choices in a picture as Python values, such as the text of a picked piece."""

import re
from collections.abc import Mapping
from typing import Any

PICK = re.compile(r"(\d+)\.(?:t(\d+)w?)?(?:s(\d+))?", re.ASCII)  # panel, target and source, as in an address


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
