"""The texts of the nearest pieces' bars."""

from nmtcore.messages import N_, Messages
from nmtcore.views.kit.messages import SAVING

MESSAGES: Messages = {
    **SAVING,
    "cosine": N_("cosine"),
    "figure_nearest": N_("the nearest pieces"),
    "open": N_("The numbers as tables"),
}
