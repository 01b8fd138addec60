"""The drawings of each record as text: the opening one, and the changes when somebody acts.

`stories.txt` has one paragraph per story: its name, a record, the address, the window's width; then one act per line.
Every record also has a story of its own name, without acts.
"""

import difflib
import json
import re
import shutil
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.paths import ROOT
from tests.pictures.records import MADE

HERE = Path(__file__).parent
DRAWN = HERE / "drawn"
TOOLS = ROOT / ".venv" / "node" / "node_modules" / "jsdom"  # .ci/node installs it
WIDTH = 1200  # px of the window
TAG = re.compile(r'<[\w-]+(?: [\w:-]+="[^"]*")*>')
ATTRIBUTE = re.compile(r'([\w:-]+)="([^"]*)"')
HEAD = re.compile(r"(?P<name>[\w-]+): (?P<record>[\w-]+)(?: (?P<query>\?\S+))?(?: (?P<width>\d+) px)?")


@dataclass(frozen=True)
class Story:
    record: str
    query: str = ""
    width: int = WIDTH
    acts: tuple[str, ...] = ()

    @property
    def opening(self) -> bool:
        """Whether it is drawn whole, not as changes."""
        return not self.acts and not self.query and self.width == WIDTH


def stories() -> dict[str, Story]:
    """All of them by name. Raises ValueError for an invalid paragraph."""
    told = {name: Story(name) for name in MADE}
    for paragraph in (HERE / "stories.txt").read_text(encoding="utf-8").strip().split("\n\n"):
        head, *acts = (line for line in paragraph.splitlines() if not line.startswith("#"))
        found = HEAD.fullmatch(head)
        if not found or found["name"] in told:
            raise ValueError(f"No head of a story, or the name of another: {head}")
        told[found["name"]] = Story(
            found["record"], found["query"] or "", int(found["width"] or WIDTH), tuple(map(str.strip, acts))
        )
    return told


def can_draw() -> bool:
    return TOOLS.is_dir() and shutil.which("node") is not None


def draw(told: dict[str, Story]) -> dict[str, str]:
    """The text of every story, by name. All are drawn in one process of Node."""
    openings = {story.record: Story(story.record) for story in told.values()}
    sent = json.dumps({name: asdict(story) for name, story in (openings | told).items()})
    done = subprocess.run(
        ["node", str(HERE / "draw.mjs")], input=sent, capture_output=True, text=True, check=False, cwd=ROOT
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    seen = json.loads(done.stdout)
    return {name: _text(story, seen[story.record][0], seen[name]) for name, story in told.items()}


def _text(story: Story, opening: dict[str, Any], seen: list[dict[str, Any]]) -> str:
    if story.opening:
        return "\n".join(seen[0]["lines"]) + "\n"
    parts = []
    before = opening
    for act, after in zip((f"open {story.record} {story.query}".strip(), *story.acts), seen, strict=True):
        parts.append(f"# {act}")
        if after["address"] != before["address"] or act.startswith("open"):
            parts.append(f"address {after['address'] or '(as it was)'}")
        parts += [f"asked {json.dumps(question, ensure_ascii=False)}" for question in after["asked"]]
        for file in after["saved"]:
            parts += [f"saved {file['name']}", *(f"| {line}" for line in _file(file["text"]))]
        parts += list(_changes(before["lines"], after["lines"]))
        before = after
    return "\n".join(parts) + "\n"


def _file(text: str) -> list[str]:
    """A saved file by lines: for a drawing one line per element, with numbers of at most two decimals."""
    text = re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), text)
    return re.sub(r"(?<=>)(?=<\w)", "\n", text).strip("\ufeff\n").replace("\r", "").split("\n")


def _changes(before: list[str], after: list[str]) -> list[str]:
    """Removed elements by name, new ones whole, and of the others the attributes that have changed.

    All below their parent elements.
    """
    found, place = [], ""
    for kind, i, j, k, end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        path = _path(after, k) if end > k else _path(before, i)
        if path != place:
            found.append(f"@ {path}")
            place = path
        old, new = [line.strip() for line in before[i:j]], [line.strip() for line in after[k:end]]
        if len(old) == len(new) and all(_tag(a) == _tag(b) for a, b in zip(old, new, strict=True)):
            found += [f"~ {_changed(a, b)}" for a, b in zip(old, new, strict=True)]
        else:
            found += [f"- {' '.join(map(_name, old))}"] if old else []
            found += [f"+ {line}" for line in new]
    return found


def _changed(before: str, after: str) -> str:
    """An element that has other attributes or another text than before."""
    old, new = _attributes(before), _attributes(after)
    names = (name for name in old | new if old.get(name) != new.get(name))
    return f"{_name(after)} " + ", ".join(f"{name}: {old.get(name, '-')} -> {new.get(name, '-')}" for name in names)


def _attributes(line: str) -> dict[str, str]:
    """An element's attributes, with its text as one of them."""
    tag = TAG.match(line)
    inner = {"text": line[tag.end() :].strip()} if tag else {"text": line}
    return {name: value for name, value in ATTRIBUTE.findall(tag[0] if tag else "")} | inner


def _name(line: str) -> str:
    """An element by its tag and identifying attributes, or a text."""
    tag = TAG.match(line)
    if not tag:
        return line
    own = re.search(r'(?:data-(?!tinted|marked|dimmed|painted)[\w-]+|class)="[^"]+"', tag[0])
    text = line[tag.end() :].strip()
    return _tag(line) + (f"[{own[0]}]" if own else f"({text})" if text else "")


def _tag(line: str) -> str:
    return re.match(r"<?([\w-]*)", line)[1]  # type: ignore[index]


def _path(lines: list[str], at: int) -> str:
    """The elements around a line, the nearest three."""
    depth, found = _depth(lines[at]), []
    for line in reversed(lines[:at]):
        if _depth(line) < depth:
            depth = _depth(line)
            found.append(_name(line.strip()))
    return " ".join(found[:3][::-1])


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
