"""A typed sentence translated before and after training; the long output of an untrained model is folded."""

import dataclasses
from functools import partial

import streamlit as st

from nmtcore.config import Architecture, DecodingConfig, MaskPredictDecoding, is_autoregressive
from nmtcore.decoding.trace import AttentionMap, Trace
from nmtcore.models import checkpoint
from nmtcore.runs.config import RunConfig
from nmtcore.runs.run_folder import Run
from nmtcore.serving.request import DecodeRequest, ModelKey
from nmtcore.text.source import read_source
from nmtcore.text.words import join_pieces, word_of
from nmtcore.views.alignment.data import Panel
from pages.common import models
from pages.common.alignment import draw_alignment
from pages.common.controls import errors_said, show_notes
from pages.common.i18n import _, title
from pages.common.late_progress import LateProgress
from pages.common.rounds import draw_rounds
from pages.common.saved_models import modification_times
from pages.common.text import remarks
from pages.finetune.records import drawn_head

SHOWN = 20  # words of a translation; the rest is folded


@errors_said()
def before_and_after(run: Run, config: RunConfig, architecture: Architecture) -> None:
    """Ask for a sentence and draw both models' alignments side by side, with the rest of long translations folded.

    A non-autoregressive model has its first words before training, and its rounds after it.
    """
    text = st.text_input(
        _("A sentence to translate with both"), config.pinned[0], key=f"try-{run.id}", label_visibility="collapsed"
    )
    searched = is_autoregressive(architecture)
    folders = run.folder / "start", run.best
    stamps = [modification_times([folder / checkpoint.CONFIG, folder / checkpoint.WEIGHTS]) for folder in folders]
    keys = [ModelKey(str(folder), stamp=stamp) for folder, stamp in zip(folders, stamps, strict=True)]
    source = read_source(text, config.source)
    show_notes(*remarks(source, config.source))
    with LateProgress(st.empty(), len(keys)) as progress:
        decoding = DecodingConfig() if searched else MaskPredictDecoding()
        shown = partial(progress.show, _("Translating with both models"))
        before, after = models.ask([DecodeRequest(key, source, decoding) for key in keys], progress=shown)
    headings = [
        says.format(model=title(after.architecture))
        for says in (_("{model} before training"), _("{model} after training"))
    ]
    if not searched:
        st.text(f"{headings[0]}: {' '.join(before.text.split()[:SHOWN])}")
        return draw_rounds(after, title=headings[1], key="before-after-rounds")
    panels, folded = [], []
    for trace, heading in zip((before, after), headings, strict=True):
        beginning, count = first_words(trace), len(set(word_of(trace.target)))
        panel = Panel.of(heading, architecture, beginning, drawn_head(run))
        if beginning is not trace:
            note = _("the first {shown} of {count} words").format(shown=SHOWN, count=count)
            panel = dataclasses.replace(panel, notes=(note,), log_probability=trace.log_probability)
            folded.append((_("All {count} words of {model}").format(count=count, model=heading), trace))
        panels.append(panel)
    draw_alignment(panels, key="before-after", sentence=source.text, compact=True, height=420)
    for label, trace in folded:
        with st.expander(label):
            st.text(trace.text)


def first_words(trace: Trace, count: int = SHOWN) -> Trace:
    """The prefix of a decode: its first words with their steps and rows of cross attention; short ones unchanged."""
    words = word_of(trace.target)
    kept = sum(word < count for word in words)
    if kept == len(words):
        return trace
    target = trace.target[:kept]
    cross = trace.attention_of("cross")
    rows = () if cross is None else (AttentionMap("cross", target, cross.keys, cross.weights[:, :, :kept]),)
    return dataclasses.replace(
        trace, target=target, text=f"{join_pieces(target)} …", steps=trace.steps[:kept], attention=rows, beam=()
    )
