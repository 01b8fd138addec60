"""Time against length: measured once for the whole server, when somebody asks for it, with the theory's line beside."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

import pandas as pd
import streamlit as st

from nmtcore.analysis.complexity import crossing
from nmtcore.analysis.speed import LENGTHS, Speed, fits, measure, measured_crossing
from nmtcore.figures.palette import ARCHITECTURE
from nmtcore.figures.speed import Measured, Part, speed_table, time_by_length
from pages.architectures.found import Found
from pages.common import models
from pages.common.figure import figure
from pages.common.i18n import _, ngettext

Key = tuple[str, tuple[int, ...], int]  # model, its files' times, length


@dataclass
class Measurements:
    """What has been measured on this server. One measurement at a time, or each would slow down the other."""

    found: dict[Key, Speed] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)


@st.cache_resource(show_spinner=False)
def _measurements() -> Measurements:
    return Measurements()


@st.fragment
def time_against_length(found: Sequence[Found], pair: tuple[Found, Found] | None) -> None:
    """The two charts, or the button that measures them. pair: the two models whose crossing is named."""
    with st.container(key="time by length"):
        st.header(_("What does length cost?"), anchor=False)
        missing = _missing(found)
        if missing:
            _offer(found, missing)
        if _missing(found):
            return
        _draw(found)
        if pair is not None and pair[0].id != pair[1].id:
            st.markdown(_crossings(*pair))
        st.button(_("Measure again"), key="measure again", type="tertiary", on_click=_forget, args=(found,))


def _missing(found: Sequence[Found]) -> list[tuple[Found, Key]]:
    """What has not been measured yet, the short lengths first."""
    known = _measurements().found
    keys = [(one, key) for one in found for key in _keys(one) if key not in known]
    return sorted(keys, key=lambda pair: pair[1][2])


def _keys(one: Found) -> list[Key]:
    model = models.load(one.id).model
    return [(one.id, models._stamp(one.id), length) for length in LENGTHS if fits(model, length)]


def _offer(found: Sequence[Found], missing: Sequence[tuple[Found, Key]]) -> None:
    place = st.empty()
    with place.container():
        st.markdown(
            _(
                "Reading and writing {least} to {most} pieces, measured on this machine, once for everybody on this "
                "server. It takes some seconds."
            ).format(least=LENGTHS[0], most=LENGTHS[-1])
        )
        if not st.button(_("Measure the models"), key="measure speed", type="primary"):
            return
    with place.container():
        _measure(missing)
    place.empty()


def _measure(missing: Sequence[tuple[Found, Key]]) -> None:
    """Measure what is missing, with the time that is left. Stopping keeps what has been measured."""
    kept = _measurements()
    st.button(_("Stop"), key="stop measuring")  # its run of this part ends this one at the next sign of progress
    bar = st.progress(0.0)
    total, done, began = sum(key[2] for _one, key in missing), 0, time.perf_counter()
    for one, key in missing:
        left = (time.perf_counter() - began) * (total - done) / done if done else None
        words = _("{model}, {count} pieces").format(model=one.title, count=key[2])
        if left is not None:
            seconds = max(1, round(left))
            words += " · " + ngettext("about {count} second left", "about {count} seconds left", seconds).format(
                count=seconds
            )
        bar.progress(done / total, words)
        with kept.lock:
            if key not in kept.found:
                loaded = models.load(one.id)
                kept.found[key] = measure(loaded.model, loaded.vocab.encode(one.beam.source_text) or [0], key[2])
        done += key[2]


def _forget(found: Sequence[Found]) -> None:
    for one in found:
        for key in _keys(one):
            _measurements().found.pop(key, None)


def _speeds(one: Found) -> list[Speed]:
    return [_measurements().found[key] for key in _keys(one)]


def _draw(found: Sequence[Found]) -> None:
    table = speed_table(
        [Measured(one.title, ARCHITECTURE[models.architecture(one.id)], one.config, _speeds(one)) for one in found]
    )
    hues = {one.title: ARCHITECTURE[models.architecture(one.id)] for one in found}
    read, write = st.columns(2, gap="medium")
    with read:
        _chart(table, "encode", hues, _("Reading n pieces"))
    with write:
        _chart(table, "decode", hues, _("Writing n pieces"))
    st.caption(
        _(
            "Solid: measured, the quickest of three, without search. Dashed: the theory, layers times the operations "
            "of one layer below, for all models at the one rate that the fastest of them reached; its slope is what "
            "to look at. Both axes are logarithmic: a straight line is a power of n, and its slope the power."
        )
    )


def _chart(table: pd.DataFrame, part: Part, hues: dict[str, str], title: str) -> None:
    st.markdown(f"**{title}**")
    figure(
        time_by_length(table, part, hues, _("pieces n"), _("milliseconds")),
        key=f"speed-{part}",
        title=_("{title}: milliseconds on this machine").format(title=title),
        table=table,
    )


def _crossings(first: Found, second: Found) -> str:
    """Where one layer of each costs the same by the table, and where the measured lines cross."""
    sentences = []
    one, two = first.complexity, second.complexity
    if one is not None and two is not None:
        values = {"first": first.title, "second": second.title, "one": f"{one.formula}, d = {one.d}"}
        values["two"] = f"{two.formula}, d = {two.d}"
        n = crossing(one, two)
        if n is None:
            sentence = _("{first} ({one} a layer) and {second} ({two}) grow alike: by the theory they never cross.")
        else:
            sentence = _(
                "One layer of {first} ({one}) and one of {second} ({two}) cost the same at n = {n}; with the layers of "
                "their encoders, {layers}, the dashed lines cross at n = {whole}."
            )
            layers = int(getattr(first.config, "encoder_layers", 1)), int(getattr(second.config, "encoder_layers", 1))
            values |= {"n": f"{n:.0f}", "layers": f"{layers[0]} : {layers[1]}"}
            values["whole"] = f"{crossing(one, two, layers):.0f}"
        sentences.append(sentence.format(**values))
    parts: tuple[tuple[Part, str], ...] = (("encode", _("Reading")), ("decode", _("Writing")))
    for part, title in parts:
        both = list(zip(_speeds(first), _speeds(second), strict=False))
        times = [[getattr(pair[i], part) for pair in both] for i in (0, 1)]
        lengths = [pair[0].length for pair in both]
        n = measured_crossing(lengths, *times)
        quicker, slower = (first, second) if times[0][-1] < times[1][-1] else (second, first)
        sentence = (
            _("{part}, measured: {quicker} is quicker than {slower}, and the lines cross nowhere.")
            if n is None
            else _("{part}, measured: the lines cross at about {n} pieces; beyond, {quicker} is quicker than {slower}.")
        )
        shown = f"{n:.0f}" if n else ""
        sentences.append(sentence.format(part=title, quicker=quicker.title, slower=slower.title, n=shown))
    return " ".join(sentences)
