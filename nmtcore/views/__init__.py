"""Interactive pictures: from a record to plain data in Python, from the data to a picture in JavaScript.

Each picture has one function, whose result a notebook shows or a file holds: `nmtcore.views.alignment(trace)`,
`heads(trace)`, ... (see `pictures.py`). Most functions share their name with a folder, so these packages are callable.
May import figures.
"""

import importlib
import inspect
import sys
from types import ModuleType
from typing import Any

PICTURES = (
    "alignment",
    "compare",
    "heads",
    "walkthrough",
    "beam_tree",
    "context_vector",
    "layer",
    "masks",
    "mask_predict",
    "embeddings",
    "matrix",
)


class PicturePackage(ModuleType):
    """The package of a picture, such as `views.heads`: calling it draws the picture."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return picture_function(self.__name__.rpartition(".")[2])(*arguments, **options)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(picture_function(self.__name__.rpartition(".")[2]))


class Views(ModuleType):
    """This package. Importing `views.heads.data` sets its attribute `heads`, which must be callable."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in PICTURES and isinstance(value, ModuleType):
            value.__class__ = PicturePackage
        super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        if name in PICTURES:
            return picture_function(name)
        raise AttributeError(f"There is no picture {name!r}. There are: {', '.join(PICTURES)}.")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *PICTURES})


def picture_function(name: str) -> Any:
    """The function that draws a picture, imported late because the models that it may load need PyTorch."""
    return getattr(importlib.import_module("nmtcore.views.pictures"), name)


sys.modules[__name__].__class__ = Views
