"""Teacher forcing on the Beam search page: a typed translation fed to the model and compared with what search found."""

from functools import partial

import pandas as pd
import streamlit as st

from nmtcore.analysis.teacher_forcing import TeacherForcing, force_truth, verdict
from nmtcore.decoding.trace import coverage_penalty, length_penalty
from nmtcore.errors import TextError
from nmtcore.figures.teacher_forcing import forced_probabilities, forced_table
from nmtcore.figures.text import signed
from nmtcore.limits import check_characters
from nmtcore.text.source import read_source
from pages.beam.state import BeamState
from pages.common import models
from pages.common.address import typed
from pages.common.controls import errors_said, show_notes
from pages.common.figure import draw_figure, theme_colors
from pages.common.i18n import _, language, languages
from pages.common.opening import ModelPage
from pages.common.probes import analysed
from pages.common.result import log_p, translation_line
from pages.common.text import done_to, other_script


def draw_teacher_forcing(page: ModelPage[BeamState]) -> None:
    """A folded pane: a box for the right translation and, once it is typed, how likely the model finds it."""
    with st.expander(
        _("Teacher forcing: how likely does the model find the right translation?"),
        expanded=bool(page.state.truth),
        type="compact",
        key="teacher forcing",
    ):
        entered = st.text_input(
            _("The translation that you think is right, in {language}").format(
                language=language(languages(page.question.pair)[1])
            ),
            placeholder=_("Type the translation and press Enter"),
            **typed(page.state, "truth"),
        )
        if not entered:
            st.markdown(
                _(
                    "At each step the model reads the true words so far, not its own, as in training. The page shows "
                    "how likely it finds the next true word, and where it would have gone another way."
                )
            )
            return
        with errors_said():
            _show(page, _forced(page, entered))


def _forced(page: ModelPage[BeamState], typed: str) -> TeacherForcing:
    """The forced score of the typed text. Raises TextError with a sentence for the person."""
    if not typed.strip():
        raise TextError(_("Type the translation that you think is right."))
    target = languages(page.question.pair)[1]
    truth = read_source(typed, target)
    check_characters(len(truth.normalized), _)
    show_notes(*done_to(truth))
    if other_script(truth.text, target):
        show_notes(
            _(
                "This model writes {language}, and most of these letters belong to another script: expect it to find "
                "them very unlikely."
            ).format(language=language(target))
        )
    forced: TeacherForcing = analysed(partial(force_truth, page.checkpoint, page.source, truth))
    return forced


def _show(page: ModelPage[BeamState], forced: TeacherForcing) -> None:
    state = page.state
    architecture = page.question.architecture
    assert architecture is not None
    vocab = page.checkpoint.vocab
    end = page.trace.ranked(state.alpha, state.beta)[0]
    winner = vocab.decode([node.token_id for node in page.trace.path(end)])
    yours, beside = st.columns(2, gap="medium")
    with yours:
        note = _score(forced.log_probability, len(forced.pieces), forced.coverage, state)
        translation_line(_("Yours"), architecture, forced.text, log_p(forced.log_probability), note)
    with beside:
        name = _("Found by beam search, width {width}").format(width=page.decoding.beam)
        name = name if page.decoding.beam > 1 else _("Found by greedy search")
        translation_line(name, architecture, winner, log_p(end.total), _score(end.total, end.step, end.coverage, state))
    st.markdown(_verdict(page, forced))
    drawing, words = st.columns([3, 2], gap="medium")
    table = forced_table(forced)
    with drawing:
        draw_figure(
            partial(
                forced_probabilities,
                table,
                architecture,
                (_("probability of the true piece"), _("thin: the model's favourite")),
                _("rank {rank}"),
                _("model: {piece} {probability}"),
                theme_colors().ink,
            ),
            key="forced",
            title=_("Teacher forcing, {model}: {sentence} → {truth}").format(
                model=models.heading(page.model), sentence=page.source.text, truth=forced.text
            ),
            table=table,
        )
    with words:
        _first_difference(forced.first_difference, table, len(vocab))
        st.latex(r"\log P(y\mid x)=\sum_j \log p(y_j\mid y_{<j},x)")
        st.latex(r"s(y,x)=\frac{\log P(y\mid x)}{lp(y)}+cp(y,x)")


def _score(log_probability: float, length: int, coverage: float, state: BeamState) -> str:
    """s(y, x) with the numbers that give it, which have more digits than it."""
    lp, cp = length_penalty(length, state.alpha), coverage_penalty(coverage, state.beta)
    total = signed(log_probability / lp + cp)
    parts = f"{signed(log_probability, 3)} / {lp:.4f}"
    return f"s = {parts}{f' + ({signed(cp, 3)})' if cp else ''} = {total}"


def _verdict(page: ModelPage[BeamState], forced: TeacherForcing) -> str:
    """Search error or model error, in a sentence."""
    sentences = {
        "same": _("Search found just this translation."),
        "other_pieces": _("Search found this very text, split into other pieces of the vocabulary."),
        "unfinished": _(
            "Search stopped at its length limit before the end of its translation: the two scores cannot be compared."
        ),
        "search_error": _(
            "Yours scores higher than what search found: a **search error**. The model prefers yours, but search "
            "dropped a prefix of it on the way; a wider beam may keep it."
        ),
        "model_error": _(
            "Yours scores no higher than what search found: if yours is right, this is a **model error**. A better "
            "search would not help: the model itself prefers the other one."
        ),
    }
    said = sentences[verdict(forced, page.trace, page.checkpoint.vocab, page.state.alpha, page.state.beta)]
    source = _("Search error and model error as in Stahlberg and Byrne (2019); both scores have the tree's α and β.")
    return f"{said} {source}"


def _first_difference(step: int, table: pd.DataFrame, size: int) -> None:
    """Where the model's own words first differ from the truth. step: from 1, 0 for nowhere; table: `forced_table`'s."""
    if not step:
        st.text(_("At every step the true piece is the model's favourite: greedy search writes just this."))
        return
    piece = table.iloc[step - 1]
    st.text(
        _(
            "Step {step} is the first at which the model would write something else: “{favourite}” instead of "
            "“{piece}”, which has rank {rank:,} of {size:,}. Left alone it would go on from its own word; here it is "
            "fed the true one."
        ).format(step=step, favourite=piece["favourite"], piece=piece["piece"], rank=piece["rank"], size=size)
    )
