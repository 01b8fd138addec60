"""Link parameters of the Beam search page beside its question row.

The tree writes `alpha`, `beta`, `step`, `later` and `dropped`; `whatif` and `compare` hold the constraints.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from nmtcore.config import DecodingConfig
from nmtcore.errors import InterventionError, SettingError
from nmtcore.views.beam_tree.data import View
from pages.beam import constraints
from pages.beam.constraints import Constraint
from pages.common.i18n import _

DROPPED = ("none", "step", "all")


def asked_view() -> tuple[View, tuple[str, ...]]:
    """How the tree opens, as the address says, and a sentence about each part of it that cannot be."""
    notes: list[str] = []
    numbers: dict[str, float] = {}
    for name in ("alpha", "beta"):
        try:
            value = float(st.query_params.get(name, getattr(View, name)))
            DecodingConfig(**{name: value})  # type: ignore[arg-type]
            numbers[name] = value
        except SettingError as error:
            notes.append(str(error))
        except ValueError:
            asked = st.query_params[name][:40]
            notes.append(_("{name} must be a number from 0 to 5; it is {value}.").format(name=name, value=repr(asked)))
    step = st.query_params.get("step", "0")
    if not (step.isascii() and step.isdecimal()):
        notes.append(_("The step must be a whole number; the search is shown as a whole."))
        step = "0"
    dropped = st.query_params.get("dropped", "step")
    if dropped not in DROPPED:
        notes.append(_("The link asks for dropped candidates that are not none, step or all: one step's are shown."))
        dropped = "step"
    whole = st.query_params.get("later") == "shown"
    alpha, beta = (numbers.get(name, getattr(View, name)) for name in ("alpha", "beta"))
    return View(alpha, beta, int(step[:6]), whole, dropped), tuple(notes)


def asked_constraints() -> tuple[tuple[Constraint, ...], tuple[str, ...]]:
    """The what-ifs in the address, and a sentence about one that cannot be read."""
    found: list[Constraint] = []
    notes: list[str] = []
    for code in filter(None, st.query_params.get("whatif", "").split("~")):
        try:
            found.extend(constraints.read(code))
        except InterventionError as error:
            notes.append(str(error))
    return tuple(found), tuple(notes)


def asked_candidate() -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The beginning that is compared with the winner, as token ids, and a sentence where it cannot be read."""
    code = st.query_params.get("compare", "")
    found = constraints.read_ids(code)
    if code and not found:
        return (), (_("The link compares with a candidate that cannot be read: it was left out."),)
    return found, ()


def acted(changes: Mapping[str, str]) -> None:
    """What a click in the tree changes: `whatif`, `compare`; `alpha` and `beta` are those that it was made with."""
    if "whatif" in changes:
        forget("step", "later", "compare")
    for name in {"whatif", "compare", "alpha", "beta"} & set(changes):
        if changes[name]:
            st.query_params[name] = changes[name]
        else:
            st.query_params.pop(name, None)


def forget(*names: str) -> None:
    """What-ifs and steps are of one search: they go when another is asked for."""
    for name in names or ("whatif", "compare", "step", "later"):
        st.query_params.pop(name, None)
    if not names:
        st.session_state["beginning"] = ""
