"""The pages of the static site: their names and questions, and the data of their opening pictures.

Parameters have the same names as in the app, so a link leads to the same place in both; a test compares them.
"""

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal
from urllib.parse import urlencode, urlsplit

from nmtcore import limits
from nmtcore.analysis.aligning_head import aligning_head
from nmtcore.analysis.head_names import head_names
from nmtcore.analysis.position_ablation import random_order, translate_permuted
from nmtcore.config import ARCHITECTURES, CORE, Architecture, DecodingConfig, TransformerConfig
from nmtcore.decoding.decode import translate
from nmtcore.decoding.trace import Trace
from nmtcore.errors import SettingError
from nmtcore.figures.text import signed
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.messages import N_, Messages
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.positions import sinusoids
from nmtcore.text.source import SourceText
from nmtcore.views import pictures
from nmtcore.views.alignment.data import Panel
from nmtcore.views.alignment.data import data as alignment_data
from nmtcore.views.alignment.messages import MESSAGES as PANELS
from nmtcore.views.heads.data import Effect
from nmtcore.views.heads.data import data as heads_data
from nmtcore.views.heads.head import Head
from nmtcore.views.masks.messages import MESSAGES as BATCH
from nmtcore.views.parameters import (
    ABLATION,
    BEAM_TREE,
    CONTEXT_VECTOR,
    HEADS,
    MASKS,
    PANES,
    RESIDUAL_STREAM,
    ROTATION,
    TRANSLATE,
    WALKTHROUGH,
    Uses,
    link_json,
)
from nmtcore.views.residual_stream.messages import MESSAGES as STREAM
from nmtcore.views.rotation.data import data as rotation_data
from nmtcore.views.site.messages import MESSAGES

BEAM = 5  # initial width
Checkpoints = Mapping[Architecture, Checkpoint]

NOTE_UNSPACED = N_("Mandarin has no spaces between words: the browser's own segmenter decides where each word ends.")

LEAST = MAX_DISTANCE = 32  # drawn positions, or as many as the sentence has; the largest distance k
ORDER = 5  # the number of the example whose meaning depends on word order
ORDERS = {"1": "A", "2": "B", "3": "C", "4": "D", "5": "E"}  # other orders of the pieces, by their seeds
MISLED = {  # of the app's own examples: greedy search of the additive model writes something else
    "en": (
        (N_("greedy is misled"), "I would have helped you if you had asked me."),
        (N_("beam search is shorter"), "I bought this lamp at a flea market in Brussels."),
    ),
    "zh": (
        (N_("greedy is misled"), "他因为生病没有来上课。"),
        (N_("beam search is shorter"), "桌子上的杯子是谁的？"),
    ),
}


@dataclass(frozen=True)
class Pane:
    """A picture that replaces a page's own one when the parameter `pane` has its name."""

    name: str
    view: str
    uses: Uses
    messages: Messages
    most: int = 0  # the most pieces of a sentence that it draws; 0 for any
    runs: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        words = {name: message for name, message in self.messages.items() if name != "neighbors"}
        return {"view": self.view, "link": link_json(self.uses, self.runs), "words": words, "most": self.most}


@dataclass(frozen=True)
class Choice:
    """A row of buttons over a picture: the parameter that they set, and the label of each, by its value."""

    parameter: str
    label: str
    options: Mapping[str, str]
    usual: str


@dataclass(frozen=True)
class SitePage:
    """A page. name: its file's, also in the worker; label: in the line of pages; models: those that it opens with.

    choose: whether one model can be chosen, or several; uses: parameters that the picture reads and writes; runs:
    those that need a new answer; forget: the names of those that belong to one sentence; first: the number of the
    example that it opens with; panes: other pictures of it; choices: controls over it; examples: sentences by the
    code of the source language, before those of every page; lines: translations over the picture; longer: whether
    clauses are offered that make the sentence longer.
    """

    name: str
    label: str
    title: str
    about: str
    view: str
    models: tuple[Architecture, ...]
    opening: Callable[[SourceText, Checkpoints], dict[str, Any]]
    choose: Literal["", "one", "several"] = ""
    uses: Uses = field(default_factory=dict)
    runs: tuple[str, ...] = ()
    forget: tuple[str, ...] = ()
    first: int = 0
    panes: tuple[Pane, ...] = ()
    choices: tuple[Choice, ...] = ()
    examples: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    lines: Callable[[SourceText, Checkpoints], list[dict[str, str]]] | None = None
    longer: bool = False

    @property
    def name_in_app(self) -> str:
        return "translate" if self.name == "index" else self.name

    @property
    def views(self) -> tuple[str, ...]:
        """The folders of its pictures, beginning with its own."""
        return (self.view, *(pane.view for pane in self.panes))

    def data(self, sentence: str, checkpoints: Checkpoints) -> dict[str, Any]:
        """The picture of a sentence, without the texts for the section of nearest pieces, which the site lacks."""
        text = next(iter(checkpoints.values())).read(sentence)
        opening = self.opening(text, checkpoints)
        words = {name: message for name, message in opening["words"].items() if name != "neighbors"}
        lines = {"translations": self.lines(text, checkpoints)} if self.lines else {}
        return {**opening, **lines, "words": words}


def decoded(checkpoint: Checkpoint, text: SourceText) -> Trace:
    """The initial decode of a page."""
    return translate(checkpoint, text, DecodingConfig(BEAM))


def line(title: str, name: Architecture, trace: Trace, *notes: str) -> dict[str, str]:
    said = [str(MESSAGES["log_p"]).format(value=signed(trace.log_probability)), *notes]
    said += [] if trace.finished else [str(MESSAGES["unfinished"])]
    text = trace.text or str(MESSAGES["nothing"])
    return {"title": title, "hue": ARCHITECTURES[name].color, "text": text, "note": " · ".join(said)}


def length_lines(text: SourceText, checkpoints: Checkpoints) -> list[dict[str, str]]:
    """The translations with and without attention, as the sentence grows."""
    return [
        line(ARCHITECTURES[name].title, name, decoded(checkpoint, text)) for name, checkpoint in checkpoints.items()
    ]


def ablation_lines(text: SourceText, checkpoints: Checkpoints) -> list[dict[str, str]]:
    """The Transformer's translations in order and shuffled, with the positions of the source and without."""
    ((name, checkpoint),) = checkpoints.items()
    pieces = text.subwords(checkpoint.vocab).pieces
    shuffled = random_order(len(pieces), ABLATION["shuffle"].default)
    lines = []
    for with_positions, change in ((True, NO_CHANGE), (False, Intervention(positions="dropped"))):
        kept, moved = (
            translate_permuted(checkpoint, text, order, DecodingConfig(BEAM), change)
            for order in (range(len(pieces)), shuffled)
        )
        same = [str(MESSAGES["same"])] if kept.text == moved.text else []
        names = ("in_order", "shuffled") if with_positions else ("in_order_source", "shuffled_source")
        lines += [
            line(str(MESSAGES[names[0]]), name, kept),
            line(str(MESSAGES[names[1]]), name, moved, moved.source_text, *same),
        ]
    return lines


def translate_opening(text: SourceText, checkpoints: Checkpoints) -> dict[str, Any]:
    """The alignment panels, each with a link to its beam search."""
    panels = []
    for name, checkpoint in checkpoints.items():
        panel = Panel.of(
            ARCHITECTURES[name].title,
            name,
            decoded(checkpoint, text),
            aligning_head(checkpoint.config, checkpoint.meta),
        )
        pair = f"{checkpoint.meta['source']}-{checkpoint.meta['target']}"
        asked = urlencode({"pair": pair, "text": text.typed, "beam": BEAM, "model": name})
        translation = text.with_emoji(panel.translation)
        panels.append(replace(panel, search=f"beam.html?{asked}", translation=translation))
    messages = {**PANELS, "note_unspaced": NOTE_UNSPACED}
    return alignment_data(panels, sentence=text.text, play=True, marks=True, messages=messages)


def context_vector_opening(text: SourceText, checkpoints: Checkpoints) -> dict[str, Any]:
    """The one vector of a model without attention, and the gates of its decoder."""
    checkpoint = checkpoints["none"]
    gates = getattr(checkpoint.config, "cell", "") == "gru"
    return {**pictures.context_vector(decoded(checkpoint, text), gates=gates, model=checkpoint).data}


def walkthrough_opening(text: SourceText, checkpoints: Checkpoints) -> dict[str, Any]:
    ((_, checkpoint),) = checkpoints.items()
    trace = decoded(checkpoint, text)
    pair = f"{checkpoint.meta['source']}-{checkpoint.meta['target']}"
    mark = checksum(checkpoint.name, pair, trace.source_text, trace.decoding.beam)
    return {**pictures.walkthrough(trace, model=checkpoint).data, "id": mark, "mark": mark}


def checksum(*question: object) -> str:
    """Four digits that distinguish questions, the same as in the app."""
    return f"{zlib.crc32(repr(question).encode()) & 0xFFFF:04x}"


def beam_opening(text: SourceText, checkpoints: Checkpoints) -> dict[str, Any]:
    """The tree of a search, with greedy search drawn over it."""
    ((_, checkpoint),) = checkpoints.items()
    return {**pictures.beam_tree(decoded(checkpoint, text), model=checkpoint).data}


def heads_opening(text: SourceText, checkpoints: Checkpoints) -> dict[str, Any]:
    """All heads of a Transformer, next to the one that aligns best."""
    ((name, checkpoint),) = checkpoints.items()
    trace = decoded(checkpoint, text)
    opening = Head("cross", *(aligning_head(checkpoint.config, checkpoint.meta) or (0, 0)))
    picture = heads_data(
        trace,
        chosen=opening,
        model=ARCHITECTURES[name].title,
        note=str(MESSAGES["first_head"]),
        names=head_names(checkpoint.meta),
        effect=Effect(),
    )
    return {**picture, "heads": {**picture["heads"], "panes": PANES}}


def positions_opening(text: SourceText, checkpoints: Checkpoints) -> dict[str, Any]:
    ((_, checkpoint),) = checkpoints.items()
    config = checkpoint.config
    assert isinstance(config, TransformerConfig)
    pieces = (*text.subwords(checkpoint.vocab).pieces, "<eos>")
    table = sinusoids(max(LEAST, len(pieces)) + MAX_DISTANCE, config.width).numpy()
    return rotation_data(table, pieces, MAX_DISTANCE, title=str(MESSAGES["turn"]).format(D=config.width))


PAGES: tuple[SitePage, ...] = (
    SitePage(
        "index",
        N_("Translate"),
        N_("Where does each model look?"),
        N_("Several models translate the same sentence. Pick a word to see, in each, what it was made from."),
        "alignment",
        CORE,
        translate_opening,
        choose="several",
        uses=TRANSLATE,
        runs=("instead",),
        forget=("pick", "pick-step", "instead"),
    ),
    SitePage(
        "no_attention",
        N_("No attention"),
        N_("Can one vector hold a sentence?"),
        N_("Before attention, the decoder saw only one vector C, made from the encoder's states."),
        "context_vector",
        ("none", "additive"),
        context_vector_opening,
        lines=length_lines,
        longer=True,
        uses=CONTEXT_VECTOR,
        forget=("decoder-step",),
    ),
    SitePage(
        "additive",
        N_("Additive attention"),
        N_("How does a decoder choose where to look?"),
        N_("Before every word, additive attention asks each source state how well it fits. Then try bending it."),
        "walkthrough",
        ("additive",),
        walkthrough_opening,
        uses=WALKTHROUGH,
        runs=("override",),
        forget=("decoder-step", "bend"),
    ),
    SitePage(
        "dot",
        N_("Dot attention"),
        N_("Is a plain product enough to know where to look?"),
        N_("The dot score has no parameters of its own: the decoder's state is multiplied by every encoder state."),
        "walkthrough",
        ("dot",),
        walkthrough_opening,
        uses=WALKTHROUGH,
        runs=("override",),
        forget=("decoder-step", "bend"),
    ),
    SitePage(
        "transformer",
        N_("Transformer"),
        N_("What does each head look at?"),
        N_("A Transformer has many heads. Every head looks in its own way: which of them carry this translation?"),
        "heads",
        ("transformer",),
        heads_opening,
        uses=HEADS,
        runs=("pick", "head", "off", "run", "pane"),  # one cell needs the vectors of the head
        forget=("pick", "pick-step", "piece"),
        panes=(
            Pane("layer", "residual_stream", RESIDUAL_STREAM, STREAM, runs=("off",)),
            Pane("batch", "masks", MASKS, BATCH, limits.DRAWN_PIECES),
        ),
    ),
    SitePage(
        "positions",
        N_("Positions"),
        N_("How does it know the order of the words?"),
        N_("A Transformer adds to each word a pattern for its position. Take it away, or shuffle the words."),
        "rotation",
        ("transformer",),
        positions_opening,
        uses={**ABLATION, **ROTATION},
        runs=tuple(ABLATION),
        first=ORDER,
        forget=("order",),
        choices=(
            Choice("shuffle", N_("Another order of the pieces"), ORDERS, "2"),
            Choice(
                "removed",
                N_("Remove the positions of"),
                {"source": N_("the source"), "target": N_("the target"), "both": N_("both")},
                "source",
            ),
        ),
        lines=ablation_lines,
    ),
    SitePage(
        "beam",
        N_("Beam search"),
        N_("What did search throw away?"),
        N_(
            "At every step beam search keeps the few likeliest prefixes and drops the rest. Point at a candidate for "
            "its arithmetic; click it to ask what if."
        ),
        "beam_tree",
        ("additive",),
        beam_opening,
        choose="one",
        uses=BEAM_TREE,
        runs=("whatif", "compare"),
        forget=("search-step", "later", "whatif", "compare"),
        examples=MISLED,
    ),
)


def linked_page(link: str) -> SitePage:
    """The page to which a link of the app or the site leads. Raises SettingError for one without a picture."""
    name = urlsplit(link).path.rpartition("/")[2].removesuffix(".html") or "index"
    page = next((page for page in PAGES if name in (page.name, page.name_in_app)), None)
    if page is None:
        there = ", ".join(page.name_in_app for page in PAGES)
        raise SettingError(f"There is no page {name!r} with a picture. There are: {there}.")
    return page
