"""Input validation of typed settings: a sentence for each number that is out of range.

Streamlit's own limits would colour a number red, keep the former value and silently start a run with it.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from nmtcore.errors import SettingError
from pages.common.i18n import _
from pages.finetune.wording import setting_title

LIMITS: Mapping[str, tuple[float, float]] = {  # least and greatest values of fields of TrainingConfig
    "max_steps": (1, 100_000),
    "learning_rate": (0.00001, 5.0),
    "batch_tokens": (20, 20_000),
    "seed": (1, 10_000),
    "warmup": (0, 100_000),
    "clip": (0.0, 1000.0),
}


def check_limits(training: Mapping[str, Any]) -> None:
    """Raises SettingError with a sentence for each number that is out of range."""
    sentences = []
    for name, (least, most) in LIMITS.items():
        value = training.get(name, least)
        if not least <= value <= most:
            says = _("The setting “{setting}” goes from {least} to {most}, and {value} is beyond that.")
            sentences.append(
                says.format(
                    setting=setting_title(name), least=_written(least), most=_written(most), value=_written(value)
                )
            )
    if sentences:
        raise SettingError(" ".join([*sentences, _("Nothing can start with it.")]))


def _written(value: float) -> str:
    """A number without an exponent."""
    return f"{value:,}" if isinstance(value, int) else str(np.format_float_positional(value, trim="-"))
