"""The guided tour of the Translate page, from its columns."""

from collections.abc import Sequence

from nmtcore.figures.text import signed
from nmtcore.text.words import name_at, piece_name
from nmtcore.views.alignment.data import Panel
from pages.common.alignment import Picks
from pages.common.i18n import _, ngettext
from pages.common.question import Question
from pages.common.state import link_texts
from pages.common.tour import Target, TourStep, attends_to, is_word, largest_weight, tour_step, your_sentence

PICTURE = "alignment"  # its key


def tour_steps(question: Question, panels: Sequence[Panel]) -> list[TourStep]:
    """Six to ten steps; panels: those with a translation, in the order of the columns."""
    places = [(number, panel) for number, panel in enumerate(panels) if panel.target and panel.autoregressive]
    if not places:
        return []
    looking = [(number, panel) for number, panel in places if panel.attention]
    steps = [tour_step(your_sentence(question.source.text), "text"), _likeliest(places)]
    steps += [_one_vector(number, panel) for number, panel in places if panel.attention is None][:1]
    if looking:
        steps += [_largest_weight(*looking[0]), _order(*looking[0])]
    steps += [_heads(*place) for place in looking if place[1].attention and place[1].attention.heads > 1][:1]
    steps.append(_doubt(places))
    steps += [_play(places), _search(question)]
    if len(steps) < 10:
        says = _("This question is for the class: its answer stays closed until somebody opens it.")
        steps.append(tour_step(says, "lesson"))
    return steps


def _panel(number: int) -> Target:
    return Target(PICTURE, f'[data-panel="{number}"]')


def _column(number: int, *parts: str) -> Target:
    """The column of a panel, or parts of it."""
    column = f"section:nth-child({number + 1})"
    return Target(PICTURE, ", ".join(f"{column} {part}" for part in parts) or column)


def _picked(pick: str | None = None, step: int | None = None) -> dict[str, str | None]:
    """The matrices as they open, in pieces, with the pick and the played step."""
    return link_texts(Picks, pick=pick, pick_view=None, pick_step=step)


def _likeliest(places: Sequence[tuple[int, Panel]]) -> TourStep:
    number, best = max(places, key=lambda place: place[1].log_probability or 0.0)
    says = (
        _("Of these models {model} gives its own translation the highest log-probability: log P {value}.")
        if len(places) > 1
        else _("{model} gives its own translation this log-probability: log P {value}.")
    )
    says = says.format(model=best.title, value=signed(best.log_probability or 0.0))
    return tour_step(says, _column(number, "h3", ".caption"), PICTURE)


def _one_vector(number: int, panel: Panel) -> TourStep:
    says = _(
        "{model} cannot look back at the source: all that it keeps of it is this one vector of {size} numbers."
    ).format(model=panel.title, size=len(panel.vector or ()))
    return tour_step(says, _column(number), PICTURE, shows=_picked())


def _largest_weight(number: int, panel: Panel) -> TourStep:
    largest = largest_weight(panel.matrix(), panel.target)
    says = attends_to(panel.title, panel.target, panel.source, largest)
    return tour_step(says, _panel(number), PICTURE, shows=_picked(f"{number}.t{largest.row}"))


def _order(number: int, panel: Panel) -> TourStep:
    """The first step from one word to the next at which the largest weight moves back."""
    main = panel.matrix().argmax(1)
    words = [j for j, piece in enumerate(panel.target) if is_word(piece)]
    pairs = [(j, k) for j, k in zip(words, words[1:], strict=False) if main[k] < main[j]]
    shows = _picked(f"{number}.t{pairs[0][1]}") if pairs else _picked()
    if pairs:
        j, k = pairs[0]
        says = _(
            "From “{first}” to “{second}” the largest weight of {model} moves back in the source, from “{before}” to "
            "“{after}”."
        ).format(
            first=name_at(panel.target, j),
            second=name_at(panel.target, k),
            model=panel.title,
            before=name_at(panel.source, int(main[j])),
            after=name_at(panel.source, int(main[k])),
        )
    elif len(words) > 1:
        says = _("From word to word of its translation the largest weight of {model} never moves back in the source.")
        says = says.format(model=panel.title)
    else:
        says = _("Two words in another order would show as cells that go back; {model} wrote fewer than two.")
        says = says.format(model=panel.title)
    return tour_step(says, _panel(number), PICTURE, shows=shows)


def _heads(number: int, panel: Panel) -> TourStep:
    layer = panel.layer if panel.layer == "mean" else panel.layer + 1
    if panel.head == "mean":
        says = _("{model} looks at the source with many heads; this picture is the mean of those in layer {layer}.")
        says = says.format(model=panel.title, layer=layer)
    else:
        says = _("{model} looks at the source with many heads; this picture is that of layer {layer}, head {head}.")
        says = says.format(model=panel.title, layer=layer, head=panel.head + 1)
    return tour_step(says, _column(number), PICTURE, shows=_picked())


def _doubt(places: Sequence[tuple[int, Panel]]) -> TourStep:
    """The piece that some model gave the lowest probability, at its step, with the other candidates."""
    steps = [
        (step.probability, number, at)
        for number, panel in places
        if panel.trace is not None
        for at, step in enumerate(panel.trace.steps)
        if is_word(step.token)
    ]
    if not steps:
        return tour_step(_("Below each heading is what its model wrote."), PICTURE)
    probability, number, at = min(steps)
    panel = dict(places)[number]
    says = (
        _("Wavy lines mark words whose probability is below one half; here {model} gives “{piece}” {probability}.")
        if any(word.doubtful for __, panel in places for word in panel.words)
        else _("No word is marked as doubtful; here {model} is least sure, and gives “{piece}” {probability}.")
    )
    says = says.format(model=panel.title, piece=piece_name(panel.target[at]), probability=f"{probability:.2f}")
    return tour_step(says, _column(number, ".next"), PICTURE, shows=_picked(step=at + 1))


def _play(places: Sequence[tuple[int, Panel]]) -> TourStep:
    count = max(len(panel.target) for __, panel in places)
    says = ngettext(
        "This player writes all translations piece by piece; the longest has {count} piece.",
        "This player writes all translations piece by piece; the longest has {count} pieces.",
        count,
    )
    return tour_step(says.format(count=count), Target(PICTURE, ".player"), PICTURE, shows=_picked())


def _search(question: Question) -> TourStep:
    says = (
        _("Beam search kept the best prefixes at every step; here its results can be compared with greedy search.")
        if question.beam > 1
        else _("Greedy search took the likeliest piece at every step; here it can be compared with a beam.")
    )
    return tour_step(says, "against greedy")
