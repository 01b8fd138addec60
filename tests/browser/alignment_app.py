"""A page for the browser tests of the alignment component: hand-made weights, sizes that differ, odd tokens."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nmtcore.decoding.trace import AttentionMap
from nmtcore.views.alignment.data import Panel
from pages.common.alignment import draw_alignment

SOURCE = ("▁the", "▁red", "▁red", "▁ta", "ble", "▁<s>", ".", "<eos>")
TARGETS = {
    "additive": ("▁la", "▁table", "▁rouge", "▁<b>", "<s>", ".", "<eos>"),
    "dot": ("▁la", "▁t", "able", "▁rouge", "▁rouge", ".", "<eos>"),
    "transformer": ("▁une", "▁ta", "ble", "▁rouge", "▁", "<eos>"),
}
PATHS = {  # the source piece that each target piece looks at
    "additive": (0, 3, 1, 5, 5, 6, 7),
    "dot": (0, 3, 4, 1, 2, 6, 7),
    "transformer": (0, 3, 4, 1, 7, 7),
}
TOP = {"additive": 0.79, "dot": 0.65, "transformer": 0.51}


def pointed(targets: tuple[str, ...], sources: tuple[str, ...], path: tuple[int, ...], top: float) -> AttentionMap:
    """Weight `top` on one source piece of each row, the rest spread evenly."""
    weights = np.full((1, 2, len(targets), len(sources)), (1 - top) / (len(sources) - 1), dtype=np.float32)
    weights[:, :, range(len(targets)), path] = top
    return AttentionMap("cross", targets, sources, weights)


def four(length: int = 1) -> list[Panel]:
    sources = SOURCE * length
    target = ("▁la", "▁table", "<eos>") * length
    panels = [Panel("No attention", "none", sources, target, vector=VECTOR, translation="la table")]
    for name, pieces in TARGETS.items():
        target = pieces * length
        path = tuple(p + k * len(SOURCE) for k in range(length) for p in PATHS[name])
        attention = pointed(target, sources, path, TOP[name])
        panels.append(
            Panel(name.title(), name, sources, target, attention, translation="la table", log_probability=-1.25)
        )
    return panels


VECTOR = tuple(np.linspace(-1, 1, 32).tolist())
CAUSAL = np.tril(np.ones((3, 3), dtype=np.float32))
CAUSAL[2, 1] = 0  # an open cell without weight, unlike the masked ones
CAUSAL /= CAUSAL.sum(1, keepdims=True)
LOOKS = {  # what two models make of "did you": only one of them looks at "did"
    "additive": (("▁avez", "▁vous", "<eos>"), [[0.6, 0.3, 0.1], [0.1, 0.8, 0.1], [0.0, 0.1, 0.9]]),
    "transformer": (("▁as", "▁vous", "<eos>"), [[0.05, 0.9, 0.05], [0.0, 0.96, 0.04], [0.08, 0.02, 0.9]]),
}
CLOCK = ("▁9", ":", "45", "▁p", ".", "m", ".", "<eos>")
CLOCK_TARGET = ("▁J", "'", "ai", ".", "<eos>")
CHINESE = ("▁", "长颈鹿", "一", "桌子", "。", "<eos>")
INPUTS = ("<sos>", "▁a", "b")

st.set_page_config(layout="wide")
case = st.query_params.get("case", "four")
st.text_input("Sentence", key="text", bind="query-params")
if case == "causal":
    attention = AttentionMap("decoder", INPUTS, INPUTS, CAUSAL[None, None])
    panels = [Panel("Heads", "transformer", INPUTS, INPUTS, attention)]
elif case == "apart":
    panels = []
    for name, (target, rows) in LOOKS.items():
        attention = AttentionMap("cross", target, ("▁did", "▁you", "<eos>"), np.array([[rows]], dtype=np.float32))
        panels.append(Panel(name.title(), name, attention.keys, target, attention))
elif case == "clock":
    attention = pointed(CLOCK_TARGET, CLOCK, (0, 1, 4, 6, 7), 0.65)
    panels = [Panel("Dot", "dot", CLOCK, CLOCK_TARGET, attention)]
elif case == "chinese":
    attention = pointed(TARGETS["dot"], CHINESE, (0, 1, 1, 2, 3, 4, 5), 0.7)
    panels = [Panel("Dot", "dot", CHINESE, TARGETS["dot"], attention)]
elif case == "long":
    panels = four(8)
else:
    panels = four()
st.session_state.runs = st.session_state.get("runs", 0) + 1
draw_alignment(panels, key="alignment", sentence="the red red table", play=case in ("play", "causal"))
st.text(f"runs {st.session_state.runs}")
