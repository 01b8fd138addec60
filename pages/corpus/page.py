"""Corpus: every sentence of a file of pairs with one or two models' translations, worst first."""

import time

import streamlit as st

from nmtcore.analysis.sentence_scores import filtered, worst_first
from nmtcore.errors import NmtError
from pages.common import models
from pages.common.address import address_bar, fragment, read_state
from pages.common.controls import show_notes
from pages.common.footer import end_page, page_footer
from pages.common.form import drop, hold
from pages.common.i18n import _
from pages.common.late_progress import time_left
from pages.common.opening import no_models
from pages.common.page_links import page_head
from pages.common.projection import offer_projection
from pages.corpus import job
from pages.corpus.controls import draw_choices, draw_filters, said_choice
from pages.corpus.pairs import ask_for_pairs, given, set_names
from pages.corpus.state import CorpusState
from pages.corpus.table import draw_pairs, draw_table

POLL = 1.0  # s between two checks of a process

state, notes = read_state(CorpusState)
address_bar()
page_head(
    state,
    _("Which sentences go wrong?"),
    _(
        "A file's BLEU hides which sentences fail. Here each sentence has its own scores, the worst first: open "
        "one to see why."
    ),
)
show_notes(*notes)
if not state.question.choices or not models.pairs():
    show_notes(no_models())
    end_page(state)
labels = models.labels(state.question.choices)
with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="corpus choices"):
    says = given() or set_names()[state.pairs]
    with st.popover(said_choice(state, labels, says), key="corpus settings", width="content"):
        try:
            pairs, lacks = ask_for_pairs(state), []
        except NmtError as error:
            pairs, lacks = (), [str(error)]
        draw_choices(state, labels)
    primary = st.container(width="content")  # of the button, drawn once it is known whether there is something to do
show_notes(*lacks)
ids = tuple(state.models.values())
folders = tuple(str(models.folder(model)) for model in ids)
order = job.Order(folders, pairs, state.question.beam, tuple(map(models.stamp, ids)))


def start() -> None:
    """Begin to translate; the next run of the page says what prevents it."""
    try:
        job.start(order)
    except (NmtError, OSError) as error:
        hold("corpus problem", str(error))


def progress(translation: job.Job) -> None:
    """How far it is, and the button that stops it."""
    if not translation.going_on:
        st.rerun()
    rows = translation.rows()
    says = _("{done} of {total} sentences").format(done=f"{len(rows):,}", total=f"{translation.total:,}")
    if (share := translation.share(rows)) > 0:
        says += " · " + time_left(time.monotonic() - translation.began, share)
    st.progress(share, text=says)
    st.button(_("Stop"), key="stop corpus", on_click=translation.stop)


show_notes(*filter(None, [drop("corpus problem", "")]))
translation = job.known(order)
if translation is None:
    says = _("Translate {count} sentences").format(count=f"{len(pairs):,}")
    if state.pairs == "example" and not given():
        says = _("Open an example")
    primary.button(says, key="start corpus", type="primary", on_click=start, disabled=not pairs or not ids)
    draw_pairs(pairs)
elif translation.going_on:
    fragment(progress, run_every=POLL)(translation)
    draw_pairs(pairs)
else:
    rows = translation.rows()
    stopped = ""
    if len(rows) < translation.total:
        stopped = _("Stopped: {done} of {total} sentences are translated, the shorter ones.").format(
            done=f"{len(rows):,}", total=f"{translation.total:,}"
        )
    show_notes(*filter(None, [translation.problem or stopped]))
    if rows:
        draw_filters(state)
        names = dict(zip(state.models, rows[0].scores, strict=True))
        kept = filtered(rows, state.word, state.shortest, state.longest)
        draw_table(state, worst_first(kept, state.sort, next(iter(names.values()))), names)
    if stopped:
        primary.button(_("Translate all sentences again"), key="start corpus", on_click=start)
offer_projection("corpus", "corpus table", "corpus pairs")
page_footer(
    "corpus",
    _("Sort by coverage, then by repetition. What do the sentences at the top have in common, and in which model?"),
    _(
        "Compare their lengths first. A decoder that loses its place leaves words out, which lowers coverage, or comes "
        "back to some that it has translated, which is repetition; the longer the sentence, the easier it is to get "
        "lost. A model without attention has no coverage: what it leaves out shows in chrF alone."
    ),
)
