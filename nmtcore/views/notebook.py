"""A picture in a notebook: a widget if anywidget is installed, else its own page in a frame.

With it comes an SVG without a script, for hosts that run none: GitHub, a PDF, an untrusted notebook.
"""

import base64
import html
import sys
import uuid
from collections.abc import Mapping
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from nmtcore.files import atomic_write
from nmtcore.views.html import to_html
from nmtcore.views.still import still
from nmtcore.views.widget import make_widget, picked

# The page in the frame reports its height (views/html.py). The frame's contents are shown where frames are removed.
FRAME = """<iframe id="{id}" srcdoc="{page}" style="width: 100%; height: {height}px; border: 0">\
<img src="{still}" alt="{title}"></iframe>
<script>
addEventListener("message", (event) => {{
  const frame = document.getElementById("{id}");
  const height = event.data?.pictureHeight;
  if (frame && event.source === frame.contentWindow && height > 0) frame.style.height = `${{Math.ceil(height)}}px`;
}});
</script>"""


def in_kernel() -> bool:
    """Whether Jupyter runs this: a widget needs its channel to the browser."""
    return "ipykernel" in sys.modules


class Picture:
    """A picture for a notebook (rich display by `_repr_mimebundle_`, as in Jupyter) or a file."""

    def __init__(self, view: str, data: Mapping[str, Any], height: int = 520) -> None:
        """view, data: as in `to_html`; height: px of the frame if nothing reports the picture's height."""
        self.view = view
        self.data = data
        self.height = height

    @property
    def page(self) -> str:
        """The picture as one HTML file."""
        return to_html(self.view, self.data)

    @property
    def still(self) -> str:
        """The picture as one SVG without scripts."""
        return still(self.view, self.data)

    @cached_property
    def widget(self) -> Any:
        """The picture as an `anywidget.AnyWidget`, also for marimo's `mo.ui.anywidget`. Raises SettingError."""
        return make_widget(self.view, self.data)

    @property
    def picked(self) -> dict[str, Any]:
        """The choices made in the widget so far: words, head, step, candidate."""
        return picked(self.data, self.widget.values)

    def save(self, path: str | Path) -> Path:
        """Write the picture atomically as one HTML file, which loads nothing else."""
        path = Path(path)
        atomic_write(path, self.page.encode())
        return path

    def _repr_html_(self) -> str:
        image = base64.b64encode(self.still.encode()).decode("ascii")
        return FRAME.format(
            id=f"picture-{uuid.uuid4().hex[:12]}",
            page=html.escape(self.page),
            height=self.height,
            still=f"data:image/svg+xml;base64,{image}",
            title=html.escape(str(self)),
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle: dict[str, Any] = {
            "text/plain": str(self),
            "text/html": self._repr_html_(),
            "image/svg+xml": self.still,
        }
        if in_kernel() and find_spec("anywidget"):
            made = self.widget._repr_mimebundle_()
            bundle |= (made[0] if isinstance(made, tuple) else made or {}) | {"text/plain": str(self)}
        return bundle

    def _display_(self) -> Any:
        """The picture for marimo: the widget, or else its page, since marimo's frame would cut a frame within it."""
        if find_spec("anywidget"):
            return self.widget
        import marimo

        return marimo.iframe(self.page)

    def __repr__(self) -> str:
        return f"{self.view}: {self.data.get('sentence', '')}"
