"""A model that writes all words at once, round by round, beside a Transformer that writes word by word."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmtcore.analysis.costs import in_rounds, operations
from nmtcore.config import DEFAULT_BEAM, DecodingConfig, MaskPredictDecoding
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.models.checkpoint import meta_numbers
from pages.architectures.results import GREEDY, ModelResult, transformer
from pages.architectures.state import ArchitecturesState
from pages.common import models
from pages.common.controls import quiet_list
from pages.common.i18n import _
from pages.common.rounds import draw_rounds, rounds_box
from pages.common.training_data import training_data_note


@dataclass(frozen=True)
class Race:
    """Which was faster, all words at once or greedy word by word, and the placeholder for the answer."""

    model: ModelResult
    decoding: MaskPredictDecoding
    beside: ModelResult
    place: DeltaGenerator

    @property
    def decodes(self) -> tuple[tuple[ModelResult, MaskPredictDecoding], tuple[ModelResult, DecodingConfig]]:
        return (self.model, self.decoding), (self.beside, GREEDY)

    def draw(self) -> None:
        """Write the answer if both times are known."""
        own, theirs = (one.seconds(decoding) for one, decoding in self.decodes)
        if own is None or theirs is None:
            return
        says = (
            _(
                "With T = {rounds} this sentence takes {own} ms; {model}, greedy, takes {theirs} ms: all at once is "
                "faster."
            )
            if own < theirs
            else _(
                "With T = {rounds} this sentence takes {own} ms; {model}, greedy, takes {theirs} ms: not faster at "
                "this size."
            )
        )
        values = {"own": f"{1000 * own:.0f}", "theirs": f"{1000 * theirs:.0f}"}
        self.place.caption(says.format(**values, rounds=self.decoding.rounds, model=self.beside.title))


def draw_non_autoregressive(state: ArchitecturesState, results: Sequence[ModelResult]) -> list[Race]:
    """Draw the rounds of a model that writes all words at once, if the model directory has one for the choice.

    Returns the race between it and the Transformer, whose times are not known yet.
    """
    there = {one.code: one for one in results if one.at_once}
    if not there:
        return []
    st.header(_("All words at once"), anchor=False)
    st.markdown(
        _(
            "The first round writes every word without knowing any other; each further round masks the words that are "
            "least certain and writes them again, knowing the rest (mask-predict, Ghazvininejad et al. 2019)."
        )
    )
    model = there.get(state.non_autoregressive, next(iter(there.values())))
    with st.container(horizontal=True, gap="small", key="rounds row"):
        titles = {code: one.title for code, one in there.items()}
        quiet_list(state, "non_autoregressive", _("Model"), list(there), titles.__getitem__, value=model.code)
        rounds_box(state)
    decoding = MaskPredictDecoding(int(state.rounds))
    (record,) = models.ask([models.request(model.id, model.source, decoding)])
    beside, greedy = transformer(results), None
    if beside is not None:
        (greedy,) = models.ask([models.request(beside.id, beside.source, GREEDY)])
        if difference := training_data_note((model.id, beside.id)):
            st.caption(difference)
    beside_title = beside.title if beside else ""
    draw_rounds(record, greedy, title=model.title, beside_title=beside_title, timed=False, key="rounds picture")
    st.caption(_waiting(model, record, beside, greedy))
    races = [Race(model, decoding, beside, st.empty())] if beside else []
    for race in races:
        race.draw()
    if quality := _quality(model, beside):
        st.caption(quality)
    return races


def _waiting(model: ModelResult, record: MaskPredictRecord, beside: ModelResult | None, greedy: Trace | None) -> str:
    """How many matrix products wait for one another while each model writes this sentence."""
    own = in_rounds(model.config, len(record.source), len(record.target), record.decoding.rounds).sequential_decoding
    sentence = _("Matrix products that each wait for the one before, for this sentence: {count}.")
    said = sentence.format(count=f"{own:,}")
    if beside is None or greedy is None:
        return said
    theirs = operations(beside.config, len(greedy.source), len(greedy.target)).sequential_decoding
    return f"{said} " + _("{model}, word by word: {count}.").format(model=beside.title, count=f"{theirs:,}")


def _quality(model: ModelResult, other: ModelResult | None) -> str:
    """BLEU by number of rounds, from its card, and that of the model beside it; empty if not measured."""
    parts = [f"{row['rounds']}: {row['bleu']:.1f}" for row in model.meta.get("by_rounds", [])]
    if not parts:
        return ""
    sentence = _("BLEU on the test split by number of rounds: {scores}.").format(scores=", ".join(parts))
    theirs = meta_numbers(other.meta, "scores").get("bleu") if other else None
    if other is None or theirs is None:
        return sentence
    beside = _("{model}, beam {width}: {bleu}.").format(model=other.title, width=DEFAULT_BEAM, bleu=f"{theirs:.1f}")
    return f"{sentence} {beside}"
