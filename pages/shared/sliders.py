"""Sliders over whole numbers, bound to the address."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.words import _


def slider(place: DeltaGenerator, label: str, low: int, high: int, default: int, key: str) -> int:
    """A slider in `place`; where there is no choice it is not drawn. An address that asks in vain is told so."""
    if low >= high:
        return low
    asked = st.query_params.get(key)
    value = place.slider(label, low, high, min(default, high), key=key, bind="query-params")
    if asked is not None and not within(asked, low, high):
        place.text(
            _("The link asked for {asked}; it can be {low} to {high}.").format(asked=asked[:20], low=low, high=high)
        )
    return value


def within(asked: str, low: int, high: int) -> bool:
    """Whether what an address asks for is a whole number of a slider from `low` to `high`."""
    return asked.isascii() and asked.isdecimal() and low <= int(asked[:9]) <= high
