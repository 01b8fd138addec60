"""The settings of a new run, as a table of fields: each draws its control, and knows its title, range and help.

A field's name is its name in TrainingConfig, RunConfig or the ModelConfig of an architecture, which knows the
usual value. It is offered if that configuration has it, unless `when` says that it would have no effect.
"""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import streamlit as st

from nmtcore.errors import SettingError
from nmtcore.messages import N_
from nmtcore.models.scores import SCORES
from pages.common.i18n import _

Values = dict[str, Any]  # settings by name: the chosen ones, and the usual values of all others


@dataclass(frozen=True)
class Field:
    """One setting. help: its text, which may contain {usual}.

    when: whether it has an effect given the other values; usual: the usual value if the configuration has none;
    depends: the setting with which the usual value changes.
    """

    name: str
    title: str
    _: KW_ONLY
    help: str
    when: Callable[[Values], bool] = lambda values: True
    usual: Callable[[Values], Any] = lambda values: None
    depends: str = ""

    def draw(self, values: Values, kind: str) -> Any:
        """Draw the control and return the chosen value. kind: part of its key, as tasks and starts have their own."""
        usual = self.usual(values)
        usual = values[self.name] if usual is None else usual
        key = "-".join(filter(None, (self.name, kind, str(values.get(self.depends, "")))))
        help = _(self.help).format(usual=self.said(usual), **self.named(values))
        return self.control(usual, values, {"label": _(self.title), "key": key, "help": help})

    def control(self, usual: Any, values: Values, words: dict[str, Any]) -> Any:
        """Draw the control: here a checkbox."""
        return st.checkbox(value=usual, **words)

    def named(self, values: Values) -> dict[str, str]:
        """The other placeholders in its help."""
        return {}

    def said(self, value: Any) -> str:
        """A value in words."""
        if value is None:
            return _("none")
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        return f"{value:g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)


@dataclass(frozen=True)
class Typed(Field):
    """A typed number; `check_limits` says which are out of range.

    Streamlit's own limits would colour a number red, keep the former value and silently start a run with it.
    """

    least: float
    most: float
    step: float | None = None
    format: str | None = None

    def control(self, usual: Any, values: Values, words: dict[str, Any]) -> Any:
        step = self.step or (usual / 4 if isinstance(usual, float) else None)
        return st.number_input(value=usual, step=step, format=self.format, **words)


@dataclass(frozen=True)
class Slid(Field):
    """A slider over a range, or over the numbers in `sizes`."""

    low: float = 0
    high: float = 1
    step: float | None = None
    sizes: tuple[float, ...] = ()

    def control(self, usual: Any, values: Values, words: dict[str, Any]) -> Any:
        if self.sizes:
            return st.select_slider(options=self.sizes, value=usual, **words)
        return st.slider(min_value=self.low, max_value=self.high, value=usual, step=self.step, **words)


@dataclass(frozen=True)
class Chosen(Field):
    """One of several names, each with its words. among: which of them are offered given the other values."""

    names: Mapping[str, str]
    among: Callable[[Values, str], bool] = lambda values, name: True
    in_a_row: bool = False

    def control(self, usual: Any, values: Values, words: dict[str, Any]) -> Any:
        there = [name for name in self.names if self.among(values, name)]
        if self.in_a_row:
            return st.segmented_control(options=there, default=usual, format_func=self.said, **words) or usual
        return st.selectbox(options=there, index=there.index(usual), format_func=self.said, **words)

    def said(self, value: Any) -> str:
        return _(self.names[value]) if value in self.names else super().said(value)


class ChosenScore(Chosen):
    """The score function, with the papers of those that the architecture can have."""

    def named(self, values: Values) -> dict[str, str]:
        scores = [score for name, score in SCORES.items() if self.among(values, name)]
        return {"sources": "; ".join(f"{_(score.title)}: {score.source}" for score in scores)}

    def said(self, value: Any) -> str:
        return f"{_(SCORES[value].title)}, {SCORES[value].short}" if value in SCORES else super().said(value)


def _attends(values: Values) -> bool:
    return bool(values.get("attention") != "none")


def _same_family(values: Values, score: str) -> bool:
    families: dict[str, str] = {name: known.architecture for name, known in SCORES.items()}
    return families[score] == families[values["attention"]]


# A setting is a row, and its help the lines below it.
# fmt: off
PLAN: tuple[Field, ...] = (
    Typed("max_steps", N_("Steps"), least=1, most=100_000, help=N_(
        "Usual: {usual}. Weight updates. More than enough for the exercise; a stopped run keeps its best weights.")),
    Typed("learning_rate", N_("Learning rate"), least=0.00001, most=5.0, format="%.5f",
        depends="chosen_optimiser", help=N_(
        "Usual: {usual}. The largest of the run: the rate rises to it, then falls. If it is too large, the loss jumps "
        "or explodes.")),
    Typed("batch_tokens", N_("Pieces in a batch"), least=20, most=20_000, step=100, help=N_(
        "Usual: {usual}. Larger batches give smoother steps, each of which takes longer.")),
    Typed("seed", N_("Seed"), least=1, most=10_000, help=N_(
        "Usual: {usual}. The same seed and settings give the same weights on one machine.")),
)

SIZE: tuple[Field, ...] = (
    Slid("units", N_("Units"), sizes=(16, 32, 64, 128, 256), help=N_(
        "Usual: {usual}. Components of a state: more of them can learn more, and take longer.")),
    Chosen("cell", N_("Cell"), names={"rnn": "RNN", "gru": "GRU", "lstm": "LSTM"}, in_a_row=True, help=N_(
        "Usual: {usual}. Its two gates keep a word over many steps; an LSTM has three, an RNN none, and forgets.")),
    Slid("width", N_("Width"), sizes=(32, 64, 128, 256), help=N_(
        "Usual: {usual}. Components of a state: more of them can learn more, and take longer.")),
    Slid("encoder_layers", N_("Layers of encoder and decoder"), low=1, high=4, help=N_(
        "Usual: {usual} for an exercise; a Transformer has six in the paper, each of which looks at the sentence "
        "again. Deep recurrent networks are hard to train.")),
    Slid("heads", N_("Heads"), sizes=(1, 2, 4, 8), help=N_(
        "Usual: {usual}. Each looks where it wants, with its part of the width.")),
    Chosen("positions", N_("Positions"),
        names={"sinusoidal": N_("sinusoidal"), "learned": N_("learned"), "none": N_("none")}, in_a_row=True,
        when=lambda values: values["positions"] != "relative", help=N_(
        "Usual: {usual} (Vaswani et al. 2017); learned ones are from Gehring et al. (2017). Without positions a "
        "Transformer cannot tell the order: it will not learn to reverse. Try it.")),
)

REHEARSAL: tuple[Field, ...] = (
    Slid("rehearsal", N_("Rehearsal"), low=0.0, high=1.0, step=0.1, help=N_(
        "Usual: {usual}. Against forgetting: for each new pair, this many of the model's own translations of everyday "
        "sentences are mixed in; every evaluation measures how many it keeps.")),
)

OPTIMISER: tuple[Field, ...] = (
    Chosen("optimiser", N_("Optimiser"),
        names={"sgd": "SGD", "momentum": N_("SGD with momentum"), "adagrad": "Adagrad", "rmsprop": "RMSprop",
               "adam": "Adam", "adamw": "AdamW"}, help=N_(
        "Usual: {usual}, which gives every weight a step of its own size. SGD needs a larger rate, found by trial.")),
    Chosen("schedule", N_("Learning rate after the warm-up"),
        # all but noam, whose peak labels the others
        names={"linear": N_("linear to zero"), "constant": N_("constant"),
               "halving": N_("halved every tenth of the run, from the middle on"),
               "exponential": N_("exponential, to a hundredth"), "cosine": N_("half a cosine"),
               "inverse_root": N_("inverse square root of the step")}, help=N_(
        "Usual: {usual}. Large steps find the valley, small ones its floor; a constant rate keeps jumping over it.")),
    Typed("warmup", N_("Warm-up, in steps"), least=0, most=100_000, help=N_(
        "Usual: {usual}. Until Adam has seen some gradients it misjudges their size; a Transformer needs it most.")),
    Typed("clip", N_("Clip the gradient norm at"), least=0.0, most=1000.0, step=0.5, help=N_(
        "Usual: {usual}. One batch with a huge gradient cannot throw the weights off; 0 clips nothing.")),
    Slid("momentum", N_("Momentum"), low=0.0, high=0.99, step=0.01,
        when=lambda values: values["optimiser"] == "momentum", help=N_(
        "Usual: {usual}. How much of the last step is kept in the next.")),
)

DATA: tuple[Field, ...] = (
    Slid("label_smoothing", N_("Label smoothing"), low=0.0, high=0.5, step=0.05, help=N_(
        "Usual: {usual} for an exercise, whose answers are certain; 0.1 for translation, which has several.")),
    Field("sort_by_length", N_("Rows of similar length in one batch"), help=N_(
        "Usual: {usual}. Otherwise much of a batch is padding, and an epoch takes longer.")),
    Slid("scheduled_sampling", N_("Scheduled sampling, largest share"), low=0.0, high=1.0, step=0.1,
        when=lambda values: values["word_by_word"], help=N_(
        "Usual: {usual}, teacher forcing: the decoder always reads the right words. Scheduled sampling lets it read "
        "more and more of its own, up to this share at the end.")),
    Chosen("initialisation", N_("Initialisation"),
        names={"xavier": "Xavier", "normal": N_("normal, of one size")},
        when=lambda values: not values["goes_on"], help=N_(
        "Usual: {usual}, which sizes every matrix so that signals neither die out nor blow up on their way.")),
    Slid("init_std", N_("Standard deviation"), sizes=(0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0),
        when=lambda values: values["initialisation"] == "normal", help=N_(
        "Usual: {usual}. With small weights signals die out on their way through the layers, with large ones every "
        "state is saturated.")),
)

MODEL: tuple[Field, ...] = (
    Slid("dropout", N_("Dropout"), low=0.0, high=0.9, step=0.05, help=N_(
        "Usual: {usual} for an exercise, which has endless pairs; 0.1 to 0.3 where few pairs would be memorised.")),
    Field("bidirectional", N_("The encoder reads both ways"), help=N_(
        "Usual: {usual}, so that each word's state knows what follows it (Bahdanau et al. 2015). One way alone: "
        "Sutskever et al. (2014).")),
    Chosen("merge", N_("Both directions are"),
        names={"concat": N_("concatenated, half of the units each"), "sum": N_("added"), "mean": N_("averaged")},
        when=lambda values: values["bidirectional"], help=N_(
        "Usual: {usual} (Bahdanau et al. 2015). Added: as in Deep Speech 2 (Amodei et al. 2016). Averaged: half of "
        "that sum, an option of Keras (Bidirectional). For both, each direction has all units, and more weights.")),
    ChosenScore("attention", N_("Score function"), names=dict.fromkeys(SCORES, ""), among=_same_family,
        when=lambda values: _attends(values) and not values["copying"], help=N_(
        "Usual: {usual}. Sources: {sources}.")),
    Chosen("locality", N_("The decoder looks at"),
        names={"global": N_("the whole source"), "monotonic": N_("a window at its own position"),
               "predictive": N_("a window at a place that it predicts")},
        when=_attends, help=N_(
        "Usual: {usual}. Local attention (Luong et al. 2015) sees 2D + 1 positions around j, or around "
        "S·sigmoid(v·tanh(Ws)). A window at its own position suits languages with similar word order; reversing a "
        "string is its hard case: try it.")),
    Slid("window", N_("D, positions on each side"), low=1, high=20, usual=lambda values: 2,
        when=lambda values: values["locality"] != "global", help=N_(
        "Usual: {usual} for a short string, 10 in the paper.")),
    Chosen("context", N_("Where the context enters"),
        names={"start": N_("the first state alone (Sutskever)"), "every_step": N_("every step (Cho)"),
               "input": N_("the decoder's input (Bahdanau)"), "output": N_("its output (Luong)")},
        among=lambda values, name: (name in ("input", "output")) == _attends(values),
        when=lambda values: not values["copying"], help=N_(
        "Usual: {usual}, as in the paper of this architecture.")),
    Field("input_feeding", N_("Input feeding"), when=lambda values: values["context"] == "output", help=N_(
        "Usual: {usual}. Luong et al. (2015) feed h̃ of each step to the next, so the decoder knows where it has "
        "looked; training then goes word by word, which takes longer.")),
    Chosen("norm", N_("Norm"), names={"pre": N_("before each sub-layer"), "post": N_("after it")},
        in_a_row=True, help=N_(
        "Usual: {usual} (Wang et al. 2019). After it (Vaswani et al. 2017), deep models need a warm-up to train at "
        "all.")),
    Slid("feedforward", N_("Feed-forward"), sizes=(32, 64, 128, 256, 512, 1024),
        usual=lambda values: 2 * values["width"], depends="width", help=N_(
        "Usual: twice the width for an exercise, four times in the paper. Components of its inner layer.")),
    Field("scale_embedding", N_("Embeddings times √D"), help=N_(
        "Usual: {usual}, as in Vaswani et al. (2017). Without it the positions start with larger numbers than the "
        "words.")),
    Field("concatenate_positions", N_("Positions beside the word"),
        when=lambda values: values["positions"] in ("sinusoidal", "learned"), help=N_(
        "Usual: {usual}, they are added to it (Vaswani et al. 2017). Beside it, [e; PE] W: features side by side, as "
        "in Collobert et al. (2011), and the matrix W learns to join the two.")),
)

# fmt: on
FIELDS: Mapping[str, Field] = {field.name: field for field in (*PLAN, *SIZE, *REHEARSAL, *OPTIMISER, *DATA, *MODEL)}
OTHERS = {  # titles of settings that have no control but differ between compared runs
    **{"exercise": N_("Task"), "architecture": N_("Model"), "device": N_("Device"), "epochs": N_("Epochs")},
    **{"batch_rows": N_("Pairs in a batch"), "embedding": N_("Embedding"), "residual": N_("Residual connections")},
    "decoder_layers": N_("Decoder layers"),
}


def draw(fields: tuple[Field, ...], values: Values, kind: str) -> Values:
    """Draw the fields that the values have and that have an effect, and put the choices into `values`.

    Returns only the choices.
    """
    chosen: Values = {}
    for field in fields:
        if field.name in values and field.when(values):
            values[field.name] = chosen[field.name] = field.draw(values, kind)
    return chosen


def setting_title(name: str) -> str:
    """The title of a setting; its name in the library if it has no other."""
    return _(FIELDS[name].title if name in FIELDS else OTHERS.get(name, name.replace("_", " ")))


def said_value(name: str, value: object) -> str:
    """The value of a setting in words."""
    return FIELDS.get(name, Field(name, "", help="")).said(value)


def check_limits(training: Mapping[str, Any]) -> None:
    """Raises SettingError with a sentence for each number that is out of range."""
    says = _("The setting “{setting}” goes from {least} to {most}; {value} is out of range.")
    sentences = [
        says.format(setting=_(field.title), least=_plain(field.least), most=_plain(field.most), value=_plain(value))
        for name, value in training.items()
        if isinstance(field := FIELDS.get(name), Typed) and not field.least <= value <= field.most
    ]
    if sentences:
        raise SettingError(" ".join([*sentences, _("The run cannot start with it.")]))


def _plain(value: float) -> str:
    """A number without an exponent."""
    return f"{value:,}" if isinstance(value, int) else str(np.format_float_positional(value, trim="-"))
