"""JSON values of a trace: checked types, numbers with six significant digits, None for infinities."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nmtcore.errors import TraceError

LARGEST = 1e9  # bound for numbers in a trace


def typed(value: Any, kind: type) -> Any:
    """Check that `value` is of this type and return it. Raises TraceError."""
    if type(value) is not kind:
        raise TraceError(f"This is not the JSON of a trace: {str(value)[:40]!r} is of the wrong type.")
    return value


def texts(values: Any) -> tuple[str, ...]:
    """Check a list of strings and return a tuple. Raises TraceError."""
    return tuple(typed(value, str) for value in typed(values, list))


def number(value: Any) -> float:
    """Check a log-probability, which may be -inf, and return it. Raises TraceError."""
    if type(value) not in (int, float) or not value <= LARGEST:
        raise TraceError(f"This is not the JSON of a trace: {str(value)[:40]!r} is not a possible number.")
    return float(value) if value > -LARGEST else -math.inf


def six(value: float) -> float:
    """`value` with six significant digits."""
    return float(f"{value:.6g}")


def rounded(array: NDArray[np.float32]) -> Any:
    """Nested lists of `array` with six significant digits."""
    values = np.asarray(array, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        places = np.where(values == 0, 0.0, 5 - np.floor(np.log10(np.abs(values))))
    scale = 10.0 ** np.clip(np.nan_to_num(places, posinf=0.0, neginf=0.0), -30, 30)
    return nulled(np.round(values * scale) / scale)


def nulled(values: np.ndarray[Any, Any]) -> Any:
    """Nested lists with None in place of -inf, the value of a masked score, which JSON cannot write."""
    if np.isfinite(values).all():
        return values.tolist()
    objects = values.astype(object)
    objects[~np.isfinite(values)] = None
    return objects.tolist()


def restored(lists: Any) -> NDArray[np.float32]:
    """The inverse of `rounded`: None becomes -inf, a masked score."""
    values = np.asarray(lists, dtype=np.float32)
    return np.where(np.isnan(values), np.float32(-np.inf), values)
