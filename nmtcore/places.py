"""Folders of data: the models that ship, and where a program may write.

In a clone both lie at the top of the repository. An installed package has its models inside and writes into the home
of whoever runs it, because a folder of installed packages is replaced when the package is.
"""

from __future__ import annotations

import os
from pathlib import Path

from nmtcore.errors import CheckpointError

CONFIGS = "*-*/*/config.json"  # of the models in a folder of models
PACKAGE = Path(__file__).parent
INSTALLED = (PACKAGE / "pretrained").is_dir()


def pretrained_folder() -> Path:
    """The models that ship, `<pair>/<architecture>`, and our own sentences in `corpus`."""
    return (PACKAGE if INSTALLED else PACKAGE.parent) / "pretrained"


def models_folder() -> Path:
    """The models to choose from. ALIGNMENT_LAB_MODELS names another folder than that of the models that ship."""
    return Path(os.environ.get("ALIGNMENT_LAB_MODELS") or pretrained_folder())


def shipped_names() -> tuple[str, ...]:
    """The models of `models_folder`, such as `en-fr/dot`."""
    return tuple(sorted(path.parent.relative_to(models_folder()).as_posix() for path in models_folder().glob(CONFIGS)))


def model_folder(name: str | os.PathLike[str]) -> Path:
    """The folder of a model by its path or, for one of `models_folder`, by its name. Raises CheckpointError."""
    path = Path(name)
    if path.exists():
        return path
    if path.as_posix() in shipped_names():
        return models_folder() / path
    names = ", ".join(shipped_names())
    raise CheckpointError(f"There is no model folder {path}. Models that are here: {names or 'none'}.")


def writable_folder() -> Path:
    """Where runs and what else people make is kept, unless they name another place."""
    return Path.home() / ".alignment-lab" if INSTALLED else PACKAGE.parent
