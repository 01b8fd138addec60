"""The settings of a new run: the usual ones for its task and model, and the choices that replace them."""

import dataclasses
from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmtcore.config import ARCHITECTURES, Architecture, ModelConfig, is_autoregressive, model_config
from nmtcore.figures.schedule import schedule_curve, schedule_table
from nmtcore.runs import defaults, rehearsal
from nmtcore.training.config import TrainingConfig
from nmtcore.training.exercises import EXERCISES
from nmtcore.training.schedule import learning_rates
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


class SettingsForm:
    """The controls: the few in the popover come first, then all others. source: language of a model to fine-tune."""

    def __init__(self, name: str, architecture: Architecture, goes_on: bool, source: str = "") -> None:
        self.task, self.goes_on, self.source = EXERCISES.get(name), goes_on, source
        self.kind = f"{name}-{architecture}-{'on' if goes_on else 'new'}"
        plan = defaults.fine_tune if goes_on else defaults.from_scratch
        optimiser = held(f"optimiser-{self.kind}", TrainingConfig.optimiser)  # whose control is drawn later
        self.training: Values = {
            **dataclasses.asdict(plan(self.task)),
            **{"learning_rate": plan(self.task, optimiser=optimiser).learning_rate, "chosen_optimiser": optimiser},
            **{"goes_on": goes_on, "word_by_word": is_autoregressive(architecture)},
        }
        self.small = {} if goes_on else ARCHITECTURES[architecture].small
        self.model: Values = {} if goes_on else dataclasses.asdict(model_config(architecture, PIECES, **self.small))

    def draw_few(self) -> Settings:
        """Draw the settings that fit a popover."""
        training = draw(PLAN, self.training, self.kind)
        model = draw(SIZE, self.model, self.kind)
        run = self._draw_rehearsal() if self.goes_on and rehearsal.sentences(self.source) else {}
        length = 0
        if self.task is not None and self.task.length:
            length = st.slider(
                _("Longest string in training"),
                self.task.lengths[0],
                min(LONGEST, self.task.lengths[1]),
                self.task.length,
                key=f"length-{self.task.name}",
                help=_("At the end the model is tried on longer strings than it has seen."),
            )
        return Settings(training, model, run, length)

    def draw_every(self, few: Settings) -> tuple[Settings, DeltaGenerator]:
        """Draw the settings for those who study training; return all, and the placeholder for the rate's curve."""
        with st.expander(_("Every setting: optimiser, schedule, initialisation, model"), key="every-setting"):
            left, middle, right = st.columns([1, 1, 1.3], gap="medium")
            with left:
                training = draw(OPTIMISER[:1], self.training, self.kind)
                st.caption(update_formula(training["optimiser"]))
                training |= draw(OPTIMISER[1:], self.training, self.kind)
            with middle:
                training |= draw(DATA, self.training, self.kind)
            with right:
                curve = st.container()
                model = {**self.small, **few.model, **draw(MODEL, self.model, self.kind)}
        if "units" in few.model:
            model["embedding"] = max(16, model["units"] // 2)
        if "encoder_layers" in few.model:
            model["decoder_layers"] = model["encoder_layers"]
        return dataclasses.replace(few, training=few.training | training, model=model), curve

    def _draw_rehearsal(self) -> Values:
        """How much of its former training data a model to fine-tune sees again."""
        values = draw(REHEARSAL, {"rehearsal": 0.0}, self.kind)
        if not values["rehearsal"]:
            return {}
        typed = st.text_area(
            _("Sentences of your own to rehearse, one a line"),
            key=f"rehearsed-{self.kind}",
            height=80,
            max_chars=20_000,
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
    table = schedule_table(learning_rates(total, training, model))
    last = float(table["learning_rate"].iloc[-1])
    end = _("ends at {rate}").format(rate=f"{last:.1e}")
    hue = ARCHITECTURES[architecture].color
    chart = partial(schedule_curve, table, _("step"), _("learning rate"), end, hue, theme_colors().ink)
    draw_figure(chart, key="schedule", title=_("Learning rate of the next run"), table=table)
    st.caption(rate_formula(training, total))
    if training.warmup > total:
        st.caption(_("The warm-up is longer than the run: the rate never reaches its peak."))
