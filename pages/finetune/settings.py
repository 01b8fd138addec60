"""The settings of a new run: the usual ones for its task and model, and the choices that replace them."""

import dataclasses
from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmtcore.config import ARCHITECTURES, Architecture, ModelConfig, is_autoregressive, model_config
from nmtcore.figures.learning import schedule_curve
from nmtcore.runs import defaults, rehearsal
from nmtcore.training.config import TrainingConfig
from nmtcore.training.exercises import EXERCISES
from nmtcore.training.optimiser import learning_rates
from pages.common.figure import draw_figure, theme_colors
from pages.common.form import held
from pages.common.i18n import _
from pages.finetune.fields import DATA, MODEL, OPTIMISER, PLAN, REHEARSAL, SIZE, Values, draw
from pages.finetune.formulas import rate_formula, update_formula

LONGEST = 20  # words of a training string: longer ones take minutes on a CPU
PIECES = 400  # of a vocabulary, on which no setting here depends


@dataclasses.dataclass(frozen=True)
class Settings:
    """The choices: fields of TrainingConfig, of the ModelConfig of a model from scratch, and of RunConfig.

    length: the longest string's in training, 0 for a task without strings.
    """

    training: Values
    model: Values
    run: Values
    length: int = 0


def draw_settings(
    few: DeltaGenerator, every: DeltaGenerator, name: str, architecture: Architecture, goes_on: bool, source: str
) -> tuple[Settings, DeltaGenerator]:
    """Draw the settings; return the choices, and the placeholder for the curve of the learning rate.

    few: the place of those that fit a popover; every: of those for people who study training; source: the language of
    a model to fine-tune.
    """
    task, kind = EXERCISES.get(name), f"{name}-{architecture}-{'on' if goes_on else 'new'}"
    plan = defaults.fine_tune if goes_on else defaults.from_scratch
    optimiser = held(f"optimiser-{kind}", TrainingConfig.optimiser)  # whose control is drawn after the rate's
    usual: Values = {
        **dataclasses.asdict(plan(task)),
        **{"learning_rate": plan(task, optimiser=optimiser).learning_rate, "chosen_optimiser": optimiser},
        **{"goes_on": goes_on, "word_by_word": is_autoregressive(architecture)},
    }
    small = {} if goes_on else ARCHITECTURES[architecture].small
    usual_model: Values = {} if goes_on else dataclasses.asdict(model_config(architecture, PIECES, **small))
    run, length = Values(), 0
    with few:
        training = draw(PLAN, usual, kind)
        model = {**small, **draw(SIZE, usual_model, kind)}
        if goes_on and rehearsal.sentences(source):
            run = _draw_rehearsal(kind)
        if task is not None and task.length:
            length = st.slider(
                _("Longest string in training"),
                task.lengths[0],
                min(LONGEST, task.lengths[1]),
                task.length,
                key=f"length-{task.name}",
                help=_("At the end the model is tried on longer strings than it has seen."),
            )
    if "units" in model:
        model["embedding"] = max(16, model["units"] // 2)
    if "encoder_layers" in model:
        model["decoder_layers"] = model["encoder_layers"]
    left, middle, right = every.columns([1, 1, 1.3], gap="medium")
    with left:
        training |= draw(OPTIMISER[:1], usual, kind)
        st.caption(update_formula(training["optimiser"]))
        training |= draw(OPTIMISER[1:], usual, kind)
    with middle:
        training |= draw(DATA, usual, kind)
    with right:
        curve = st.container()
        model |= draw(MODEL, usual_model, kind)
    return Settings(training, model, run, length), curve


def _draw_rehearsal(kind: str) -> Values:
    """How much of its former training data a model to fine-tune sees again."""
    values = draw(REHEARSAL, {"rehearsal": 0.0}, kind)
    if not values["rehearsal"]:
        return {}
    typed = st.text_area(
        _("Sentences of your own to rehearse, one a line"), key=f"rehearsed-{kind}", height=80, max_chars=20_000
    )
    own = tuple(" ".join(line.split()) for line in typed.split("\n") if line.strip())
    return values | {"rehearsed": own}


def said_size(architecture: Architecture, settings: Mapping[str, Any]) -> str:
    """The size of a model in a few words; empty if its configuration has no size."""
    config: Any = model_config(architecture, PIECES, **settings)  # a run from the command line may omit defaults
    if hasattr(config, "cell"):
        return _("{cell}, {units} units").format(cell=config.cell.upper(), units=config.units)
    if hasattr(config, "encoder_layers"):
        says = _("{layers} + {layers} layers, width {width}")
        return says.format(layers=config.encoder_layers, width=config.d_model)
    return ""


def draw_schedule(training: TrainingConfig, architecture: Architecture, model: ModelConfig) -> None:
    """The learning rate over the coming run, and its final value."""
    total = training.max_steps
    table = pd.DataFrame(learning_rates(total, training, model), columns=["step", "learning_rate"])
    last = float(table["learning_rate"].iloc[-1])
    end = _("ends at {rate}").format(rate=f"{last:.1e}")
    hue = ARCHITECTURES[architecture].color
    chart = partial(schedule_curve, table, _("step"), _("learning rate"), end, hue, theme_colors().ink)
    draw_figure(chart, key="schedule", title=_("Learning rate of the next run"), table=table)
    st.caption(rate_formula(training, total))
    if training.warmup > total:
        st.caption(_("The warm-up is longer than the run: the rate never reaches its peak."))
