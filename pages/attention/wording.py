"""Sentences of the additive and the dot page: the six steps of attention, by the model's own score and context."""

from __future__ import annotations

from typing import Any

from nmtcore.config import RecurrentConfig
from nmtcore.models.scores import SCORES
from pages.common.i18n import _


def step_sentences(config: RecurrentConfig) -> dict[str, Any]:
    """What the six steps do, and what an override of the attention did. Names in braces are filled in the browser."""
    asks_before = config.context == "input"
    return {
        "steps": [
            _("One state h for each of {S} pieces. The decoder asks with {query}, its state before it reads {last}.")
            if asks_before
            else _(
                "One state h for each of {S} pieces. The decoder has taken in {last} and asks with {query}: "
                "at word {j}."
            ),
            _(SCORES[config.attention].sentence),
            _("Exponentials make all scores positive, the division makes them sum to one. {word} gets most: {weight}."),
            _("Each state is multiplied by its weight: what has little weight fades to nothing."),
            _("Added up, component by component, they are one vector: {context}, made anew for this word."),
            _(
                "{context} goes into the next state, {state}. Both, and the embedding of the last word, give h̃: its "
                "product with every piece's embedding, after a softmax, is that piece's probability. {word} is taken."
            )
            if asks_before
            else _(
                "{context} is joined with {state} as it is and gives h̃: its product with every piece's embedding, "
                "after a softmax, is that piece's probability. {word} is taken."
            ),
        ],
        "bent": _("Softmax would give {own} to {top}. You have put all weight on {word}."),
        "even": _("Softmax would give {own} to {top}. You have spread the weight evenly: {weight} each."),
    }


def asks_like(config: RecurrentConfig) -> str:
    """With which state the model asks, in Bahdanau's way or in Luong's; Markdown."""
    two_meanings = _("β is a score here; on the page about beam search the same letter weighs coverage.")
    if config.context == "input":
        text = _(
            "**Bahdanau or Luong?** This model asks as Bahdanau's does: with $s_{j-1}$, the state *before* the word, "
            "and the context goes *into* the next state $s_j$. Luong's model asks with $s_j$, the state *at* the word, "
            "and the context comes *after* it. When you compare the alignments of two such models, mind that their "
            "queries stand one position apart."
        )
        return f"{text} {two_meanings}"
    text = _(
        "**Luong or Bahdanau?** This model asks as Luong's does: with $s_j$, the state *at* the word, and the context "
        "comes *after* it, joined with $s_j$ to predict $y_j$. Bahdanau's model asks with $s_{j-1}$ and feeds the "
        "context *into* $s_j$. When you compare the alignments of two such models, mind that their queries stand one "
        "position apart."
    )
    if config.input_feeding:
        fed = _(
            "With **input feeding** $\\tilde h_j$ is also read beside the word, so that the decoder knows where it has "
            "looked."
        )
        text = f"{text} {fed}"
    return f"{text} {two_meanings}"


def comparison_sentences() -> dict[str, str]:
    """What the dot page says below the six steps: other scores, the softmax's temperature, the root of d."""
    return {
        "about": _("Below, the same word {j}, {word}, under other scores and another softmax."),
        "compare": _("One query, the same states, other scores"),
        "temperature": _("How sharp is the softmax, and can it still learn?"),
        "root": _("Why divide by the root of d?"),
        "entropy": _("entropy {bits} bits"),
        "slider": _("Temperature"),
        "gradient_formula": "∂y / ∂(β/τ) = diag(y) − y y<sup>T</sup>",
        "sharp": _(
            "The entropy is {bits} of at most {most} bits: as if it looked at {words} words. A small τ sharpens, a "
            "large one evens out; dividing by √d is the temperature √d."
        ),
        "slope": _(
            "The largest entry of the gradient is {slope} of at most 0.25. Where one weight is nearly 1, it vanishes: "
            "the scores get no signal and stop learning."
        ),
        "only_here": _(
            "Only this figure changes: the model decodes with the scores that it was trained with (dashed)."
        ),
        "most": _("The {count} of {S} source pieces with the highest scores are drawn."),
        "components": _("components d that are multiplied and added"),
        "root_formula": "var(q · k) = d,   var(q · k / √d) = 1",
        "root_aria": _("The variance of the product grows with the number of components. The CSV has the numbers."),
        "theory": _("theory: independent components of mean zero and unit variance, variance d = {d}"),
        "shuffled": _(
            "this sentence's s and h, components scaled to mean zero and unit variance and shuffled: {shuffled}"
        ),
        "matched": _("the same, each component with its own: {matched}, for training has made them agree"),
        "own": _(
            "As they are, the components of s have the variance {query}, those of h {states}, and the scores of this "
            "sentence {measured}. Divided by √d = {root} the scores would have {scaled}."
        ),
    }
