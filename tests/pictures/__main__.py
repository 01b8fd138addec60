"""Regenerate the records and drawings: `python -m tests.pictures`, or with `drawn` only the drawings.

Look at `git diff tests/pictures` before you commit: it shows each change in a picture.
"""

import json
import subprocess
import sys
from pathlib import Path

from tests.paths import ROOT
from tests.pictures import records
from tests.pictures.stories import DRAWN, can_draw, draw, stories


def main() -> None:
    if sys.argv[1:] != ["drawn"]:
        _write(records.RECORDS, {f"{name}.json": records.text_of(records.make(name)) for name in records.MADE})
        records.NAMES.write_text(json.dumps(list(records.MADE), indent=1) + "\n", encoding="utf-8")
    subprocess.run([ROOT / ".ci" / "node"], check=True)
    if not can_draw():
        sys.exit("Pictures are drawn by Node, which is not here.")
    _write(DRAWN, {f"{name}.txt": text for name, text in draw(stories()).items()})


def _write(folder: Path, texts: dict[str, str]) -> None:
    """Write these files, and remove all others."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
