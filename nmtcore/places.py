"""Data folders: the shipped models, and where a program may write.

In a clone both are at the top of the repository. An installed package contains its models and writes into the user's
home, since its own folder is replaced with every new version.
"""

import os
from pathlib import Path

from nmtcore.errors import CheckpointError

CONFIGS = "*-*/*/config.json"  # pattern of the models in a folder of models
PACKAGE = Path(__file__).parent
INSTALLED = (PACKAGE / "pretrained").is_dir()


def pretrained_folder() -> Path:
    """The folder of shipped models, `<pair>/<architecture>`, and of our own sentences, in `corpus`."""
    return (PACKAGE if INSTALLED else PACKAGE.parent) / "pretrained"


def models_folder() -> Path:
    """The model directory: ALIGNMENT_LAB_PRETRAINED, or the folder of the shipped models."""
    return Path(os.environ.get("ALIGNMENT_LAB_PRETRAINED") or pretrained_folder())


def own_folders() -> tuple[Path, ...]:
    """Further folders of models, with `<pair>/<name>` in each: those of ALIGNMENT_LAB_MODELS.

    As in PATH, a colon separates two folders (a semicolon on Windows).
    """
    named = os.environ.get("ALIGNMENT_LAB_MODELS", "").split(os.pathsep)
    return tuple(dict.fromkeys(Path(name) for name in named if name))


def model_names(root: Path) -> tuple[str, ...]:
    """The names of the models in a folder of models, such as `en-fr/dot`."""
    return tuple(sorted("/".join(path.parts[-3:-1]) for path in root.glob(CONFIGS)))


def model_folder(name: str | os.PathLike[str]) -> Path:
    """The folder of a model, by path, or by name for a shipped or further one. Raises CheckpointError."""
    path = Path(name)
    if path.exists():
        return path
    named = {model: root / model for root in (*reversed(own_folders()), models_folder()) for model in model_names(root)}
    if path.as_posix() in named:
        return named[path.as_posix()]
    names = ", ".join(sorted(named))
    raise CheckpointError(f"There is no model folder {path}. Models that are here: {names or 'none'}.")


def writable_folder() -> Path:
    """The folder for runs and other user data, unless users name another place."""
    return Path.home() / ".alignment-lab" if INSTALLED else PACKAGE.parent
