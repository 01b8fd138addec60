"""Score functions compared on the dot page: from the same query and states, and how their variance grows with d."""

import math
from typing import Any

import numpy as np

from nmtcore.analysis.arithmetic import Array
from nmtcore.config import DecodingConfig, ModelConfig, RecurrentConfig
from nmtcore.decoding.trace import Trace
from nmtcore.decoding.trace_json import rounded
from nmtcore.errors import NmtError
from nmtcore.figures.palette import HUES
from nmtcore.intervention import Intervention
from nmtcore.models.scores import SCORES
from pages.attention.state import TEMPERATURE
from pages.attention.walkthrough import Walkthrough
from pages.attention.wording import comparison_sentences
from pages.common import models
from pages.common.i18n import _, title

MOST = 40  # positions on each side: enough products for a variance
SHUFFLES = 24
SIZES = 33  # points of the curve


def comparison_record(shown: Walkthrough) -> dict[str, Any]:
    """The score comparison's part of the walkthrough's record."""
    columns, notes = _columns(shown)
    return {
        "columns": columns,
        "notes": notes,
        "temperatures": [TEMPERATURE.low, TEMPERATURE.high],
        "root": variance_growth(shown.trace),
        "root_d": math.sqrt(shown.config.units),
        "words": comparison_sentences(),
    }


def _columns(shown: Walkthrough) -> tuple[list[dict[str, Any]], list[str]]:
    queries, h = shown.trace.inner["query"][:, 0], shown.trace.inner["states"][0]
    own = shown.config.attention
    without_weights = {name: score for name, score in SCORES.items() if not score.matrices}
    columns: list[dict[str, Any]] = [
        {
            "head": _(score.title),
            "formula": score.formula.format(s="s<sub>j</sub>"),
            "note": _("this model's own") if name == own else _("from the same s and h"),
            "scores": rounded(np.stack([score.recompute(s, h) for s in queries])),
        }
        for name, score in without_weights.items()
    ]
    weights, note = additive_weights(shown)
    if weights is not None:
        heading = {"head": title("additive"), "note": _("another model, same words")}
        columns.append({**heading, "hue": HUES["additive"], "weights": rounded(weights)})
    return columns, [note]


def additive_weights(shown: Walkthrough) -> tuple[Array | None, str]:
    """The weights (T, S) of the pair's additive model, forced to write the same words, and a sentence about them."""
    try:
        model = shown.page.question.model("additive")
        other = models.load(model)
        if other.vocab != shown.page.checkpoint.vocab:
            return None, _(
                "The additive model of this pair splits words differently, so its weights cannot be shown beside these."
            )
        forced = Intervention.prefix(shown.trace.ids)
        (trace,) = models.ask([models.request(model, shown.page.source, DecodingConfig(1), forced)])
    except NmtError as error:
        return None, _("The additive model cannot be shown beside these: {reason}").format(reason=error)
    cross = trace.known_attention("cross")
    note = _("The additive model has the same vocabulary and was forced to write the same words.")
    return cross.weights[0, 0, : len(shown.trace.target)], f"{note} {_queries(other.config, shown.config)}"


def _queries(additive: ModelConfig, dot: RecurrentConfig) -> str:
    """With which state each of the two models asks."""
    assert isinstance(additive, RecurrentConfig)
    if additive.context == dot.context:
        return _("Both ask with the same s.")
    if additive.context == "input":
        return _("It asks with s of the word before (Bahdanau), the dot model with s of this word (Luong).")
    return _("It asks with s of this word (Luong), the dot model with s of the word before (Bahdanau).")


def variance_growth(trace: Trace) -> dict[str, Any] | None:
    """How the variance of q . k grows with the number of components, with this trace's own numbers.

    Every component of s and of h is scaled to unit variance over the positions. `shuffled`: the components of s are
    permuted, so that they are independent of those of h, as the usual argument assumes; the mean
    of several permutations. `matched`: not permuted. None if a sentence is too short for a variance.
    """
    queries = trace.inner["query"][:MOST, 0].astype(float)
    states = trace.inner["states"][0, :MOST].astype(float)
    if min(len(queries), len(states)) < 3:
        return None
    q, k = (_unit(x) for x in (queries, states))
    d = q.shape[1]
    sizes = np.unique(np.linspace(1, d, min(SIZES, d)).round().astype(int))
    random = np.random.default_rng(1)
    orders = [random.permutation(d) for _unused in range(SHUFFLES)]
    products = queries @ states.T
    return {
        "d": d,
        "sizes": sizes.tolist(),
        "matched": rounded(_growth(q, k, sizes)),
        "shuffled": rounded(np.mean([_growth(q[:, order], k, sizes) for order in orders], axis=0)),
        "query": float(queries.var()),
        "states": float(states.var()),
        "measured": float(products.var()),
    }


def _unit(x: Array) -> Array:
    spread = x.std(0)
    unit: Array = (x - x.mean(0)) / np.where(spread > 0, spread, 1)
    return unit


def _growth(q: Array, k: Array, sizes: Array) -> Array:
    """The variance, over all pairs of positions, of the dot product of the first d components, for d in `sizes`."""
    return np.array([(q[:, :d] @ k[:, :d].T).var() for d in sizes])
