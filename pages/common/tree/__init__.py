"""The beam tree component: a recorded search, replayed step by step, ranked again, and asked "what if".

Stepping, pointing, ranking again for another alpha or beta and saving happen in the browser; the step, alpha and
beta stand in the page's address, written there by the component. Only a what-if comes back: `on_act` gets the
parts of the address that it changes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.figures.palette import ARCHITECTURE, GREEDY, PRUNED
from nmtcore.text.vocabulary import Vocab
from pages.common.scripts import joined
from pages.common.tree.data import Line, to_data
from pages.common.tree.vocabulary import words

__all__ = ["Line", "View", "tree"]

HERE = Path(__file__).parent
BORROWED = ("dom", "mount", "number", "piece", "icons", "player", "color", "layout", "width", "address", "paper")
SHARED = [HERE.parent / "alignment" / f"{name}.js" for name in BORROWED]
OWN = ("record", "places", "drawing", "card", "stepper", "results", "saving", "tools", "tree")


@dataclass(frozen=True)
class View:
    """How the tree opens, as far as the address says: the penalties, the present step (0: the tree's choice), whether
    later steps are drawn as strong as it, and the dropped candidates: `none`, of this `step`, or `all`."""

    alpha: float = DecodingConfig.alpha
    beta: float = DecodingConfig.beta
    step: int = 0
    whole: bool = False
    dropped: str = "step"


_component = st.components.v2.component(
    "beam_tree",
    js=joined([*SHARED, *(HERE / f"{name}.js" for name in OWN)]),
    css=(HERE / "tree.css").read_text(encoding="utf-8"),
)


def tree(
    trace: Trace,
    vocab: Vocab,
    *,
    key: str,
    model: str,
    name: str,
    lines: Sequence[Line] = (),
    whatifs: Sequence[tuple[str, str]] = (),
    view: View | None = None,
    branch: int = 0,
    on_act: Callable[[Mapping[str, str]], None],
) -> None:
    """Draw the search.

    model, name: what made it and what the winner's row is called, in words.
    lines: the greedy result, the result before the what-ifs, a candidate to compare.
    whatifs: their codes and sentences, each of which can be undone.
    branch: the step that a what-if changes first, to be seen when it comes back; 0 for the beginning.
    on_act: called before the page runs again with the parameters of the address to set; empty ones go.
    """
    view = view or View()
    data = to_data(trace, lines, vocab)
    stamp = [trace.model, trace.source_text, trace.decoding.beam, trace.intervention.to_json()]
    data |= {
        "stamp": hashlib.sha256(json.dumps(stamp).encode()).hexdigest()[:12],
        "sentence": trace.source_text,
        "model": model,
        "name": name,
        "whatifs": [{"code": code, "text": text} for code, text in whatifs],
        "penalties": {"alpha": view.alpha, "beta": view.beta if data["attention"] else 0.0},
        "defaults": {"alpha": View.alpha, "beta": View.beta},
        "step": view.step,
        "whole": view.whole,
        "mode": view.dropped,
        "branch": branch,
        "colors": {"hue": ARCHITECTURE[trace.architecture], "greedy": GREEDY, "pruned": PRUNED},
        "words": words(),
    }

    def acted() -> None:
        asked: Any = st.session_state[key].get("act")
        if isinstance(asked, dict):
            on_act({name: value for name, value in asked.items() if isinstance(value, str)})

    _component(key=key, data=data, on_act_change=acted)
