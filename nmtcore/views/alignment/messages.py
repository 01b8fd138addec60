"""The texts of the alignment panels. Names in braces are filled in by the panel or in the browser."""

from nmtcore.messages import N_, Messages
from nmtcore.views.kit.messages import NEIGHBORS, PLAYER, SAVING

MESSAGES: Messages = {
    "matrix": N_("Matrix"),
    "ribbons": N_("Ribbons"),
    "both": N_("Both"),
    "pieces": N_("Pieces"),
    "words": N_("Words"),
    "hide": N_("Hide <eos> and punctuation"),
    "values": N_("Values"),
    "too_small": N_("The cells are too small for numbers."),
    **SAVING,
    "toolbar": N_("What the figures show"),
    "figure": N_("alignment"),
    "idle": N_("Point at a word to see its links. Click it to keep them, and to see why it was written."),
    "idle_tap": N_("Tap a word to see its links, and why it was written."),
    "idle_links": N_("Point at a word to see its links. Click it to keep them."),  # if no candidates are known
    "idle_tap_links": N_("Tap a word to see its links."),
    "swipe": N_("{number} of {count}, swipe: {models}"),
    "picked": N_("Picked: {word}."),
    "looks": N_("For {word}, {model} puts {weight} on {source}."),
    "nowhere": N_("{model} looks at {source} for no word."),
    "vector": N_("The model without attention has one vector for the whole sentence."),
    "legend": N_("{count} numbers, red {low} to blue {high}"),
    "legend_grey": N_("{count} numbers, dark {low} to light {high}"),
    "note_words": N_(
        "Pieces are merged into words: weights are summed over source pieces and averaged over target pieces."
    ),
    "note_unspaced": N_("Mandarin has no spaces between words: a segmenter (jieba) decides where each word ends."),
    "note_hide": N_("<eos> and punctuation are hidden: the other weights in each row are rescaled to sum to one."),
    "note_top": N_("Ribbons: the strongest in each row, until they hold {share} of it; weaker ones are hidden."),
    "note_least": N_("Ribbons: every weight of at least {share}; weaker ones are hidden."),
    "note_doubt": N_(
        "Wavy line: the model gave this word a probability below one half (for several pieces, the product of theirs)."
    ),
    "note_copied": N_("Underlined: copied; each of its pieces got at least half of its probability from the source."),
    "note_generation": N_(
        "Strip g: the vocabulary's share at each step; the rest, 1 − g, goes to the source words by their attention."
    ),
    "note_differs": N_("Underlined: words that the other model did not write."),
    "generation": N_("g of each piece: the vocabulary's share; the rest is for copying"),
    "generation_cell": N_("{word}: g = {g}"),
    "note_window": N_("Frame in a row: the window of local attention; outside it all weights are 0."),
    "links_rule": N_("Which ribbons are shown"),
    "links_share": N_("Threshold for ribbons"),
    "links_top": N_("the strongest {share}"),
    "links_least": N_("at least {share}"),
    "looked_at": N_("looked at"),
    "looking": N_("looking"),
    "aria": N_(
        "{model}: source along the top, target down the side. Arrow keys move, Escape lets go. A table follows."
    ),
    "aria_vector": N_("{model}: every source word goes into one vector, every target word comes out of it."),
    **PLAYER,
    **NEIGHBORS,
    "slider": N_("Decoding step"),
    "step": N_("step {step} of {count}: {word}"),
    "all_steps": N_("all {count} steps"),
    "step_of": N_("step {step} of {count}"),
    "candidates": N_("The likeliest next pieces"),
    "chances": N_("Below each column: the likeliest pieces at this step, with probability; the one written is bold."),
    "why_written": N_("{model} gave {word} a probability of {probability} here."),
    "why_product": N_("{model} gave {word} a probability of {probability} here, piece by piece: {factors}."),
    "why_instead": N_("Replace {piece} and let the model go on:"),
    "why_expected": N_("What did you expect?"),
    "why_either": N_("a word, or a whole translation"),
    "why_compare": N_("Compare"),
    "why_waits": N_("The model is scoring it …"),
    "why_close": N_("Close the comparison"),
    "why_search": N_("see this step in Beam search"),
    "ended": N_("ended after {count} steps"),
    "log_p": N_("log P {value}"),
    "rounds": N_("all words at once, rounds: {count}"),
    "unfinished": N_("stopped at the length limit"),
    "mean_of_all": N_("mean of all layers and heads"),
    "mean_of_layers": N_("head {head}, mean of the layers"),
    "mean_of_heads": N_("layer {layer}, mean of the heads"),
    "layer_head": N_("layer {layer}, head {head}"),
}
