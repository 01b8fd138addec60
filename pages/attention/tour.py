"""The guided tour of the additive and the dot page, from the decode that is walked through."""

from __future__ import annotations

import math

from nmtcore.text.words import name_at, token_name
from pages.attention.walkthrough import KEY, Walkthrough
from pages.common.i18n import _
from pages.common.tour import Target, TourStep, tour_step
from pages.common.tour_sentences import attends_to, largest_weight, quoted, reads_pieces

PARTS = 6  # steps of attention for each piece


def tour_steps(shown: Walkthrough) -> list[TourStep]:
    """Ten steps, on the additive page nine."""
    steps = [
        tour_step(reads_pieces(shown.trace.source_text, shown.trace), "text"),
        *_from_states_to_weights(shown),
        _context(shown),
        _word(shown),
        _player(shown),
        _override(shown),
    ]
    if shown.config.architecture == "dot":
        says = _(
            "Below, the same scores go through softmaxes of other temperatures; √d of these {d} components is {root}."
        )
        d = shown.config.units
        steps.append(tour_step(says.format(d=d, root=f"{math.sqrt(d):.2f}"), _part(".lab"), KEY))
    return steps


def _part(selector: str) -> Target:
    return Target(KEY, selector)


def _heading(part: int) -> Target:
    """The heading of a step of attention in the diagram, from 0."""
    return _part(f'.heading[data-head="{part}"]')


def _from_states_to_weights(shown: Walkthrough) -> list[TourStep]:
    trace, config = shown.trace, shown.config
    cross = trace.attention_of("cross")
    assert cross is not None
    largest = largest_weight(cross.matrix(0, 0), trace.target)
    scores = trace.inner["scores"][largest.row, 0]
    best = int(scores.argmax())
    states = _("The encoder has left {count} states, one for each piece, and each is a vector of {D} numbers.")
    asks = (
        _("Before it writes “{word}” at step {step}, the decoder asks with s{before}, the state of the step before.")
        if config.context == "input"
        else _("To write “{word}” at step {step}, the decoder asks with s{now}, the state of this very step.")
    )
    fits = _("Of the {count} scores of step {step} that of “{source}” is the largest: β = {score}.")
    values = {"word": name_at(trace.target, largest.row), "step": largest.row + 1}
    return [
        tour_step(states.format(count=len(trace.source), D=config.units), _heading(0), _part(".diagram"), KEY),
        tour_step(asks.format(**values, before=largest.row, now=largest.row + 1), _part(".chips"), KEY),
        tour_step(
            fits.format(
                count=len(trace.source),
                step=largest.row + 1,
                source=name_at(trace.source, best),
                score=f"{float(scores[best]):.2f}".replace("-", "\u2212"),
            ),
            _heading(1),
            _part(".diagram"),
            KEY,
        ),
        tour_step(attends_to(_("the model"), trace.target, trace.source, largest), _part(".matrix"), _heading(2), KEY),
    ]


def _context(shown: Walkthrough) -> TourStep:
    says = _(
        "The {count} states, each times its weight, add up to one vector of {D} numbers, made anew for every piece."
    )
    says = says.format(count=len(shown.trace.source), D=shown.config.units)
    return tour_step(says, _heading(4), _part(".diagram"), KEY)


def _word(shown: Walkthrough) -> TourStep:
    """The first step's candidates: the piece that was taken and the likeliest other one."""
    step = shown.trace.steps[0]
    others = [candidate for candidate in step.candidates if candidate.id != step.id]
    values = {"word": token_name(step.token), "probability": f"{step.probability:.2f}"}
    if others:
        says = _(
            "At step 1 “{word}” was written with the probability {probability}; the likeliest other was “{other}”, "
            "{next}."
        )
        says = says.format(**values, other=token_name(others[0].token), next=f"{others[0].probability:.2f}")
    else:
        says = _("At step 1 “{word}” was written, with the probability {probability}.").format(**values)
    return tour_step(says, _heading(5), _part(".next"), KEY)


def _player(shown: Walkthrough) -> TourStep:
    count = len(shown.trace.target)
    says = _("The player goes through all of it: {parts} steps of attention for each of {count} pieces, {all} in all.")
    return tour_step(says.format(parts=PARTS, count=count, all=PARTS * count), _part(".player"), KEY)


def _override(shown: Walkthrough) -> TourStep:
    if shown.override is None:
        says = _("Here the attention of one step can be bent by hand; left alone, the model writes “{text}”.")
    else:
        says = _("The attention of one step is bent by hand now; left alone, the model writes “{text}”.")
    return tour_step(says.format(text=quoted(shown.own.text)), _part(".override"), KEY)
