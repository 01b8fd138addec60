"""Advanced settings of a run: folded away, each with a reason; the defaults were found by trying."""

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmtcore.config import Architecture, is_autoregressive
from nmtcore.runs import defaults, rehearsal
from nmtcore.training.exercises import EXERCISES
from pages.common.i18n import _
from pages.finetune.optimisation import chosen_optimiser, data_settings, optimiser_settings
from pages.finetune.sizes import choose_more, choose_size

LONGEST = 20  # words of a training string: longer ones take minutes on a CPU


def training_settings(name: str, architecture: Architecture, goes_on: bool, source: str = "") -> dict[str, Any]:
    """Draw the settings. `check_limits` checks the typed values and says what is wrong.

    `training`: fields of TrainingConfig; `model`: fields of the ModelConfig of a model from scratch; `run`: other
    fields of RunConfig. source: the source language of a model to fine-tune.
    """
    task = EXERCISES.get(name)
    plan = defaults.fine_tune(task) if goes_on else defaults.from_scratch(task)
    kind = key_of(name, architecture, goes_on)
    optimiser = chosen_optimiser(kind)
    peak = defaults.rate(optimiser, goes_on, task)
    steps = st.number_input(
        _("Steps"),
        value=plan.max_steps,
        key=f"steps-{kind}",
        help=_(
            "Usual: {usual:,}. Updates of the weights. More than enough for the exercise; a stopped run keeps its best "
            "weights."
        ).format(usual=plan.max_steps),
    )
    rate = st.number_input(
        _("Learning rate"),
        value=peak,
        format="%.5f",
        step=peak / 4,
        key=f"rate-{kind}-{optimiser}",
        help=_(
            "Usual: {usual:g}. The largest of the run: the rate rises to it, then falls. If it is too large, the loss "
            "jumps or explodes."
        ).format(usual=peak),
    )
    tokens = st.number_input(
        _("Pieces in a batch"),
        value=plan.batch_tokens,
        step=100,
        key=f"batch-{kind}",
        help=_("Usual: {usual:,}. Larger batches give smoother steps, each of which takes longer.").format(
            usual=plan.batch_tokens
        ),
    )
    seed = st.number_input(
        _("Seed"), value=1, key="seed", help=_("The same seed and settings give the same weights on one machine.")
    )
    values: dict[str, Any] = {
        "training": {"max_steps": steps, "learning_rate": rate, "batch_tokens": tokens, "seed": seed}
    }
    if not goes_on:
        values["model"] = choose_size(architecture, kind)
    elif rehearsal.sentences(source):
        values["run"] = _rehearsal(kind)
    if task is not None and task.length:
        st.slider(
            _("Longest string in training"),
            task.lengths[0],
            min(LONGEST, task.lengths[1]),
            task.length,
            key=f"length-{name}",
            help=_("At the end the model is tried on longer strings than it has seen."),
        )
    return values


def key_of(name: str, architecture: Architecture, goes_on: bool) -> str:
    """The suffix of the controls' keys: another task or starting point has its own settings."""
    return f"{name}-{architecture}-{'on' if goes_on else 'new'}"


def every_setting(
    name: str, architecture: Architecture, goes_on: bool, values: dict[str, Any]
) -> tuple[dict[str, Any], DeltaGenerator]:
    """Draw the settings for those who study training; `values` with them, and the place of the rate's curve."""
    task = EXERCISES.get(name)
    plan = defaults.fine_tune(task) if goes_on else defaults.from_scratch(task)
    kind = key_of(name, architecture, goes_on)
    with st.expander(_("Every setting: optimiser, schedule, initialisation, model"), key="every-setting"):
        optimiser, data, place = st.columns([1, 1, 1.3], gap="medium")
        with optimiser:
            training = optimiser_settings(plan, kind)
        with data:
            training |= data_settings(plan, kind, goes_on, is_autoregressive(architecture))
        with place:
            curve = st.container()
            model = {} if goes_on else choose_more(architecture, kind)
    settings = {**values, "training": {**values["training"], **training}}
    if not goes_on:
        settings["model"] = {**values["model"], **model}
    return settings, curve


def _rehearsal(kind: str) -> dict[str, Any]:
    """How much of its former training data a model to fine-tune sees again."""
    share = st.slider(
        _("Rehearsal"),
        0.0,
        1.0,
        0.0,
        0.1,
        key=f"rehearsal-{kind}",
        help=_(
            "Usual: 0. Against forgetting: for each new pair, so many of the model's own translations of everyday "
            "sentences are mixed in, and how many of them it keeps is measured at every evaluation."
        ),
    )
    if not share:
        return {}
    typed = st.text_area(
        _("Sentences of your own to rehearse, one a line"), key=f"rehearsed-{kind}", height=80, max_chars=20_000
    )
    own = tuple(" ".join(line.split()) for line in typed.split("\n") if line.strip())
    return {"rehearsal": share, "rehearsed": own}
