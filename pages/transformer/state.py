"""State of the Transformer page: the question, the heads and what is shown beside them, one layer, and one batch."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nmtcore.decoding.trace import AttentionMap, Trace
from nmtcore.errors import InterventionError
from nmtcore.intervention import AttentionKind, LayerSwitch, Stack, layer_switch
from nmtcore.messages import N_
from nmtcore.views import parameters
from nmtcore.views.heads.head import Head
from pages.common import models
from pages.common.alignment import PANELS, PICK, PICK_STEP, Picks
from pages.common.piece_choice import asked_piece
from pages.common.question import Question
from pages.common.screen import Screen
from pages.common.state import part, says, stated
from pages.common.vectors import NEIGHBORS, VectorsState

OWN_PANES = ("layer", "batch")  # panes with their own pictures, which replace the heads' picture

HEAD = parameters.HEADS["head"].saying(
    says(N_("The link names the head {asked}, which this model does not have: it was ignored."))
)
OFF = parameters.HEADS["off"].saying(
    says(N_("The link switches off {asked}, which is not a head of this model: it was ignored."))
)
STREAM_PIECE = parameters.STREAM_PIECE.saying(
    says(N_("The link picks a piece that is not in these sentences: it was ignored."))
)
LAYER = parameters.RESIDUAL_STREAM["layer"].saying(
    says(N_("The link asks for layer {asked}, which is not in this model: the first is shown."))
)
PARTS_OFF = parameters.RESIDUAL_STREAM["off"].saying(
    says(N_("The link switches off {asked}, which is not a part of a layer here: it was ignored."))
)
BATCH_ROW = parameters.MASKS["row"].saying(
    says(N_("The link asks for sentence {asked!r} of the batch, which has three: it was ignored."))
)

# Fields, by the pictures' names for them.
HEADS = {
    **PANELS,
    "head": "head",
    "off": "heads_off",
    "run": "attention_run",
    "pane": "pane",
    "by": "cell_by",
    **NEIGHBORS,
}
STREAM = {"piece": "stream_piece", "layer": "stream_layer", "off": "parts_off", **NEIGHBORS}
MASKS = {"head": "head", "row": "batch_row"}


@dataclass(frozen=True)
class TransformerQuestion(Question):
    """The question of a page that needs the model's files."""

    offers: str = "transformer"

    @property
    def choices(self) -> tuple[str, ...]:
        offered = models.choices("transformer")
        return tuple(choice for choice in offered if models.folder(models.model(choice, "transformer")).is_dir())


@dataclass(frozen=True)
class TransformerState(VectorsState):
    """pane: the one shown. head: the enlarged one, empty for the one the page opens with; heads_off; attention_run:
    with heads off, whether the attention is the new translation's or the old one's; cell_by: whether the matrix beside
    one cell shows the weights or |alpha f(x)|. For one layer, stream_piece: empty for the opening one; stream_layer:
    from 1; parts_off. batch_row: the sentence whose matrices are drawn, 0 for the one with the most padding."""

    question: Question = part(TransformerQuestion)
    picks: Picks = part(Picks)
    pane: str = stated(parameters.HEADS["pane"])
    head: str = stated(HEAD)
    heads_off: tuple[str, ...] = stated(OFF)
    attention_run: str = stated(parameters.HEADS["run"])
    cell_by: str = stated(parameters.HEADS["by"])
    stream_piece: str = stated(STREAM_PIECE)
    stream_layer: int = stated(LAYER)
    parts_off: tuple[str, ...] = stated(PARTS_OFF)
    batch_row: int = stated(BATCH_ROW)
    screen: Screen = part(Screen)

    def enlarged(self, trace: Trace, opening: Head) -> Head:
        """The enlarged head, if the model has it."""
        return Head.read(self.head, trace) or opening

    def without_heads(self, trace: Trace) -> tuple[Head, ...]:
        """The heads that are off, if the model has them."""
        named = {head for code in self.heads_off if (head := Head.read(code, trace)) and head.single}
        return tuple(sorted(named, key=lambda head: head.code))

    def switches(self, layers: Mapping[Stack, int]) -> tuple[LayerSwitch, ...]:
        """The parts of layers that are off, if a model with this many layers has them."""
        read = (_switch(code, layers) for code in self.parts_off)
        return tuple(sorted({switch for switch in read if switch}))

    def shows_cell(self, attention: AttentionMap) -> bool:
        """Whether the arithmetic of one cell is shown, which needs the vectors of the head."""
        return self.pane == "cell" or None not in picked_cell(self.picks.pick, attention)

    def lacking_heads(self, trace: Trace, opening: Head) -> Iterator[tuple[str, str]]:
        """The fields that ask for heads or cells that this translation lacks, each with a sentence."""
        if self.head and not Head.read(self.head, trace):
            yield "head", HEAD.wrong(self.head)
        for code in self.heads_off:
            head = Head.read(code, trace)
            if not (head and head.single):
                yield "heads_off", OFF.wrong(code)
        attention = trace.known_attention(self.enlarged(trace, opening).kind)
        if self.picks.pick and picked_cell(self.picks.pick, attention) == (None, None):
            yield "pick", PICK.wrong(self.picks.pick)
        if self.picks.pick_step >= len(trace.target):
            yield "pick_step", PICK_STEP.wrong(str(self.picks.pick_step))

    def lacking_layers(self, trace: Trace, layers: Mapping[Stack, int]) -> Iterator[tuple[str, str]]:
        """The same for one layer."""
        picked = asked_piece(STREAM_PIECE, self.stream_piece, trace)
        if self.stream_piece and picked is None:
            yield "stream_piece", STREAM_PIECE.wrong(self.stream_piece)
        if self.stream_layer > layers["encoder" if picked and picked.side == "source" else "decoder"]:
            yield "stream_layer", LAYER.wrong(str(self.stream_layer))
        for code in self.parts_off:
            if _switch(code, layers) is None:
                yield "parts_off", PARTS_OFF.wrong(code)


def off_codes(off: tuple[Head, ...]) -> tuple[tuple[AttentionKind, int, int], ...]:
    """Heads as an `Intervention` has them."""
    return tuple((h.kind, h.layer, h.head) for h in off if h.layer is not None and h.head is not None)


def picked_cell(code: str, attention: AttentionMap) -> tuple[int | None, int | None]:
    """Target and source piece of a pick; both None if it names nothing in this figure."""
    parts = PICK.parts(code)
    if not parts or parts[0] not in ("0", "1"):
        return None, None
    target, source = (None if part is None else int(part) for part in (parts[1], parts[3]))
    inside = (target or 0) < len(attention.queries) and (source or 0) < len(attention.keys)
    return (target, source) if inside else (None, None)


def _switch(code: str, layers: Mapping[Stack, int]) -> LayerSwitch | None:
    try:
        switch = layer_switch(code)
    except InterventionError:
        return None
    return switch if switch[1] < layers[switch[0]] else None
