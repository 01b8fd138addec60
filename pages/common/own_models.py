"""Own models, from the folders of ALIGNMENT_LAB_MODELS or uploaded on the page, beside those that ship.

Their ids are `own/<12 hex digits>`, a hash of the folder; the address has `own.`, the pair and the name.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from nmtcore.config import Architecture
from nmtcore.errors import CheckpointError
from nmtcore.models import checkpoint
from nmtcore.places import model_names, own_folders
from nmtcore.runs.run_folder import runs_folder
from pages.common.i18n import _
from pages.common.once import once_a_run
from pages.common.shared import kept

KIND = "own/"  # how the id of an own model begins


@dataclass(frozen=True)
class OwnModel:
    """An own model. stopped: whether its training was stopped early."""

    id: str
    name: str
    architecture: Architecture
    source: str
    target: str
    folder: Path
    stopped: bool
    number: int  # of those with this pair and name, from one

    @property
    def pair(self) -> str:
        return f"{self.source}-{self.target}"

    @property
    def title(self) -> str:
        """Its name over a picture."""
        return _("{name} (training stopped early)").format(name=self.name) if self.stopped else self.name

    @property
    def label(self) -> str:
        """Its name in a list of models, marked as one's own."""
        return _("{name} (own)").format(name=self.title)

    @property
    def code(self) -> str:
        """Its name in the address."""
        again = f".{self.number}" if self.number > 1 else ""
        return f"own.{self.pair}.{self.name}{again}"


def put_in_folder() -> Path:
    """The folder of uploaded models, for all copies of the app that share runs."""
    return runs_folder() / "models"


@once_a_run
def usable() -> tuple[dict[str, OwnModel], tuple[str, ...]]:
    """The own models by id, ordered by folder and name, and a sentence for each that is left out."""
    by_id: dict[str, OwnModel] = {}
    numbers: dict[tuple[str, str], int] = {}
    notes = []
    for root in (*own_folders(), put_in_folder()):
        if not root.is_dir() and root != put_in_folder():
            notes.append(_("There is no folder of models {folder}.").format(folder=root.name))  # its path is nobody's
        for name in model_names(root):
            place = (root / name).absolute()
            try:
                config = place / checkpoint.CONFIG
                architecture, stopped = _read(place, config.stat().st_mtime_ns)
            except (CheckpointError, OSError):
                notes.append(_("The model {name} is left out: its files are damaged.").format(name=name))
                continue
            pair, _slash, own_name = name.partition("/")
            source, _dash, target = pair.partition("-")
            number = numbers[pair, own_name] = numbers.get((pair, own_name), 0) + 1
            id = KIND + hashlib.blake2b(str(place).encode(), digest_size=6).hexdigest()
            by_id[id] = OwnModel(id, own_name, architecture, source, target, place, stopped, number)
    return by_id, tuple(notes)


@kept(200)
def _read(folder: Path, changed: int) -> tuple[Architecture, bool]:
    """Architecture, and whether training was stopped: from the configuration alone, since weights may be large."""
    config, meta = checkpoint.read_config(folder)
    return config.architecture, bool(meta.get("unfinished"))
