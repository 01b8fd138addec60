"""What the player, a walk through a decode, the links of a piece and the line that saves a picture say."""

from __future__ import annotations

from nmtcore.messages import N_, Messages

SAVING: Messages = {"save": N_("Save")}

NEIGHBORS: Messages = {"neighbors": N_("neighbours of {piece}")}

PLAYER: Messages = {
    "player": N_("Play the decoding"),
    "first": N_("First step"),
    "back": N_("Step back (left arrow)"),
    "play": N_("Play"),
    "pause": N_("Pause"),
    "forward": N_("Step forward (right arrow)"),
    "last": N_("Last step"),
    "speed": N_("Speed: steps a second"),
}

WALK: Messages = {
    **PLAYER,
    **SAVING,
    **NEIGHBORS,
    "chips": N_("The translation; a click goes to that word"),
    "unfinished": N_("stopped at the length limit"),
}
