"""The query parameters that the pictures read and write, each declared once, by the picture's name for it.

A page of the app adds the sentence for an impossible value in a link (`Parameter.saying`); the static site and a
lesson take them as they are.
"""

from collections.abc import Collection, Mapping
from typing import Any

from nmtcore.config import DecodingConfig
from nmtcore.views.heads.head import CODE
from nmtcore.views.kit.link_state import Choice, Codes, Flag, Number, Parameter, Pattern, Whole
from nmtcore.views.rotation.data import OPENS

Uses = Mapping[str, Parameter[Any]]

PIECE = r"\d{1,3}"
ID = r"\d{1,7}"
PART = r"[^_]{1,40}"  # a head or a part of a layer: the model says which exist
STEPS = 999  # of a decode, at most

PICK = Pattern(
    "pick", "", rf"(\d{{1,2}})\.(?=[ts])(?:t({PIECE})(w)?)?(?:s({PIECE}))?", ("panel", "target", "word", "source")
)
PLACE = Pattern("decoder-step", "", r"(\d{1,4})(?:\.([1-6]))?", ("word", "part"))
OVERRIDE = Pattern("bend", "", r"(\d{1,4})\.(?:s(\d{1,4})|all)\.([0-9a-f]{4})", ("step", "source", "checksum"))
STREAM_PIECE = Pattern("piece", "", rf"([st])({PIECE})", ("side", "position"))

ALIGNMENT: Uses = {
    "pick": PICK,
    "view": Codes("pick-view", (), r"words|hide|plain|ribbons|both|(?:top|least)\d{1,3}", "."),
    "step": Whole("pick-step", 0, 1, STEPS),
}
# A column, a decoding step (from 0), and what the model might have written there: the id of a piece, or after `=` a
# typed word or a whole typed translation.
INSTEAD = Pattern("instead", "", r"(\d)\.(\d{1,3})\.(\d{1,7}|=.{1,400})", ("column", "step", "token"))
TRANSLATE: Uses = {**ALIGNMENT, "instead": INSTEAD}
CONTEXT_VECTOR: Uses = {"step": Whole("decoder-step", 1, 1, STEPS)}
WALKTHROUGH: Uses = {"place": PLACE, "override": OVERRIDE}
BEAM_TREE: Uses = {
    "alpha": Number("alpha", DecodingConfig.alpha, 0.0, 5.0),
    "beta": Number("beta", DecodingConfig.beta, 0.0, 5.0),
    "dropped": Choice("dropped", "step", ("none", "step", "all")),
    "step": Whole("search-step", 0),
    "later": Flag("later"),
    "whatif": Codes("whatif", (), r"[^~]+", "~"),
    "compare": Codes("compare", (), ID, "-"),
}
PANES = ("grid", "head", "compare", "cell", "layer", "batch")  # for the page of the heads
HEADS: Uses = {
    **ALIGNMENT,
    "head": Pattern("head", "", CODE, ("kind", "layer", "head")),
    "off": Codes("off", (), PART, "_"),
    "run": Choice("attention", "after", ("after", "before")),
    "pane": Choice("pane", "grid", PANES),
    "by": Choice("cell-by", "weight", ("weight", "norm")),
}
RESIDUAL_STREAM: Uses = {
    "piece": STREAM_PIECE,
    "layer": Whole("layer", 1, 1, 128),
    "off": Codes("parts-off", (), PART, "_"),
}
MASKS: Uses = {"head": HEADS["head"], "row": Whole("batch-row", 0, 1, 3)}
ROTATION = {name: Whole(name, OPENS[name], low, 9999) for name, low in (("i", 0), ("position", 0), ("k", 1))}
SIDES = ("source", "target", "both")
# Next to a picture: the order of the pieces, and whose positions are removed.
ABLATION: Uses = {
    "shuffle": Whole("shuffle", 2, 0, 5),
    "order": Codes("order", (), r"[1-9]\d{0,2}", "."),
    "removed": Choice("removed", "source", SIDES),
}


def link_json(uses: Uses, runs: Collection[str] = ()) -> dict[str, Any]:
    """The declarations for kit/link_state.js. runs: the uses whose change needs a new answer."""
    return {use: parameter.to_json() | ({"runs": True} if use in runs else {}) for use, parameter in uses.items()}
