"""Files of a foreign model: opened with limits, never unpickled in this process, and refused in one sentence."""

import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Set
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from nmtcore.errors import CheckpointError
from nmtcore.files import refuse_special

MOST_BYTES = 1_000_000_000  # of a file of weights: 250 million in float32
MOST_SMALL = 50_000_000  # of any other file
UNPICKLE = (sys.executable, "-m", "nmtcore.marian.unpickle")
PATIENCE = 300  # s


class Weights(Protocol):
    """The tensors in a file of weights, read one by one."""

    names: Set[str]

    def __getitem__(self, name: str) -> Tensor: ...


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


class Safetensors:
    """The tensors of a safetensors file."""

    def __init__(self, path: Path) -> None:
        """Raises CheckpointError."""
        self.path = check_file(path, MOST_BYTES)
        try:
            self.file: Any = safe_open(path, framework="pt")
            names: list[str] = self.file.keys()  # type: ignore[no-untyped-call]
            self.names: Set[str] = set(names)
        except (SafetensorError, OSError) as error:
            raise CheckpointError(f"{path} is damaged: it is not a safetensors file, or it ends early.") from error

    def __getitem__(self, name: str) -> Tensor:
        tensor: Tensor = self.file.get_tensor(name)
        return tensor


class NumpyArchive:
    """The arrays of an .npz file. An array of objects, which NumPy pickles, is refused."""

    def __init__(self, path: Path) -> None:
        """Raises CheckpointError."""
        self.path = check_file(path, MOST_BYTES)
        try:
            with zipfile.ZipFile(path) as archive:
                size = sum(part.file_size for part in archive.infolist())
            if size > MOST_BYTES:
                raise CheckpointError(f"{path} is too large: it holds {size / 1e6:,.0f} MB of arrays.")
            self.file = np.load(path, allow_pickle=False)
            self.names: Set[str] = set(self.file.files)
        except (OSError, ValueError, zipfile.BadZipFile) as error:
            raise CheckpointError(f"{path} is no archive of NumPy's arrays, or it is damaged.") from error

    def __getitem__(self, name: str) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(self.array(name), dtype=np.float32))

    def array(self, name: str) -> np.ndarray[Any, Any]:
        """One array as it is. Raises CheckpointError."""
        try:
            array: np.ndarray[Any, Any] = self.file[name]
        except Exception as error:  # zipfile and its decompressors have no error of their own for damaged data
            raise CheckpointError(f"{self.path} is refused: {name} is damaged, or pickled objects.") from error
        if name.startswith("special:") or array.dtype.kind == "f":
            return array
        raise CheckpointError(f"{self.path} is not supported: {name} holds {array.dtype}, not floating-point numbers.")


@contextmanager
def unpickled(path: Path) -> Iterator[Safetensors]:
    """A pickle of PyTorch as safetensors: another process reads its tensors, and nothing else that is in it.

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
        yield Safetensors(made)
