"""The guided tour of the Architectures page, from its counts and what two models wrote."""

from collections.abc import Sequence

from nmtcore.views.alignment.data import Panel
from pages.architectures.cost_table import millions
from pages.architectures.results import ModelResult
from pages.architectures.state import ArchitecturesState
from pages.common.i18n import _
from pages.common.state import link_texts
from pages.common.tour import Target, TourStep, from_first_section, tour_step, your_sentence

TABLE = "cost table"


def tour_steps(text: str, results: Sequence[ModelResult], panels: Sequence[Panel]) -> list[TourStep]:
    """panels: the two models below."""
    if all(one.at_once for one in results):
        return []
    steps = [
        tour_step(your_sentence(text), "text"),
        _weights(results),
        _multiply_adds(results),
        _waiting(results),
        _path(results),
        tour_step(
            _("Here the models read and write longer and longer texts on this machine, once for everybody."),
            "time by length",
            shows=_section("length"),
        ),
    ]
    if panels:
        steps.append(_two(panels))
    steps.append(tour_step(_("Here is the order in which these designs came, with the papers."), "history"))
    steps.append(tour_step(_("This question is for the class: predict before you open its answer."), "lesson"))
    return from_first_section(steps)


def _cells(results: Sequence[ModelResult], columns: Sequence[int], *models: ModelResult) -> tuple[Target, Target]:
    """In the table: some models' names and their cells in some columns, counted from 1; else the whole table."""
    rows = [f'tbody > tr[data-code="{one.code}"] > td' for one in models]
    parts = [f"{row}:nth-child({column})" for row in rows for column in (1, *columns)]
    return Target(TABLE, ", ".join(parts)), Target(TABLE)


def _weights(results: Sequence[ModelResult]) -> TourStep:
    most, fewest = (choose(results, key=lambda one: one.parameters) for choose in (max, min))
    says = (
        _("{most} has the most weights, {millions} million, and {fewest} the fewest, {few}.")
        if most is not fewest
        else _("{most} has {millions} million weights.")
    )
    numbers = {"millions": f"{most.parameters / 1e6:,.1f}", "few": f"{fewest.parameters / 1e6:,.1f}"}
    return tour_step(says.format(most=most.title, fewest=fewest.title, **numbers), *_cells(results, [2], most, fewest))


def _multiply_adds(results: Sequence[ModelResult]) -> TourStep:
    most = max(results, key=lambda one: one.operations.total)
    says = _("For this sentence {model} does the most multiply-adds, {millions} million.")
    says = says.format(model=most.title, millions=millions(most.operations.total))
    return tour_step(says, *_cells(results, [4], most))


def _waiting(results: Sequence[ModelResult]) -> TourStep:
    most = max(results, key=lambda one: one.operations.sequential_training)
    says = _(
        "While {model} learns from this sentence, {taught} matrix products have to wait for one another; while it "
        "writes, {written}."
    )
    counted = most.operations
    counts = {"taught": f"{counted.sequential_training:,}", "written": f"{counted.sequential_decoding:,}"}
    return tour_step(says.format(model=most.title, **counts), *_cells(results, [5, 6], most))


def _path(results: Sequence[ModelResult]) -> TourStep:
    known = [(one.complexity.path(one.lengths[0]), one) for one in results if one.complexity is not None]
    if not known:
        return tour_step(_("For these models the longest path between two words is not known."), TABLE)
    (far, farthest), (near, nearest) = (choose(known, key=lambda pair: pair[0]) for choose in (max, min))
    says = (
        _("Two words of this source are up to {far} connections apart in {farthest}, and {near} in {nearest}.")
        if far != near
        else _("Two words of this source are up to {far} connections apart in all of these models.")
    )
    says = says.format(far=f"{far:,}", farthest=farthest.title, near=f"{near:,}", nearest=nearest.title)
    return tour_step(says, *_cells(results, [7], farthest, *([nearest] if far != near else [])))


def _section(code: str) -> dict[str, str | None]:
    return link_texts(ArchitecturesState, section=code)


def _two(panels: Sequence[Panel]) -> TourStep:
    first, second = panels[0], panels[-1]
    says = (
        _("{first} and {second} write the same; compare where they look.")
        if first.translation == second.translation
        else _("{first} and {second} write different words: words that only one of them wrote are underlined.")
    )
    return tour_step(says.format(first=first.title, second=second.title), "two models", shows=_section("two"))
