"""The guided tour of the additive and the dot page, from the decode that is walked through."""

from nmtcore.figures.text import signed
from nmtcore.text.words import name_at, piece_name
from pages.attention.walkthrough import KEY, Walkthrough
from pages.common.i18n import _
from pages.common.state import link_texts
from pages.common.tour import (
    LargestWeight,
    Target,
    TourStep,
    attends_to,
    largest_weight,
    quoted,
    tour_step,
    your_sentence,
)

PARTS = 6  # steps of attention for each piece
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

TOLD = Target(KEY, ".where, .chips, .explain")
TOLD_AND_DRAWN = Target(KEY, ".where, .chips, .explain, .diagram")


def tour_steps(shown: Walkthrough) -> list[TourStep]:
    """Ten steps (nine on the additive page) about the word with the largest maximum weight."""
    steps = [
        tour_step(your_sentence(shown.trace.source_text), "text"),
        *_from_states_to_word(shown),
        _player(shown),
        _override(shown),
    ]
    if shown.config.architecture == "dot":
        says = _(
            "Below, the same scores go through a softmax with another temperature τ: a small one sharpens, a large one "
            "flattens."
        )
        steps.append(tour_step(says, Target(KEY, ".lab section:nth-of-type(2)"), KEY))
    return steps


def _from_states_to_word(shown: Walkthrough) -> list[TourStep]:
    """Tour steps for the six parts of attention at one word: two for the first part, none for the fourth."""
    trace = shown.trace
    largest = _largest(shown)
    step = trace.steps[largest.row]
    values = {
        "word": name_at(trace.target, largest.row),
        "step": largest.row + 1,
        "source": name_at(trace.source, largest.column),
        "score": signed(float(trace.inner["scores"][largest.row, 0, largest.column])),
        "count": len(trace.source),
        "before": f"s{largest.row}".translate(LOWERED),
        "now": f"s{largest.row + 1}".translate(LOWERED),
        "context": f"C{largest.row + 1}".translate(LOWERED),
        "taken": piece_name(step.token),
        "probability": f"{step.probability:.2f}",
    }
    states = _("The encoder has made {count} states h, one for each piece; the last belongs to <eos>, the end mark.")
    asks = (
        _("Before it writes word {step}, “{word}”, the decoder asks with {before}, the state of the step before.")
        if shown.config.context == "input"
        else _("To write word {step}, “{word}”, the decoder asks with {now}, the state of this very step.")
    )
    fits = _("For word {step} no source piece has a higher score than “{source}”: β = {score}.")
    context = _("The states, each times its weight, add up to one vector, {context}, made for this word alone.")
    others = [candidate for candidate in step.candidates if candidate.id != step.id]
    if others:
        written = _(
            "Now “{taken}” is written, with probability {probability}; the likeliest other was “{other}”, {next}."
        )
        share = others[0].probability
        values |= {"other": piece_name(others[0].token), "next": f"{share:.2f}" if share >= 0.005 else "<0.01"}
    else:
        written = _("Now “{taken}” is written, with probability {probability}.")
    attends = attends_to(_("the model"), trace.target, trace.source, largest)

    def brings(part: int) -> dict[str, str | None]:
        return link_texts(type(shown.page.state), place=f"{largest.row + 1}.{part}")

    def at(part: int, says: str, target: Target = TOLD_AND_DRAWN) -> TourStep:
        return tour_step(says.format(**values), target, KEY, shows=brings(part))

    return [
        at(1, states, Target(KEY, ".explain, .diagram")),
        at(1, asks, TOLD),
        at(2, fits),
        tour_step(attends, TOLD_AND_DRAWN, KEY, shows=brings(3)),
        at(5, context),
        at(6, written, Target(KEY, ".next")),
    ]


def _largest(shown: Walkthrough) -> LargestWeight:
    """The largest among the rows that the model made by itself: in an overridden row the scores do not match."""
    cross = shown.trace.known_attention("cross")
    weights = cross.matrix(0, 0).copy()
    if shown.override is not None and shown.override.step < len(weights):
        weights[shown.override.step] = 0
    return largest_weight(weights, shown.trace.target)


def _player(shown: Walkthrough) -> TourStep:
    says = _("The player goes through all of it: {parts} steps of attention for each of {count} words.")
    return tour_step(says.format(parts=PARTS, count=len(shown.trace.target)), Target(KEY, ".player"), KEY)


def _override(shown: Walkthrough) -> TourStep:
    if shown.override is None:
        says = _("Here the attention of one word can be bent by hand, and the model goes on from there.")
        return tour_step(says, Target(KEY, ".override"), KEY)
    says = _("The attention of one word is bent by hand now; left alone, the model writes “{text}”.")
    return tour_step(says.format(text=quoted(shown.own.text)), Target(KEY, ".outcome"), KEY)
