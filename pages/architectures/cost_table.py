"""The table of costs: one row per model, and the papers' models that are too large to train here."""

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmtcore.analysis.complexity import Complexity, layer_complexity
from nmtcore.analysis.costs import Operations, parameters, stacked_operations
from nmtcore.analysis.larger_models import LARGER
from nmtcore.config import DEFAULT_BEAM, Decoding, MaskPredictDecoding
from nmtcore.evaluation.cards import WATTS, training_hours, training_watt_hours
from nmtcore.figures.palette import HUES
from nmtcore.models.checkpoint import meta_numbers
from nmtcore.views import bundle
from pages.architectures.results import FEW, MANY, ModelResult
from pages.architectures.state import COLUMNS, ArchitecturesState
from pages.common import models
from pages.common.address import fragment, read_state
from pages.common.component import Slice
from pages.common.disclosure import section_button
from pages.common.figure import DARK, LIGHT
from pages.common.i18n import _

# Not isolated: the table that it sorts is beside it on the page and is redrawn when more is known.
_sorting = st.components.v2.component(
    "sorting", js=bundle.script(Path(__file__).with_name("cost_table.js")), isolate_styles=False
)
UNKNOWN, COMING = "\u2013", "\u2026"
BYTES = 2  # of a weight in float16
STYLE = """<style>
.costs { overflow-x: auto; scrollbar-width: thin; scrollbar-color: var(--quiet) transparent; }
.costs table { border-collapse: collapse; font-size: 0.9rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.costs th { font-weight: 400; font-size: 0.8rem; opacity: 0.75; text-align: right; vertical-align: bottom;
  text-wrap: balance; }
.costs th, .costs td { padding: 0.22rem 0 0.22rem 0.55rem; }
.costs td { text-align: right; vertical-align: baseline; white-space: nowrap; }
.costs td small { opacity: 0.85; padding-left: 0.25rem; }
.costs tr > :first-child { text-align: left; padding: 0.22rem 0.4rem 0.22rem 0.6rem; }
.costs td[data-value] {
  border-left: 0.3rem solid transparent; padding-left: 0.25rem;
  background-clip: padding-box; background-repeat: no-repeat;
  background-image: linear-gradient(color-mix(in srgb, var(--hue) 26%, transparent) 0 0);
  background-size: var(--share) 72%; background-position: 0 50%;
}
.costs :is(th[title], [data-code] .name) { cursor: pointer; }
.costs :is(th[title], [data-code] .name):hover { text-decoration: underline; }
.costs select {
  display: block; width: 8rem; margin: 0.15rem 0; padding: 0.1rem; font: inherit; font-size: 0.8rem; color: inherit;
  background: none; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 0.3rem;
}
.costs [aria-sort] { font-weight: 650; opacity: 1; }
.costs [aria-sort="ascending"]::after { content: " ↑"; }
.costs [aria-sort="descending"]::after { content: " ↓"; }
.costs .ratios td { font-weight: 650; }
.costs .group th { text-align: left; padding-bottom: 0; }
.costs .group * + th { border-bottom: 1px solid color-mix(in srgb, currentColor 30%, transparent); }
.costs .name { border-left: 4px solid transparent; font-weight: 650; position: sticky; left: 0; }
.costs .untrained td { color: color-mix(in srgb, currentColor 80%, transparent); }
.costs .untrained .name { font-weight: 400; }
</style>"""
# Above what scrolls below it.
GROUND = f"<style>.costs .name {{ background: light-dark({LIGHT.background}, {DARK.background}); }}</style>"


@dataclass(frozen=True)
class CostTable:
    """The table, in a placeholder so that it can be redrawn when more is known.

    larger: with the larger models; ratio: with the last model's costs as multiples of the first one's.
    """

    place: DeltaGenerator
    results: Sequence[ModelResult]
    larger: bool = False
    ratio: bool = False

    @property
    def decodes(self) -> list[tuple[ModelResult, Decoding]]:
        return [(one, decoding) for one in self.results for decoding in one.decodings]

    def draw(self) -> None:
        larger = _larger_rows(self.results) if self.larger else ""
        self.place.html(costs_html([row(one) for one in self.results], larger, self.ratio))


@fragment
def draw_cost_table(results: Sequence[ModelResult]) -> CostTable:
    """Draw the table, with a button for the larger models below it and an explanation of its figures."""
    state, _notes = read_state(ArchitecturesState)
    with st.container(key="cost table"):
        link = Slice(state, {"sort": "sort", "against": "against"}).to_json()
        words = {
            **{"sort": _("Sort by this column"), "against": _("Show figures relative to this model")},
            **{"sortBy": _("Sort the models by"), "asListed": _("as listed")},
            **{"timesOf": _("Figures relative to"), "asMeasured": _("as measured")},
        }
        _sorting(key="cost sorting", data={"words": words, "link": link}, height="content")
        table = CostTable(st.empty(), results, state.larger)
    table.draw()
    st.caption(
        _(
            "ms: processor time to translate and record this sentence, the fastest of up to ten runs, one model after "
            "another on this machine; {dots}: not measured yet."
        ).format(dots=COMING)
    )
    show = _("What would the papers' larger models cost?")
    section_button(state, "larger", show=show, hide=_("Hide the larger models"), key="larger models")
    with st.expander(_("What the figures mean"), type="compact", key="costs explained"):
        st.markdown(_explanation(any(one.at_once for one in results)))
    return table


@dataclass(frozen=True)
class Cell:
    """A figure in the table. value: the number to sort and compare by; small: a note beside it."""

    text: str
    value: float | None = None
    small: str = ""

    def html(self, most: float = 0.0) -> str:
        """most: the column's largest value, which gets a full bar; without one there is no bar."""
        said = html.escape(self.text) + (f"<small>{html.escape(self.small)}</small>" if self.small else "")
        if self.value is None:
            return f"<td>{said}</td>"
        bar = f' style="--share: {100 * self.value / most:.1f}%"' if most else ""
        return f'<td data-value="{self.value:.6g}"{bar}>{said}</td>'


@dataclass(frozen=True)
class Row:
    """A model in the table: its code, name, colour and cells, one for each of COLUMNS."""

    code: str
    name: str
    hue: str
    cells: Sequence[Cell]


def _heads() -> tuple[str, ...]:
    """The headings of COLUMNS."""
    return (
        _("weights, millions"), _("MB, float16"),
        _("multiply-adds, millions"), _("sequential steps, training"), _("sequential steps, decoding"),
        _("longest path"), _("ms greedy"), _("ms beam {width}").format(width=DEFAULT_BEAM),
        "BLEU", "AER", _("everyday sentences right"), _("hours"), _("Wh"),
    )  # fmt: skip


def costs_html(rows: Sequence[Row], larger: str = "", ratio: bool = False) -> str:
    """The table, with all texts escaped. larger: further rows; ratio: add the last row's ratio to the first."""
    groups = ((1, ""), (2, _("always")), (6, _("this sentence")), (3, _("test sets")), (2, _("training")))
    over = "".join(f'<th colspan="{count}">{html.escape(name)}</th>' if name else "<td></td>" for count, name in groups)
    named = zip(COLUMNS, _heads(), strict=True)
    head = "<td></td>" + "".join(f'<th data-column="{code}">{html.escape(name)}</th>' for code, name in named)
    most = [
        max((cell.value or 0.0 for cell in column), default=0.0)
        for column in zip(*(one.cells for one in rows), strict=True)
    ]
    body = "".join(_row_html(one, most) for one in rows) + (_ratios(rows[0], rows[-1]) if ratio else "")
    table = f'<table><thead><tr class="group">{over}</tr><tr>{head}</tr></thead><tbody>{body}{larger}</tbody></table>'
    return f'{STYLE}{GROUND}<div class="costs">{table}</div>'


def _row_html(row: Row, most: Sequence[float]) -> str:
    name = f'<td class="name" style="border-color: {row.hue}">{html.escape(row.name)}</td>'
    cells = "".join(cell.html(longest) for cell, longest in zip(row.cells, most, strict=True))
    return f'<tr data-code="{html.escape(row.code)}" style="--hue: {row.hue}">{name}{cells}</tr>'


def _ratios(first: Row, second: Row) -> str:
    """The second row's figures as multiples of the first row's."""
    cells = (
        _multiple(b.value / a.value) if a.value and b.value is not None else UNKNOWN
        for a, b in zip(first.cells, second.cells, strict=True)
    )
    name = html.escape(f"{second.name} / {first.name}")
    return f'<tr class="ratios"><td class="name">{name}</td>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def _multiple(times: float) -> str:
    """Two significant digits, or all digits of the whole part; halves are rounded up, as in the browser."""
    times *= 1 + 1e-9
    return f"× {times:.2g}" if times < 10 else f"× {times:,.0f}"


def row(one: ModelResult) -> Row:
    """The row of one of our models."""
    meta = one.meta
    cells = [
        *_counted(one.asked, one.parameters, one.complexity, one.lengths, "O(T)" if one.at_once else ""),
        *_milliseconds(one),
        _known(meta_numbers(meta, "scores").get("bleu"), "{:.1f}"),
        _known(meta_numbers(meta, "alignments", "best").get("aer"), "{:.3f}"),
        _known(meta_numbers(meta, "robustness").get("right"), "{:.0%}"),
        _known(training_hours(meta), "{:.1f}"),
        _known(training_watt_hours(meta), "{:.0f}"),
    ]
    return Row(one.code, one.title, HUES[models.architecture(one.id)], cells)


def _larger_rows(results: Sequence[ModelResult]) -> str:
    """Rows counted with the pieces of the largest model here, since the larger models have no vocabulary."""
    lengths = max(results, key=lambda one: one.parameters).lengths
    rows = []
    for model in LARGER:
        kind = layer_complexity(model.config)
        cells = _counted(partial(stacked_operations, model.config), parameters(model.config), kind, lengths)
        cells += [Cell(UNKNOWN)] * 7
        name = f'<td class="name" title="{html.escape(model.source)}">{html.escape(model.title)}</td>'
        rows.append(f'<tr class="untrained">{name}{"".join(cell.html() for cell in cells)}</tr>')
    words = _("Not trained here: counted from the configurations of the papers, without weights")
    return f'<tr><td colspan="14" style="opacity: 0.75; padding-top: 0.7rem">{html.escape(words)}</td></tr>' + "".join(
        rows
    )


def _counted(
    asked: Callable[[int, int], Operations],
    weights: int,
    kind: Complexity | None,
    lengths: tuple[int, int],
    writing: str = "",
) -> list[Cell]:
    """The cells that are counted. asked: operations for the lengths of source and translation.

    writing: how the sequential steps grow while decoding, if not with the lengths.
    """
    source, target = lengths
    here, longer = asked(source, target), asked(source + 1, target + 1)

    def growing(steps: Callable[[Operations], int], known: str = "") -> Cell:
        return Cell(f"{steps(here):,}", steps(here), known or ("O(n)" if steps(longer) > steps(here) else "O(1)"))

    def counted(number: float) -> Cell:
        return Cell(f"{number / 1e6:,.1f}", number)

    path = Cell(UNKNOWN) if kind is None else Cell(f"{kind.path(source):,}", kind.path(source), kind.path_formula)
    return [
        counted(weights),
        counted(BYTES * weights),
        Cell(millions(here.total), here.total),
        growing(lambda operations: operations.sequential_training),
        growing(lambda operations: operations.sequential_decoding, writing),
        path,
    ]


def millions(operations: float) -> str:
    return f"{operations / 1e6:,.0f}" if operations > 1e7 else f"{operations / 1e6:.2g}"


def _milliseconds(one: ModelResult) -> list[Cell]:
    """Times of greedy and beam search, or of few and many rounds, which are named."""
    times = [one.seconds(decoding) for decoding in one.decodings]
    rounds = [f"T = {count}" for count in (FEW, MANY)] if one.at_once else ["", ""]
    return [
        Cell(COMING, small=small) if seconds is None else Cell(f"{1000 * seconds:.0f}", seconds, small)
        for seconds, small in zip(times, rounds, strict=True)
    ]


def _known(value: float | None, form: str) -> Cell:
    return Cell(UNKNOWN) if value is None else Cell(form.format(value), value)


def _explanation(in_rounds: bool) -> str:
    """in_rounds: whether a model in the table writes all words at once."""
    says = _(
        "Multiply-adds: to read the source once and feed the model's own translation to its decoder; counted by "
        "PyTorch, without softmax, gates and norms. Sequential steps: matrix products that each wait for the one "
        "before, in training, where the whole translation is given, and in decoding, where each word waits for the "
        "last. Longest path: connections between two source words inside the encoder. Milliseconds: on one thread, "
        "from the text to the record that the pages draw; not measured while many use this server. Test sets: BLEU on "
        "the test split with beam {width}, AER of the best head, and the share of sentences as people type them that "
        "come out right; all from the model's card. Hours of training on processor cores, without a teacher's; "
        "watt-hours: estimated at {watts} W per busy core. {dash}: not known, or nothing to measure, such as AER "
        "without attention."
    ).format(width=DEFAULT_BEAM, watts=WATTS, dash=UNKNOWN)
    if not in_rounds:
        return says
    return f"{says} " + _(
        "A model that writes all words at once has no beam: its decoder runs T times. Its multiply-adds and sequential "
        "steps are for {many} rounds at the length that won, its scores for {many} rounds; its milliseconds are for T "
        "= {few} and T = {many}, {lengths} lengths side by side."
    ).format(few=FEW, many=MANY, lengths=MaskPredictDecoding().lengths)
