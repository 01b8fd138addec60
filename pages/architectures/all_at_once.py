"""A model that writes all words at once, round by round, and beside it a Transformer's word by word."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nmtcore.analysis.costs import in_rounds, operations
from nmtcore.config import DecodingConfig, MaskPredictDecoding, writes_word_by_word
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.errors import CheckpointError, TextError
from nmtcore.models.checkpoint import numbers
from pages.architectures.found import Found
from pages.common import models
from pages.common.controls import linked_selectbox, show_notes
from pages.common.i18n import _
from pages.common.lessons import different_lessons
from pages.common.link_parameters import AT_ONCE, DEFAULT_BEAM, ROUNDS, not_here
from pages.common.rounds import draw_rounds
from pages.common.side_by_side import code, fitting, label

KEY = "rounds picture"  # of the picture


def all_at_once(choice: str, text: str, found: Sequence[Found]) -> None:
    """Draw the rounds of a model that writes all words at once; nothing where the shelf has none for the choice."""
    there = {code(model): model for model in fitting(choice) if not writes_word_by_word(models.architecture(model))}
    if not there:
        return
    st.header(_("All words at once"), anchor=False)
    st.markdown(
        _(
            "The first round writes every word without knowing any other; each further round masks the words that are "
            "least certain and writes them again, knowing the rest (mask-predict, Ghazvininejad et al. 2019)."
        )
    )
    first = next(iter(there))
    asked = AT_ONCE.among(there, first, wrong=not_here(label(there[first])))
    show_notes(*asked.note(), *ROUNDS.note())
    with st.container(horizontal=True, gap="small", key="rounds row"):
        model = there[linked_selectbox(asked, _("Model"), lambda name: label(there[name]), 240)]
        rounds = int(linked_selectbox(ROUNDS, _("Rounds"), _rounds_title, 130))
    try:
        record = models.mask_predict(model, text, MaskPredictDecoding(rounds))
        beside = _word_by_word(model, text, found)
    except (CheckpointError, TextError) as error:
        show_notes(str(error))
        return
    if beside is not None and (difference := different_lessons((model, beside[0].id))):
        st.caption(difference)
    _draw(model, record, beside)
    st.caption(_waiting(model, record, beside))
    if quality := _quality(model, beside[0] if beside else None):
        st.caption(quality)


def _rounds_title(rounds: str) -> str:
    return _("1 round") if rounds == "1" else _("{count} rounds").format(count=rounds)


def _word_by_word(model: str, text: str, found: Sequence[Found]) -> tuple[Found, Trace] | None:
    """The Transformer's greedy translation, where there is a Transformer for this sentence."""
    other = next((one for one in found if models.architecture(one.id) == "transformer"), None)
    return None if other is None else (other, models.translate(other.id, text, DecodingConfig()))


def _waiting(model: str, record: MaskPredictRecord, beside: tuple[Found, Trace] | None) -> str:
    """How many products of matrices wait for one another while this sentence is written, by both models."""
    one = operations(models.load(model).config, len(record.source), len(record.target))
    own = in_rounds(one, len(record.rounds))
    sentence = _("Products of matrices of which each waits for the one before, for this sentence: {count}.")
    said = sentence.format(count=f"{own:,}")
    if beside is None:
        return said
    other, trace = beside
    theirs = operations(other.config, len(trace.source), len(trace.target)).written
    return f"{said} " + _("{model}, word by word: {count}.").format(model=other.title, count=f"{theirs:,}")


def _quality(model: str, other: Found | None) -> str:
    """BLEU by the rounds, as its card has it, with that of the model beside it; empty where it was not measured."""
    measured = models.load(model).meta.get("by_rounds")
    rows = [row for row in measured if isinstance(row, dict)] if isinstance(measured, list) else []
    found = [(row.get("rounds"), row.get("bleu")) for row in rows]
    parts = [f"{rounds}: {bleu:.1f}" for rounds, bleu in found if isinstance(bleu, int | float)]
    if not parts:
        return ""
    sentence = _("BLEU on the test split by the number of rounds: {scores}.").format(scores=", ".join(parts))
    theirs = numbers(other.meta, "scores").get("bleu") if other else None
    if other is None or theirs is None:
        return sentence
    beside = _("{model}, beam {width}: {bleu}.").format(model=other.title, width=DEFAULT_BEAM, bleu=f"{theirs:.1f}")
    return f"{sentence} {beside}"


def _draw(model: str, record: MaskPredictRecord, beside: tuple[Found, Trace] | None) -> None:
    if beside is None:
        draw_rounds(record, title=label(model), key=KEY)
    else:
        other, trace = beside
        draw_rounds(record, trace, title=label(model), beside_title=other.title, key=KEY)
