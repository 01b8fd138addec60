"""Before a run: what to learn, what to start from, the device, the settings; a preview; the button that starts it."""

import dataclasses
import json
import threading
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st
from cachetools import TTLCache, cached
from streamlit.delta_generator import DeltaGenerator

from nmtcore.config import ARCHITECTURES, CORE, Architecture, model_config
from nmtcore.decoding.trace import AttentionMap
from nmtcore.errors import NmtError
from nmtcore.models import checkpoint
from nmtcore.runs import defaults, queue, ray_engine
from nmtcore.runs.config import OPEN, Device, RunConfig
from nmtcore.runs.preparation import PARTS, VALIDATION, Estimate, devices, estimate
from nmtcore.runs.run_folder import runs, runs_folder
from nmtcore.text.normalization import SPACE, normalized_length
from nmtcore.training.corpus import Pair
from nmtcore.training.exercises import EXERCISES, Example, Exercise, exercise
from nmtcore.views.alignment.data import Panel
from pages.common import models
from pages.common.address import change_state, read_state, typed
from pages.common.alignment import draw_alignment
from pages.common.controls import errors_said, quiet_list, show_notes
from pages.common.i18n import _, duration, ngettext, title
from pages.common.late_progress import LateProgress
from pages.common.question import not_here
from pages.common.saved_models import modification_times, own_models
from pages.common.shared import kept
from pages.common.tour import guided_tour
from pages.common.waiting import SLICE, end_if_unwanted
from pages.finetune.experiments import recipe_of_the_books
from pages.finetune.fields import check_limits
from pages.finetune.foot import say_code
from pages.finetune.lists import your_runs
from pages.finetune.owner import Visitor, visitor
from pages.finetune.pairs import own_pairs
from pages.finetune.records import model_settings
from pages.finetune.settings import Settings, draw_schedule, draw_settings
from pages.finetune.state import FinetuneState
from pages.finetune.tables import text_table
from pages.finetune.tour import PREVIEW as PREVIEW_KEY
from pages.finetune.tour import setup_tour
from pages.finetune.wording import ABOUT, PAIRS, TASKS, architecture_title, look_for, task_title

PREVIEW = 6  # pairs
PERIOD = 10  # s between two queries for devices
PINNED = 200  # characters of the watched sentence, if any is that short
_estimating = threading.Lock()  # estimating takes memory: one at a time for all visitors
WIDEST = 360  # px of a list
LETTER = 8  # px of a letter in it


@dataclass(frozen=True)
class Start:
    """The starting point of a run. folder: of an existing model; None for one from scratch."""

    architecture: Architecture
    name: str
    folder: Path | None = None
    source: str = "source"
    target: str = "target"
    model: str = ""  # the name of the one in `folder`


def new_run(state: FinetuneState, who: Visitor) -> None:
    """Draw the controls and the preview, and start a run when the button is pressed."""
    with st.container(key="finetune-row", horizontal=True, vertical_alignment="bottom", gap="small"):
        name = state.learn
        quiet_list(state, "learn", _("What to learn"), TASKS, task_title, then=_keep_start, width=275)
        starts = _starts(name, who)
        if not starts:
            show_notes(_("This exercise needs a model that translates English to French, and there is none yet."))
            your_runs(who)
            return
        begins = state.start if state.start in starts else next(iter(starts))
        start = starts[begins]
        names = {key: start.name for key, start in starts.items()}
        quiet_list(state, "start", _("What to start from"), list(names), names.__getitem__, value=begins, width=300)
        device = _device()
        few = st.popover(_("Settings"), width=115)
        place = st.container(width=90)  # for the button, drawn once it is known whether there is something to start
    asking = st.container()
    with st.container(key="forecast", horizontal=True, vertical_alignment="center", gap="small"):
        forecast = st.empty()
        your_runs(who)
    picture = st.container()
    every = st.expander(_("Every setting: optimiser, schedule, initialisation, model"), key="every-setting")
    settings, curve = draw_settings(few, every, name, start.architecture, start.folder is not None, start.source)
    with asking:
        if state.start and state.start not in (begins, start.name):
            show_notes(not_here(state.start, start.name))
        asked = _asked(state, start, device, settings)
    pressed = place.button(_("Start"), type="primary", key="start", disabled=asked is None, width=90)
    config, pairs = asked or (None, [])
    guided_tour(setup_tour(name, start.architecture, start.name, pairs, config))
    if config is None:
        return
    if pressed:
        _begin(config, pairs, start, who)
    with curve:  # no rate depends on the vocabulary, which is not learned yet
        model = (
            checkpoint.read_config(start.folder)[0]
            if start.folder
            else model_config(start.architecture, config.vocab_size, **config.settings)
        )
        draw_schedule(config.training, start.architecture, model)
    with picture:
        _preview(name, config, start, pairs)
    _foretell(forecast, config, pairs, start)
    recipe_of_the_books(name)


def _keep_start() -> None:
    """Remove the start from the address if the exercise now chosen cannot begin with it."""
    state, _notes = read_state(FinetuneState)
    if state.start not in _starts(state.learn, visitor()):
        change_state(FinetuneState, start="")


def _asked(
    state: FinetuneState, start: Start, device: str, settings: Settings
) -> tuple[RunConfig, list[Example]] | None:
    """The configuration of the coming run, and its pairs; None if it cannot begin, which has been reported."""
    words = state.noun.strip(), state.french.strip()
    if state.learn == "teach":
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.text_input(_("Made-up English noun"), width=200, **typed(state, "noun"))
            st.text_input(_("Its French, a masculine noun"), width=200, **typed(state, "french"))
    with errors_said():
        task = None if state.learn == PAIRS else exercise(state.learn, *words)
        check_limits(settings.training)
        if task is None:
            pairs = own_pairs(start.folder, start.source, start.target)
        else:
            pairs = _made(state.learn, words, defaults.count(task), settings.training["seed"], settings.length)
        if not pairs:
            return None
        plan = defaults.fine_tune if start.folder else defaults.from_scratch
        return RunConfig(
            plan(task, **settings.training),
            _pinned(task, pairs, settings.length),
            "" if task is None else task.name,
            *words,
            "" if start.folder else start.architecture,
            settings.model,
            task.pieces if task else 4000,
            start.model,
            start.source,
            start.target,
            device,
            **settings.run,
        ), pairs
    return None


@kept(20)
def _made(name: str, words: tuple[str, str], count: int, seed: int, length: int) -> list[Example]:
    return exercise(name, *words).pairs(count, seed, length)


def _pinned(task: Exercise | None, pairs: list[Example], longest: int) -> Example:
    """The pair to watch: the exercise's own, cut to the longest string in training, or one of middle length."""
    if task is None:
        few = sorted(pairs[:200], key=lambda pair: len(pair[0]))
        short = [pair for pair in few if max(map(normalized_length, pair)) <= PINNED]
        return short[len(short) // 2] if short else few[0]
    source = task.pinned
    if task.length:
        source = " ".join(source.split()[:longest])
    return source, task.answer(source)


def _starts(name: str, who: Visitor) -> dict[str, Start]:
    """The starting points of a run that learns `name`, by a key for the address."""
    scratch = {
        f"scratch-{architecture}": Start(architecture, architecture_title(architecture))
        # Those whose alignment can be watched come first.
        for architecture in sorted(ARCHITECTURES, key=lambda name: not ARCHITECTURES[name].attention)
    }
    says = _("Go on with {model}")
    shipped = {}
    for pair in models.pairs():
        for architecture in sorted(reversed(ARCHITECTURES), key=lambda name: name not in CORE):  # the strongest first
            model = f"{pair}, {title(architecture)}"
            key = models.start_key(f"{pair}/{architecture}")
            shipped[key] = _going_on(models.model_directory() / pair / architecture, says.format(model=model), model)
    own = {
        one.code: Start(one.architecture, says.format(model=one.label), one.folder, one.source, one.target, one.name)
        for one in own_models()[0].values()
    }
    earlier = {}
    for run in runs(runs_folder()):
        if run.has_model:
            label = _("Go on with your run {name}") if run.is_of(who.session) else _("Go on with the run {name}")
            model = run.name() or run.id
            earlier[f"run-{run.id}"] = _going_on(run.best, label.format(name=model), model)
    trained = shipped | own | earlier if name in (PAIRS, "teach") else earlier | own | shipped
    there = {key: start for key, start in trained.items() if start}
    if name in EXERCISES and EXERCISES[name].pretrained:
        return {key: start for key, start in there.items() if (start.source, start.target) == ("en", "fr")}
    return scratch | there


def _going_on(folder: Path, name: str, model: str) -> Start | None:
    """A model to go on with; None if it cannot be used."""
    if (read := model_settings(folder)) is None:
        return None
    config, meta = read
    source, target = (str(meta.get(side, side)) for side in ("source", "target"))
    return Start(config.architecture, name, folder, source, target, model)


@cached(TTLCache(1, PERIOD), lock=threading.Lock())
def _devices() -> list[Device]:
    """The available devices, queried once per PERIOD: a cluster answers over the network."""
    return ray_engine.devices() if ray_engine.is_set() else devices()


def _device() -> str:
    says = _("{device}, {free} GB free")
    labels = {
        device.id: device.name
        if device.free is None
        else says.format(device=device.name, free=f"{device.free / 1e9:.0f}")
        for device in _devices()
    }
    width = max(105, min(WIDEST, LETTER * max(map(len, labels.values())) + 56))
    return st.selectbox(
        _("Device"),
        list(labels),
        key="device",
        format_func=labels.__getitem__,
        label_visibility="collapsed",
        width=width,
    )


def _begin(config: RunConfig, pairs: list[Example], start: Start, who: Visitor) -> None:
    """Start the run and show it."""
    with errors_said():
        if start.folder is not None:
            checkpoint.load(start.folder)  # a damaged model is reported now, not by a failing process
        run, code = queue.submit(runs_folder(), config, pairs, who.session, start.folder)
        say_code(run, code)
        change_state(FinetuneState, run=run.id)
        st.rerun()


def _preview(name: str, config: RunConfig, start: Start, pairs: list[Example]) -> None:
    """A few pairs, and the alignment that training should find."""
    left, right = st.columns([1, 1], gap="large")
    with left, st.container(key=PREVIEW_KEY):
        st.markdown(f"**{_(ABOUT[name])}**")
        text_table([_("source"), _("target")], pairs[:PREVIEW])
        st.caption(
            _("{count:,} pairs, of which about {aside} are held out for evaluation.").format(
                count=len(pairs), aside=min(VALIDATION, len(pairs) // 10)
            )
        )
        st.markdown(look_for(name, ARCHITECTURES[start.architecture].attention))
        with st.expander(_("All tasks and what each asks")):
            st.markdown("\n".join(f"- **{task_title(task)}** {_(ABOUT[task])}" for task in TASKS))
    if config.task is not None and ARCHITECTURES[start.architecture].attention:
        with right:
            draw_alignment([_ideal(config.task, start, config.pinned)], key="ideal", compact=True, height=275)


def _ideal(task: Exercise, start: Start, pinned: Example) -> Panel:
    """The alignment that the exercise aims for, drawn as if a model had it."""
    source, target = (tuple(f"{SPACE}{word}" for word in side.split()) for side in pinned)
    weights = np.zeros((1, 1, len(target), len(source)), dtype=np.float32)
    for row, link in enumerate(task.links(pinned[0])):
        for column in link:
            weights[0, 0, row, column] = 1 / len(link)
    return Panel(
        _("What the alignment should look like"),
        start.architecture,
        source,
        target,
        AttentionMap("cross", target, source, weights),
    )


def _foretell(place: DeltaGenerator, config: RunConfig, pairs: list[Example], start: Start) -> None:
    """Parameters and time, measured on a few updates after the picture is on its way."""
    key = json.dumps(dataclasses.asdict(config), sort_keys=True, default=str)
    stamp = () if start.folder is None else modification_times([start.folder / checkpoint.CONFIG])
    estimate = _estimate((key, len(pairs), stamp), place, config, pairs, start.folder)
    if isinstance(estimate, str):
        place.text(estimate)
        return
    parts = [
        _("{parameters:,} parameters · {steps:,} steps · {time} on this machine, if nothing else runs").format(
            parameters=estimate.parameters, steps=estimate.steps, time=duration(estimate.seconds)
        )
    ]
    if others := sum(run.status().state in OPEN for run in runs(runs_folder())):
        says = ngettext(
            "longer: {count} other run is active or waiting", "longer: {count} other runs are active or waiting", others
        )
        parts.append(says.format(count=others))
    free = {device.id: device.free for device in _devices()}.get(config.device)
    if free is not None:
        needed, tokens = estimate.memory.needed(config.training.batch_tokens), estimate.memory.largest_batch(free)
        if needed <= free:
            says = _("about {needed} GB of the {free} GB that are free")
        elif tokens:
            says = _(
                "A batch needs about {needed} GB, and {free} GB are free: choose batches of at most {tokens:,} pieces."
            )
        else:
            says = _("The model needs more than the {free} GB that are free: choose a smaller one, or another device.")
        parts.append(says.format(needed=f"{needed / 1e9:.1f}", free=f"{free / 1e9:.1f}", tokens=tokens))
    place.caption(" · ".join(parts))


@kept(100, key=lambda key, *_work: key)
def _estimate(
    key: Hashable, place: DeltaGenerator, config: RunConfig, pairs: list[Example], folder: Path | None
) -> Estimate | str:
    """The estimate of a run, computed once for everybody, or why there is none. Draws progress in `place`.

    key: covers everything that it depends on.
    """
    while not _estimating.acquire(timeout=SLICE):
        end_if_unwanted()
    try:
        progress = LateProgress(place, PARTS)
        words = _("Trying a few steps to estimate the time")
        return estimate(config, [Pair(*pair) for pair in pairs[:2000]], folder, lambda: progress.next(words))
    except NmtError as error:
        return str(error)
    finally:
        _estimating.release()
