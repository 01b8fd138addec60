"""Beam against greedy: what every model on the page writes with either search, on demand."""

import html
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import streamlit as st

from nmtcore.config import DEFAULT_BEAM, Architecture, DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.figures.palette import HUES
from nmtcore.figures.text import signed
from nmtcore.text.diff import word_diff
from pages.common import models
from pages.common.controls import errors_said
from pages.common.disclosure import section_button
from pages.common.i18n import _
from pages.common.late_progress import LateProgress
from pages.common.result import translations_table, underlined, unfinished_note
from pages.translate.state import TranslateState


@errors_said()
def draw_beam_against_greedy(state: TranslateState, ids: Iterable[str]) -> None:
    """A button and, once it is pressed, both translations of each model with their log P; nothing without models."""
    ids = tuple(ids)
    if not ids:
        return
    show = _("Does the beam matter? Compare it with greedy search")
    if not section_button(state, "greedy", show=show, hide=_("Hide greedy search"), key="against greedy"):
        return
    width = state.question.beam if state.question.beam > 1 else DEFAULT_BEAM
    with LateProgress(st.empty(), 2 * len(ids)) as progress:
        traces = _searched(state, ids, width, progress)
        narrowest = min(beam.decoding.beam for _greedy, beam in traces)
        if narrowest < width:  # the sentence is long
            width = narrowest
            traces = _searched(state, ids, width, progress)
    by_heading = {
        models.heading(model): (models.architecture(model), *both) for model, both in zip(ids, traces, strict=True)
    }
    with st.container(key="rows-searches"):
        st.html(comparison(by_heading, width))


def _searched(
    state: TranslateState, ids: Sequence[str], width: int, progress: LateProgress
) -> list[tuple[Trace, Trace]]:
    """Each model's greedy and beam translations."""
    ways = (DecodingConfig(1), DecodingConfig(width))
    asked = [models.request(model, state.question.source, way) for model in ids for way in ways]
    answers = models.ask(asked, progress=partial(progress.show, _("Searching with every model")))
    return list(zip(answers[::2], answers[1::2], strict=True))


def comparison(translations: Mapping[str, tuple[Architecture, Trace, Trace]], width: int) -> str:
    """The table, with all texts escaped. translations: architecture, greedy and beam translation, by model heading."""
    heads = ("", _("search"), "log P", _("translation; underlined: words that the other search did not write"))
    lines = []
    for heading, (architecture, greedy, beam) in translations.items():
        colour = f"border-left: 4px solid {HUES[architecture]}; padding-left: 0.5rem; font-weight: 650"
        names = (f'<span style="{colour}">{html.escape(heading)}</span>', "")
        if greedy.ids == beam.ids:
            rows = [(_("both"), beam, [(beam.text, False)])]
        else:
            first, second = word_diff(greedy.text, beam.text)
            rows = [(_("greedy"), greedy, first), (_("beam {width}").format(width=width), beam, second)]
        for name, (search, trace, parts) in zip(names, rows, strict=False):
            text = underlined(parts) + html.escape("".join(f" ({note})" for note in unfinished_note(trace)))
            lines.append(([name, html.escape(search), signed(trace.log_probability), text], ""))
    return translations_table(heads, lines)
