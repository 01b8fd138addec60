"""Bundler of ES modules and stylesheets: one script and one style from files that import relative paths.

There is no build step and no npm: an editor, a linter, `node --test` and a browser read the same files, and this module
joins them when a host (Streamlit, a notebook, an HTML file) needs a single text.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from nmtcore.errors import BundleError

VIEWS = Path(__file__).parent

_IMPORT = re.compile(r'^import\s+\{([^}]*)\}\s+from\s+"(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|const|let|class)\*? (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(import\b.*|export (?!default\b).*)$", re.MULTILINE)
_STYLE = re.compile(r'^@import "(\.[^"]+)";\n', re.MULTILINE)


def script_of(view: str) -> str:
    """The script of a picture of this folder, such as `alignment`."""
    return script(VIEWS / view / f"{view}.js")


def style_of(view: str) -> str:
    """The stylesheet of a picture of this folder."""
    return style(VIEWS / view / f"{view}.css")


@cache
def script(entry: Path) -> str:
    """Bundle `entry` and everything it imports, directly or indirectly, into one module with `entry`'s default export.

    Every other file becomes a function that returns its exports, which keeps its private names private. Raises
    BundleError for a missing file, a name that a module does not export, an import cycle, and forms of import or
    export that this bundler does not support.
    """
    modules = in_order(entry, _script_imports)
    variables = {path: f"{path.parent.name}_{path.stem}_{n}" for n, path in enumerate(modules)}
    exported: dict[Path, list[str]] = {}
    parts: list[str] = []
    for path in modules:
        text = _read(path)

        def bound(statement: re.Match[str], path: Path = path) -> str:
            origin = _target(path, statement[2])
            names = [name.strip() for name in statement[1].split(",") if name.strip()]
            if missing := [n for n in names if n.split(" as ")[0].strip() not in exported[origin]]:
                raise BundleError(f"{_name(path)} imports {', '.join(missing)}, which {_name(origin)} does not export.")
            return f"const {{ {', '.join(names).replace(' as ', ': ')} }} = {variables[origin]};\n"

        body = _IMPORT.sub(bound, text)
        exported[path] = [name for __, name in _EXPORT.findall(body)]
        if path is not modules[-1]:
            body = _EXPORT.sub(r"\1", body)
            body = f"const {variables[path]} = (() => {{\n{body}\nreturn {{ {', '.join(exported[path])} }};\n}})();\n"
        parts.append(f"// {_name(path)}\n{body}")
    return "\n".join(parts) + f"\n//# sourceURL=alignment-lab/{_name(modules[-1])}\n"


def named(script: str, name: str) -> str:
    """The same script as part of another one, with its default export as the constant `name`."""
    changed, count = re.subn(r"^export default ", f"const {name} = ", script, flags=re.MULTILINE)
    if count != 1:
        raise BundleError(f"The script of a picture has one default export; this one has {count}.")
    return changed


@cache
def style(entry: Path) -> str:
    """One stylesheet of `entry` and its imports, imports first. Raises BundleError like `script`."""
    texts = ((path, _STYLE.sub("", _read(path))) for path in in_order(entry, _style_imports))
    return "\n".join(f"/* {_name(path)} */\n{text}" for path, text in texts)


def in_order(entry: Path, imports: Callable[[Path], Iterator[Path]]) -> list[Path]:
    """Topological order of `entry` and everything it imports: each file after its imports, `entry` last."""
    order: list[Path] = []
    open_: list[Path] = []  # from `entry` to the file whose imports are being followed

    def visit(path: Path) -> None:
        if path in order:
            return
        if path in open_:
            circle = [*open_[open_.index(path) :], path]
            raise BundleError(f"These modules import each other in a circle: {' → '.join(map(_name, circle))}.")
        open_.append(path)
        for other in imports(path):
            if not other.is_file():
                raise BundleError(f"{_name(path)} imports {_name(other)}, which does not exist.")
            visit(other)
        order.append(open_.pop())

    visit(entry.resolve())
    return order


def _script_imports(path: Path) -> Iterator[Path]:
    text = _read(path)
    if odd := _OTHER.search(_EXPORT.sub("", _IMPORT.sub("", text))):
        raise BundleError(f"{_name(path)} has a line that the bundler does not understand: {odd[0]}")
    for __, target in _IMPORT.findall(text):
        yield _target(path, target)


def _style_imports(path: Path) -> Iterator[Path]:
    for target in _STYLE.findall(_read(path)):
        yield _target(path, target)


def _target(path: Path, target: str) -> Path:
    """The file that `path` imports. An installed package does not have the app's folders next to `nmtcore`."""
    _outside, ours, rest = target.partition("../nmtcore/views/")
    return (VIEWS / rest if ours else path.parent / target).resolve()


@cache
def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _name(path: Path) -> str:
    """A file in an error message: its folder and its name."""
    return f"{path.parent.name}/{path.name}"
