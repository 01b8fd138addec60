"""A typed sentence translated before and after training; the long output of an untrained model is folded."""

import dataclasses

import streamlit as st

from nmtcore.config import Architecture, is_autoregressive
from nmtcore.decoding import decode, mask_predict
from nmtcore.decoding.trace import AttentionMap, Trace
from nmtcore.errors import NmtError, TextError
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.runs.config import RunConfig
from nmtcore.runs.run_folder import Run
from nmtcore.text.source import SourceText, read_source
from nmtcore.text.words import join_pieces, word_of
from nmtcore.views.alignment.data import Panel
from pages.common.alignment import draw_alignment
from pages.common.controls import show_notes
from pages.common.i18n import _, title
from pages.common.late_progress import LateProgress
from pages.common.rounds import draw_rounds
from pages.common.shared import kept
from pages.common.text import remarks
from pages.finetune.records import drawn_head, file_stamp

SHOWN = 20  # words of a translation; the rest is folded


def before_and_after(run: Run, config: RunConfig, architecture: Architecture) -> None:
    """Ask for a sentence and draw both models' alignments side by side, with the rest of long translations folded."""
    text = st.text_input(
        _("A sentence to translate with both"), config.pinned[0], key=f"try-{run.id}", label_visibility="collapsed"
    )
    try:
        source = read_source(text, config.source)
        show_notes(*remarks(source, config.source))
    except TextError as error:
        return show_notes(str(error))
    if not is_autoregressive(architecture):
        return _rounds(run, source)
    panels, folded = [], []
    progress = LateProgress(st.empty(), 2)
    for folder, name in ((run.folder / "start", _("{model} before training")), (run.best, _("{model} after training"))):
        progress.next(_("Translating with both models"))
        try:
            loaded = _load(str(folder), file_stamp(folder / checkpoint.WEIGHTS))
            trace = decode.translate(loaded, source)
        except NmtError as error:
            progress.end()
            return show_notes(str(error).replace(f"{run.folder}/", ""))
        heading = name.format(model=title(architecture))
        beginning = first_words(trace)
        panel = Panel.of(heading, architecture, beginning, drawn_head(run))
        if beginning is not trace:
            note = _("the first {shown} of {count} words").format(shown=SHOWN, count=_count(trace))
            panel = dataclasses.replace(panel, notes=(note,), log_probability=trace.log_probability)
            folded.append((heading, trace))
        panels.append(panel)
    progress.end()
    draw_alignment(panels, key="before-after", sentence=source.text, compact=True, height=420)
    for heading, trace in folded:
        with st.expander(_("All {count} words of {model}").format(count=_count(trace), model=heading)):
            st.text(trace.text)


def _rounds(run: Run, source: SourceText) -> None:
    """The same for a non-autoregressive model: its translations, and its rounds after training."""
    try:
        before, after = (
            mask_predict.translate(_load(str(folder), file_stamp(folder / checkpoint.WEIGHTS)), source)
            for folder in (run.folder / "start", run.best)
        )
    except NmtError as error:
        return show_notes(str(error).replace(f"{run.folder}/", ""))
    name = title(after.architecture)
    line = _("{model} before training").format(model=name)
    st.text(f"{line}: {' '.join(before.text.split()[:SHOWN])}")
    draw_rounds(after, title=_("{model} after training").format(model=name), key="before-after-rounds")


def _count(trace: Trace) -> int:
    return len(set(word_of(trace.target)))


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


@kept(6)
def _load(folder: str, stamp: tuple[int, int]) -> Checkpoint:
    loaded = checkpoint.load(folder)
    return dataclasses.replace(loaded, model=accelerate(loaded.model))
