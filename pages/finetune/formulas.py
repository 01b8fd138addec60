"""The formulas of a run with its own numbers, in Markdown: loss, learning rate and optimiser step."""

from nmtcore.config import Architecture, is_autoregressive
from nmtcore.training.config import Optimiser, TrainingConfig
from nmtcore.training.optimiser import LAST, TENTHS, WHOLE
from pages.common.i18n import _


def loss_and_rate(training: TrainingConfig, total: int, architecture: Architecture) -> str:
    """The loss and the learning rate in step t of a run of `total` steps."""
    loss = r"$\small L=-\frac1N\sum_j\log P(y_j\mid y_{<j},x)$"
    if not is_autoregressive(architecture):  # M: the masked positions; |y|: the length
        loss = r"$\small L=-\frac1{|M|}(\sum_{j\in M}\log P(y_j\mid y_{\setminus M},x)+\log P(|y|\mid x))$"
    return _("Loss {loss}, rate {rate} in step t").format(loss=loss, rate=rate_formula(training, total))


def rate_formula(training: TrainingConfig, total: int) -> str:
    """The schedule; the formula of `noam` contains the model's width, so its factor is written separately."""
    warmup = max(training.warmup, 1)
    left = max(total - warmup, 1)
    rise = rf"\tfrac{{t}}{{{warmup}}}"
    rate = f"{training.learning_rate:g}"
    shapes = {
        "linear": rf"{rate}\min({rise},\tfrac{{{total + 1}-t}}{{{max(total - warmup + 1, 1)}}})",
        "constant": rf"{rate}\min({rise},1)",
        "halving": rf"{rate}\min({rise},1)\,2^{{-\max(0,\lfloor {TENTHS}(t-1)/{total}\rfloor-{WHOLE - 1})}}",
        "exponential": rf"{rate}\min({rise},{LAST:g}^{{(t-{warmup})/{left}}})",
        "cosine": rf"{rate}\min({rise},\tfrac12+\tfrac12\cos\pi\tfrac{{t-{warmup}}}{{{left + 1}}})",
        "inverse_root": rf"{rate}\min({rise},\sqrt{{{warmup}/t}})",
        "noam": rf"{rate}\,D^{{-1/2}}\min(t^{{-1/2}},t\cdot {warmup}^{{-3/2}})",
    }
    return rf"$\small \eta_t={shapes[training.schedule]}$"


def update_formula(optimiser: Optimiser) -> str:
    """The update that an optimiser makes from the gradient g."""
    adam = r"m\leftarrow\beta_1m+(1-\beta_1)g,\; v\leftarrow\beta_2v+(1-\beta_2)g^2,\; "
    shapes: dict[Optimiser, str] = {
        "sgd": r"w\leftarrow w-\eta g",
        "momentum": r"m\leftarrow\mu m+g,\; w\leftarrow w-\eta m",
        "adagrad": r"v\leftarrow v+g^2,\; w\leftarrow w-\eta\,g/\sqrt v",
        "rmsprop": r"v\leftarrow 0.99v+0.01g^2,\; w\leftarrow w-\eta\,g/\sqrt v",
        "adam": adam + r"w\leftarrow w-\eta\,\hat m/\sqrt{\hat v}",
        "adamw": adam + r"w\leftarrow w-\eta(\hat m/\sqrt{\hat v}+\lambda w)",
    }
    return rf"$\small {shapes[optimiser]}$"
