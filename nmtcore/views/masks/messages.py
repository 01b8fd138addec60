"""The texts of the masks' picture. Names in braces are filled in the browser."""

from nmtcore.messages import N_, Messages
from nmtcore.views.kit.messages import SAVING

MESSAGES: Messages = {
    **SAVING,
    "title": N_("Transformer, a padded batch: {sentence}"),
    "sentence": N_("Matrices of sentence"),
    "kind": N_("Attention of"),
    "kinds": {"cross": N_("cross"), "encoder": N_("encoder"), "decoder": N_("decoder")},
    "layer": N_("Layer"),
    "head": N_("Head"),
    "batch": N_("Several sentences, one matrix."),
    "filled": N_("Short rows are filled with <pad>, which takes {percent} of these places."),
    "saved": N_("Sentence {row}, {kind}, layer {layer}, head {head}"),
    # A name and a note about it.
    "padding": (N_("Padding mask"), N_("1 on words, 0 on padding")),
    "future": (N_("future mask"), N_("a word sees no later one")),
    "no_future": (N_("no future mask here"), N_("all 1")),
    "allowed": (N_("may look"), ""),
    "scores": (N_("Scores"), N_("grey: replaced by −∞")),
    "scores_grey": (N_("Scores"), N_("struck out: replaced by −∞")),
    "unmasked": (N_("Softmax without masks"), N_("sum over allowed")),
    "weights": (N_("Softmax with masks"), N_("sum over allowed")),
    "masks": N_("{query} → {key}: {padding} × {future} = {allowed}"),
    "joined": N_("all of these together: weight {unmasked} without masks and {weight} with them"),
    "numbers": N_("score {score}, weight {unmasked} without masks and {weight} with them"),
}
