"""Reads a pickle of PyTorch's weights in a process of its own: python -m nmtcore.marian.unpickle FILE SAFETENSORS.

`weights_only` makes of a pickle's instructions those that build tensors, and refuses all others. Should a defect let
one through, it would meet a process that is given no more than memory and time for this.
"""

import contextlib
import pickle
import sys
import warnings
import zipfile

import torch
from safetensors.torch import save_file
from torch import Tensor

MEMORY = 8 << 30  # bytes of address space, most of which PyTorch's libraries take and never use
SECONDS = 240  # of a processor


def main(file: str, out: str) -> int:
    _limit()
    try:
        loaded = torch.load(file, map_location="cpu", weights_only=True, mmap=zipfile.is_zipfile(file))
    except pickle.UnpicklingError:
        return _refuse("it is a pickle that holds more than weights, and such a file can run code.")
    except (RuntimeError, EOFError, OSError, ValueError, KeyError, TypeError, AttributeError, MemoryError):
        return _refuse("it is damaged, or no file of PyTorch's weights.")
    if not isinstance(loaded, dict) or not all(isinstance(v, Tensor) and isinstance(k, str) for k, v in loaded.items()):
        return _refuse("it is not a dictionary of named weights.")
    once = {(t.data_ptr(), tuple(t.shape), t.stride()): name for name, t in reversed(loaded.items())}
    save_file({name: loaded[name].half().contiguous().clone() for name in sorted(once.values())}, out)
    return 0


def _refuse(why: str) -> int:
    print(why, file=sys.stderr)
    return 2


def _limit() -> None:
    """Limits of this process, where the system has them."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main(*sys.argv[1:]))
