"""Sentences of the additive and the dot page: with which state a model asks, and what other scores do."""

from nmtcore.config import RecurrentConfig
from pages.common.i18n import _


def asks_like(config: RecurrentConfig) -> str:
    """With which state the model asks, in Bahdanau's way or in Luong's; Markdown."""
    two_meanings = _("β is a score here; on the beam search page the same letter weighs coverage.")
    if config.context == "input":
        text = _(
            "**Bahdanau or Luong?** This model asks as Bahdanau's does: with $s_{j-1}$, the state *before* the word, "
            "and the context goes *into* the next state $s_j$. Luong's model asks with $s_j$, the state *at* the word, "
            "and the context comes *after* it. When you compare the alignments of two such models, note that their "
            "queries are one position apart."
        )
        return f"{text} {two_meanings}"
    text = _(
        "**Luong or Bahdanau?** This model asks as Luong's does: with $s_j$, the state *at* the word, and the context "
        "comes *after* it, joined with $s_j$ to predict $y_j$. Bahdanau's model asks with $s_{j-1}$ and feeds the "
        "context *into* $s_j$. When you compare the alignments of two such models, note that their queries are one "
        "position apart."
    )
    if config.input_feeding:
        fed = _(
            "With **input feeding** the next step also reads $\\tilde h_j$ beside the word, so the decoder knows where "
            "it has looked."
        )
        text = f"{text} {fed}"
    return f"{text} {two_meanings}"


def comparison_sentences() -> dict[str, str]:
    """What the dot page says below the six steps: other scores, the softmax's temperature, the root of d."""
    return {
        "about": _("Below, the same word {j}, {word}, with other scores and another softmax."),
        "compare": _("One query, the same states, other scores"),
        "temperature": _("How sharp is the softmax, and can it still learn?"),
        "root": _("Why divide by the root of d?"),
        "entropy": _("entropy {bits} bits"),
        "slider": _("Temperature"),
        "gradient_formula": "∂y / ∂(β/τ) = diag(y) − y y<sup>T</sup>",
        "sharp": _(
            "The entropy is {bits} of at most {most} bits: as if it looked at {words} words equally. A small τ "
            "sharpens, a large one flattens; dividing by √d means a temperature of √d."
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
        "matched": _("the same, unshuffled: {matched}, because training has made them agree"),
        "own": _(
            "Unscaled, the components of s have variance {query}, those of h {states}, and the scores of this sentence "
            "{measured}. Divided by √d = {root}, the scores would have {scaled}."
        ),
    }
