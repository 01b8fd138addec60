"""State of the additive and dot attention pages: the step walked to, its override, and what is unfolded."""

from dataclasses import dataclass

from nmtcore.messages import N_
from nmtcore.views import parameters
from nmtcore.views.kit.link_state import Choice, Flag, Number, Whole
from pages.common.opening import ModelPage
from pages.common.question import TRANSLATION, Question
from pages.common.screen import Screen
from pages.common.state import none_of, part, says, stated
from pages.common.vectors import VectorsState

PLACE = parameters.PLACE.saying(none_of("decoder-step", "1.1, 1.2, 1.3, …"))
OVERRIDE = parameters.OVERRIDE.saying(
    says(N_("The link bends the attention in a way that cannot be read: it was left out."))
)
LOOKUP = Whole(
    "lookup", 0, 0, 9999,
    wrong=says(N_("The link asks for the lookup of step {asked}, which this translation lacks.")),
)  # fmt: skip
TAU = Choice("tau", "1", ("2", "1", "0.3", "0.1", "0"))
COLDEST, HOTTEST = 0.1, 64.0
TEMPERATURE = Number(
    "temperature", 1.0, COLDEST, HOTTEST,
    wrong=says(
        N_("The link asks for the temperature {asked}; it goes from {low:g} to {high:g}, and 1 is shown."),
        low=COLDEST, high=HOTTEST,
    ),
)  # fmt: skip


@dataclass(frozen=True)
class AttentionState(VectorsState):
    """place: a target piece and one of the six steps of attention; override: one step's bent attention, with the
    checksum of its question; lookup: the step shown as a dictionary lookup, from 1, 0 for none; tau: its
    temperature."""

    place: str = stated(PLACE, of=TRANSLATION)
    override: str = stated(OVERRIDE, of=TRANSLATION)
    lookup: int = stated(LOOKUP)
    tau: str = stated(TAU)
    screen: Screen = part(Screen)


@dataclass(frozen=True)
class AdditiveState(AttentionState):
    """What can be chosen on the additive attention page."""

    question: Question = part(Question, offers="additive")


@dataclass(frozen=True)
class DotState(AttentionState):
    """temperature: of the softmax whose gradient is drawn; general: whether the general score's matrix is shown."""

    question: Question = part(Question, offers="dot")
    temperature: float = stated(TEMPERATURE)
    general: bool = stated(Flag("general"))


AttentionPage = ModelPage[AdditiveState] | ModelPage[DotState]
