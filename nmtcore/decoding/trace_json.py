"""JSON values of a trace: checked types, numbers with six significant digits, None for infinities."""

import math
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from nmtcore.errors import TraceError

LARGEST = 1e9  # bound for numbers in a trace


def typed(value: Any, kind: type) -> Any:
    """Check that `value` is of this type and return it. Raises TraceError."""
    if type(value) is not kind:
        raise TraceError(f"This is not the JSON of a trace: {str(value)[:40]!r} is of the wrong type.")
    return value


_types = cache(get_type_hints)


def read_fields(kind: Any, data: Any) -> dict[str, Any]:
    """Read the fields of a record from a JSON object. Raises TraceError, or KeyError for a missing field."""
    return {name: checked(hint, data[name]) for name, hint in _types(kind).items()}


def checked(kind: Any, value: Any) -> Any:
    """Read a JSON value as an annotated type: a record, or the type of one of its fields. Raises TraceError."""
    origin, given = get_origin(kind), get_args(kind)
    if origin is tuple:
        return tuple(checked(given[0], item) for item in typed(value, list))
    if origin is dict:
        return {name: checked(given[1], item) for name, item in value.items()}
    if origin is np.ndarray:
        return restored(value)
    if origin is Literal and value not in given:
        raise TraceError(f"This is not the JSON of a trace: {str(value)[:40]!r} must be one of {', '.join(given)}.")
    if origin is Literal:
        return value
    if kind is float:
        return number(value)
    if hasattr(kind, "from_json"):
        return kind.from_json(value)
    if hasattr(kind, "_fields"):  # a named tuple
        return kind(**read_fields(kind, value))
    if kind in (str, int, bool):
        return typed(value, kind)
    return kind(**value)  # settings, which check themselves


def fields_json(record: Any, **more: Any) -> dict[str, Any]:
    """The fields of a named tuple, and more, with numbers of six significant digits."""
    return {name: six(x) if isinstance(x, float) else x for name, x in (record._asdict() | more).items()}


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
