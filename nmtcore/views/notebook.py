"""A picture in a notebook: the page of `to_html` in a frame of its own, so that styles and scripts stay apart."""

from __future__ import annotations

import html
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nmtcore.files import replace
from nmtcore.views.html import to_html


class Picture:
    """What a notebook shows (rich display by `_repr_html_`, as Jupyter asks for it) and a file keeps."""

    def __init__(self, view: str, data: Mapping[str, Any], height: int = 520) -> None:
        """view, data: as of `to_html`; height: px of the frame."""
        self.view = view
        self.data = data
        self.height = height

    @property
    def page(self) -> str:
        """The picture as one HTML file."""
        return to_html(self.view, self.data)

    def save(self, path: str | Path) -> Path:
        """Write the picture as one HTML file, atomically: nothing is fetched when it is opened."""
        path = Path(path)
        half = path.with_name(f".{path.name}")
        half.write_text(self.page, encoding="utf-8")
        replace(half, path)
        return path

    def _repr_html_(self) -> str:
        frame = f"width: 100%; height: {self.height}px; border: 0"
        return f'<iframe srcdoc="{html.escape(self.page)}" style="{frame}"></iframe>'
