"""The texts of the layers' gates. Names in braces are filled in the browser."""

from nmtcore.messages import N_, Messages
from nmtcore.views.context_vector.messages import MESSAGES as CONTEXT_VECTOR
from nmtcore.views.kit.messages import WALK

MESSAGES: Messages = {
    **WALK,
    **{name: message for name, message in CONTEXT_VECTOR.items() if name.startswith("gates_")},
    "title": N_("{model}, decoder layer {layer}, step {step}: {sentence}"),
    "slider": N_("Decoder step"),
    "where": N_("Step {j} of {T}: {word}"),
    "layer": N_("Decoder layer"),
    "gates": N_("the gates of this layer"),
    "gates_says": N_(
        "How this layer makes {after} from {before} after the decoder has read {last}: the first {count} of {D} "
        "numbers of each vector, a vector's length, a gate's mean over all {D}. Click a word to see its step."
    ),
    "open": N_("The numbers as tables"),
}
