"""What every walk through a decode says."""

from __future__ import annotations

from nmtcore.views.messages import N_, Messages

WALK: Messages = {
    "stepper": N_("Walk through the decode"),
    "first": N_("First step"),
    "back": N_("Back (left arrow)"),
    "play": N_("Play"),
    "pause": N_("Pause"),
    "forward": N_("Forward (right arrow)"),
    "last": N_("Last step"),
    "speed": N_("Steps a second"),
    "chips": N_("The translation; a click goes to that word"),
    "unfinished": N_("stopped at the length limit"),
    "save": N_("Save"),
}
