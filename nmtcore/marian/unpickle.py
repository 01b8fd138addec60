"""Read a pickle of PyTorch weights in a separate process: python -m nmtcore.marian.unpickle FILE SAFETENSORS.

`weights_only` executes only those instructions of a pickle that build tensors, and rejects all others. If a bug let
another one through, it would find a process with limited memory and time.
"""

import contextlib
import pickle
import sys
import warnings
import zipfile

import torch
from safetensors.torch import save_file
from torch import Tensor

MEMORY = 8 << 30  # bytes of address space, most of which PyTorch's libraries reserve and never use
SECONDS = 240  # of processor time


def main(file: str, out: str) -> int:
    _limit()
    try:
        loaded = torch.load(file, map_location="cpu", weights_only=True, mmap=zipfile.is_zipfile(file))
    except pickle.UnpicklingError:
        return _refuse("it is a pickle that contains more than weights, and such a file can run code.")
    except (RuntimeError, EOFError, OSError, ValueError, KeyError, TypeError, AttributeError, MemoryError):
        return _refuse("it is damaged, or not a file of PyTorch weights.")
    if not isinstance(loaded, dict) or not all(isinstance(v, Tensor) and isinstance(k, str) for k, v in loaded.items()):
        return _refuse("it is not a dictionary of named weights.")
    once = {(t.data_ptr(), tuple(t.shape), t.stride()): name for name, t in reversed(loaded.items())}
    save_file({name: loaded[name].half().contiguous().clone() for name in sorted(once.values())}, out)
    return 0


def _refuse(why: str) -> int:
    print(why, file=sys.stderr)
    return 2


def _limit() -> None:
    """Set limits for this process, if the system supports them."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main(*sys.argv[1:]))
