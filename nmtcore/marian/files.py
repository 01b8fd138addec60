"""Files of a foreign model: opened with limits, never unpickled in this process, and refused in one sentence."""

import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.torch import load, load_file
from torch import Tensor

from nmtcore.errors import CheckpointError
from nmtcore.files import refuse_special

MOST_BYTES = 1_000_000_000  # of a file of weights: 250 million in float32
MOST_SMALL = 50_000_000  # of any other file
UNPICKLE = (sys.executable, "-m", "nmtcore.marian.unpickle")
PATIENCE = 300  # s
Array = np.ndarray[Any, Any]


def check_file(path: Path, most: int = MOST_SMALL) -> Path:
    """A file that may be opened: there, ordinary, and not too large. Raises CheckpointError, which names it."""
    try:
        refuse_special(path)
        size = path.stat().st_size
    except FileNotFoundError as error:
        raise CheckpointError(f"{path} is missing.") from error
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror}.") from error
    if size > most:
        raise CheckpointError(f"{path} is too large: it has {size / 1e6:,.0f} MB, and the limit is {most / 1e6:,.0f}.")
    return path


def read_bytes(path: Path) -> bytes:
    """The content of a small file. Raises CheckpointError."""
    try:
        return check_file(path).read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror}.") from error


def read_text(path: Path) -> str:
    """A small file of text in UTF-8; what is no UTF-8 in it becomes a replacement character. Raises CheckpointError."""
    return read_bytes(path).decode("utf-8", "replace")


def read_json(path: Path) -> Any:
    """What a small JSON file holds. Raises CheckpointError."""
    try:
        return json.loads(read_bytes(path))
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} is damaged: it is not JSON.") from error


def read_safetensors(path: Path) -> dict[str, Tensor]:
    """The tensors of a safetensors file. Raises CheckpointError."""
    check_file(path, MOST_BYTES)
    try:
        return load_file(path)
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"{path} is damaged: it is not a safetensors file, or it ends early.") from error


def read_pickle(path: Path) -> dict[str, Tensor]:
    """The tensors of a file that PyTorch pickled, which another process reads, and nothing else that is in it.

    Raises CheckpointError.
    """
    check_file(path, MOST_BYTES)
    with tempfile.TemporaryDirectory(prefix="nmtcore-") as folder:
        made = Path(folder) / "weights.safetensors"
        try:
            done = subprocess.run(
                [*UNPICKLE, str(path.absolute()), str(made)],
                cwd=Path(__file__).parents[2],
                capture_output=True,
                text=True,
                timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired as error:
            raise CheckpointError(f"{path} is refused: to read it takes too long.") from error
        if done.returncode == 2:
            raise CheckpointError(f"{path} is refused: {done.stderr.strip().splitlines()[-1]}")
        if done.returncode or not made.exists():
            raise CheckpointError(f"{path} is refused: the process that reads it has ended early.")
        return load(made.read_bytes())  # load_file would keep the file open


def read_arrays(path: Path) -> dict[str, Array]:
    """The arrays of an .npz file. An array of objects, which NumPy pickles, is refused. Raises CheckpointError."""
    check_file(path, MOST_BYTES)
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(part.file_size for part in archive.infolist())
        if size > MOST_BYTES:
            raise CheckpointError(f"{path} is too large: it holds {size / 1e6:,.0f} MB of arrays.")
        file = np.load(path, allow_pickle=False)
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"{path} is no archive of NumPy's arrays, or it is damaged.") from error
    arrays = {}
    for name in file.files:
        try:
            arrays[name] = file[name]
        except Exception as error:  # zipfile and its decompressors have no error of their own for damaged data
            raise CheckpointError(f"{path} is refused: {name} is damaged, or pickled objects.") from error
    return arrays
