"""Schema validation of a run's records: parse JSON from its files into the declared types, or raise an error.

A file of a run can contain anything: half of it may be lost, or another program or a person may have changed it. Each
record is checked here, once, so that no reader has to check it again.
"""

import dataclasses
import math
import re
import types
import typing
from collections.abc import Iterable, Mapping
from functools import cache, partial
from typing import Any, Literal, TypeVar, get_args, get_origin

from nmtcore.config import ARCHITECTURES
from nmtcore.decoding.trace import Trace
from nmtcore.errors import DataError

LARGEST = 2**63 - 1  # bound for integers
MOST_STEPS = 10**9  # bound for training steps
LARGEST_NUMBER = 1e12  # bound for other numbers
JOB = re.compile(r"[\w-]{1,100}", re.ASCII)  # id of a Ray job
NAME = re.compile(r"[^\W_](?:[^\W_]|[ -]){0,39}")  # name of a saved run
HASH = re.compile("[0-9a-f]{64}")

Record = TypeVar("Record")


def parse(kind: Any, value: object, name: str = "record") -> Any:
    """Parse a JSON value as the annotated type `kind`; a dataclass is made from an object with its fields.

    name: the value's name in messages. Raises DataError for another type, for an unknown or missing field and for
    numbers that are not finite; an error that the dataclass itself raises is a ValueError.
    """
    if dataclasses.is_dataclass(kind):
        return _parse_fields(typing.cast(type, kind), value, name)
    origin, given = get_origin(kind), get_args(kind)
    if origin in (typing.Union, types.UnionType):
        for one in given:
            try:
                return parse(one, value, name)
            except DataError:
                continue
    elif origin is Literal:
        if any(value == allowed and type(value) is type(allowed) for allowed in given):
            return value
    elif origin is tuple:
        if isinstance(value, (list, tuple)):
            kinds = (given[0],) * len(value) if given[-1] is Ellipsis else given
            if len(kinds) == len(value):
                return tuple(parse(one, item, name) for one, item in zip(kinds, value, strict=True))
    elif origin is not None and issubclass(origin, Mapping):
        if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
            return {key: parse(given[1], item, name) for key, item in value.items()}
    elif _is_scalar(kind, value):
        return value
    raise DataError(f"{name} is damaged: it must not be {str(value)[:40]!r}.")


def _is_scalar(kind: Any, value: object) -> bool:
    if kind is Any:
        return value is None or any(_is_scalar(one, value) for one in (bool, int, float, str))
    if kind is None or kind is types.NoneType:
        return value is None
    if isinstance(value, bool):
        return kind is bool
    if kind is int:
        return isinstance(value, int) and abs(value) <= LARGEST
    if kind is float:
        return isinstance(value, (int, float)) and abs(value) <= LARGEST_NUMBER  # NaN fails the comparison too
    return kind is str and isinstance(value, str)


@cache
def _kinds(cls: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls) if field.init}


def _parse_fields(cls: type[Record], value: object, name: str) -> Record:
    if not isinstance(value, Mapping):
        raise DataError(f"{name} is damaged: it is not an object.")
    kinds = _kinds(typing.cast(Any, cls))
    if unknown := sorted(str(key) for key in value if key not in kinds):
        raise DataError(f"{name} is damaged: {', '.join(unknown)[:80]} is unknown.")
    given = {key: parse(kinds[key], item, key) for key, item in value.items()}
    try:
        return cls(**given)
    except TypeError as error:
        raise DataError(f"{name} is damaged: a field is missing.") from error


# Events. Other fields, which a newer version may write, are kept if they are plain values.

FIELDS: Mapping[str, Any] = {
    **dict.fromkeys(("step", "total", "best_step", "parameters", "pairs", "rehearsed"), int),
    **dict.fromkeys(("operations", "pieces", "peak"), int),
    **dict.fromkeys(("loss", "best_loss", "epoch", "learning_rate", "tokens_per_second", "seconds"), float | None),
    **dict.fromkeys(("seconds_left", "score", "old_score", "alignment_error", "watts"), float | None),
    **{"samples": tuple[str, ...], "lengths": tuple[int, ...], "scores": tuple[float, ...]},
}
MISSING: Mapping[str, Mapping[str, Any]] = {  # fields that readers of an event may rely on
    "progress": {"loss": None, "learning_rate": None, "tokens_per_second": None},
    "validation": {"loss": None},
}


def parse_event(row: Mapping[str, Any]) -> dict[str, Any]:
    """Check a line of events.jsonl: a name in `event`, an integer `step`, numbers or None, and text `samples`.

    A number that training could not compute (NaN) is None. Raises DataError if the row is not an event.
    """
    name = parse(str, row.get("event"), "event")
    fields: dict[str, Any] = {"step": 0, "samples": (), **MISSING.get(name, {})}
    for key, value in row.items():
        missing = isinstance(value, float) and math.isnan(value) and FIELDS.get(key) == float | None
        fields[key] = None if missing else parse(FIELDS.get(key, Any), value, key)
        if FIELDS.get(key) is int and not 0 <= fields[key] <= (MOST_STEPS if "step" in key else LARGEST):
            raise DataError(f"{key} is damaged: it is {fields[key]}.")
    return fields


def scores_by_length(events: Iterable[Mapping[str, Any]]) -> dict[int, float]:
    """Words in the right place, in percent, by source length, measured at the end of a run; empty before."""
    scores: dict[int, float] = {}
    for event in events:
        if event["event"] == "by_length":
            scores = dict(zip(event.get("lengths", ()), event.get("scores", ()), strict=False))
    return scores


def parse_trace(row: Mapping[str, Any]) -> tuple[int, Trace]:
    """Parse a line of traces.jsonl: the step and the Trace. Raises DataError or TraceError if it is damaged."""
    step, trace = parse(int, row.get("step"), "step"), Trace.from_json(row["trace"])
    if not 0 <= step <= MOST_STEPS or trace.architecture not in ARCHITECTURES:
        raise DataError("traces.jsonl is damaged.")
    return step, trace


def parse_owner(value: object) -> dict[str, str]:
    """The contents of owner.json: hashes of codes by owner. Raises DataError."""
    owner: dict[str, str] = parse(Mapping[str, str], value, "owner.json")
    if not owner or not all(HASH.fullmatch(known) for known in owner.values()):
        raise DataError("owner.json is damaged.")
    return owner


def _parse_text(key: str, pattern: re.Pattern[str], value: object) -> str:
    """The text in a file that is named after its only key. Raises DataError."""
    texts: dict[str, str] = parse(Mapping[str, str], value, f"{key}.json")
    if not pattern.fullmatch(texts.get(key, "")):
        raise DataError(f"{key}.json is damaged.")
    return texts[key]


parse_run_name = partial(_parse_text, "name", NAME)
parse_job = partial(_parse_text, "job", JOB)  # which becomes part of an address
