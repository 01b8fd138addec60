"""Masks and batches: the typed sentence and two short ones as one padded batch, and what its masks do to a head.

The address holds the head (`head=decoder.1.2`) and the sentence whose matrices are drawn (`row=2`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np
import pandas as pd
import streamlit as st

from nmtcore.analysis.masks import MaskedAttention, PaddedBatch, padded_batch, padding_share
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Array, Trace
from nmtcore.errors import DataError, NmtError
from nmtcore.figures.masks import batch_rows, mask_matrix
from nmtcore.intervention import AttentionKind
from nmtcore.text.vocabulary import EOS
from nmtcore.training.supplement import read_corpus
from nmtcore.views.heads.head import KINDS, Head
from pages.common import models
from pages.common.controls import show_notes
from pages.common.figure import draw_figure, theme_colors
from pages.common.i18n import _
from pages.common.link_parameters import BATCH_ROW, HEAD
from pages.common.text import not_markdown

# Two short sentences to stand beside the typed one, in the languages of the models that ship.
SHORT = {"en": ("I like tea.", "The red car is here."), "zh": ("我喜欢茶。", "红色的车在这里。")}
THREE_ACROSS = 9  # pieces up to which three matrices stand side by side
SORTED, ROWS = 1024, 32  # sentences that are sorted by length, and rows of their batches


def show_batch(model: str, trace: Trace, head: Head) -> None:
    """Draw the pane: the batch, the masks of one head, its scores and weights, and what sorting by length saves."""
    sentences = (trace.source_text, *_short_sentences(model, trace.source_text))
    try:
        batch = _batch(model, trace, sentences[1:])
    except NmtError as error:
        show_notes(str(error))
        return
    row = _picked_row(sentences)
    kind, layer, number = _head_controls(batch, head)
    found = batch.head(kind, layer, number, row)
    with st.container(key="padded batch"):
        _draw_batch(batch, kind, row, trace)
        _draw_matrices(found, kind, trace)
    st.markdown(" ".join(_explanations(found, kind)))
    _sorting(model)


def _short_sentences(model: str, text: str) -> tuple[str, str]:
    """Two sentences that are shorter than most; of a language that has none here, beginnings of the typed one."""
    source = models.load(model).meta.get("source", "")
    words = text.split() or [text]
    return SHORT.get(source) or (words[0], " ".join(words[: max(1, len(words) // 2)]))


def _batch(model: str, trace: Trace, others: Sequence[str]) -> PaddedBatch:
    """The sentence of the page with its translation there, and the others with that of greedy search."""
    vocab = models.load(model).vocab
    traces = [trace, *(models.translate(model, text, DecodingConfig()) for text in others)]
    targets = [found.ids if found.ids[-1] == EOS else (*found.ids, EOS) for found in traces]
    return padded_batch(models.load(model), [vocab.encode(found.source_text) for found in traces], targets)


def _picked_row(sentences: Sequence[str]) -> int:
    chosen = BATCH_ROW.within(1, len(sentences))
    show_notes(*chosen.note())
    st.session_state["batch row"] = row = chosen.read()

    def choose() -> None:
        BATCH_ROW.write(st.session_state["batch row"] or row)

    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="batch rows"):
        st.caption(_("Matrices of sentence"), width="content")
        st.segmented_control(
            _("Matrices of sentence"),
            range(1, len(sentences) + 1),
            key="batch row",
            format_func=lambda number: f"{number}  {not_markdown(_cut(sentences[number - 1]))}",
            on_change=choose,
            label_visibility="collapsed",
            width="content",
        )
    return row - 1


def _cut(text: str) -> str:
    return text if len(text) <= 32 else text[:30] + "…"


def _head_controls(batch: PaddedBatch, head: Head) -> tuple[AttentionKind, int, int]:
    """Which attention, layer and head; an average over heads gives way to its first one."""
    names = {"encoder": _("encoder"), "decoder": _("decoder"), "cross": _("cross")}
    layers, heads = len(batch.attention[head.kind]), batch.attention[head.kind][0].weights.size(1)
    layer, number = min(head.layer or 0, layers - 1), min(head.head or 0, heads - 1)
    st.session_state.update({"batch kind": head.kind, "batch layer": layer + 1, "batch head": number + 1})

    def choose() -> None:
        kind = st.session_state["batch kind"] or head.kind
        within = min(st.session_state["batch layer"] or 1, len(batch.attention[kind]))
        HEAD.write(Head(kind, within - 1, (st.session_state["batch head"] or 1) - 1).code)

    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="batch controls"):
        for key, label, options in (
            ("batch kind", _("Attention of"), KINDS),
            ("batch layer", _("Layer"), tuple(range(1, layers + 1))),
            ("batch head", _("Head"), tuple(range(1, heads + 1))),
        ):
            st.caption(label, width="content")
            st.segmented_control(
                label,
                options,
                key=key,
                format_func=lambda option: names.get(option, str(option)),
                on_change=choose,
                label_visibility="collapsed",
                width="content",
            )
    return head.kind, layer, number


def _draw_batch(batch: PaddedBatch, kind: AttentionKind, row: int, trace: Trace) -> None:
    """The matrix of pieces that the queries of this attention come from."""
    encoder = kind == "encoder"
    rows = batch.sources if encoder else batch.inputs
    mask: Array = (batch.source_mask if encoder else batch.input_mask).cpu().numpy()
    share = batch.padding_share[0 if encoder else 1]
    st.markdown(
        _("**Three sentences, one matrix.** Short rows are filled up with <pad>: {percent} of these places.")
        .replace("<pad>", "`<pad>`")
        .format(percent=f"{share:.0%}")
    )
    table = pd.DataFrame(
        [{"row": i + 1, "place": j + 1, "piece": piece} for i, r in enumerate(rows) for j, piece in enumerate(r)]
    )
    title = _("Transformer, a padded batch: {sentence}").format(sentence=trace.source_text)
    colors = theme_colors()
    drawn = batch_rows(rows, mask, row, colors.ink, colors.background)
    draw_figure(drawn, key="batch-pieces", title=title, table=table)


def _draw_matrices(found: MaskedAttention, kind: AttentionKind, trace: Trace) -> None:
    """Two masks and their product; scores, weights without masks and with them."""
    colors = theme_colors()

    def matrix(
        name: str,
        heading: str,
        values: Array,
        how: str,
        rows: Sequence[str],
        hidden: Array | None = None,
        sums: Array | None = None,
    ) -> None:
        st.markdown(heading)
        drawn = mask_matrix(
            values, rows, found.keys, kind=how, hidden=hidden, sums=sums,
            ink=colors.ink, neutral=colors.neutral, background=colors.background,
        )  # fmt: skip
        table = pd.DataFrame(values, columns=[f"{j + 1} {key}" for j, key in enumerate(found.keys)])
        table.insert(0, "query", list(rows))
        draw_figure(drawn, key=f"batch-{name}", title=f"{name}: {trace.source_text}", table=table)

    # Side by side as far as their numbers can be read: three, or two where the sentence is longer.
    across = 3 if len(found.keys) <= THREE_ACROSS else 2
    one, two, three, *rest = (column for __ in range(6 // across) for column in st.columns(across))
    with one:
        matrix("padding", _("**Padding mask**: 1 on words, 0 on padding"), found.padding, "mask", found.queries)
    with two:
        if kind == "decoder":
            matrix("future", _("× **future mask**: a word sees no later one"), found.future, "mask", found.queries)
        else:
            matrix("future", _("× no future mask here: all 1"), found.future, "mask", found.queries)
    with three:
        matrix("allowed", _("= **may look**"), found.allowed, "mask", found.queries)
    real = found.real  # nothing reads what padding finds
    words = [query for query, is_real in zip(found.queries, real, strict=True) if is_real]
    allowed = found.allowed[real]
    four, five, six = rest
    with four:
        heading = _("**Scores** $q\\cdot k/\\sqrt{d_k}$, grey: $-\\infty$")
        matrix("scores", heading, found.scores[real], "scores", words, allowed)
    with five:
        heading = _("Softmax **without** masks; right: allowed")
        matrix("unmasked", heading, found.unmasked[real], "weights", words, None, found.kept[real])
    with six:
        after = np.where(allowed == 1, found.weights[real], 0.0).sum(1)
        matrix(
            "weights",
            _("Softmax **with** masks; right: allowed"),
            found.weights[real],
            "weights",
            words,
            allowed,
            after,
        )


def _explanations(found: MaskedAttention, kind: AttentionKind) -> list[str]:
    """What a mask does, what the future mask is for, and which rows are left out."""
    notes = [
        _(
            "A mask adds 0 to a score that may count and $-\\infty$ to one that may not; $e^{-\\infty}=0$, so the "
            "softmax gives those places nothing and shares everything among the others. The numbers at the right add "
            "up the weights of the places where the mask is 1: with masks that is always 1."
        )
    ]
    if kind == "decoder":
        notes.append(
            _(
                "Training feeds the decoder the whole right translation at once, and without the future mask it would "
                "read off the word that it is to guess. Padding stands at the end of a row, so for every real word the "
                "future mask hides it already."
            )
        )
    if not found.real.all():
        notes.append(
            _(
                "Rows for <pad> are computed too, but nothing reads them: they are left out of the lower pictures."
            ).replace("<pad>", "`<pad>`")
        )
    return notes


def _sorting(model: str) -> None:
    """How much of a batch is padding when sentences are sorted by length and when not, measured on our own pairs."""
    lengths = _lengths(str(models.folder(model)), model, models.stamp(model))
    if len(lengths) < 2 * ROWS:
        return
    st.markdown(
        _(
            "**Sorting saves work.** Of {count} sentences from this project's own collection, in batches of {rows} as "
            "they come, {mixed} of all places are padding; sorted by length first, {sorted}."
        ).format(
            count=f"{len(lengths):,}",
            rows=ROWS,
            mixed=f"{padding_share(lengths, ROWS):.0%}",
            sorted=f"{padding_share(sorted(lengths), ROWS):.1%}",
        )
    )


@st.cache_data(max_entries=16, show_spinner=False)
def _lengths(folder: str, model: str, stamp: tuple[int, ...]) -> list[int]:
    """Lengths in pieces of the first sentences of the collection for this model's languages; none without one."""
    loaded = models.load(model)
    path = models.shelf() / "corpus" / f"{loaded.meta.get('source')}-{loaded.meta.get('target')}.tsv"
    if not path.is_file():
        return []
    try:
        some = islice(read_corpus(path), SORTED)
        return [len(ids) + 1 for ids in loaded.vocab.encode_all([pair.source for pair in some])]
    except DataError:
        return []
