"""The texts of the embeddings' picture. Names in braces are filled in the browser."""

from nmtcore.messages import N_, Messages
from nmtcore.views.nearest.messages import MESSAGES as NEAREST

MESSAGES: Messages = {
    **NEAREST,
    "pieces_s": N_("Source:"),
    "pieces_t": N_("Translation:"),
    "row": N_(
        "Every piece is a row of {D} numbers in the model's embedding table, learned with everything else. {nearest}, "
        "by the cosine of the angle between the rows:"
    ),
    "nearest": N_("Nearest to “{piece}”"),
    "kind_byte": N_(
        "This piece is a single byte of a character for which the vocabulary has no piece: its neighbours say little "
        "about the character."
    ),
    "kind_unknown": N_("<unk> stands for every character that the vocabulary lacks: one vector for all of them."),
    "dot": N_(
        "A dot: the piece continues a word; ␣: a space comes before it. Left out: the piece itself, single bytes, and "
        "pieces that no sentence has."
    ),
    "figure_plane": N_("the plane"),
    "title_nearest": N_("Nearest pieces to {piece}, {model}"),
    "title_plane": N_("Embeddings on two principal components, {model}: {sentence}"),
    "groups": [N_("source"), N_("translation"), N_("in both"), N_("in neither")],
    "axes": [N_("1st principal component, {share}"), N_("2nd principal component, {share}")],
    "plane": N_(
        "The two directions in which these {count} rows differ most. They hold {shares} of the variance: pieces close "
        "together here may be apart in the other {rest} directions. {tables}"
    ),
    "shares": N_("{first} and {second}"),
    "tables_one": N_("Source and translation share one table, so both appear in one plane."),
    "tables_two": N_("Source and translation have separate tables; pick a piece of the other to see its plane."),
    "no_plane": N_("A plane needs at least three different pieces: type a longer sentence."),
}
