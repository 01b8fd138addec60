"""Damage to a run's records: every field, whole records and single lines, with values of another kind."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HOSTILE: tuple[Any, ...] = (
    "x",
    "",
    [],
    {},
    None,
    True,
    1e308,
    float("nan"),
    10**11,
    10**310,
    -5,
    0.5,
    [[]],
    {"a": [1]},
)
DEEP = "[" * 20_000  # thousands of lists, one in the other
RECORDS = ("config.json", "status.json", "owner.json", "name.json")
LOGS = ("events.jsonl", "traces.jsonl")
MOST_INSIDE = 3  # elements of a list damaged one by one


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every value in a JSON document, its own first."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for number, item in enumerate(value[:MOST_INSIDE]):
            yield from places(item, (*path, number))


def damaged(value: Any, path: tuple[Any, ...], hostile: Any) -> Any:
    """A copy of a document with `hostile` in one place."""
    if not path:
        return hostile
    made = copy.deepcopy(value)
    inside = made
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = hostile
    return made


def versions(folder: Path) -> Iterator[tuple[str, str]]:
    """Names of files of a run, each with a damaged content; the run is left as it is."""
    for name in RECORDS:
        record = json.loads((folder / name).read_text())
        for path in places(record):
            for hostile in HOSTILE:
                yield name, json.dumps(damaged(record, path, hostile))
            if path and isinstance(path[-1], str):
                less = copy.deepcopy(record)
                inside = less
                for key in path[:-1]:
                    inside = inside[key]
                del inside[path[-1]]
                yield name, json.dumps(less)
        yield name, DEEP
        yield name, '{"a":' * 20_000
        yield name, "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")
    for name in LOGS:
        lines = (folder / name).read_text().splitlines()
        shown: dict[str, int] = {}
        for number, line in enumerate(lines):
            row = json.loads(line)
            kind = str(row.get("event", "trace"))
            shown[kind] = shown.get(kind, 0) + 1
            if shown[kind] > 1:
                continue
            for path in places(row):
                for hostile in HOSTILE:
                    rows = [*lines[:number], json.dumps(damaged(row, path, hostile)), *lines[number + 1 :]]
                    yield name, "\n".join(rows) + "\n"
            yield name, "\n".join([*lines[:number], DEEP, *lines[number + 1 :]]) + "\n"
