"""A picture as one HTML file: script, styles and data in it, nothing fetched, no server.

    to_html("alignment", alignment.data([Panel.of("Dot", "dot", trace)], sentence=trace.source_text))

The same script as on the app's pages. What only a server can answer (translating again, say) is hidden.
"""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from typing import Any

from nmtcore.views import bundle

# The names of the theme that the app's pages have; light or dark as the system asks.
THEME = """
:root {
  color-scheme: light dark;
  --st-background-color: light-dark(#ffffff, #15181d);
  --st-secondary-background-color: light-dark(#f3f4f5, #23272e);
  --st-text-color: light-dark(#1f2430, #e8eaed);
  --st-border-color: light-dark(#d9dce1, #3a4049);
  --st-primary-color: light-dark(#2b5a9b, #8ab4f8);
  --st-link-color: var(--st-primary-color);
  --st-font: "Source Sans 3", "Source Sans Pro", system-ui, sans-serif;
  --st-code-font: "Source Code Pro", ui-monospace, monospace;
}
body {
  margin: 1.2rem;
  font-family: var(--st-font);
  color: var(--st-text-color);
  background: var(--st-background-color);
}
"""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{theme}{style}</style>
</head>
<body>
<main id="picture"></main>
<script type="application/json" id="data">{data}</script>
<script type="module">
{script}
const parentElement = document.getElementById("picture");
draw({{ parentElement, data: JSON.parse(document.getElementById("data").textContent) }});
if (parent !== window) {{
  // In a frame, as of a notebook: whoever has made the frame makes it as tall as the picture.
  const tell = () => parent.postMessage({{ pictureHeight: document.documentElement.offsetHeight }}, "*");
  new ResizeObserver(tell).observe(document.documentElement);
}}
</script>
</body>
</html>
"""


def to_html(view: str, data: Mapping[str, Any]) -> str:
    """A page with the picture. view: its folder, such as `alignment`; data: what the `data` of that folder returned."""
    return PAGE.format(
        title=html.escape(str(data.get("sentence") or view)),
        theme=THEME,
        style=bundle.style_of(view),
        data=in_script(json.dumps(data, ensure_ascii=False)),
        script=bundle.named(bundle.script_of(view), "draw").replace("</script", "<\\/script"),
    )


def in_script(text: str) -> str:
    """JSON inside a <script>: no `<` in it, so that no token can end the element or open a comment."""
    return text.replace("<", "\\u003c")
