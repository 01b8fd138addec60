"""The searches that one tree shows: the constrained one, and for comparison greedy, the previous, or a candidate's."""

import contextlib
from dataclasses import dataclass, replace

from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import InterventionError
from nmtcore.intervention import NO_CHANGE
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.beam_tree.data import Line
from pages.beam import constraints
from pages.beam.state import BeamState
from pages.common import models
from pages.common.i18n import _
from pages.common.opening import ModelPage


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
    view, candidate = page.state.view, page.state.forced
    notes: list[str] = []
    change = constraints.intervention(page.state.constraints)
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
        lines.append(Line("before", _("before"), page.trace, view.alpha, view.beta))
    if candidate:
        try:
            forced = replace(change, forced=tuple(enumerate(candidate)))  # the other constraints apply here too
            (there,) = models.ask([models.request(page.model, page.source, page.decoding, forced)])
            lines.append(Line("candidate", _("candidate"), there, view.alpha, view.beta))
        except InterventionError as error:
            notes.append(str(error))
    steps = max(node.step for node in trace.beam)
    if view.step > steps:
        beyond = _("The link asks for step {step}, but this search has {steps}: the last is shown.")
        notes.append(beyond.format(step=view.step, steps=steps))
    return Searches(trace, tuple(lines), tuple(notes))
