"""A matrix of weights as SVG: names above and at the side, and cells whose opacity is their weight."""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

INK = "#1f2430"
CELL, LETTER = 30, 7.5  # px of a cell, and of a letter in a name
SLANT = 0.75  # height of a slanted name relative to its length
CONTROLS = {code: "\ufffd" for code in (*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF)}  # not allowed in XML


@dataclass(frozen=True)
class Grid:
    """Positions of names and cells, in px. x, y: the corner to the left of the cells and above the names."""

    rows: Sequence[str]
    columns: Sequence[str]
    x: float = 0.0
    y: float = 0.0

    @property
    def left(self) -> float:
        """Left edge of the cells."""
        return self.x + 12 + LETTER * max(map(len, self.rows))

    @property
    def top(self) -> float:
        """Top edge of the cells."""
        return self.y + 12 + SLANT * LETTER * max(map(len, self.columns))

    @property
    def right(self) -> float:
        """Right edge of the last name, which leans beyond the cells."""
        return self.left + len(self.columns) * CELL + SLANT * LETTER * len(self.columns[-1])

    @property
    def bottom(self) -> float:
        return self.top + len(self.rows) * CELL

    def column_names(self) -> str:
        """The slanted names above the cells."""
        x, y = self.left + CELL / 2, self.top - 6
        return "".join(text(name, x + s * CELL, y, turned=True) for s, name in enumerate(self.columns))

    def row_name(self, t: int) -> str:
        """The name at the side of a row."""
        return text(self.rows[t], self.left - 6, self.top + t * CELL + 20, anchor="end")

    def frame(self) -> str:
        """A line around the cells."""
        width, height = len(self.columns) * CELL, len(self.rows) * CELL
        path = f"M{self.left:.1f} {self.top:.1f}h{width}v{height}h-{width}z"
        return f'<path d="{path}" fill="none" stroke="#d9dce1"/>'

    def cell(self, t: int, s: int, weight: float, hue: str, inside: str = "") -> str:
        """A cell. inside: child elements, such as an animation."""
        return (
            f'<rect x="{self.left + s * CELL:.1f}" y="{self.top + t * CELL:.1f}" width="{CELL - 1}" '
            f'height="{CELL - 1}" fill="{hue}" fill-opacity="{weight:.3f}">{inside}</rect>'
        )

    def number(self, t: int, s: int, number: str, colour: str) -> str:
        """The number in a cell."""
        x, y = self.left + (s + 0.5) * CELL, self.top + t * CELL + 19
        return text(number, x, y, size=10, anchor="middle", colour=colour)


def text(
    content: str,
    x: float,
    y: float,
    *,
    size: int = 13,
    anchor: str = "start",
    weight: int = 400,
    colour: str = INK,
    turned: bool = False,
    shown: float = 1.0,
    inside: str = "",
) -> str:
    """A line of text, escaped. shown: its opacity; inside: child elements."""
    turn = f' transform="rotate(-50 {x:.1f} {y:.1f})"' if turned else ""
    faint = f' opacity="{shown:g}"' if shown < 1 else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="{colour}"{turn}{faint}>{escape(content.translate(CONTROLS))}{inside}</text>'
    )


def document(width: float, height: float, parts: Sequence[str]) -> str:
    """The whole SVG, on a white background."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="sans-serif">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>'
    )
