"""Masks and batches: the typed sentence, a shorter and a longer one as one padded batch, and what masks do to a head.

The browser chooses the head and the sentence whose matrices are drawn, without a run.
"""

from collections.abc import Sequence
from functools import partial
from itertools import islice

import streamlit as st

from nmtcore.analysis.masks import PaddedBatch, padded_batch, padding_share
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import DataError
from nmtcore.limits import DRAWN_PIECES
from nmtcore.text.languages import language
from nmtcore.text.vocabulary import EOS
from nmtcore.training.supplement import read_corpus
from nmtcore.views.masks.data import data
from pages.common import models
from pages.common.component import Slice, mount
from pages.common.controls import errors_said, show_notes
from pages.common.i18n import _
from pages.transformer.state import MASKS, TransformerState

KEY = "masks"  # of the picture
SHARES = (0.5, 1.5)  # of the typed sentence's pieces in the other two: it has padding too, but not most of it is
PARTS = (0.5, 0.75)  # of its words, where no others are known
SORTED, ROWS = 1024, 32  # sentences sorted by length, and rows of their batches


@errors_said()
def show_batch(state: TransformerState, model: str, trace: Trace) -> None:
    """Draw the pane: the batch, the masks of any head, its scores and weights, and what sorting by length saves."""
    sentences = (trace.source_text, *_other_sentences(model, trace.source_text))
    longest = max(len(trace.source), len(trace.target))
    if longest > DRAWN_PIECES:
        says = _(
            "Masks and batches are drawn when a sentence and its translation have up to {most} pieces each; here one "
            "of them has {count}. Shorten the sentence."
        )
        show_notes(says.format(most=DRAWN_PIECES, count=longest))
        return
    batch = _batch(model, trace, sentences[1:])
    record = partial(data, batch, model=trace.model, sentences=list(sentences))
    mount("masks", record, key=KEY, state=Slice(state, MASKS))
    st.markdown(" ".join(_explanations(batch)))
    _sorting(model)


def _other_sentences(model: str, text: str) -> list[str]:
    """Two sentences of about SHARES of its length; for a language without any here, beginnings of the typed one."""
    loaded = models.load(model)
    left = [one for one in language(loaded.meta.get("source", "")).sentences if one != text]
    if not left:
        words = text.split() or [text]
        return [" ".join(words[: max(1, int(share * len(words)))]) for share in PARTS]

    def length(sentence: str) -> int:
        return len(loaded.vocab.encode(sentence))

    chosen = []
    for share in SHARES:
        chosen.append(min(left, key=lambda sentence: abs(length(sentence) - share * length(text))))
        left = left[left.index(chosen[-1]) + 1 :] or [one for one in left if one not in chosen]
    return sorted(chosen, key=length)


def _batch(model: str, trace: Trace, others: Sequence[str]) -> PaddedBatch:
    """The page's sentence with its translation, and the others with their greedy translations."""
    loaded = models.load(model)
    asked = [models.request(model, loaded.read(text), DecodingConfig()) for text in others]
    traces = [trace, *models.ask(asked)]
    targets = [one.ids if one.ids[-1] == EOS else (*one.ids, EOS) for one in traces]
    return padded_batch(loaded, [one.source_ids[:-1] for one in traces], targets)


def _explanations(batch: PaddedBatch) -> list[str]:
    """What a mask does, what the future mask is for, and which rows are left out."""
    notes = [
        _(
            "A mask adds 0 to a score that may count and $-\\infty$ to one that may not; $e^{-\\infty}=0$, so the "
            "softmax gives those places nothing and shares everything among the others. The numbers on the right add "
            "up the weights where the mask is 1: with masks, always 1."
        ),
        _(
            "Training feeds the decoder the whole right translation at once, and without the future mask it could read "
            "off the word that it has to guess. Padding stands at the end of a row, so the future mask already hides "
            "it from every real word."
        ),
    ]
    if not (batch.source_mask.all() and batch.input_mask.all()):
        notes.append(
            _(
                "Rows for <pad> are computed too, but nothing reads them: they are left out. More than three columns "
                "of <pad> are drawn as one, with their weights added up."
            ).replace("<pad>", "`<pad>`")
        )
    return notes


def _sorting(model: str) -> None:
    """How much of a batch is padding with and without sorting by length, measured on our own pairs."""
    lengths = _lengths(model)
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


@models.kept_by_model(16)
def _lengths(model: str) -> list[int]:
    """Lengths in pieces of the first sentences of the collection for this model's languages; none without one."""
    loaded = models.load(model)
    path = models.model_directory() / "corpus" / f"{loaded.meta.get('source')}-{loaded.meta.get('target')}.tsv"
    if not path.is_file():
        return []
    try:
        some = islice(read_corpus(path), SORTED)
        return [len(ids) + 1 for ids in loaded.vocab.encode_all([pair.source for pair in some])]
    except DataError:
        return []
