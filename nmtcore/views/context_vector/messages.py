"""What the picture of the context vector says. Names in braces are filled in the browser."""

from __future__ import annotations

from nmtcore.views.kit.messages import WALK
from nmtcore.views.messages import N_, Messages

MESSAGES: Messages = {
    "title": N_("{model}, step {step}: {sentence}"),
    **WALK,
    "slider": N_("Step of the decoder"),
    "where": N_("Step {j} of {T}: {word}"),
    "figure": N_("the states"),
    "ignored": N_("The link asked for {asked}; it can be {low} to {high}."),
    "says": N_(
        "Each column is one state: {D} numbers, red below zero, blue above. The encoder made {all} numbers "
        "of this sentence. Only {C} goes on, made from the outlined ends, and it has {D}, "
        "however long the sentence is."
    ),
    "wrote": N_("After {last} the decoder writes {word}: probability {p}."),
    "frame": N_("The states as columns of coloured cells; arrow keys step"),
    "picture": N_(
        "{S} encoder states lead into one vector C of {D} numbers, and out of it come {T} decoder states; {j} of "
        "them are there so far. A table of the numbers can be opened below."
    ),
    "named": N_("{word}: component {i} of {state} is {value}"),
    "unnamed": N_("Component {i} of {state} is {value}"),
    "candidates": N_("The likeliest next pieces"),
    "probability": N_("probability"),
    "open": N_("The numbers as tables"),
    "state": N_("state"),
    "piece": N_("piece"),
    "table_states": N_("The first {count} of {D} components of every state; the CSV has all"),
}
