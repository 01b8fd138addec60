"""The texts of the rounds' picture. Names in braces are filled in the browser."""

from nmtcore.messages import N_, Messages
from nmtcore.views.kit.messages import PLAYER, SAVING

MESSAGES: Messages = {
    **SAVING,
    **PLAYER,
    "slider": N_("Decoding round"),
    "figure": N_("the rounds"),
    "at": N_("round {round} of {rounds}"),
    "at_both": N_("round {round} of {rounds}, word {word} of {count}"),
    "round": N_("round {round}"),
    "beside": N_("word by word"),
    "took": N_("{rounds} rounds, {milliseconds} ms"),
    "took_beside": N_("{count} steps one after another, {milliseconds} ms"),
    "untimed": N_("{rounds} rounds"),
    "untimed_beside": N_("{count} steps one after another"),
    "legend": N_(
        "The fuller the colour, the more likely the word. Framed: written in this round, in bold where the word "
        "changed; unframed: kept. Dashed line: among the least certain, so masked for the next round."
    ),
    "written": N_("Round {round}, place {place}: {word}, P = {probability}, written in this round."),
    "kept": N_("Round {round}, place {place}: {word}, P = {probability}, kept from round {since}."),
    "masked_next": N_("It is masked for the next round."),
    "step": N_("Word {place}: {word}, P = {probability} given the words before it."),
    "lengths": N_("Lengths tried, by mean log P per word: {lengths}."),
    "length": N_("{length} ({mean})"),
}
