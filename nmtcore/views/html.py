"""A picture as one HTML file that contains script, styles and data: it loads nothing and needs no server.

    to_html("alignment", alignment.data([Panel.of("Dot", "dot", trace)], sentence=trace.source_text))

The same script as on the app's pages. Anything that only a server can answer (retranslating, say) is hidden.
"""

import html
import json
from collections.abc import Mapping
from typing import Any

from nmtcore.views import bundle

THEME = bundle.style(bundle.VIEWS / "theme.css")

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
    """A page with the picture. view: its folder, such as `alignment`; data: the result of that folder's `data`."""
    return PAGE.format(
        title=html.escape(str(data.get("sentence") or view)),
        theme=THEME,
        style=bundle.style_of(view),
        data=in_script(json.dumps(data, ensure_ascii=False)),
        script=bundle.named(bundle.script_of(view), "draw").replace("</script", "<\\/script"),
    )


def in_script(text: str) -> str:
    """JSON inside a <script>, without `<`, so that no token can end the element or open a comment."""
    return text.replace("<", "\\u003c")
