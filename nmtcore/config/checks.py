"""Checks of settings: each raises SettingError with a sentence that names the allowed values."""

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

from nmtcore.errors import SettingError


def check_range(name: str, value: float, low: float, high: float) -> None:
    """Raise SettingError unless `low <= value <= high`; a NaN never is."""
    if not low <= value <= high:
        shown = f"{value:g}" if abs(value) < 1e300 or value != value else "far from it"  # a huge int fits no float
        raise SettingError(f"{name} must be between {low:g} and {high:g}; it is {shown}.")


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Raise SettingError unless `value` is a whole number from `low` to `high`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise SettingError(f"{name} must be a whole number from {low} to {high}; it is {value!r}.")
    check_range(name, value, low, high)


def check_choice(name: str, value: object, allowed: tuple[Any, ...]) -> None:
    """Raise SettingError unless `value` is one of `allowed`."""
    if value not in allowed:
        raise SettingError(f"{name} must be one of {', '.join(map(str, allowed))}; it is {value!r}.")


def check_choices(settings: object) -> None:
    """Raise SettingError unless every field declared as a Literal has one of its values."""
    for name, hint in get_type_hints(type(settings)).items():
        if get_origin(hint) is Literal:
            check_choice(name, getattr(settings, name), get_args(hint))


def check_ranges(settings: object, ranges: Mapping[str, tuple[float, float]]) -> None:
    """Raise SettingError unless every named field is in its range."""
    for name, (low, high) in ranges.items():
        check_range(name, getattr(settings, name), low, high)
