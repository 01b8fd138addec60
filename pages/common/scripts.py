"""Plain ES modules in files, joined into the one script that a Streamlit component takes: no build step, no npm."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

_IMPORT = re.compile(r'^import \{([^}]*)\} from "[./\w]*?(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|const|let|class)\*? (\w+))", re.MULTILINE)


def joined(modules: Sequence[Path]) -> str:
    """One module of all `modules`, which stand in the order of their imports; the last one has the default export.

    Each of the others becomes a function that returns what it exports, so that its private names stay its own.
    Raises ValueError where two modules have one name, or one imports what does not stand before it.
    """
    parts: list[str] = []
    known: dict[str, set[str]] = {}
    for path in modules:
        text, last = path.read_text(encoding="utf-8"), path is modules[-1]
        if path.stem in known:
            raise ValueError(f"Two modules are named {path.stem}.")
        for names, origin in _IMPORT.findall(text):
            wanted = {name.split(" as ")[0].strip() for name in names.split(",")} - {""}
            if missing := sorted(wanted - known.get(origin, set())):
                raise ValueError(f"{path.name}: no {', '.join(missing)} in a module {origin}.js that stands before it.")
        text = _IMPORT.sub(lambda m: f"const {{{m[1].replace(' as ', ': ')}}} = {m[2]}_module;\n", text)
        exports = [name for __, name in _EXPORT.findall(text)]
        known[path.stem] = set(exports)
        if not last:
            body, names = _EXPORT.sub(r"\1", text), ", ".join(exports)
            text = f"const {path.stem}_module = (() => {{\n{body}\nreturn {{ {names} }};\n}})();\n"
        parts.append(text)
    return "\n".join(parts)
