"""The texts of the page of all heads: names of kinds and heads, the grid, the table, the arithmetic of a cell."""

from nmtcore.messages import N_, Messages

MESSAGES: Messages = {
    "idle": N_("Point at a word to see where this head looks. Click to keep it."),
    "idle_tap": N_("Tap a word to see where this head looks."),
    "panes": N_("What is shown beside the enlarged head"),
    "pane_grid": N_("All heads"),
    "pane_head": N_("One head"),
    "pane_compare": N_("Which heads matter?"),
    "pane_cell": N_("One cell"),
    "pane_layer": N_("The layer"),
    "pane_batch": N_("Masks and batches"),
    "hint_grid": N_("Click a head to enlarge it, double-click to see it alone, shift-click to switch it off. {note}"),
    "hint_grid_tap": N_("Tap a head to enlarge it, the switch in its corner to switch it off. {note}"),
    "hint_head": N_("Only this head is shown; the model is unchanged."),
    "hint_compare": N_(
        "How the log P of this translation changes when one head is off: the most needed head comes first. "
        "Click a heading to sort by it, a head to enlarge it."
    ),
    "hint_cell": N_(
        "Red is below zero, blue above. q is made from xᵢ, k and v from xⱼ; q∘k adds up to q·k. f = v Wᴼ is passed on; "
        "only the first numbers of x and f are shown."
    ),
    "hint_layer": N_("Drawing the layer…"),
    "hint_batch": N_("Drawing the masks…"),
    "layer": N_("layer {layer}"),
    "head": N_("head {head}"),
    "mean": N_("mean"),
    "switch": N_("Use {head}"),
    "switch_hint": N_("Switch this head off or on"),
    "all_on": N_("switch all on"),
    "keep_only": N_("Switch off all heads of this kind but {head}"),
    "runs": N_("Whose attention the pictures show"),
    "run_after": N_("attention after"),
    "run_after_hint": N_("The attention of the new translation, made without the heads that are off."),
    "run_before": N_("attention before"),
    "run_before_hint": N_("The attention of the old translation, made with all heads on."),
    "waiting": N_("Translating again…"),
    "all_heads_on": N_("log P {value} with all heads on."),
    "heads_unmoved": N_("Off: {heads}. Neither the translation nor its log P of {before} changes."),
    "heads_same": N_("Off: {heads}. The translation stays the same; its log P goes from {before} to {after}."),
    "heads_changed": N_(
        "Off: {heads}. The translation changes. The old one's log P goes from {before} to {after}; the new one has "
        "{new}."
    ),
    "heads_counted": N_("{count} heads"),
    "translation": N_("Translation:"),
    "before_and_after": N_("Before and after:"),
    "before": N_("Before:"),
    "after": N_("After:"),
    "nothing": N_("(nothing)"),
    "waiting_vectors": N_("Fetching the vectors of this head…"),
    "cell_mean": N_("An average has no q and k of its own: choose a single head."),
    "cell_title": N_("q of {query}, k and v of {key}"),
    "cell_product": N_("q·k = {product}; its largest terms come from components {parts}."),
    "cell_arrives": N_(
        "From {key} the head passes on a vector of length |αf(x)| = {norm}; everything it passes on for this word, its "
        "part of Concat·Wᴼ, has length {total}."
    ),
    "by": N_("What the matrix shows"),
    "by_weight": N_("by weight α"),
    "by_norm": N_("by contribution"),
    "by_weight_hint": N_("The weights as they leave the softmax: each row adds up to 1."),
    "by_norm_hint": N_("|αf(x)|, the length of what each token passes on through this head (Kobayashi et al. 2020)."),
    "by_norm_caption": N_("by contribution, |αf(x)|: 1 stands for the longest, {most}"),
    "arrives": N_("{model}: what {source} contributes to {word} is {weight} of the longest contribution."),
    "col_norm": N_("|αf(x)|"),
    "cell_line": N_(
        "q of {query} · k of {key} = {product}, divided by √{width} = {scaled}, plus mask {mask}, softmax = {weight}."
    ),
    "col_head": N_("head"),
    "col_change": N_("Δ log P"),
    "col_change_hint": N_("log P of this translation with the head off, less log P with all heads on."),
    "kinds": {
        "cross": (
            N_("Cross attention"),
            N_("Queries from the decoder, keys and values from the encoder: the alignment of the two sentences."),
        ),
        "encoder": (
            N_("Encoder self"),
            N_("Every source word looks at every source word."),
        ),
        "decoder": (
            N_("Decoder self"),
            N_("Every word of the translation looks back; the future is masked, and hatched here."),
        ),
    },
    "names": {
        "cross": N_("cross layer {layer} head {head}"),
        "encoder": N_("encoder layer {layer} head {head}"),
        "decoder": N_("decoder layer {layer} head {head}"),
    },
    "short_names": {
        "cross": N_("Cross L{layer} H{head}"),
        "encoder": N_("Encoder L{layer} H{head}"),
        "decoder": N_("Decoder L{layer} H{head}"),
    },
    "title_mean_of_all": N_("Mean of all layers and heads"),
    "title_mean_of_layers": N_("Head {head}, mean of the layers"),
    "title_mean_of_heads": N_("Layer {layer}, mean of the heads"),
    "title": N_("Layer {layer}, head {head}"),
    "named": N_("{head}: {name} ({share})"),
    "title_off": N_("{head}, switched off"),
    "title_on": N_("{head}, only those that are on"),
    "roles": {  # the role of a head: in a line, and on a thumbnail
        "previous": (N_("the previous word"), N_("previous")),
        "next": (N_("the next word"), N_("next")),
        "itself": (N_("the word itself"), N_("itself")),
        "marker": (N_("the end of the sentence"), N_("<eos>")),
        "start": (N_("the start of the sentence"), N_("<sos>")),
        "aligned": (N_("the aligned word"), N_("aligned")),
        "whole": (N_("the whole sentence"), N_("whole")),
    },
    "saved": N_("{model} · {kind} · {head}"),
    "caption_entropy": N_("entropy {value} bits"),
    "caption_marker": {  # by the kind of attention
        "cross": N_("{share} on <eos> (its own row left out)"),
        "encoder": N_("{share} on <eos>"),
        "decoder": N_("{share} on <sos>"),
    },
    "caption_distance": {  # by the kind of attention
        "encoder": N_("{count} pieces away, <eos> counted"),
        "decoder": N_("{count} pieces away"),
    },
    "caption_occlusion": N_("{share} on words whose removal makes the piece less likely"),
    "statistics": {  # of every head: name and what it means
        "entropy": (
            N_("entropy"),
            N_("How widely the head looks, in bits: 0 is one word, 2.3 is five words equally. Mean over the rows."),
        ),
        "marker": (
            N_("on <eos>, <sos>"),
            N_(
                "Share of the weight on the closing <eos>, in cross attention without its own row; in decoder "
                "self-attention, which has no <eos>, on the opening <sos>."
            ),
        ),
        "punctuation": (
            N_("on punct."),
            N_("Share of the weight on punctuation."),
        ),
        "distance": (
            N_("distance"),
            N_("How many pieces away the head looks, on average; in cross attention, off the straight diagonal."),
        ),
        "diagonal": (
            N_("diagonal"),
            N_("Correlation of query and key positions: 1 along the diagonal, 0 without order, -1 backwards."),
        ),
        "agreement": (
            N_("agrees"),
            N_("Share of the weight that lies where the additive model looks for the same words."),
        ),
        "occlusion": (
            N_("left out"),
            N_(
                "Share of the weight on words whose removal makes the piece less likely to this model (each word of "
                "the sentence is left out once)."
            ),
        ),
    },
}
