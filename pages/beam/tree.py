"""The beam tree on its page: the picture, and what a click in it makes the page do."""

from functools import partial
from typing import Any

from nmtcore.text.sentences import split_sentences
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.beam_tree.data import data
from nmtcore.views.beam_tree.messages import MESSAGES
from pages.beam.searches import Searches
from pages.beam.state import BeamState
from pages.common.component import Slice, localized, mount
from pages.common.vectors import NEIGHBORS

FIELDS = {
    "alpha": "alpha",
    "beta": "beta",
    "dropped": "dropped",
    "step": "search_step",
    "later": "later",
    "whatif": "whatifs",
    "compare": "candidate",
    **NEIGHBORS,
}


def draw_tree(state: BeamState, searches: Searches, vocab: Vocab, *, key: str, **settings: Any) -> None:
    """Draw the search. settings: as of `nmtcore.views.beam_tree.data.data`.

    The comparison with the winner depends on the penalties, which otherwise only rerank in the browser; so does
    the note on the winner's sentences, if the text has several.
    """
    several = len(split_sentences(searches.trace.source_text)) > 1
    compared = state.shows_scores or several or any(line.kind != "greedy" for line in searches.lines)
    slice_ = Slice(state, FIELDS, ("whatif", "compare", *NEIGHBORS, *(("alpha", "beta") if compared else ())))
    record = partial(
        data, searches.trace, vocab, lines=searches.lines, view=state.view, messages=localized(MESSAGES), **settings
    )
    mount("beam_tree", record, key=key, state=slice_)
