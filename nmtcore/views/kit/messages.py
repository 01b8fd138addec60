"""The texts of the player, a walk through a decode, the links of a piece and the saving controls."""

from nmtcore.messages import N_, Messages

SAVING: Messages = {
    "save": N_("Save"),
    "saving": {
        "width": N_("Width"),
        "width_screen": N_("as on the screen"),
        "width_column": N_("a column, 84 mm"),
        "width_page": N_("a page, 174 mm"),
        "width_slide": N_("a slide, 305 mm"),
        "colors": N_("Colours"),
        "colors_screen": N_("as on the screen"),
        "colors_light": N_("on white"),
        "colors_grey": N_("greys only"),
        "signs": N_("Red is below zero, blue above."),
        "signs_grey": N_("From dark to light: below zero, zero, above zero."),
        "caption": N_("title and caption"),
        "numbers": N_("numbers in the cells"),
        "size": N_("{width} mm wide, letters {points} pt or larger"),
        "cite": N_("How to cite this picture"),
        "citation": N_("{title} Made with Alignment Lab ({year}). {link}"),
        "copy": N_("Copy"),
        "copied": N_("Copied"),
    },
}

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
    "chips": N_("The translation; click a word to go to it"),
    "unfinished": N_("stopped at the length limit"),
}
