"""A page for the browser tests of the alignment component: hand-made weights, sizes that differ, odd tokens."""

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

st.set_page_config(layout="wide")
case = st.query_params.get("case", "four")
panels = four(8 if case == "long" else 1)
draw_alignment(panels, key="alignment", sentence="the red red table")
