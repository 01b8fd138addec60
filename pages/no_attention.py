"""No attention: the one vector that a sentence must go through, and what is left of the sentence behind it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nmtcore.config import ARCHITECTURES, Architecture, DecodingConfig, RecurrentConfig
from nmtcore.errors import CheckpointError, NmtError, TextError
from nmtcore.figures import context, length
from nmtcore.figures.heatmap import token_name
from nmtcore.figures.palette import ARCHITECTURE
from nmtcore.trace import Trace
from nmtcore.words import group_pieces
from pages.shared import models, probes
from pages.shared.clauses import clauses, grown
from pages.shared.controls import Question, question, say
from pages.shared.figure import figure, look
from pages.shared.lesson import lesson
from pages.shared.result import log_p, result
from pages.shared.sliders import slider
from pages.shared.text import clean
from pages.shared.words import _, languages, title

MAX_WORDS = 60  # each is left out once
SEEN_FIRST = 2  # clauses that a page opens with


@st.fragment
def picture(trace: Trace, config: RecurrentConfig) -> None:
    """The encoder's states, C, and the decoder's states up to a step."""
    S, T, D = len(trace.source), len(trace.target), config.units
    colors = look()
    drawing, words = st.columns([5, 2], gap="medium")
    step = slider(drawing, _("Step of the decoder"), 1, T, 1, "step")
    chosen = trace.steps[step - 1]
    names = {"S": S, "D": D, "all": f"{S * D:,}", "step": step, "word": token_name(chosen.token)}
    with drawing:
        figure(
            context.bottleneck(
                trace, step, config.bidirectional, colors.neutral, colors.ink, _("component {i}: {value}")
            ),
            key="bottleneck",
            title=_("{model}, step {step}: {sentence}").format(
                model=title("none"), step=step, sentence=trace.source_text
            ),
            table=context.state_table(trace),
            least=12 * (S + T + 6),
        )
    with words:
        st.markdown(
            _(
                "Each column is one state: {D} numbers, red below zero, blue above. The encoder made {all} numbers "
                "of this sentence. Only **C** goes on, made from the outlined ends, and it has {D}, "
                "however long the sentence is."
            ).format(**names)
        )
        last = rf"\overrightarrow{{h}}_{{{S}}};\overleftarrow{{h}}_1" if config.bidirectional else rf"h_{{{S}}}"
        read = f"e(y_{{{step - 1}}})" + (";C" if config.context == "every_step" else "")
        st.latex(
            rf"\begin{{aligned}}C&=\tanh(W\,[{last}])\\ s_0&=\tanh(V\,C)\\ s_{{{step}}}&=f(s_{{{step - 1}}},[{read}])"
            rf"\end{{aligned}}"
        )
        figure(
            context.candidate_bars(chosen.candidates, chosen.id, "none", _("probability"), colors.ink),
            key="candidates",
            title=_("{model}, candidates of step {step}: {sentence}").format(
                model=title("none"), step=step, sentence=trace.source_text
            ),
            table=pd.DataFrame({"token": [c.token for c in chosen.candidates],
                                "probability": [c.probability for c in chosen.candidates]}),
        )  # fmt: skip


def remembered(asked: Question, sentence: str) -> None:
    """What the output loses with each source word: through one vector, and with attention."""
    st.header(_("What does the vector still know about each word?"), anchor=False)
    names: tuple[Architecture, ...] = ("none", "additive")
    traces = {name: models.translate(f"{asked.pair}/{name}", sentence, DecodingConfig(asked.beam)) for name in names}
    if max(len(group_pieces(trace.source[:-1])) for trace in traces.values()) > MAX_WORDS:
        st.text(
            _("Each word is left out in turn: this is done for sentences of up to {limit} words.").format(
                limit=MAX_WORDS
            )
        )
        return
    probed = {name: probes.left_out(f"{asked.pair}/{name}", sentence, DecodingConfig(asked.beam)) for name in names}
    low = min(0.0, *(float(p.drops.min()) for p in probed.values()))
    high = max(1.0, *(float(p.drops.max()) for p in probed.values()))
    *columns, words = st.columns([1, 1, 0.8], gap="medium")
    for column, (name, found) in zip(columns, probed.items(), strict=True):
        with column:
            st.markdown(f"**{title(name)}**")
            figure(
                context.bars_by_word(
                    found.words, found.drops, ARCHITECTURE[name], (low, high), _("loss of log P"), look().ink
                ),
                key=f"drops-{name}",
                title=_("{model}, loss of log P without each word: {sentence}").format(
                    model=title(name), sentence=sentence
                ),
                table=pd.DataFrame({"word": found.words, "loss": found.drops}),
            )
            result(_("its translation"), name, traces[name].text, log_p(float(found.whole.sum())))
    with words:
        st.markdown(
            _(
                "Leave one word out and ask the model again how likely its own translation is. A long bar: the "
                "translation hangs on this word. No bar: the word might as well not have been there."
            )
        )
        st.latex(r"\log P(y\mid x)-\log P(y\mid x\setminus x_i)")
        st.latex(r"P(y\mid x)=\prod_j P(y_j\mid y_{<j},x)")


def lengths(pair: str) -> None:
    """The test split's quality by length, as far as the models' cards have it."""
    st.header(_("Do long sentences suffer?"), anchor=False)
    scores = {}
    for name in ARCHITECTURES:
        try:
            scores[name] = models.load(f"{pair}/{name}").meta.get("by_length")
        except CheckpointError:
            scores[name] = None
    known = {name: parts for name, parts in scores.items() if parts}
    missing = ", ".join(title(name) for name in ARCHITECTURES if name not in known)
    if missing:
        st.text(_("No scores by length in the cards of these models: {models}.").format(models=missing))
    if not known:
        return
    drawing, words = st.columns([5, 2], gap="medium")
    score = words.segmented_control(
        _("Score"), ("chrF", "BLEU"), default="chrF", required=True, key="score", bind="query-params"
    )
    table = length.by_length_table(known, "bleu" if score == "BLEU" else "chrf")
    words.markdown(
        _(
            "The test sentences in groups of like length, never seen in training. Bands are 95 % intervals. "
            "A fixed-length C has to hold more and more."
        )
    )
    with drawing:
        figure(
            length.quality_by_length(table, {name: title(name) for name in known}, _("words of the source"), score),
            key="by-length",
            title=_("{score} on the test split by length of the source, {pair}").format(score=score, pair=pair),
            table=table,
        )


@st.fragment
def growing(asked: Question, sentence: str) -> None:
    """The sentence on the screen, made longer clause by clause, in all four models."""
    st.header(_("Make it longer yourself"), anchor=False)
    offered = clauses(asked.pair)
    if not offered:
        st.text(_("There are no clauses in this language yet: type a longer sentence instead."))
        return
    added = st.pills(
        _("Press a clause to add it to the sentence, or to take it away"),
        offered,
        selection_mode="multi",
        default=offered[:SEEN_FIRST],
        key="clauses",
        bind="query-params",
    )
    chosen = [clause for clause in offered if clause in added]
    texts = [grown(asked.pair, sentence, chosen[:count]) for count in range(len(chosen) + 1)]
    st.text(texts[-1])
    traces: dict[Architecture, list[Trace]] = {}
    problems = []
    for name in ARCHITECTURES:
        try:
            model = f"{asked.pair}/{name}"
            traces[name] = [models.translate(model, text, DecodingConfig(asked.beam)) for text in texts]
        except (CheckpointError, TextError) as error:
            problems.append(f"{title(name)}: {error}")
    for problem in problems:
        st.text(problem)
    if not traces:
        return
    measures = {
        "kept": (_("still there"), _("share of the first translation still there"), (0.0, 1.05)),
        "likelihood": (_("confidence"), _("log P for each piece"), None),
        "repeated": (_("repetition"), _("share of pieces in repeated triples"), (0.0, 1.05)),
    }
    drawing, words = st.columns([3, 2], gap="medium")
    with drawing:
        measure = st.segmented_control(
            _("Measure"),
            list(measures),
            default="kept",
            required=True,
            format_func=lambda name: measures[name][0],
            key="measure",
            bind="query-params",
            label_visibility="collapsed",
        )
        __, axis, domain = measures[measure]
        table = length.growth_table(traces)
        figure(
            length.growth(
                table, measure, {name: title(name) for name in traces}, _("pieces of the source"), axis, domain
            ),
            key="growth",
            title=_("{measure}, as this sentence grows: {sentence}").format(measure=axis, sentence=texts[-1]),
            table=table,
        )
        st.latex(
            {
                "kept": r"\frac{|\{y^{(0)}\}\cap\{y^{(n)}\}|}{|\{y^{(0)}\}|}",
                "likelihood": r"\tfrac{1}{|y|}\log P(y\mid x)",
                "repeated": r"\tfrac{1}{|y|}\,\bigl|\{j:(y_{j-2},y_{j-1},y_j)=(y_{l-2},y_{l-1},y_l),\ l<j\}\bigr|",
            }[measure]
        )
    with words:
        for name, found in traces.items():
            ratio = len(found[-1].target) / len(found[-1].source)
            note = _("{pieces} pieces, {ratio:.2f} for each of the source")
            result(title(name), name, found[-1].text, note.format(pieces=len(found[-1].target), ratio=ratio))


st.title(_("Can one vector hold a sentence?"), anchor=False)
st.markdown(
    _("Before attention, the decoder got one vector C, made from the encoder's states, and never saw the sentence.")
)

pairs = models.pairs()
if not pairs:
    say(_("There is no model yet. Train one with the command in README.md, or name a folder of models."))
    st.stop()

asked = question(pairs)
try:
    ready = clean(asked.text, languages(asked.pair)[0])
    say(*ready.notes)
    try:
        trace = models.translate(f"{asked.pair}/none", ready.text, DecodingConfig(asked.beam))
        picture(trace, models.load(f"{asked.pair}/none").config)
        remembered(asked, ready.text)
    except CheckpointError as error:
        st.text(str(error))
    lengths(asked.pair)
    growing(asked, ready.text)
except NmtError as error:
    st.text(str(error))

lesson(
    "no_attention",
    _(
        "Without attention, should the encoder read the sentence forwards or backwards? Sutskever et al. (2014) fed it "
        "the source in reverse and went from 25.9 to 30.6 BLEU. Why?"
    ),
    _(
        "The first words of the translation are mostly made from the first words of the source. Read in reverse, these "
        "come last, and nothing has been written over them when C is taken. The average distance stays the same, but "
        "the decoder gets off to a good start. This model reads both ways: what C forgets first is the middle."
    ),
)
