"""Glyph outlines of Source Sans, the app's font, for saved pictures: letters that readers can see without the font.

    python -m nmtcore.views.kit.outlines        regenerates outlines.json from the font that Streamlit ships

It needs fonttools and brotli (requirements-dev.txt). Source Sans is Adobe's, under the SIL Open Font License 1.1.
"""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("outlines.json")
WEIGHTS = (400, 650)
LICENSE = (
    "Outlines of glyphs of a font (c) 2010-2021 Adobe (http://www.adobe.com/), Reserved Font Name 'Source'. "
    "SIL Open Font License, Version 1.1: https://openfontlicense.org"
)
# Latin, Greek, and the signs of the pages: dashes, quotes, indices, arrows, mathematics, blocks.
RANGES = ((0x20, 0x7F), (0xA0, 0x180), (0x370, 0x400), (0x2010, 0x2040), (0x2070, 0x20A0), (0x20AC, 0x20AD)) + (
    (0x2190, 0x21E0),
    (0x2200, 0x2270),
    (0x2423, 0x2424),
    (0x2580, 0x25D0),
)


def outlines(font_file: Path) -> dict[str, Any]:
    """Advance and path of each character, in units of the em, by weight."""
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.ttLib import TTFont

    weights: dict[str, dict[str, list[Any]]] = {}
    for weight in WEIGHTS:
        font = TTFont(font_file)
        glyphs, names = font.getGlyphSet(location={"wght": weight}), font.getBestCmap()
        made = weights[str(weight)] = {}
        for code in (code for first, end in RANGES for code in range(first, end) if code in names):
            pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
            glyphs[names[code]].draw(pen)
            made[chr(code)] = [round(glyphs[names[code]].width), pen.getCommands()]
    return {"license": LICENSE, "em": font["head"].unitsPerEm, "weights": weights}


def main() -> None:
    (package,) = find_spec("streamlit").submodule_search_locations or []  # type: ignore[union-attr]
    media = Path(package) / "static" / "static" / "media"
    text = json.dumps(
        outlines(next(media.glob("SourceSansVF-Upright*.woff2"))), ensure_ascii=False, separators=(",", ":")
    )
    FILE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
