"""The guided tour of the Beam search page, from the search that its tree shows."""

import math

from nmtcore.decoding.trace import BeamNode, Trace, coverage_penalty
from nmtcore.figures.text import signed
from nmtcore.text.vocabulary import Vocab
from nmtcore.text.words import token_name
from pages.beam.searches import Searches
from pages.beam.state import BeamState
from pages.common.i18n import _, ngettext
from pages.common.opening import ModelPage
from pages.common.state import link_texts
from pages.common.tour import Target, TourStep, quoted, tour_step, your_sentence

KEY = "tree"  # of the picture


def tour_steps(page: ModelPage[BeamState], searches: Searches) -> list[TourStep]:
    """Ten steps."""
    state, trace, vocab = page.state, searches.trace, page.checkpoint.vocab
    ends = trace.ranked(state.alpha, state.beta)
    ranking, results = Target(KEY, ".ranking"), Target(KEY, ".results")
    greedy, parts = _greedy(page, searches, ends[0])
    slider = _(
        "A larger α prefers longer translations; moving it ranks the finished translations again, without a new search."
    )
    return [
        tour_step(your_sentence(page.source.text), "text"),
        tour_step(_tree(trace), Target(KEY, ".player, .frame"), KEY),
        tour_step(_first(trace), Target(KEY, ".chances"), Target(KEY, ".frame"), KEY, shows=_shown(state, 1)),
        tour_step(_winner(trace, ends[0], state, vocab), results, ranking, KEY, shows=_shown(state)),
        tour_step(_arithmetic(ends[0], state), ranking, KEY, shows=_shown(state)),
        tour_step(_second(trace, ends, state, vocab), ranking, KEY, shows=_shown(state)),
        tour_step(greedy, results, KEY, shows=_shown(state, parts)),
        tour_step(slider, Target(KEY, ".penalties"), KEY),
        tour_step(_("Here search can be forced to write a word, or words that begin with given letters."), "contain"),
        tour_step(
            _("Here a typed translation gets its log P from the model piece by piece, without any search."),
            "teacher forcing",
        ),
    ]


def _shown(state: BeamState, step: int = 0) -> dict[str, str | None]:
    """The penalties that the sentences refer to, and a step of the search with everything after it."""
    place = {"search_step": step, "later": True} if step else {}
    return link_texts(BeamState, alpha=state.alpha, beta=state.beta, **place)


def _text(trace: Trace, end: BeamNode, vocab: Vocab) -> str:
    return quoted(vocab.decode([node.token_id for node in trace.path(end)]))


def _tree(trace: Trace) -> str:
    steps = max(node.step for node in trace.beam)
    says = ngettext(
        "Search grew this tree in {steps} step: the branches it kept go on, those it dropped end.",
        "Search grew this tree in {steps} steps: the branches it kept go on, those it dropped end.",
        steps,
    )
    return says.format(steps=steps)


def _first(trace: Trace) -> str:
    best = max((node for node in trace.beam if node.step == 1), key=lambda node: node.log_probability)
    return _("Of all first tokens, “{word}” was the likeliest: {probability}.").format(
        word=token_name(best.token), probability=f"{math.exp(best.log_probability):.3f}"
    )


def _winner(trace: Trace, end: BeamNode, state: BeamState, vocab: Vocab) -> str:
    return _("The winner is “{text}”: no other has a higher score than its {score}.").format(
        text=_text(trace, end, vocab), score=signed(end.score(state.alpha, state.beta))
    )


def _arithmetic(end: BeamNode, state: BeamState) -> str:
    says = (
        _("Its log P of {total}, its length, {count} pieces, and its cp give that score by the formula below.")
        if coverage_penalty(end.coverage, state.beta)
        else _("Its log P of {total} and its length, {count} pieces, give that score by the formula below.")
    )
    return says.format(total=signed(end.total, 3), count=end.step)


def _second(trace: Trace, ends: tuple[BeamNode, ...], state: BeamState, vocab: Vocab) -> str:
    if len(ends) < 2:
        return _("No other translation was finished, so the winner stands alone.")
    return _("Behind it comes “{text}”, with the score {score}.").format(
        text=_text(trace, ends[1], vocab), score=signed(ends[1].score(state.alpha, state.beta))
    )


def _greedy(page: ModelPage[BeamState], searches: Searches, end: BeamNode) -> tuple[str, int]:
    """What greedy search does, and the step at which it diverges from the winner; 0 if it does not."""
    line = next((line for line in searches.lines if line.kind == "greedy"), None)
    if page.decoding.beam == 1:
        return _("The width is one, which is greedy search: at every step one hypothesis is kept."), 0
    if line is None:
        return _("Greedy search finds no translation that meets these constraints."), 0
    ours, theirs = searches.trace.path(end), line.nodes
    if [node.token_id for node in ours] == [node.token_id for node in theirs]:
        return _("Greedy search finds the very same translation here."), 0
    step = next(
        (j for j, (a, b) in enumerate(zip(ours, theirs, strict=False), 1) if a.token_id != b.token_id),
        min(len(ours), len(theirs)) + 1,
    )
    says = _("Greedy search diverges from the winner at step {step} and ends with log P {greedy} against {beam}.")
    return says.format(step=step, greedy=signed(theirs[-1].total, 3), beam=signed(end.total, 3)), step
