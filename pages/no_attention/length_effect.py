"""Length effects: how longer sentences affect the models of a pair, in the test split and live."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import groupby
from typing import Any

import pandas as pd
import streamlit as st

from nmtcore.analysis.length_effect import still_there
from nmtcore.config import Architecture, DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import CheckpointError, TextError
from nmtcore.figures import length
from nmtcore.text.languages import language
from nmtcore.text.normalization import SPACE
from nmtcore.text.source import read_source
from nmtcore.text.vocabulary import CONTINUED
from pages.common import models
from pages.common.address import control, fragment, read_state
from pages.common.figure import draw_figure
from pages.common.i18n import _, languages, title
from pages.common.result import translation_line, unfinished_note
from pages.common.switch import draw_switch, shown_for
from pages.no_attention.state import NoAttentionState

GROWTH = "growth"  # key of the chart with the translations beside it
_END = re.compile(r"[\s.!?…。！？]+$")


def scores_by_length(state: NoAttentionState) -> None:
    """Quality on the test split by length, as far as the models' cards have it."""
    asked = state.question
    st.header(_("Do long sentences suffer?"), anchor=False)
    ids = models.available(asked.choice)
    cards: dict[Architecture, Any] = {}
    for name, model in ids.items():
        with suppress(CheckpointError):
            cards[name] = models.load(model).meta
    known = {name: card["by_length"] for name, card in cards.items() if card.get("by_length")}
    missing = ", ".join(title(name) for name in ids if name not in known)
    if missing:
        st.text(_("The cards of these models have no scores by length: {models}.").format(models=missing))
    if not known:
        return
    drawing, words = st.columns([5, 2], gap="medium")
    score, offered = state.score, ("chrF", "BLEU")
    words.segmented_control(_("Score"), offered, required=True, **control(state, "score"))
    table = length.by_length_table(known, "bleu" if score == "BLEU" else "chrf")
    words.markdown(
        _(
            "Test sentences that training never saw, in groups of similar length. The long ones are mostly joined from "
            "short ones, which are easier than one sentence of that length. Bands are 95% intervals. The model without "
            "attention has one vector of the same size for a short sentence and for a long one."
        )
    )
    if remark := unequal({name: cards[name].get("concatenation") for name in known}):
        words.markdown(remark)
    with drawing:
        draw_figure(
            partial(length.quality_by_length, table, {name: title(name) for name in known}, _across(asked.pair), score),
            key="by-length",
            title=_("{score} on the test split by length of the source, {pair}").format(score=score, pair=asked.pair),
            table=table,
        )


def unequal(joined: Mapping[Architecture, Any]) -> str:
    """What to say if some models learned from far more joined, long sentences than others; usually nothing.

    joined: such rows for each pair, as far as the models' cards have it.
    """
    known = {name: share for name, share in joined.items() if isinstance(share, int | float)}
    low, high = min(known.values(), default=0.0), max(known.values(), default=0.0)
    if high <= 2 * low:
        return ""
    many = [title(name) for name, share in known.items() if share > (low + high) / 2]
    few = [title(name) for name in known if title(name) not in many]
    return _(
        "{many} learned from far more joined, long sentences than {few}: compare models that had the same data."
    ).format(many=_(" and ").join(many), few=_(" and ").join(few))


def _across(pair: str) -> str:
    """The unit of length: languages without spaces have no words to count."""
    return _("pieces of the source") if not language(languages(pair)[0]).separated else _("words of the source")


def extra_clauses(pair: str) -> tuple[str, ...]:
    """The clauses in the source language of a pair; none for a language that has none."""
    return language(languages(pair)[0]).clauses


def lengthened(pair: str, sentence: str, added: Sequence[str]) -> str:
    """`sentence` with `added` clauses appended, one after another."""
    if not added:
        return sentence
    source = language(languages(pair)[0])
    return source.clause_joint.join([_END.sub("", sentence), *added]) + source.full_stop


@fragment
def lengthening() -> None:
    """The sentence on the screen, lengthened clause by clause, in the core models and a saved one."""
    state, _notes = read_state(NoAttentionState)
    asked = state.question
    st.header(_("Make it longer yourself"), anchor=False)
    offered = extra_clauses(asked.pair)
    if not offered:
        st.text(_("There are no clauses in this language yet: type a longer sentence instead."))
        return
    chosen = state.chosen(offered)
    st.pills(
        _("Press a clause to add it to the sentence, or to take it away"),
        offered,
        selection_mode="multi",
        **control(state, "clauses", value=chosen),
    )
    texts = [lengthened(asked.pair, asked.source.text, chosen[:count]) for count in range(len(chosen) + 1)]
    sources, decoding = [read_source(text, languages(asked.pair)[0]) for text in texts], DecodingConfig(asked.beam)
    st.text(texts[-1])
    traces: dict[Architecture, list[Trace]] = {}
    for name, model in models.available(asked.choice).items():
        try:
            traces[name] = models.ask([models.request(model, source, decoding) for source in sources])
        except (CheckpointError, TextError) as error:
            st.text(f"{title(name)}: {error}")
    if not traces:
        return
    with st.container(key=GROWTH):
        drawing, words = st.columns([3, 2], gap="medium")
    with drawing:
        _charts(state, length.growth_table(traces), {name: title(name) for name in traces}, texts[-1])
    with words:
        for name, of_model in traces.items():
            shortest, longest = of_model[0], of_model[-1]
            ratio = len(longest.target) / len(longest.source)
            note = _("{pieces} pieces, {ratio:.2f} for each of the source")
            notes = (note.format(pieces=len(longest.target), ratio=ratio), *unfinished_note(longest))
            parts = _still_there(shortest, longest)
            translation_line(title(name), name, longest.text, *notes, parts=parts)


def _still_there(first: Trace, longer: Trace) -> list[tuple[str, bool]]:
    """The longer translation in parts, each with whether it occurs in the first one."""
    marked = zip(longer.target, still_there(first, longer), strict=True)
    parts = [(_text(group), kept) for kept, group in groupby(marked, key=lambda pair: pair[1])]
    return [(text, kept) for text, kept in parts if text]


def _text(pieces: Iterable[tuple[str, bool]]) -> str:
    """Pieces as a text that keeps the space before it; `<eos>` is dropped."""
    return "".join(piece for piece, _ in pieces if piece not in ("<eos>", CONTINUED)).replace(SPACE, " ")


def _charts(state: NoAttentionState, table: pd.DataFrame, names: dict[Architecture, str], sentence: str) -> None:
    """A chart for each measure of the growth table; only the chosen one is visible."""
    measures = {
        "kept": (
            *(_("still there"), _("share of its own first translation still there"), (0.0, 1.05)),
            r"\frac{|\{y^{(0)}\}\cap\{y^{(n)}\}|}{|\{y^{(0)}\}|}",
        ),
        "likelihood": (_("confidence"), _("log P for each piece"), None, r"\tfrac{1}{|y|}\log P(y\mid x)"),
        "repeated": (
            *(_("repetition"), _("share of pieces in repeated triples"), (0.0, 1.05)),
            r"\tfrac{1}{|y|}\,\bigl|\{j:(y_{j-2},y_{j-1},y_j)=(y_{l-2},y_{l-1},y_l),\ l<j\}\bigr|",
        ),
    }
    draw_switch(_("Measure"), {name: measure[0] for name, measure in measures.items()}, state, "measure")
    for name, (__, axis, domain, formula) in measures.items():
        with shown_for("measure", name):
            if name == "kept":
                st.markdown(
                    _(
                        "Every line begins at 1: each model is compared with its own translation of the shortest "
                        "sentence, **right or wrong**. The pieces of it that are still there, in any order, are "
                        "underlined; the clauses, and whether the whole makes sense, are not counted. Begin with a "
                        "short sentence that all models translate well."
                    )
                )
            draw_figure(
                partial(length.growth, table, name, names, _("pieces of the source"), axis, domain),
                key=f"growth-{name}",
                title=_("{measure}, as this sentence grows: {sentence}").format(measure=axis, sentence=sentence),
                table=table,
            )
            st.latex(formula)
