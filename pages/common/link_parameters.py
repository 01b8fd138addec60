"""Link parameters: every query parameter of every page, declared once, by page in `PARAMETERS`.

`step` means a step of what the page walks through. Of the pages whose state is declared in their folder nothing stands
here (`docs/architecture.md`, "State").
"""

from __future__ import annotations

from typing import Any

from nmtcore.views.heads import head as heads
from pages.common.i18n import _
from pages.common.link_state import QUOTED, Choice, Codes, Parameter, Pattern, Text, Whole
from pages.common.link_state import none_of as _one_of

PIECE = r"\d{1,3}"


DEFAULT_BEAM = 5

# The step of the guided tour, from one; each page has as many as it has. Out of range it is said in the tour itself.
TOUR = Whole("tour", 0, 1, 10)

# The picture fills the window, alone or beside a pinned one, which PIN names: `page?its own parameters`.
PROJECTION = Choice(
    "projection", "", ("on", "beside"),
    wrong=lambda asked: _(
        "The link asks for the projection {name}, which is none of on, beside: the page is shown."
    ).format(name=repr(asked[:QUOTED])),
)  # fmt: skip
PIN = Text("pin", "")

# Translate, Transformer: a panel and a target piece (its row), a source piece (its column), or both (a cell); a step
# of the decoding.
PICK = Pattern(
    "pick", "", rf"(\d{{1,2}})\.(?=[ts])(?:t({PIECE}))?(?:s({PIECE}))?", ("panel", "target", "source"),
    wrong=lambda asked: _("The link picks a word that is not in this figure: it was ignored."),
)  # fmt: skip
PICK_VIEW = Codes("pick-view", (), r"words|hide|plain|ribbons|both|(?:top|least)\d{1,3}", ".")
PICK_STEP = Whole("pick-step", 0, 1, 999)
# Translate, Architectures: how many rounds a non-autoregressive model may take.
ROUNDS = Choice("rounds", "4", ("1", "2", "4", "10"), wrong=_one_of("rounds", "1, 2, 4, 10"))

# Transformer: the enlarged head, those that are off, the view beside it.
HEAD = Pattern(
    "head", "", heads.CODE, ("kind", "layer", "head"),
    wrong=lambda asked: _("The link names the head {name}, which this model does not have: it was ignored.").format(
        name=asked[:QUOTED]
    ),
)  # fmt: skip
OFF = Codes(
    "off", (), heads.CODE, "_",
    wrong=lambda code: _("The link switches off {name}, which is no head of this model: it was ignored.").format(
        name=code[:QUOTED]
    ),
)  # fmt: skip
PANES = ("grid", "head", "compare", "cell", "layer", "batch")
PANE = Choice("pane", "grid", PANES, wrong=_one_of("pane", ", ".join(PANES)))
# With heads off: the attention of the new translation or the old.
ATTENTION_RUN = Choice("attention", "after", ("after", "before"), wrong=_one_of("attention", "after, before"))
# Beside one cell: the matrix of the weights, or of |alpha f(x)|.
CELL_BY = Choice("by", "weight", ("weight", "norm"), wrong=_one_of("by", "weight, norm"))
# The pane of one layer: the source or target piece (counted from 0), the layer (from 1), parts of layers that are off.
STREAM_PIECE = Pattern(
    "piece", "", rf"([st])({PIECE})", ("side", "position"),
    wrong=lambda asked: _("The link picks a piece that is not in these sentences: it was ignored."),
)  # fmt: skip
# The pane of masks and batches: the sentence of the batch whose matrices are drawn.
BATCH_ROW = Whole(
    "row", 1, 1, 3,
    wrong=lambda asked: _("The link asks for sentence {row} of the batch; it has three: the shortest is shown.").format(
        row=repr(asked[:QUOTED])
    ),
)  # fmt: skip
LAYER = Whole(
    "layer", 1, 1, 128,
    wrong=lambda asked: _("The link asks for layer {layer}, which is not in this model: the first is shown.").format(
        layer=asked[:QUOTED]
    ),
)  # fmt: skip
PARTS_OFF = Codes(
    "parts-off", (), r"(?:encoder|decoder)\.[1-9]\d{0,2}\.[a-z]+", "_",
    wrong=lambda code: _("The link switches off {name}, which is no part of a layer here: it was ignored.").format(
        name=code[:QUOTED]
    ),
)  # fmt: skip


PARAMETERS: dict[str, tuple[Parameter[Any], ...]] = {
    "transformer": (
        HEAD,
        OFF,
        ATTENTION_RUN,
        PANE,
        CELL_BY,
        STREAM_PIECE,
        LAYER,
        PARTS_OFF,
        BATCH_ROW,
        PICK,
        PICK_VIEW,
        PICK_STEP,
    ),
}
