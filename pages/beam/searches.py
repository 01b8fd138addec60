"""The tree and the searches that it shows: the constrained one, beside greedy, the previous, or a candidate's."""

import contextlib
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import InterventionError
from nmtcore.intervention import NO_CHANGE
from nmtcore.text.sentences import split_sentences
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.beam_tree.data import Line, data
from pages.beam import constraints
from pages.beam.state import BeamState
from pages.common import models
from pages.common.component import Slice, mount
from pages.common.i18n import _
from pages.common.opening import ModelPage
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


@dataclass(frozen=True, eq=False)
class Searches:
    """The drawn search, other results to overlay, and a sentence about each that is impossible."""

    trace: Trace
    lines: tuple[Line, ...]
    notes: tuple[str, ...]

    def best(self, vocab: Vocab, state: BeamState) -> str:
        """The translation that alpha and beta rank first."""
        return vocab.decode([node.token_id for node in self.trace.path(self.trace.ranked(state.alpha, state.beta)[0])])


def search(page: ModelPage[BeamState]) -> Searches:
    """Search under the constraints, or without them if they cannot be met."""
    state = page.state
    notes: list[str] = []
    change = constraints.intervention(state.constraints)
    try:
        (trace,) = models.ask([models.request(page.model, page.source, page.decoding, change)])
    except InterventionError as error:
        notes.append(f"{error} {_('The free search is shown.')}")
        trace, change = page.trace, NO_CHANGE
    lines = []
    if page.decoding.beam > 1:
        with contextlib.suppress(InterventionError):  # greedy search may miss constraints that a wide beam meets
            (greedy,) = models.ask([models.request(page.model, page.source, DecodingConfig(1), change)])
            lines.append(Line("greedy", _("greedy"), greedy))
    if change != NO_CHANGE:
        lines.append(Line("before", _("before"), page.trace, state.alpha, state.beta))
    if state.forced:
        try:
            forced = replace(change, forced=tuple(enumerate(state.forced)))  # the other constraints apply here too
            (there,) = models.ask([models.request(page.model, page.source, page.decoding, forced)])
            lines.append(Line("candidate", _("candidate"), there, state.alpha, state.beta))
        except InterventionError as error:
            notes.append(str(error))
    steps = max(node.step for node in trace.beam)
    if state.search_step > steps:
        beyond = _("The link asks for step {step}, but this search has {steps}: the last is shown.")
        notes.append(beyond.format(step=state.search_step, steps=steps))
    return Searches(trace, tuple(lines), tuple(notes))


def draw_tree(state: BeamState, searches: Searches, vocab: Vocab, *, key: str, **settings: Any) -> None:
    """Draw the search. settings: as of `nmtcore.views.beam_tree.data.data`.

    The comparison with the winner depends on the penalties, which otherwise only rerank in the browser; so does
    the note on the winner's sentences, if the text has several.
    """
    several = len(split_sentences(searches.trace.source_text)) > 1
    compared = state.shows_scores or several or any(line.kind != "greedy" for line in searches.lines)
    slice_ = Slice(state, FIELDS, ("whatif", "compare", *NEIGHBORS, *(("alpha", "beta") if compared else ())))
    settings |= {"alpha": state.alpha, "beta": state.beta}
    record = partial(data, searches.trace, vocab, lines=searches.lines, **settings)
    mount("beam_tree", record, key=key, state=slice_)
