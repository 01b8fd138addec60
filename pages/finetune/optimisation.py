"""All optimisation settings of a run, folded away, each with its usual value and a reason, and the rate's curve."""

from functools import partial
from typing import Any, get_args

import streamlit as st

from nmtcore.config import ARCHITECTURES, Architecture, ModelConfig
from nmtcore.figures.schedule import schedule_curve, schedule_table
from nmtcore.training.config import Initialisation, Optimiser, Schedule, TrainingConfig
from nmtcore.training.schedule import learning_rates
from pages.common.figure import draw_figure, theme_colors
from pages.common.form import held
from pages.common.i18n import _
from pages.finetune.formulas import rate_formula, update_formula

OFFERED = tuple(name for name in get_args(Schedule) if name != "noam")  # with whose peak the others are labelled


def optimiser_title(name: str) -> str:
    """The name of an optimiser in lists and tables."""
    titles = {"sgd": "SGD", "momentum": _("SGD with momentum"), "adagrad": "Adagrad"}
    return {**titles, "rmsprop": "RMSprop", "adam": "Adam", "adamw": "AdamW"}.get(name, name)


def schedule_title(name: str) -> str:
    """The name of a schedule."""
    titles = {
        "linear": _("linear to zero"),
        "constant": _("constant"),
        "halving": _("halved each tenth of the run, from the middle on"),
        "exponential": _("exponential, to a hundredth"),
        "cosine": _("half a cosine"),
        "inverse_root": _("inverse square root of the step"),
    }
    return titles.get(name, name)


def initialisation_title(name: str) -> str:
    """The name of an initialisation."""
    return {"xavier": "Xavier", "normal": _("normal, of one size")}.get(name, name)


def chosen_optimiser(kind: str) -> Optimiser:
    """The optimiser chosen in the list, which is drawn after the rate that depends on it. kind: as in its key."""
    optimiser = held(f"optimiser-{kind}", TrainingConfig.optimiser)
    return optimiser if optimiser in get_args(Optimiser) else "adamw"


def optimiser_settings(plan: TrainingConfig, kind: str) -> dict[str, Any]:
    """Draw optimiser, schedule, warm-up and clipping; returns fields of TrainingConfig."""
    optimiser: Optimiser = st.selectbox(
        _("Optimiser"),
        get_args(Optimiser),
        get_args(Optimiser).index(plan.optimiser),
        key=f"optimiser-{kind}",
        format_func=optimiser_title,
        help=_(
            "Usual: AdamW, which gives every weight a step of its own size. SGD needs a larger rate, found by trying."
        ),
    )
    st.caption(update_formula(optimiser))
    schedule: Schedule = st.selectbox(
        _("Learning rate after the warm-up"),
        OFFERED,
        OFFERED.index(plan.schedule),
        key=f"schedule-{kind}",
        format_func=schedule_title,
        help=_(
            "Usual: linear. Large steps find the valley, small ones its ground; a constant rate keeps jumping over it."
        ),
    )
    warmup = st.number_input(
        _("Warm-up, in steps"),
        value=plan.warmup,
        key=f"warmup-{kind}",
        help=_(
            "Usual: {usual}. Until Adam has seen some gradients it misjudges their size; a Transformer needs it most."
        ).format(usual=plan.warmup),
    )
    clip = st.number_input(
        _("Clip the gradient at the norm"),
        value=plan.clip,
        step=0.5,
        key=f"clip-{kind}",
        help=_("Usual: 1. One batch with a huge gradient cannot throw the weights away; 0 clips nothing."),
    )
    values: dict[str, Any] = {"optimiser": optimiser, "schedule": schedule, "warmup": warmup, "clip": clip}
    if optimiser == "momentum":
        values["momentum"] = st.slider(
            _("Momentum"),
            0.0,
            0.99,
            plan.momentum,
            0.01,
            key=f"momentum-{kind}",
            help=_("Usual: 0.9. How much of the last step is kept in the next."),
        )
    return values


def data_settings(plan: TrainingConfig, kind: str, goes_on: bool, word_by_word: bool = True) -> dict[str, Any]:
    """Draw label smoothing, initialisation, batches and scheduled sampling; returns fields of TrainingConfig.

    word_by_word: whether the model is autoregressive, and so could read its own words in training.
    """
    values: dict[str, Any] = {
        "label_smoothing": st.slider(
            _("Label smoothing"),
            0.0,
            0.5,
            plan.label_smoothing,
            0.05,
            key=f"smoothing-{kind}",
            help=_("Usual: 0 for an exercise, whose answers are certain; 0.1 for translation, which has several."),
        ),
        "sort_by_length": st.checkbox(
            _("Rows of like lengths in one batch"),
            plan.sort_by_length,
            key=f"sorted-{kind}",
            help=_("Usual: yes. Otherwise much of a batch is padding, and an epoch takes longer."),
        ),
    }
    if word_by_word:
        values["scheduled_sampling"] = st.slider(
            _("Scheduled sampling, largest share"),
            0.0,
            1.0,
            plan.scheduled_sampling,
            0.1,
            key=f"own-{kind}",
            help=_(
                "Usual: 0, teacher forcing: the decoder always reads the right words. Scheduled sampling lets it read "
                "more and more of its own, up to this share at the end."
            ),
        )
    if goes_on:
        return values
    values["initialisation"] = initialisation = st.selectbox(
        _("Initialisation"),
        get_args(Initialisation),
        key=f"initialisation-{kind}",
        format_func=initialisation_title,
        help=_("Usual: Xavier, which sizes every matrix so that signals neither die out nor blow up on their way."),
    )
    if initialisation == "normal":
        values["init_std"] = st.select_slider(
            _("Standard deviation"),
            (0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0),
            0.01,
            key=f"std-{kind}",
            help=_(
                "Usual: 0.01. With small weights signals die out on their way through the layers, with large ones "
                "every state is saturated."
            ),
        )
    return values


def draw_schedule(training: TrainingConfig, architecture: Architecture, model: ModelConfig) -> None:
    """The learning rate over the run that would begin, and its final value."""
    total = training.max_steps
    table = schedule_table(learning_rates(total, training, model))
    last = float(table["learning_rate"].iloc[-1])
    end = _("ends at {rate}").format(rate=f"{last:.1e}")
    hue = ARCHITECTURES[architecture].color
    chart = partial(schedule_curve, table, _("step"), _("learning rate"), end, hue, theme_colors().ink)
    draw_figure(chart, key="schedule", title=_("Learning rate of the run to come"), table=table)
    st.caption(rate_formula(training, total))
    if training.warmup > total:
        st.caption(_("The warm-up is longer than the run: the rate never reaches its peak."))
