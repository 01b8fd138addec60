"""The texts of the rotation's picture. Names in braces are filled in the browser."""

from nmtcore.messages import N_, Messages
from nmtcore.views.kit.messages import SAVING

MESSAGES: Messages = {
    "sliders": {"i": N_("Pair i: dimensions 2i and 2i + 1"), "position": N_("Position p"), "k": N_("Distance k")},
    "circle": N_("Pair {i} on the circle: position {p} turns by {angle} to position {q}"),
    "waves": N_("The two waves of pair {i} over the positions, with positions {p} and {q}"),
    "axis": N_("position"),
    "turn": N_(
        "Pair {i} puts each position on a circle. Going {k} further means turning by kω = {angle} radians, wherever "
        "one starts: one matrix for k, which a model can learn."
    ),
    "rate": N_("ω = {rate}: after {length} positions this pair repeats."),
    "error": N_("Over all positions drawn here, both sides differ by at most {error}."),
    **SAVING,
    "figure": N_("this turn"),
}
