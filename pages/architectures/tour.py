"""The guided tour of the Architectures page, from what it counted and what two models wrote."""

from __future__ import annotations

from collections.abc import Sequence

from nmtcore.analysis.speed import LENGTHS
from nmtcore.views.alignment.data import Panel
from pages.architectures.found import AllFound, Known
from pages.common.i18n import _
from pages.common.tour import TourStep, tour_step
from pages.common.tour_sentences import reads_pieces

TABLE = "cost table"


def tour_steps(text: str, all_found: AllFound, panels: Sequence[Panel]) -> list[TourStep]:
    """panels: the two models below."""
    if not all_found.word_by_word:
        return []
    found = all_found.all_models
    steps = [
        tour_step(reads_pieces(text, all_found.word_by_word[0].beam), "text"),
        _weights(found),
        _multiply_adds(found),
        _waiting(max(found, key=lambda one: one.operations.sequential_training)),
        _path(found),
        tour_step(
            _("Here the models read and write {least} to {most} pieces on this machine, once for everybody.").format(
                least=LENGTHS[0], most=LENGTHS[-1]
            ),
            "time by length",
        ),
    ]
    if panels:
        steps.append(_two(panels))
    steps.append(tour_step(_("How these designs came one after another stands here, with the papers."), "history"))
    steps.append(tour_step(_("This question is for the class: predict before you open its answer."), "lesson"))
    return steps


def _weights(found: Sequence[Known]) -> TourStep:
    most, fewest = (choose(found, key=lambda one: one.costs.parameters) for choose in (max, min))
    says = (
        _("{most} has the most weights, {millions} million, {times} times as many as {fewest}.")
        if most is not fewest
        else _("{most} has {millions} million weights.")
    )
    values = {"most": most.title, "fewest": fewest.title, "millions": f"{most.costs.parameters / 1e6:.1f}"}
    times = most.costs.parameters / fewest.costs.parameters
    return tour_step(says.format(**values, times=f"{times:.1f}"), TABLE)


def _multiply_adds(found: Sequence[Known]) -> TourStep:
    most = max(found, key=lambda one: one.operations.total)
    source, target = most.lengths
    says = _(
        "For this sentence {model} does the most multiply-adds, {millions} million, to read {source} pieces and to "
        "write {target}."
    )
    millions = f"{most.operations.total / 1e6:,.1f}"
    return tour_step(says.format(model=most.title, millions=millions, source=source, target=target), TABLE)


def _waiting(one: Known) -> TourStep:
    says = _(
        "While {model} learns from this sentence, {taught} matrix products have to wait for one another; while it "
        "writes, {written}."
    )
    counted = one.operations
    counts = {"taught": f"{counted.sequential_training:,}", "written": f"{counted.sequential_decoding:,}"}
    return tour_step(says.format(model=one.title, **counts), TABLE)


def _path(found: Sequence[Known]) -> TourStep:
    known = [(one.complexity.path(one.lengths[0]), one.title) for one in found if one.complexity is not None]
    if not known:
        return tour_step(_("How far two words are apart is not known for these models."), TABLE)
    (far, farthest), (near, nearest) = max(known), min(known)
    says = (
        _("Between two words of this source lie up to {far} connections in {farthest}, and {near} in {nearest}.")
        if far != near
        else _("Between two words of this source lie up to {far} connections in all of these models.")
    )
    return tour_step(says.format(far=far, farthest=farthest, near=near, nearest=nearest), TABLE)


def _two(panels: Sequence[Panel]) -> TourStep:
    first, second = panels[0], panels[-1]
    says = (
        _("{first} and {second} write the same; compare where they look.")
        if first.translation == second.translation
        else _("{first} and {second} write different words: what only one of them wrote is underlined.")
    )
    return tour_step(says.format(first=first.title, second=second.title), "two models")
