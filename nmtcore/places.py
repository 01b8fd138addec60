"""Folders of data: the models that ship, and where a program may write.

In a clone both lie at the top of the repository. An installed package has its models inside and writes into the home
of whoever runs it, because a folder of installed packages is replaced when the package is.
"""

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
    """The model directory. ALIGNMENT_LAB_PRETRAINED names another folder in place of that of the models that ship."""
    return Path(os.environ.get("ALIGNMENT_LAB_PRETRAINED") or pretrained_folder())


def own_folders() -> tuple[Path, ...]:
    """Folders of models that stand beside the model directory, `<pair>/<name>` in each: those of ALIGNMENT_LAB_MODELS.

    As in PATH, a colon stands between two folders (on Windows a semicolon).
    """
    named = os.environ.get("ALIGNMENT_LAB_MODELS", "").split(os.pathsep)
    return tuple(dict.fromkeys(Path(name) for name in named if name))


def model_names(root: Path) -> tuple[str, ...]:
    """The models in a folder of models, such as `en-fr/dot`."""
    return tuple(sorted("/".join(path.parts[-3:-1]) for path in root.glob(CONFIGS)))


def model_folder(name: str | os.PathLike[str]) -> Path:
    """The folder of a model by its path or, of one that ships or an own one, its name. Raises CheckpointError."""
    path = Path(name)
    if path.exists():
        return path
    named = {model: root / model for root in (*reversed(own_folders()), models_folder()) for model in model_names(root)}
    if path.as_posix() in named:
        return named[path.as_posix()]
    names = ", ".join(sorted(named))
    raise CheckpointError(f"There is no model folder {path}. Models that are here: {names or 'none'}.")


def writable_folder() -> Path:
    """Where runs and what else people make is kept, unless they name another place."""
    return Path.home() / ".alignment-lab" if INSTALLED else PACKAGE.parent
