"""nmtcore: neural machine translation with attention, written to be read.

One sentence goes through the library in one direction:

    text - vocabulary -> ids - model -> step outputs - search -> Trace - view -> page | notebook | file

    import nmtcore as nmt
    nmt.show("en-fr/dot", "She bought a red dress.")

The `__init__.py` of each folder says what it contains and which other folders it may import.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nmtcore import views
    from nmtcore.decoding.by_name import load, translate
    from nmtcore.views.pictures import show

__version__ = "0.1.0"
__all__ = ["load", "show", "translate", "views"]

_MODULES = {
    "load": "nmtcore.decoding.by_name",
    "translate": "nmtcore.decoding.by_name",
    "show": "nmtcore.views.pictures",
}


def __getattr__(name: str) -> Any:
    """Import a name at its first use (PEP 562), since loading PyTorch would delay `import nmtcore` by a second."""
    if name == "views":
        return importlib.import_module("nmtcore.views")
    if name in _MODULES:
        return getattr(importlib.import_module(_MODULES[name]), name)
    raise AttributeError(f"nmtcore has no {name!r}. It has: {', '.join(__all__)}.")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
