"""Time against length: measured once for the whole server, when somebody asks for it, beside the theory's line."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import NamedTuple

import pandas as pd
import streamlit as st

from nmtcore.analysis.complexity import crossing
from nmtcore.analysis.speed import LENGTHS, Speed, measure, measured_crossing
from nmtcore.figures.palette import HUES
from nmtcore.figures.speed import Measured, Part, speed_table, time_by_length
from nmtcore.system.host_memory import give_back
from pages.architectures.results import FEW, MANY, ModelResult, transformer
from pages.common import models
from pages.common.address import fragment
from pages.common.figure import draw_figure
from pages.common.i18n import _
from pages.common.late_progress import time_left
from pages.common.shared import kept

Key = tuple[str, tuple[int, ...], int]  # model, its files' times, rounds


class Line(NamedTuple):
    """A line of the charts: a model that writes word by word, or one that writes all words at once in some rounds."""

    model: ModelResult
    rounds: int = 1
    title: str = ""

    @property
    def key(self) -> Key:
        return self.model.id, models.stamp(self.model.id), self.rounds

    @property
    def speeds(self) -> list[Speed] | None:
        """Its speeds at the lengths for which the model has positions; None if they have not been measured."""
        return _measurements().speeds.get(self.key)


@dataclass
class Measurements:
    """What has been measured on this server. One measurement at a time, or each would slow down the other."""

    speeds: dict[Key, list[Speed]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)


@kept(1)
def _measurements() -> Measurements:
    return Measurements()


@fragment
def draw_time_by_length(results: Sequence[ModelResult], pair: tuple[ModelResult, ModelResult] | None) -> None:
    """The two charts, or the button that measures them. pair: the two models whose crossing is named."""
    lines = _lines(results)
    with st.container(key="time by length"):
        st.header(_("What does length cost?"), anchor=False)
        if missing := [line for line in lines if line.speeds is None]:
            _offer(missing)
        if any(line.speeds is None for line in lines):
            return
        _draw(lines)
        says = []
        if pair is not None and pair[0].id != pair[1].id:
            says = _crossings(*(_line(lines, one) for one in pair))
            st.markdown(" ".join(says))
        if more := [sentence for sentence in _at_once(lines) if sentence not in says]:
            st.markdown(" ".join(more))
        st.button(_("Measure again"), key="measure again", type="tertiary", on_click=_forget, args=(lines,))


def _lines(results: Sequence[ModelResult]) -> list[Line]:
    lines = []
    for one in results:
        if one.at_once:
            named = _("{model}, T = {rounds}")
            lines += [Line(one, t, named.format(model=one.title, rounds=t)) for t in (FEW, MANY)]
        else:
            lines.append(Line(one, title=one.title))
    return lines


def _line(lines: Sequence[Line], model: ModelResult) -> Line:
    return next(line for line in lines if line.model.id == model.id)


def _offer(missing: Sequence[Line]) -> None:
    place = st.empty()
    with place.container():
        st.markdown(
            _(
                "Reading and writing {least} to {most} pieces, measured on this machine, once for everybody on this "
                "server. It takes a few seconds."
            ).format(least=LENGTHS[0], most=LENGTHS[-1])
        )
        if not st.button(_("Measure the models"), key="measure speed", type="primary"):
            return
    with place.container():
        _measure(missing)
    place.empty()


def _measure(missing: Sequence[Line]) -> None:
    """Measure what is missing, and show the time left. Stopping keeps the lines that have been measured."""
    st.button(_("Stop"), key="stop measuring")  # its run of this part ends this one at the next progress report
    bar = st.progress(0.0)
    total, done, began = sum(LENGTHS) * len(missing), 0, time.perf_counter()
    loaded, of = None, ""  # one model at a time: all of them together take half a gigabyte
    for line in missing:
        with _measurements().lock:
            if line.speeds is not None:  # somebody else has measured it meanwhile
                done += sum(LENGTHS)
                continue
            if loaded is None or of != line.model.id:
                loaded, of = models.load_anew(line.model.id), line.model.id
            ids = [*line.model.source.cut(loaded.vocab).ids] or [0]
            speeds = []
            for length in LENGTHS:
                words = _("{model}, {count} pieces").format(model=line.title, count=length)
                if done:
                    words += " · " + time_left(time.perf_counter() - began, done / total)
                bar.progress(done / total, words)
                if length <= loaded.model.max_length:
                    speeds.append(measure(loaded.model, ids, length, rounds=line.rounds))
                done += length
            _measurements().speeds[line.key] = speeds
    del loaded
    give_back()


def _forget(lines: Sequence[Line]) -> None:
    for line in lines:
        _measurements().speeds.pop(line.key, None)


def _draw(lines: Sequence[Line]) -> None:
    hues = {line.title: HUES[models.architecture(line.model.id)] for line in lines}
    table = speed_table([Measured(x.title, x.model.config, x.speeds or (), x.rounds) for x in lines])
    dashed = [line.title for line in lines if line.rounds == FEW]
    read, write = st.columns(2, gap="medium")
    with read:
        _chart(table, "encode", hues, dashed, _("Reading n pieces"))
    with write:
        _chart(table, "decode", hues, dashed, _("Writing n pieces"))
    says = _(
        "Solid: processor time, the fastest of three runs, without search. Dotted: the theory, layers times the "
        "operations of one layer, at one rate for all models, that of the fastest; only its slope matters. Both axes "
        "are logarithmic: a straight line is a power of n, and its slope is the power."
    )
    if dashed:
        says += " " + _("Dashed: measured with T = {rounds}.").format(rounds=FEW)
    st.caption(says)
    st.caption(_theory(lines))


def _theory(lines: Sequence[Line]) -> str:
    """The formula of each dotted line, with the model's own sizes."""
    by_formula: dict[str, list[str]] = {}
    for one in dict.fromkeys(line.model for line in lines):
        kind = one.complexity
        if kind is None:
            continue
        layers = " + ".join(str(getattr(one.config, f"{part}r_layers", 1)) for part in ("encode", "decode"))
        sizes = f"d = {kind.d}" + (f", k = {kind.k}" if kind.layer == "convolution" else "")
        named = _("{model} ({layers} layers, {sizes})").format(model=one.title, layers=layers, sizes=sizes)
        by_formula.setdefault(kind.formula, []).append(named)
    parts = (f"{formula}: {', '.join(names)}" for formula, names in by_formula.items())
    return _("In theory a layer costs {formulas} for n pieces.").format(formulas="; ".join(parts))


def _chart(table: pd.DataFrame, part: Part, hues: dict[str, str], dashed: Sequence[str], title: str) -> None:
    st.markdown(f"**{title}**")
    draw_figure(
        partial(time_by_length, table, part, hues, _("pieces n"), _("milliseconds"), dashed),
        key=f"speed-{part}",
        title=_("{title}: milliseconds on this machine").format(title=title),
        table=table,
    )


def _crossings(first: Line, second: Line) -> list[str]:
    """Where one layer of each costs the same in theory, and where the measured lines cross."""
    sentences = []
    one, two = first.model.complexity, second.model.complexity
    if one is not None and two is not None:
        values = {"first": first.title, "second": second.title, "one": f"{one.formula}, d = {one.d}"}
        values["two"] = f"{two.formula}, d = {two.d}"
        n = crossing(one, two)
        if n is None:
            sentence = _("{first} ({one} a layer) and {second} ({two}) grow alike: in theory they never cross.")
        else:
            sentence = _(
                "One layer of {first} ({one}) and one of {second} ({two}) cost the same at n = {n}; with the layers of "
                "their encoders, {layers}, the dotted lines cross at n = {whole}."
            )
            above, below = (int(getattr(line.model.config, "encoder_layers", 1)) for line in (first, second))
            values |= {"n": f"{n:.0f}", "layers": f"{above} : {below}"}
            values["whole"] = f"{crossing(one, two, (above, below)):.0f}"
        sentences.append(sentence.format(**values))
    parts: tuple[tuple[Part, str], ...] = (("encode", _("Reading")), ("decode", _("Writing")))
    return [*sentences, *(_measured(part, title, first, second) for part, title in parts)]


def _at_once(lines: Sequence[Line]) -> list[str]:
    """The length beyond which writing all words at once is faster than the Transformer's word by word."""
    other = transformer([line.model for line in lines])
    if other is None:
        return []
    in_rounds = [line for line in lines if line.model.at_once]
    return [_measured("decode", _("Writing"), line, _line(lines, other)) for line in in_rounds]


def _measured(part: Part, title: str, first: Line, second: Line) -> str:
    """Where the measured lines of two models cross."""
    both = list(zip(first.speeds or (), second.speeds or (), strict=False))
    times = [[getattr(pair[i], part) for pair in both] for i in (0, 1)]
    n = measured_crossing([pair[0].length for pair in both], *times)
    quicker, slower = (first, second) if times[0][-1] < times[1][-1] else (second, first)
    sentence = (
        _("{part}, measured: {quicker} is faster than {slower}, and the lines never cross.")
        if n is None
        else _("{part}, measured: the lines cross at about {n} pieces; beyond, {quicker} is faster than {slower}.")
    )
    shown = f"{n:.0f}" if n else ""
    return sentence.format(part=title, quicker=quicker.title, slower=slower.title, n=shown)
