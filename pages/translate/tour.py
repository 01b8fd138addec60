"""The guided tour of the Translate page, from its columns."""

from __future__ import annotations

from collections.abc import Sequence

from nmtcore.figures.text import signed
from nmtcore.text.words import name_at, token_name
from nmtcore.views.alignment.data import Panel
from pages.common.controls import Question
from pages.common.i18n import _, ngettext
from pages.common.tour import Target, TourStep, tour_step
from pages.common.tour_sentences import attends_to, is_word, largest_weight, quoted

PICTURE = "alignment"  # its key


def tour_steps(question: Question, text: str, panels: Sequence[Panel]) -> list[TourStep]:
    """Six to ten steps; panels: those with a translation, in the order of the columns."""
    places = [(number, panel) for number, panel in enumerate(panels) if panel.target and panel.autoregressive]
    if not places:
        return []
    looking = [(number, panel) for number, panel in places if panel.attention]
    steps = [_read(text, places), _likeliest(places)]
    steps += [_one_vector(number, panel) for number, panel in places if panel.attention is None][:1]
    if looking:
        steps += [_largest_weight(*looking[0]), _order(*looking[0])]
    steps += [_heads(*place) for place in looking if place[1].attention and place[1].attention.heads > 1][:1]
    steps.append(_doubt(places))
    if looking:
        steps.append(_passed_over(looking))
    steps += [_play(places), _search(question)]
    if len(steps) < 10:
        says = _("This question is for the class: its answer stays closed until somebody opens it.")
        steps.append(tour_step(says, "lesson"))
    return steps


def _panel(number: int, part: str = "") -> Target:
    return Target(PICTURE, f'[data-panel="{number}"]{part}')


def _read(text: str, places: Sequence[tuple[int, Panel]]) -> TourStep:
    counts = sorted({len(panel.source) for __, panel in places})
    says = _("The models read “{sentence}” as {count} pieces, counting <eos>, the mark of its end.")
    count = _(" or ").join(map(str, counts))
    return tour_step(says.format(sentence=quoted(text), count=count), "text")


def _likeliest(places: Sequence[tuple[int, Panel]]) -> TourStep:
    number, best = max(places, key=lambda place: place[1].log_probability or 0.0)
    says = (
        _("No model here finds its own translation likelier than {model} does: log P {value}.")
        if len(places) > 1
        else _("{model} gives its own translation this logarithm of its probability: log P {value}.")
    )
    says = says.format(model=best.title, value=signed(best.log_probability or 0.0))
    return tour_step(says, Target(PICTURE, f"section:nth-child({number + 1}) .caption"), PICTURE)


def _one_vector(number: int, panel: Panel) -> TourStep:
    says = _(
        "{model} has no rows that look back: all that it keeps of the {count} pieces is this one vector of {size} "
        "numbers."
    ).format(model=panel.title, count=len(panel.source), size=len(panel.vector or ()))
    return tour_step(says, _panel(number), PICTURE)


def _largest_weight(number: int, panel: Panel) -> TourStep:
    assert panel.attention is not None
    largest = largest_weight(panel.attention.matrix(panel.layer, panel.head), panel.target)
    word, source = token_name(panel.target[largest.row]), token_name(panel.source[largest.column])
    here = f'[data-panel="{number}"]'
    # Where words are merged or marks hidden, rows and columns have other numbers.
    where = ((f'{here} g[data-row="{largest.row}"]', word), (f'{here} g[data-column="{largest.column}"]', source))
    cell = Target(PICTURE, f'{here} [data-cell="{largest.row},{largest.column}"]', where)
    return tour_step(attends_to(panel.title, panel.target, panel.source, largest), cell, _panel(number), PICTURE)


def _order(number: int, panel: Panel) -> TourStep:
    """The first step from one word to the next at which the place of the largest weight goes back."""
    assert panel.attention is not None
    main = panel.attention.matrix(panel.layer, panel.head).argmax(1)
    words = [j for j, piece in enumerate(panel.target) if is_word(piece)]
    pairs = [(j, k) for j, k in zip(words, words[1:], strict=False) if main[k] < main[j]]
    if pairs:
        j, k = pairs[0]
        says = _(
            "From “{first}” to “{second}” the largest weight of {model} goes back in the source, from “{before}” to "
            "“{after}”."
        ).format(
            first=name_at(panel.target, j),
            second=name_at(panel.target, k),
            model=panel.title,
            before=name_at(panel.source, int(main[j])),
            after=name_at(panel.source, int(main[k])),
        )
    elif len(words) > 1:
        says = _("From word to word of its translation the largest weight of {model} never goes back in the source.")
        says = says.format(model=panel.title)
    else:
        says = _("Two words in another order would show as cells that go back; {model} wrote fewer than two.")
        says = says.format(model=panel.title)
    return tour_step(says, _panel(number), PICTURE)


def _heads(number: int, panel: Panel) -> TourStep:
    assert panel.attention is not None
    values = {"model": panel.title, "count": panel.attention.layers * panel.attention.heads}
    layer = panel.layer if panel.layer == "mean" else panel.layer + 1
    if panel.head == "mean":
        says = _("{model} looks at the source with {count} heads; this picture is the mean of those in layer {layer}.")
        return tour_step(says.format(**values, layer=layer), _panel(number), PICTURE)
    says = _("{model} looks at the source with {count} heads; this picture is one of them, layer {layer}, head {head}.")
    return tour_step(says.format(**values, layer=layer, head=panel.head + 1), _panel(number), PICTURE)


def _doubt(places: Sequence[tuple[int, Panel]]) -> TourStep:
    found = [(word.probability, word.text, number, panel) for number, panel in places for word in panel.words]
    doubtful = sum(word.doubtful for __, panel in places for word in panel.words)
    if not found:
        return tour_step(_("Below each heading stands what its model wrote."), PICTURE)
    probability, text, number, panel = min(found, key=lambda one: one[0])
    values = {"count": doubtful, "word": text, "model": panel.title, "probability": f"{probability:.2f}"}
    says = (
        ngettext(
            "A wavy line marks {count} word whose probability is below one half: “{word}” of {model}, {probability}.",
            "Wavy lines mark {count} words whose probability is below one half, the least likely “{word}” of {model}, "
            "{probability}.",
            doubtful,
        )
        if doubtful
        else _("No word is marked as doubtful: the least likely, “{word}” of {model}, has {probability}.")
    )
    says = says.format(**values)
    return tour_step(says, Target(PICTURE, f"section:nth-child({number + 1}) .translation"), _panel(number), PICTURE)


def _passed_over(looking: Sequence[tuple[int, Panel]]) -> TourStep:
    number, panel = max(looking, key=lambda place: len(place[1].unseen))
    count = len(panel.unseen)
    if not count:
        says = _("No source word has a dashed frame, which would mark one that a translation may have left out.")
        return tour_step(says, PICTURE)
    says = ngettext(
        "A dashed frame marks {count} source word that {model} may have left out: no row looks mainly at it.",
        "Dashed frames mark {count} source words that {model} may have left out: no row looks mainly at them.",
        count,
    ).format(count=count, model=panel.title)
    return tour_step(says, _panel(number), PICTURE)


def _play(places: Sequence[tuple[int, Panel]]) -> TourStep:
    count = max(len(panel.target) for __, panel in places)
    says = ngettext(
        "This player writes all translations piece by piece; the longest has {count} piece.",
        "This player writes all translations piece by piece; the longest has {count} pieces.",
        count,
    )
    return tour_step(says.format(count=count), Target(PICTURE, ".player"), PICTURE)


def _search(question: Question) -> TourStep:
    says = (
        _("Search kept the {beam} best beginnings at every step; here it can be compared with greedy search.")
        if question.beam > 1
        else _("Greedy search took the likeliest piece at every step; here it can be compared with a beam.")
    )
    return tour_step(says.format(beam=question.beam), "against greedy")
