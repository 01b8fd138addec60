"""The texts of the static site around its pictures."""

from nmtcore.limits import TOO_MANY_CHARACTERS, TOO_MANY_PIECES
from nmtcore.messages import N_, Messages
from nmtcore.text.remarks import REMARKS

DAMAGED = (
    N_("The settings of this model are damaged."),
    N_("This model was saved by a newer version of the program."),
    N_("The vocabulary does not belong to this model."),
    N_("The weights of this model are damaged or incomplete."),
    N_("The weights of this model do not fit its settings."),
    N_("This model needs the app: a browser does not run {setting}."),
)

MESSAGES: Messages = {
    **REMARKS,
    "characters": TOO_MANY_CHARACTERS,
    "pieces": TOO_MANY_PIECES,
    "removed": "{count} control or zero-width character was removed.",
    "removed_several": "{count} control or zero-width characters were removed.",
    "damaged": {sentence: sentence for sentence in DAMAGED},
    "missing": N_("{model} cannot be loaded: the file {file} is not on this host."),
    "offline": N_("{model} cannot be loaded: there is no connection, and it has not been loaded before."),
    "short": N_("{model} cannot be loaded: the file {file} is incomplete. Reload the page to fetch it again."),
    "broken": N_("{model} cannot be loaded. {reason}"),
    "failed": N_("Something went wrong on this page: {reason}. Reload it."),
    "narrowed": N_(
        "This text has {pieces} pieces, too many for a beam of {asked}: search kept {width} hypotheses at a time. "
        "Shorten the text for a wider beam."
    ),
    "loading": N_("Loading {model}: {loaded} of {total} MB"),
    "working": N_("Translating …"),
    "bent_beyond": N_(
        "The link bends word {word}, but this translation has {words} pieces and its source {pieces}: it was left out."
    ),
    "whatif_on": N_("decode on from “{prefix}”"),
    "whatif_not": N_("never “{token}” at step {step}"),
    "whatif_wrong": N_("The link holds a what-if that cannot be read, {code}: it was left out."),
    "whatif_app": N_("The what-if {code} needs the app, which has constraints on words and letters: it was left out."),
    "instead_wrong": N_("The link asks for a piece that is not in this figure: it was left out."),
    "then_writes": N_("{model} then writes"),
    "no_truth": "Type the translation that you think is right.",
    "long_truth": "This translation has {count} pieces; the limit of this model is {most}. Shorten it.",
    "unknown_truth": "“{piece}” is not in this model's vocabulary, so it has no probability: write it otherwise.",
    "truth_p": N_("The model gives your translation log P {typed_p}, and its own {own_p}."),
    "word_p": N_("The model gives your “{typed}” log P {typed_p}, and its own “{own}” {own_p}."),
    "own_truth": N_("This is the translation that the model wrote itself."),
    "blame_search": N_(
        "If this translation is better, the search is to blame: it scores {other} (log P divided by the length "
        "penalty), the model's own only {own}. The beam dropped it on the way; a wider one may find it."
    ),
    "blame_model": N_(
        "If this translation is better, the model is to blame: it scores only {other} (log P divided by the length "
        "penalty), the model's own {own}, so a full search would reject it."
    ),
    "before": N_("before"),
    "candidate": N_("candidate"),
    "turn": N_("Positional encodings as a turn, {D} dimensions"),
    "no_head": N_("The link names the head {name}, which this model does not have: it was ignored."),
    "no_off": N_("The link switches off {name}, which is not a head of this model: it was ignored."),
    "no_part": N_("The link switches off {name}, which is not a part of a layer here: it was ignored."),
    "scoring": N_("Scoring the translation without each head…"),
    "before_title": N_("Before"),
    "after_without": N_("After, without {parts}"),
    "same": N_("the same, word for word"),
    "in_order": N_("In order, with positions"),
    "shuffled": N_("As chosen, with positions"),
    "in_order_source": N_("In order, positions of the source removed"),
    "shuffled_source": N_("As chosen, positions of the source removed"),
    "in_order_target": N_("In order, positions of the target removed"),
    "shuffled_target": N_("As chosen, positions of the target removed"),
    "in_order_both": N_("In order, all positions removed"),
    "shuffled_both": N_("As chosen, all positions removed"),
    "no_order": N_("Only sentences of up to {most} pieces can be reordered; this one has {count}."),
    "longer": N_("Make it longer:"),
    "part_encoder": N_("encoder layer {layers} {part}"),
    "part_decoder": N_("decoder layer {layers} {part}"),
    "log_p": N_("log P {value}"),
    "forced_off": N_("with these parts off, as the layers are drawn here, it has {value}"),
    "unfinished": N_("stopped at the length limit"),
    "no_word": N_("Without these parts the model writes no word: the translation is empty."),
    "batch_long": N_(
        "Masks and batches are drawn when a sentence and its translation have up to {most} pieces each; here one of "
        "them has {count}. Shorten the sentence."
    ),
    "nothing": N_("(nothing)"),
    "heads": "{count} heads",
    "first_head": N_("Shown first: the head that aligns best in this model's test."),
    "greedy": N_("greedy"),
    "beam": N_("beam {width}"),
    "models": N_("{shown} of {all} models"),
    "sentence": N_("Sentence to translate"),
    "try": N_("Try"),
    "languages": N_("Languages"),
    "width": N_("Hypotheses kept at every step; 1 is greedy search"),
}
