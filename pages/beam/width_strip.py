"""Width strip on the Beam search page: what widths 1 to 10 find and at what cost, on demand."""

import html
from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from nmtcore.analysis.beam_widths import WIDTHS as COMPARED
from nmtcore.analysis.beam_widths import WidthResult, compare_widths
from nmtcore.config import DecodingConfig
from nmtcore.figures.beam_widths import log_probability_by_width
from nmtcore.figures.text import signed
from nmtcore.text.diff import word_diff
from pages.beam.state import BeamState
from pages.common import models
from pages.common.controls import errors_said
from pages.common.disclosure import section_button
from pages.common.figure import draw_figure, theme_colors
from pages.common.i18n import _, languages
from pages.common.late_progress import LateProgress
from pages.common.opening import ModelPage
from pages.common.result import translations_table, underlined


@errors_said()
def draw_width_strip(page: ModelPage[BeamState]) -> None:
    """A button and, once it is pressed, a row for each width and log P by width."""
    show = _("Is a wider beam worth it? Compare widths 1 to 10")
    if not section_button(page.state, "widths", show=show, hide=_("Hide the widths"), key="widths"):
        return
    asked = [models.request(page.model, page.source, DecodingConfig(width)) for width in COMPARED]
    with LateProgress(st.empty(), len(COMPARED)) as progress:
        answers = models.ask(asked, progress=partial(progress.show, _("Searching with ten widths")))
    traces = [trace for trace, width in zip(answers, COMPARED, strict=True) if trace.decoding.beam == width]
    state, target = page.state, languages(page.question.pair)[1]
    _show(page, compare_widths(traces, page.checkpoint.vocab, state.alpha, state.beta, state.truth.strip(), target))


def _show(page: ModelPage[BeamState], results: Sequence[WidthResult]) -> None:
    architecture = page.question.architecture
    assert architecture is not None
    with st.container(key="rows-widths"):
        st.html(_rows(results, page.decoding.beam))
    drawing, words = st.columns([3, 2], gap="medium")
    table = pd.DataFrame(list(results))
    with drawing:
        draw_figure(
            partial(
                log_probability_by_width,
                table,
                architecture,
                page.decoding.beam,
                _("beam width"),
                "log P(y | x)",
                theme_colors().ink,
            ),
            key="widths",
            title=_("log P by beam width, {model}: {sentence}").format(
                model=models.heading(page.model), sentence=page.source.text
            ),
            table=table,
        )
    with words:
        st.markdown(
            _(
                "A wider beam considers more candidates. It usually finds a translation with a higher score, but not "
                "always a better one. Each row is the winner for the tree's α and β, so its log P may be lower than a "
                "shorter one's above it. Each time was measured once, on this machine."
            )
        )
        if page.state.constraints:
            st.markdown(_("These searches are free: the constraints above are left out."))
        st.latex(r"s(y,x)=\frac{\log P(y\mid x)}{lp(y)}+cp(y,x)")
        if results[0].bleu is None:
            st.markdown(_("Type the right translation above to see each row's BLEU."))
        else:
            st.markdown(_("BLEU is sacrebleu's sentence BLEU (effective order), against what you typed above."))


def _rows(results: Sequence[WidthResult], present: int) -> str:
    """The table: every text is escaped. Words that the row above lacks are underlined;
    if there are none, words that only the row above has are crossed out at the end."""
    scored = results[0].bleu is not None
    covered = any(result.cp for result in results)
    heads = [
        _("width"),
        "log P",
        "lp",
        *(["cp"] if covered else []),
        "s",
        "ms",
        *(["BLEU"] if scored else []),
        _("translation; underlined: new, crossed out: gone"),
    ]
    lines = []
    before = ""
    for result in results:
        cells = [
            f"{result.width}{' ◂' if result.width == present else ''}",
            signed(result.log_probability, 3),
            f"{result.lp:.4f}",
            *([signed(result.cp, 3)] if covered else []),
            signed(result.score),
            f"{result.milliseconds:.0f}",
            *([f"{result.bleu or 0.0:.1f}"] if scored else []),
            _changed(before, result),
        ]
        mine = "font-weight: 650; background: color-mix(in srgb, currentColor 8%, transparent)"
        lines.append((cells, mine if result.width == present else ""))
        before = result.text
    return translations_table(heads, lines, numbers="right")


def _changed(before: str, result: WidthResult) -> str:
    """A translation if it differs from the previous width's; otherwise a note that it is the same."""
    stopped = "" if result.finished else f" ({html.escape(_('stopped at the length limit'))})"
    if before and result.text == before:
        return f'<span style="opacity: 0.7">{html.escape(_("the same"))}</span>{stopped}'
    if not before:
        return html.escape(result.text) + stopped
    old, parts = word_diff(before, result.text)
    shown = underlined(parts)
    if not any(new for __, new in parts):
        gone = " … ".join(html.escape(text.strip()) for text, missing in old if missing)
        shown += f' <s style="opacity: 0.7">{gone}</s>'
    return shown + stopped
