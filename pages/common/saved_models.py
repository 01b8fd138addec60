"""The models that people saved under a name on the Fine-tune page, as every page's list of models has them.

The id of one is `run/<12 hex digits>`, made from what is on the disk and never from what a person typed; in the address
stands `saved.` and its name, which must be a listed one.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from nmtcore.config import Architecture
from nmtcore.errors import NmtError
from nmtcore.models import checkpoint
from nmtcore.runs.config import RunConfig
from nmtcore.runs.run_folder import Run, runs_folder
from nmtcore.runs.run_folder import saved as saved_runs
from nmtcore.training.exercises import Example
from pages.common.i18n import _
from pages.common.once import once_a_run

KIND = "run/"  # how the id of a saved model begins


@dataclass(frozen=True)
class SavedModel:
    """A saved model that can be used. source, target: codes of its languages; `source` where it has none."""

    id: str
    name: str
    architecture: Architecture
    source: str
    target: str
    exercise: str
    pinned: Example  # the pair that was watched while it was trained
    longer: str  # a source longer than any in its training, where its exercise has such

    @property
    def pair(self) -> str:
        """Its language pair, as that of a model that ships: en-fr."""
        return f"{self.source}-{self.target}"

    @property
    def label(self) -> str:
        """Its name in a list of models, marked as saved."""
        return _("{name} (saved)").format(name=self.name)

    @property
    def code(self) -> str:
        """Its name in the address. Names have letters, digits, spaces and dashes: none looks like a code."""
        return link_code(self.name)

    @property
    def former_codes(self) -> tuple[str, str]:
        """How links that were given out name it."""
        return self.label, f"{self.name} (saved)"


def link_code(name: str) -> str:
    """A saved model in the address."""
    return f"saved.{name}"


@once_a_run
def usable() -> tuple[dict[str, SavedModel], tuple[str, ...]]:
    """The usable saved models by id, in the order of their names, and a sentence for each that is left out."""
    by_id: dict[str, SavedModel] = {}
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
            by_id[model.id] = model
    return by_id, tuple(notes)


def is_saved(model: str) -> bool:
    """Whether an id is that of a saved model."""
    return model.startswith(KIND)


def folder(model: str) -> Path:
    """Where the model of an id lies."""
    return Run(runs_folder() / model.removeprefix(KIND)).best


def name(model: str) -> str:
    """The name under which the model of an id was saved."""
    return Run(runs_folder() / model.removeprefix(KIND)).name()


def stamp(run: Run) -> tuple[int, ...]:
    """A cache key: it changes when the model or its name does."""
    return modification_times([run.best / checkpoint.CONFIG, run.best / checkpoint.WEIGHTS, run.folder / "name.json"])


def modification_times(paths: Iterable[Path | str]) -> tuple[int, ...]:
    """Modification times of files; those that are not there are passed over."""
    times = []
    for path in paths:
        with contextlib.suppress(OSError):
            times.append(os.stat(path).st_mtime_ns)
    return tuple(times)


@st.cache_data(max_entries=200, show_spinner=False)
def _read(folder: str, name: str, stamp: tuple[int, ...]) -> SavedModel | None:
    """Load the model once, for damage shows nowhere else; None for one that cannot be used."""
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
