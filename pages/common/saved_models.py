"""The models that do not ship, for the list of models on every page.

Saved ones: those that people saved under a name on the Fine-tune page. The id of one is `run/<12 hex digits>`, made
from what is on the disk and never from typed text; the address has `saved.` and its name, which must be a listed one.

Own ones: from the folders of ALIGNMENT_LAB_MODELS, or uploaded on the page. Their ids are `own/<12 hex digits>`, a hash
of the folder; the address has `own.`, the pair and the name.
"""

import contextlib
import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from nmtcore.config import Architecture
from nmtcore.errors import CheckpointError, NmtError
from nmtcore.models import checkpoint
from nmtcore.places import model_names, own_folders
from nmtcore.runs.config import RunConfig
from nmtcore.runs.run_folder import Run, runs_folder
from nmtcore.runs.run_folder import saved as saved_runs
from nmtcore.training.exercises import Example
from pages.common.i18n import _
from pages.common.once import once_a_run
from pages.common.shared import kept

SAVED, OWN = "run/", "own/"  # how the ids begin


@dataclass(frozen=True, kw_only=True)
class ListedModel:
    """A usable model that does not ship. name: over a picture; label: in a list of models; code: in the address.

    source, target: codes of its languages; `source` and `target` without any.
    """

    id: str
    name: str
    label: str
    code: str
    architecture: Architecture
    source: str
    target: str
    folder: Path

    @property
    def pair(self) -> str:
        """Its language pair in the form of the shipped ones, such as en-fr."""
        return f"{self.source}-{self.target}"


@dataclass(frozen=True, kw_only=True)
class SavedModel(ListedModel):
    """A model saved on the Fine-tune page."""

    exercise: str
    pinned: Example  # the pair that was watched during its training
    longer: str  # a source longer than any in its training, if its exercise has one


def link_code(name: str) -> str:
    """A saved model in the address. Names consist of letters, digits, spaces and dashes, so none looks like a code."""
    return f"saved.{name}"


def put_in_folder() -> Path:
    """The folder of uploaded models, for all copies of the app that share runs."""
    return runs_folder() / "models"


@once_a_run
def usable() -> tuple[dict[str, ListedModel], tuple[str, ...]]:
    """The usable saved and own models by id, ordered by name, and a sentence for each that is left out."""
    by_id: dict[str, ListedModel] = {}
    notes = []
    for name, run in saved_runs(runs_folder()).items():
        model = _read_saved(str(run.folder), name, stamp(run))
        if model is None:
            notes.append(
                _("The saved model {name} is left out: its files are damaged. Delete it on the Fine-tune page.").format(
                    name=name
                )
            )
        else:
            stopped = run.status().state == "stopped"
            says = _("{name} (saved, training stopped early)") if stopped else _("{name} (saved)")
            by_id[model.id] = replace(model, label=says.format(name=name))
    own, further = own_models()
    return by_id | own, (*notes, *further)


@once_a_run
def own_models() -> tuple[dict[str, ListedModel], tuple[str, ...]]:
    """The own models by id, ordered by folder and name, and a sentence for each that is left out."""
    by_id: dict[str, ListedModel] = {}
    numbers: dict[str, int] = {}  # of models with this pair and name
    notes = []
    for root in (*own_folders(), put_in_folder()):
        if not root.is_dir() and root != put_in_folder():
            notes.append(_("There is no folder of models {folder}.").format(folder=root.name))  # not its path
        for name in model_names(root):
            place = (root / name).absolute()
            try:
                config = place / checkpoint.CONFIG
                architecture, stopped = _read_own(place, config.stat().st_mtime_ns)
            except (CheckpointError, OSError):
                notes.append(_("The model {name} is left out: its files are damaged.").format(name=name))
                continue
            pair, _slash, own_name = name.partition("/")
            source, _dash, target = pair.partition("-")
            numbers[name] = numbers.get(name, 0) + 1
            again = f".{numbers[name]}" if numbers[name] > 1 else ""
            shown = _("{name} (training stopped early)").format(name=own_name) if stopped else own_name
            id = OWN + hashlib.blake2b(str(place).encode(), digest_size=6).hexdigest()
            by_id[id] = ListedModel(
                id=id, name=shown, label=_("{name} (own)").format(name=shown), code=f"own.{pair}.{own_name}{again}",
                architecture=architecture, source=source, target=target, folder=place,
            )  # fmt: skip
    return by_id, tuple(notes)


def is_saved(model: str) -> bool:
    """Whether an id is that of a saved or an own model."""
    return model.startswith((SAVED, OWN))


def listed(model: str) -> ListedModel | None:
    """The usable saved or own model with this id; None for all others."""
    return usable()[0].get(model)


def of_run(model: str) -> SavedModel | None:
    """The saved model with this id, made by a run on the Fine-tune page; None for all others."""
    saved = listed(model)
    return saved if isinstance(saved, SavedModel) else None


def folder(model: str) -> Path:
    """The folder of a model, which may have been deleted."""
    known = listed(model)
    return known.folder if known else Run(runs_folder() / model.removeprefix(SAVED)).best


def name(model: str) -> str:
    """The name of a model over a picture: the one under which it was saved."""
    known = listed(model)
    return known.name if known else Run(runs_folder() / model.removeprefix(SAVED)).name()


def stamp(run: Run) -> tuple[int, ...]:
    """A cache key: it changes when the model or its name does."""
    return modification_times([run.best / checkpoint.CONFIG, run.best / checkpoint.WEIGHTS, run.folder / "name.json"])


def modification_times(paths: Iterable[Path | str]) -> tuple[int, ...]:
    """Modification times of files; missing ones are skipped."""
    times = []
    for path in paths:
        with contextlib.suppress(OSError):
            times.append(os.stat(path).st_mtime_ns)
    return tuple(times)


@kept(200)
def _read_saved(folder: str, name: str, stamp: tuple[int, ...]) -> SavedModel | None:
    """Load the model once, because only that reveals damage; None if it cannot be used."""
    run = Run(Path(folder))
    try:
        config, loaded = run.config(), checkpoint.load(run.best)
        longer = _longer(run, config)
    except NmtError:
        return None
    return SavedModel(
        id=f"{SAVED}{run.id}", name=name, label=name, code=link_code(name), architecture=loaded.config.architecture,
        source=config.source, target=config.target, folder=run.best, exercise=config.exercise, pinned=config.pinned,
        longer=longer,
    )  # fmt: skip


def _longer(run: Run, config: RunConfig) -> str:
    longest = config.task.long_pairs(1, [source for source, _ in run.pairs()]) if config.task is not None else []
    return longest[0][0] if longest else ""


@kept(200)
def _read_own(folder: Path, changed: int) -> tuple[Architecture, bool]:
    """Architecture, and whether training was stopped: from the configuration alone, since weights may be large."""
    config, meta = checkpoint.read_config(folder)
    return config.architecture, bool(meta.get("unfinished"))
