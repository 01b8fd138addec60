"""A picture in a notebook: the page of `to_html` in a frame of its own, so that styles and scripts stay apart."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from nmtcore.views.html import to_html


class Picture:
    """What a notebook shows: rich display by `_repr_html_`, as Jupyter asks for it."""

    def __init__(self, page: str, height: int) -> None:
        self.page = page
        self.height = height

    def _repr_html_(self) -> str:
        frame = f"width: 100%; height: {self.height}px; border: 0"
        return f'<iframe srcdoc="{html.escape(self.page)}" style="{frame}"></iframe>'


def show(view: str, data: Mapping[str, Any], height: int = 520) -> Picture:
    """The picture as the result of a notebook's cell. view, data: as of `to_html`; height: px of the frame."""
    return Picture(to_html(view, data), height)
