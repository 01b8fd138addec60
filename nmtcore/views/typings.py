"""TypeScript types of the data that crosses from Python to JavaScript, made from the pictures' `record.py`.

`python -m nmtcore.views.typings` writes kit/records.d.ts, which is not kept: `.ci/javascript` makes it, then checks.
A comment after a field becomes its JSDoc.
"""

import inspect
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

VIEWS = Path(__file__).parent
FILE = VIEWS / "kit" / "records.d.ts"
_PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null", Any: "any"}
_BASE = re.compile(r"class \w+\((\w+)\):")
_FIELD = re.compile(r"^    (\w+): .+?(?:  # (.+))?$", re.M)


def typings() -> str:
    """The text of the file."""
    records = [record for path in sorted(VIEWS.glob("*/record.py")) for record in _records(path.parent.name)]
    return "// Made of record.py of each picture.\n\n" + "\n".join(map(_interface, records))


def _records(view: str) -> list[type]:
    module = import_module(f"nmtcore.views.{view}.record")
    return [value for value in vars(module).values() if is_typeddict(value) and value.__module__ == module.__name__]


def _interface(record: type) -> str:
    """A TypedDict as an interface."""
    source = inspect.getsource(record)
    base = _BASE.match(source)
    optional: frozenset[str] = record.__optional_keys__  # type: ignore[attr-defined]
    hints = get_type_hints(record)
    extends = f" extends {base[1]}" if base and base[1] != "TypedDict" else ""
    lines = [f"/** {inspect.getdoc(record)} */", f"export interface {record.__name__}{extends} {{"]
    for name, comment in _FIELD.findall(source):
        if comment:
            lines.append(f"  /** {comment} */")
        lines.append(f"  {name}{'?' if name in optional else ''}: {_typescript(hints[name])};")
    return "\n".join([*lines, "}", ""])


def _typescript(hint: Any) -> str:
    """A Python type in TypeScript. Raises TypeError for one that no record has."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return _PLAIN[hint]
    if is_typeddict(hint):
        return str(hint.__name__)
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in arguments)
    if origin in (Union, UnionType):
        return " | ".join(map(_typescript, arguments))
    if origin is Sequence:
        (item,) = map(_typescript, arguments)
        return f"({item})[]" if " | " in item else f"{item}[]"
    if origin is tuple:
        return f"[{', '.join(map(_typescript, arguments))}]"
    if origin is Mapping:
        return f"Record<string, {_typescript(arguments[1])}>"
    raise TypeError(f"There is no TypeScript type for {hint}.")


if __name__ == "__main__":
    FILE.write_text(typings(), encoding="utf-8")
