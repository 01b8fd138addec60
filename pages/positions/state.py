"""State of the Positions page: the question, the order of its pieces, whose positions are removed, and the rotation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nmtcore.messages import N_
from nmtcore.views.kit.link_state import Choice, Codes, Whole
from nmtcore.views.parameters import ABLATION, ROTATION
from pages.common import examples
from pages.common.i18n import _
from pages.common.question import SENTENCE, Question
from pages.common.screen import Screen
from pages.common.state import State, none_of, part, says, stated

OWN = 0  # the order that a person has made
SHUFFLES = 5  # orders of the pieces on offer
ORDER_LETTERS = "ABCDE"  # labels of their buttons
SECTIONS = ("order", "waves", "distance", "relative")
TURN = {"i": "turn_pair", "position": "turn_position", "k": "turn_distance"}  # fields, by the picture's names for them

_no_order = says(N_("The link's order of the pieces cannot be read: it was ignored."))
_no_shuffle = says(
    N_("shuffle must be a number from 1 to {most}, for orders A to {last}, or {own} for your own; it is {asked!r}."),
    most=SHUFFLES,
    last=ORDER_LETTERS[SHUFFLES - 1],
    own=OWN,
)


def _turned(parameter: Whole) -> Whole:
    numbers = ", ".join(str(parameter.low + n) for n in range(3))
    return parameter.saying(none_of(parameter.name, f"{numbers}, …"))


@dataclass(frozen=True)
class Order(Codes):
    """The pieces that come first, counted from one; the others follow in sentence order."""

    def parse(self, text: str) -> tuple[str, ...] | None:
        """As few as determine the whole order, each once."""
        codes = super().parse(text)
        return codes and first_pieces([int(code) - 1 for code in dict.fromkeys(codes)])


def first_pieces(order: Sequence[int]) -> tuple[str, ...]:
    """The codes of the pieces, here counted from zero, that an order must name; the rest follow anyway."""
    first = len(order)
    while first and set(range(order[first - 1])) <= set(order[: first - 1]):
        first -= 1
    return tuple(str(piece + 1) for piece in order[:first])


def own_order(codes: Sequence[str], count: int) -> tuple[int, ...]:
    """The order of `count` pieces, counted from zero, that the codes stand for; codes beyond it are skipped."""
    chosen = [piece for code in codes if (piece := int(code) - 1) < count]
    return (*chosen, *(piece for piece in range(count) if piece not in chosen))


@dataclass(frozen=True)
class PositionsState(State):
    """shuffle: the order of the pieces, OWN for that of `order`; removed: whose positions are removed; section: the
    part of the page shown, which the browser changes without a run. For the rotation: turn_pair of dimensions,
    turn_position, and turn_distance from there; the browser writes them without a run."""

    question: Question = part(Question, offers="transformer", first=examples.ORDER)
    shuffle: int = stated(ABLATION["shuffle"].saying(_no_shuffle))
    order: tuple[str, ...] = stated(Order("order", (), r"[1-9]\d{0,2}", ".", wrong=_no_order), of=SENTENCE)
    removed: str = stated(ABLATION["removed"])
    section: str = stated(Choice("section", SECTIONS[0], SECTIONS))
    turn_pair: int = stated(_turned(ROTATION["i"]))
    turn_position: int = stated(_turned(ROTATION["position"]))
    turn_distance: int = stated(_turned(ROTATION["k"]))
    screen: Screen = part(Screen)

    def beyond(self, limits: Mapping[str, Mapping[str, int]]) -> tuple[str, ...]:
        """A sentence for each part of the rotation that this table lacks. limits: as in `rotation.data.limits`."""
        words = _("The link asked for {name} = {asked}; it can be {low} to {high}.")
        asked = {use: (self.value(name), self.parameters()[name].default) for use, name in TURN.items()}
        return tuple(
            words.format(name=use, asked=value, low=limits["first"][use], high=limits["last"][use])
            for use, (value, usual) in asked.items()
            if value != usual and value > limits["last"][use]
        )
