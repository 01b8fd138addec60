"""The texts of the context vector's picture. Names in braces are filled in the browser."""

from nmtcore.messages import N_, Messages
from nmtcore.views.kit.messages import WALK

MESSAGES: Messages = {
    "title": N_("{model}, step {step}: {sentence}"),
    **WALK,
    "slider": N_("Decoder step"),
    "where": N_("Step {j} of {T}: {word}"),
    "figure": N_("the states"),
    "ignored": N_("The link asks for step {asked}; steps go from {low} to {high}."),
    "says": N_(
        "Each column is one state: {D} numbers, red below zero, blue above. The encoder made {all} numbers from this "
        "sentence. Only {C}, made from the outlined ends, goes on: {D} numbers, however long the sentence is."
    ),
    "wrote": N_("After {last} the decoder writes {word}: probability {p}."),
    "frame": N_("The states as columns of coloured cells; arrow keys step"),
    "picture": N_(
        "{S} encoder states lead into one vector C of {D} numbers, and {T} decoder states come out of it; {j} are "
        "there so far. A table of the numbers can be opened below."
    ),
    "named": N_("{word}: component {i} of {state} is {value}"),
    "unnamed": N_("Component {i} of {state} is {value}"),
    "candidates": N_("The likeliest next pieces"),
    "probability": N_("probability"),
    "gates": N_("the gates"),
    "gates_title": N_("What is forgotten, what is let in"),
    "gates_says": N_(
        "How the decoder makes {after} from {before} after reading {last}: the first {count} of {D} numbers of each "
        "vector, a state's length, a gate's mean over all {D}. Click a state above, or a word here, to see its step."
    ),
    "gates_layers": N_("This is the last of {layers} layers."),
    "gates_none": N_(
        "This model's cell is a plain recurrent one, s_j = tanh(W x_j + U s_j-1 + b): it has no gates, so every step "
        "writes over the whole state."
    ),
    "gates_gru": N_("At this step {kept} of the old state stays and {new} comes from the proposal, on average."),
    "gates_lstm": N_(
        "At this step {kept} of the cell stays, {new} of the proposal is let in, and {shown} of the cell is shown, "
        "on average."
    ),
    "gates_books_gru": N_(
        "These are PyTorch's equations, which this model uses. Many books write s = (1 − z) s + z n: their z is 1 − z "
        "here. Cho et al. (2014) let r multiply the state before the matrix U, not after it."
    ),
    "gates_books_lstm": N_(
        "These are PyTorch's equations, which this model uses. Some books write c̃ for the proposal g, and some let "
        "the gates read the old cell too (peepholes)."
    ),
    "gates_number": N_("Component {i}, which changes most of these:"),
    "gates_curve": N_("Mean of each gate, word by word"),
    "gates_picture": N_(
        "The vectors behind the state of step {j}, as strips; a table of the numbers can be opened below."
    ),
    "gates_table": N_("Step {j}: the first {count} of {D} numbers of each vector; the CSV has all steps"),
    "gates_vector": N_("vector"),
    "gates_size": N_("length or mean"),
    "gates_rows": {  # what each row is
        "before": N_("old state"),
        "cellBefore": N_("old cell"),
        "r": N_("reset: how much of the old state the proposal hears"),
        "z": N_("update: how much of the old state stays"),
        "i": N_("input: how much of the proposal is let in"),
        "f": N_("forget: how much of the old cell stays"),
        "o": N_("output: how much of the cell is shown"),
        "proposal": N_("proposal"),
        "cellAfter": N_("new cell"),
        "after": N_("new state"),
    },
    "gates_lines": {  # the names of the curves
        "r": N_("r heard"),
        "z": N_("z stays"),
        "i": N_("i let in"),
        "f": N_("f stays"),
        "o": N_("o shown"),
    },
    "open": N_("The numbers as tables"),
    "state": N_("state"),
    "piece": N_("piece"),
    "table_states": N_("The first {count} of {D} components of every state; the CSV has all"),
}
