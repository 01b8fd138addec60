"""The texts of the attention walkthrough. Names in braces are filled in the browser."""

from nmtcore.config import RecurrentConfig
from nmtcore.messages import N_, Messages
from nmtcore.models.scores import SCORES
from nmtcore.views.kit.messages import WALK

MESSAGES: Messages = {
    **WALK,
    "slider": N_("Walkthrough step; up and down arrows go from word to word"),
    "where": N_("Word {j} of {T}: {word} · step {k} of 6"),
    "where_all": N_("Word {j} of {T}: {word} · all 6 steps"),  # as it opens: one step on is the first
    "figure": N_("this step"),
    "heads": [N_("States"), N_("Scores β"), N_("Weights α"), N_("α · h"), N_("Context"), N_("Next word")],
    "names": [
        N_("1. The states are ready."),
        N_("2. A score for every state."),
        N_("3. Softmax."),
        N_("4. Each state times its weight."),
        N_("5. Their sum is the context."),
        N_("6. Into the decoder."),
    ],
    "reader": N_("{query}: the decoder after {last}"),
    "reader_before": N_("{query}: the decoder before word {j}"),  # it has not read the last word yet
    "rows": N_("Source pieces with their numbers; arrow keys choose one"),
    "matrix": N_("Alignment so far: every word adds a row"),
    "matrix_aria": N_(
        "The weights of all words up to this one as a matrix, source along the top, target down the side. The table of "
        "every number holds the same."
    ),
    "ignored": N_(
        "The link asks for step {step}, but this translation has {T} words of 6 steps each: it opens at the first."
    ),
    "open": N_("Every number for this word, and the NumPy that reproduces it"),
    "proof": N_(
        "The same in plain NumPy, from the model's weights: scores differ by at most {scores}, weights by "
        "{weights}, the context by {context}, log-probabilities by {log}."
    ),
    "code": N_("What was run:"),
    "source": N_("source"),
    "piece": N_("piece"),
    "legend": N_("Vectors: their first {count} of {D} components, red \u22121, blue 1"),
    "legend_grey": N_("Vectors: their first {count} of {D} components, dark \u22121, light 1"),
    "table_scores": N_("Scores and weights, by the model and by NumPy"),
    "table_vectors": N_("The first {count} of {D} components"),
    "table_candidates": N_("The likeliest next pieces"),
    "override": {
        "title": N_("Bend it."),
        "hint": N_("Click a source word above, or spread the attention of this step evenly:"),
        "chosen": N_("All attention of word {j}:"),
        "here": N_("look at {word} instead"),
        "everywhere": N_("spread it evenly"),
        "undo": N_("Undo"),
        "was": N_("Word {j} was made to look at {word}; the words before it were kept."),
        "was_even": N_("Word {j} was made with its attention spread evenly; the words before it were kept."),
        "same": N_("The translation stays the same."),
        "outcome": N_("The translation before and after"),
        "before": N_("Before"),
        "after": N_("After"),
    },
}


def step_messages(config: RecurrentConfig) -> Messages:
    """Sentences about the six steps and an override of the attention. Names in braces are filled in the browser."""
    asks_before = config.context == "input"
    return {
        "steps": [
            N_("One state h for each of {S} pieces. The decoder asks with {query}, its state before it reads {last}.")
            if asks_before
            else N_(
                "One state h for each of {S} pieces. The decoder has taken in {last} and asks with {query}, its state "
                "at word {j}."
            ),
            SCORES[config.attention].sentence,
            N_(
                "Exponentials make all scores positive; division makes them sum to one. {word} gets the most: {weight}."
            ),
            N_("Each state is multiplied by its weight: states with little weight fade to nothing."),
            N_("Added up, component by component, they give one vector, {context}, made anew for this word."),
            N_(
                "{context} goes into the next state, {state}. Both, and the embedding of the last word, give h̃: its "
                "product with every piece's embedding, after a softmax, is that piece's probability. {word} is taken."
            )
            if asks_before
            else N_(
                "{context} is concatenated with {state} and gives h̃: its product with every piece's embedding, after "
                "a softmax, is that piece's probability. {word} is taken."
            ),
        ],
        "bent": N_("Softmax would give {own} to {top}. You have put all weight on {word}."),
        "even": N_("Softmax would give {own} to {top}. You have spread the weight evenly: {weight} each."),
    }
