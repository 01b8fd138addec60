"""The models that people saved under a name on the Fine-tune page, for the list of models on every page.

Own models (own_models.py) follow them in the same list. The id of a saved one is `run/<12 hex digits>`, made from what
is on the disk and never from typed text; the address has `saved.` and its name, which must be a listed one.
"""

import contextlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from nmtcore.config import Architecture
from nmtcore.errors import NmtError
from nmtcore.models import checkpoint
from nmtcore.runs.config import RunConfig
from nmtcore.runs.run_folder import Run, runs_folder
from nmtcore.runs.run_folder import saved as saved_runs
from nmtcore.training.exercises import Example
from pages.common import own_models
from pages.common.i18n import _
from pages.common.once import once_a_run
from pages.common.shared import kept

KIND = "run/"  # how the id of a saved model begins


class ListedModel(Protocol):
    """A model that does not ship: its names in lists, headings and the address."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def architecture(self) -> Architecture: ...

    @property
    def source(self) -> str: ...

    @property
    def target(self) -> str: ...

    @property
    def pair(self) -> str:
        """Its language pair in the form of the shipped ones, such as en-fr."""

    @property
    def title(self) -> str:
        """Its name over a picture."""

    @property
    def label(self) -> str:
        """Its name in a list of models."""

    @property
    def code(self) -> str:
        """Its name in the address."""


@dataclass(frozen=True)
class SavedModel:
    """A usable saved model. source, target: codes of its languages; `source` and `target` without any."""

    id: str
    name: str
    architecture: Architecture
    source: str
    target: str
    exercise: str
    pinned: Example  # the pair that was watched while it was trained
    longer: str  # a source longer than any in its training, if its exercise has one
    stopped: bool = False  # whether its training was stopped early

    @property
    def pair(self) -> str:
        """Its language pair in the form of the shipped ones, such as en-fr."""
        return f"{self.source}-{self.target}"

    @property
    def title(self) -> str:
        return self.name

    @property
    def label(self) -> str:
        """Its name in a list of models, marked as saved."""
        says = _("{name} (saved, training stopped early)") if self.stopped else _("{name} (saved)")
        return says.format(name=self.name)

    @property
    def code(self) -> str:
        """Its name in the address. Names consist of letters, digits, spaces and dashes, so none looks like a code."""
        return link_code(self.name)


def link_code(name: str) -> str:
    """A saved model in the address."""
    return f"saved.{name}"


@once_a_run
def usable() -> tuple[dict[str, ListedModel], tuple[str, ...]]:
    """The usable saved and own models by id, ordered by name, and a sentence for each that is left out."""
    by_id: dict[str, ListedModel] = {}
    notes = []
    for name, run in saved_runs(runs_folder()).items():
        model = _read(str(run.folder), name, stamp(run))
        if model is None:
            notes.append(
                _("The saved model {name} is left out: its files are damaged. Delete it on the Fine-tune page.").format(
                    name=name
                )
            )
        else:
            by_id[model.id] = replace(model, stopped=run.status().state == "stopped")
    own, further = own_models.usable()
    return by_id | own, (*notes, *further)


def is_saved(model: str) -> bool:
    """Whether an id is that of a saved or an own model."""
    return model.startswith((KIND, own_models.KIND))


def by_code() -> dict[str, str]:
    """The ids of saved and own models by their codes in the address."""
    return {model.code: id for id, model in usable()[0].items()}


def of_run(model: str) -> SavedModel | None:
    """The saved model with this id, made by a run on the Fine-tune page; None for all others."""
    saved = usable()[0].get(model)
    return saved if isinstance(saved, SavedModel) else None


def folder(model: str) -> Path:
    """The folder of a model."""
    if own := own_models.usable()[0].get(model):
        return own.folder
    return Run(runs_folder() / model.removeprefix(KIND)).best


def name(model: str) -> str:
    """The name of a model over a picture: the one under which it was saved."""
    if own := own_models.usable()[0].get(model):
        return own.title
    return Run(runs_folder() / model.removeprefix(KIND)).name()


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
def _read(folder: str, name: str, stamp: tuple[int, ...]) -> SavedModel | None:
    """Load the model once, because only that reveals damage; None if it cannot be used."""
    run = Run(Path(folder))
    try:
        config, loaded = run.config(), checkpoint.load(run.best)
        longer = _longer(run, config)
    except NmtError:
        return None
    architecture = loaded.config.architecture
    return SavedModel(
        f"{KIND}{run.id}", name, architecture, config.source, config.target, config.exercise, config.pinned,
        longer,
    )  # fmt: skip


def _longer(run: Run, config: RunConfig) -> str:
    longest = config.task.long_pairs(1, [source for source, _ in run.pairs()]) if config.task is not None else []
    return longest[0][0] if longest else ""
