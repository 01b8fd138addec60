"""The texts of the residual stream's picture. Names in braces are filled in the browser."""

from nmtcore.messages import N_, Messages
from nmtcore.views.kit.messages import NEIGHBORS, SAVING

PARTS: Messages = {
    "attention": N_("self-attention"),
    "cross": N_("cross attention"),
    "feedforward": N_("feed-forward"),
    "residual": N_("residual"),
    "norm": N_("norm"),
}

MESSAGES: Messages = {
    **SAVING,
    **NEIGHBORS,
    "pieces_encoder": N_("Source, through the encoder:"),
    "pieces_decoder": N_("Translation, through the decoder:"),
    "layer_encoder": N_("Encoder layer"),
    "layer_decoder": N_("Decoder layer"),
    "switch_off": N_("Switch off:"),
    "all_on": N_("switch all on"),
    "parts": PARTS,
    "reads_encoder": N_("The encoder reads “{piece}”."),
    "reads_decoder": N_("The decoder has read up to “{piece}”; the translation goes on with “{next}”."),
    "rows": {  # the vectors of a layer
        "embedding": N_("embedding"),
        "scaled": N_("embedding · √D"),
        "place": N_("+ position"),
        "stream": N_("= stream"),
        "read": N_("layer norm"),
        "unnormed": N_("stream, no norm"),
        "contexts": N_("contexts of the heads"),
        "inner": N_("inner layer, largest"),
        "added": N_("+ {part}"),
        "alone": N_("{part} alone"),  # with the residual connection off
        "total": N_("sum"),
        "normed": N_("layer norm = stream"),
    },
    "joined": N_("{heads} heads, {numbers} numbers each, joined"),
    "active": N_("{active} of {units} units above zero"),
    "off": N_("switched off"),
    "made_of_contexts": N_("= Concat(contexts) · Wᴼ + bᴼ"),
    "made_of_inner": N_("= inner layer · W₂ + b₂: {units} numbers to {width}"),
    "column_numbers": N_("first {count} numbers"),
    "column_length": N_("length"),
    "column_share": N_("÷ stream"),
    "column_says_encoder": N_("nearest embeddings, by cosine"),
    "column_says_decoder": N_("would say next, with probability"),
    "figure_rows": N_("the layer"),
    "title_rows_encoder": N_("{model}, encoder layer {layer}, {piece}: {sentence}"),
    "title_rows_decoder": N_("{model}, decoder layer {layer}, {piece} → {next}: {sentence}"),
    "picture_rows": N_("The vectors of layer {layer} as strips; a table of the numbers can be opened below."),
    "norm_pre": N_(
        "{name}, as in this model: each sub-layer reads the norm of the stream and adds to the stream itself, "
        "{formula}. Everything added stays in it."
    ),
    "norm_post": N_(
        "{name}, as in this model: each sub-layer reads the stream itself, and the sum is normalised, {formula}, which "
        "keeps the stream's size."
    ),
    "name_pre": N_("Pre-norm"),
    "name_post": N_("Post-norm"),
    "lens_encoder": N_(
        "{title}: the pieces whose embeddings lie nearest to it. The encoder has no output layer of its own, so these "
        "are cosines, not probabilities."
    ),
    "lens_decoder": N_(
        "{title}: read through the model's own final norm and output layer (the logit lens, nostalgebraist 2020). The "
        "last column is what the model actually says."
    ),
    "lens_title": N_("What the stream would say if it ended there"),
    "lens_pick": N_("Click a piece for its neighbours, or go there with Tab and the arrow keys and press Enter."),
    "stage": N_("layer {layer}"),
    "figure_lens": N_("what the stream would say"),
    "title_lens_encoder": N_("What the encoder's stream would say, {piece}: {sentence}"),
    "title_lens_decoder": N_("What the decoder's stream would say, {piece} → {next}: {sentence}"),
    "open": N_("The numbers as tables"),
}
