"""The table of costs: one row a model, and the models of the papers that are too large to train here."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmtcore.analysis.complexity import Complexity, layer_complexity
from nmtcore.analysis.costs import Costs, Operations, model_costs, stacked_operations
from nmtcore.analysis.larger_models import LARGER
from nmtcore.config import DEFAULT_BEAM, MaskPredictDecoding
from nmtcore.evaluation.cards import WATTS, training_hours, training_watt_hours
from nmtcore.figures.palette import HUES
from nmtcore.models.checkpoint import meta_numbers
from pages.architectures.found import FEW, MANY, FoundInRounds, Known
from pages.architectures.state import ArchitecturesState
from pages.architectures.times import Decode, known
from pages.common import models
from pages.common.address import fragment, read_state
from pages.common.disclosure import section_button
from pages.common.figure import theme_colors
from pages.common.i18n import _
from pages.common.late_progress import LateProgress

UNKNOWN, COMING = "\u2013", "\u2026"
STYLE = """<style>
.costs { overflow-x: auto; scrollbar-width: thin; scrollbar-color: var(--quiet) transparent; }
.costs table { border-collapse: collapse; font-size: 0.9rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.costs th { font-weight: 400; font-size: 0.8rem; opacity: 0.75; text-align: right; vertical-align: bottom; }
.costs th, .costs td { padding: 0.22rem 0 0.22rem 0.9rem; }
.costs td { text-align: right; vertical-align: baseline; white-space: nowrap; }
.costs td small { opacity: 0.7; padding-left: 0.25rem; }
.costs tr > :first-child { text-align: left; padding: 0.22rem 0.4rem 0.22rem 0.6rem; }
.costs .group th { text-align: left; padding-bottom: 0; }
.costs .group th + th { border-bottom: 1px solid color-mix(in srgb, currentColor 30%, transparent); }
.costs .name { border-left: 4px solid transparent; font-weight: 650; position: sticky; left: 0; }
.costs .untrained td { color: color-mix(in srgb, currentColor 75%, transparent); }
.costs .untrained .name { font-weight: 400; }
</style>"""


@dataclass(frozen=True)
class CostTable:
    """The table, in a place where it can be drawn again when more is known. larger: with the larger models."""

    place: DeltaGenerator
    found: Sequence[Known]
    larger: bool

    @property
    def decodes(self) -> list[Decode]:
        return [(one, decoding) for one in self.found for decoding in one.decodings]

    def draw(self, progress: LateProgress | None = None) -> None:
        """Draw it. progress: of counting the larger models."""
        larger = _larger_rows(self.found, progress) if self.larger else ""
        self.place.html(costs_html(self.found, larger))


@fragment
def draw_cost_table(found: Sequence[Known]) -> CostTable:
    """Draw the table, a button for the larger models below it, and what its figures are."""
    state, _notes = read_state(ArchitecturesState)
    with st.container(key="cost table"):
        table = CostTable(st.empty(), found, state.larger)
    table.draw(LateProgress(st.empty(), len(LARGER)))
    st.caption(
        _(
            "ms: processor time of a decode of this sentence with its whole record, the quickest of up to ten, one "
            "model after another on this machine; {dots}: not measured yet."
        ).format(dots=COMING)
    )
    show = _("What would the larger models of the papers cost?")
    section_button(state, "larger", show=show, hide=_("Hide the larger models"), key="larger models")
    with st.expander(_("What the figures are"), type="compact", key="costs explained"):
        st.markdown(_explanation(any(isinstance(one, FoundInRounds) for one in found)))
    return table


def costs_html(found: Sequence[Known], larger: str = "") -> str:
    """The table, all texts escaped. larger: further rows."""
    heads = (
        "", _("weights, millions"), _("MB, float16"),
        _("multiply-adds, millions"), _("products in a row, learning"), _("products in a row, writing"),
        _("longest path"), _("ms greedy"), _("ms beam {width}").format(width=DEFAULT_BEAM),
        "BLEU", "AER", _("typed, right"), _("hours"), _("Wh"),
    )  # fmt: skip
    groups = ((1, ""), (2, _("always")), (6, _("this sentence")), (3, _("test sets")), (2, _("training")))
    over = "".join(f'<th colspan="{count}">{html.escape(name)}</th>' for count, name in groups)
    head = "".join(f"<th>{html.escape(name)}</th>" for name in heads)
    rows = "".join(_row(one) for one in found)
    table = f'<table><thead><tr class="group">{over}</tr><tr>{head}</tr></thead><tbody>{rows}{larger}</tbody></table>'
    ground = f"<style>.costs .name {{ background: {theme_colors().background}; }}</style>"  # over what scrolls below it
    return f'{STYLE}{ground}<div class="costs">{table}</div>'


def _row(one: Known) -> str:
    hue = HUES[models.architecture(one.id)]
    meta, in_rounds = one.meta, isinstance(one, FoundInRounds)
    cells = [
        *_counted(one.asked, one.costs, one.complexity, one.lengths, "O(T)" if in_rounds else ""),
        *_milliseconds(one),
        _known(meta_numbers(meta, "scores").get("bleu"), "{:.1f}"),
        _known(meta_numbers(meta, "alignments", "best").get("aer"), "{:.3f}"),
        _known(meta_numbers(meta, "robustness").get("right"), "{:.0%}"),
        _known(training_hours(meta), "{:.1f}"),
        _known(training_watt_hours(meta), "{:.0f}"),
    ]
    name = f'<td class="name" style="border-color: {hue}">{html.escape(one.title)}</td>'
    return f"<tr>{name}{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _larger_rows(found: Sequence[Known], progress: LateProgress | None) -> str:
    """Counted with the pieces of the largest model here, since these have no vocabulary."""
    lengths = max(found, key=lambda one: one.costs.parameters).lengths
    rows = []
    for model in LARGER:
        if progress:
            progress.next(_("Counting the larger models"))
        kind = layer_complexity(model.config)
        cells = _counted(partial(stacked_operations, model.config), model_costs(model.config), kind, lengths)
        cells += [UNKNOWN] * 7
        name = f'<td class="name" title="{html.escape(model.source)}">{html.escape(model.title)}</td>'
        rows.append(f'<tr class="untrained">{name}{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>')
    if progress:
        progress.end()
    words = _("Not trained here: counted from the configurations of the papers, without weights")
    return f'<tr><td colspan="14" style="opacity: 0.75; padding-top: 0.7rem">{html.escape(words)}</td></tr>' + "".join(
        rows
    )


def _counted(
    asked: Callable[[int, int], Operations],
    cost: Costs,
    kind: Complexity | None,
    lengths: tuple[int, int],
    writing: str = "",
) -> list[str]:
    """The cells of what is counted. asked: operations for the lengths of source and translation.

    writing: how the products in a row grow while it writes, where that is not with the lengths.
    """
    source, target = lengths
    here, longer = asked(source, target), asked(source + 1, target + 1)

    def growing(steps: Callable[[Operations], int], known: str = "") -> str:
        return f"{steps(here):,}<small>{known or ('O(n)' if steps(longer) > steps(here) else 'O(1)')}</small>"

    return [
        f"{cost.parameters / 1e6:,.1f}",
        f"{cost.memory / 1e6:,.1f}",
        millions(here.total),
        growing(lambda counted: counted.sequential_training),
        growing(lambda counted: counted.sequential_decoding, writing),
        UNKNOWN if kind is None else f"{kind.path(source):,}<small>{kind.path_formula}</small>",
    ]


def millions(operations: float) -> str:
    return f"{operations / 1e6:,.0f}" if operations > 1e7 else f"{operations / 1e6:.2g}"


def _milliseconds(one: Known) -> list[str]:
    """Of greedy search and of the beam, or of few rounds and of many, which are named."""
    times = [known(one, decoding) for decoding in one.decodings]
    cells = [COMING if seconds is None else f"{1000 * seconds:.0f}" for seconds in times]
    if not isinstance(one, FoundInRounds):
        return cells
    return [f"{cell}<small>T = {rounds}</small>" for cell, rounds in zip(cells, (FEW, MANY), strict=True)]


def _known(value: float | None, form: str) -> str:
    return UNKNOWN if value is None else form.format(value)


def _explanation(in_rounds: bool) -> str:
    """in_rounds: whether a model of the table writes all words at once."""
    says = _(
        "Multiply-adds: the source read once, and the model's own translation fed to its decoder; counted by PyTorch,"
        " without softmax, gates and norms. Products in a row: matrix products of which each waits for the one "
        "before, when the whole translation is given (learning) and when each word waits for the last (writing). "
        "Longest path: connections between two words of the source inside the encoder. Milliseconds: of one thread, "
        "from the text to the record that the pages draw; while many use this server, none are measured. Test sets: "
        "BLEU of the test split with beam {width}, AER of the best head, and the share that is right of sentences as "
        "people type them; all from the model's card. Hours of training on processor cores, a teacher's not counted; "
        "watt-hours: an estimate of {watts} W a busy core. {dash}: not known, or nothing to measure, such as AER "
        "without attention."
    ).format(width=DEFAULT_BEAM, watts=WATTS, dash=UNKNOWN)
    if not in_rounds:
        return says
    return f"{says} " + _(
        "A model that writes all words at once has no beam: its decoder runs T times. Its multiply-adds and products "
        "in a row are those of {many} rounds for the length that won, its scores those of {many} rounds; its "
        "milliseconds are of T = {few} and T = {many}, {lengths} lengths side by side."
    ).format(few=FEW, many=MANY, lengths=MaskPredictDecoding().lengths)
