"""The guided tour of the Beam search page, from the search that its tree shows."""

from __future__ import annotations

import math

from nmtcore.decoding.trace import BeamNode, Trace, coverage_penalty, length_penalty
from nmtcore.figures.text import signed
from nmtcore.text.vocabulary import Vocab
from nmtcore.text.words import token_name
from nmtcore.views.beam_tree.data import View
from pages.beam.searches import Searches
from pages.common.i18n import _, ngettext
from pages.common.opening import ModelPage
from pages.common.tour import Target, TourStep, tour_step
from pages.common.tour_sentences import quoted, reads_pieces

KEY = "tree"  # of the picture
KEPT = ("kept", "finished", "winner")


def tour_steps(page: ModelPage, found: Searches, view: View) -> list[TourStep]:
    """Ten steps."""
    trace, vocab = found.trace, page.checkpoint.vocab
    ends = trace.ranked(view.alpha, view.beta)
    ranking = Target(KEY, ".ranking")
    slider = _(
        "A larger α prefers longer translations; moving it ranks what was found again and searches nothing anew."
    )
    return [
        tour_step(reads_pieces(page.text, trace), "text"),
        tour_step(_tree(trace), Target(KEY, ".frame"), KEY),
        tour_step(_first(trace), Target(KEY, ".chances"), Target(KEY, ".frame"), KEY),
        tour_step(_winner(trace, ends[0], view, vocab), Target(KEY, ".results"), ranking, KEY),
        tour_step(_arithmetic(ends[0], view), ranking, KEY),
        tour_step(_second(trace, ends, view, vocab), ranking, KEY),
        tour_step(_greedy(page, found, ends[0]), Target(KEY, ".results"), KEY),
        tour_step(slider, Target(KEY, ".penalties"), KEY),
        tour_step(_("Here search can be made to write a word, or words that begin with given letters."), "contain"),
        tour_step(
            _("Here a typed translation gets its log P from the model piece by piece, without any search."),
            "teacher forcing",
        ),
    ]


def _text(trace: Trace, end: BeamNode, vocab: Vocab) -> str:
    return quoted(vocab.decode([node.token_id for node in trace.path(end)]))


def _tree(trace: Trace) -> str:
    nodes = trace.beam[1:]
    kept = sum(node.fate in KEPT for node in nodes)
    values = {"count": len(nodes), "steps": max(node.step for node in nodes), "kept": kept}
    says = ngettext(
        "Search looked at {count} candidate in {steps} steps and kept {kept}.",
        "In {steps} steps search looked at {count} candidates and kept {kept} of them.",
        len(nodes),
    )
    return says.format(**values)


def _first(trace: Trace) -> str:
    best = max((node for node in trace.beam if node.step == 1), key=lambda node: node.log_probability)
    return _("Of all beginnings that it looked at, “{word}” was the likeliest: {probability}.").format(
        word=token_name(best.token), probability=f"{math.exp(best.log_probability):.2f}"
    )


def _winner(trace: Trace, end: BeamNode, view: View, vocab: Vocab) -> str:
    return _("With α = {alpha} and β = {beta} the winner is “{text}”, its score s = {score}.").format(
        alpha=f"{view.alpha:.2f}",
        beta=f"{view.beta:.2f}",
        text=_text(trace, end, vocab),
        score=signed(end.score(view.alpha, view.beta)),
    )


def _arithmetic(end: BeamNode, view: View) -> str:
    coverage = coverage_penalty(end.coverage, view.beta)
    says = (
        _("Its log P of {total}, divided by lp = {lp} for {count} pieces, plus cp = {cp}, gives that score.")
        if coverage
        else _("Its log P of {total}, divided by lp = {lp} for {count} pieces, gives that score.")
    )
    lp = f"{length_penalty(end.step, view.alpha):.4f}"  # more digits than the score, which a reader works out again
    return says.format(total=signed(end.total, 3), lp=lp, count=end.step, cp=signed(coverage, 3))


def _second(trace: Trace, ends: tuple[BeamNode, ...], view: View, vocab: Vocab) -> str:
    if len(ends) < 2:
        return _("No other translation was brought to its end, so nothing stands behind the winner.")
    return _("Behind it comes “{text}” with s = {score}.").format(
        text=_text(trace, ends[1], vocab), score=signed(ends[1].score(view.alpha, view.beta))
    )


def _greedy(page: ModelPage, found: Searches, end: BeamNode) -> str:
    line = next((line for line in found.lines if line.kind == "greedy"), None)
    if page.decoding.beam == 1:
        return _("The width is 1, which is greedy search: at every step one hypothesis stays.")
    if line is None:
        return _("Greedy search finds nothing that meets what is asked for here.")
    ours, theirs = found.trace.path(end), line.nodes
    if [node.token_id for node in ours] == [node.token_id for node in theirs]:
        return _("Greedy search finds the very same translation here.")
    step = next(
        (j for j, (a, b) in enumerate(zip(ours, theirs, strict=False), 1) if a.token_id != b.token_id),
        min(len(ours), len(theirs)) + 1,
    )
    return _("Greedy search parts from the winner at step {step} and ends with log P {greedy} against {beam}.").format(
        step=step, greedy=signed(theirs[-1].total), beam=signed(end.total)
    )
