"""Interactive pictures: a record to plain data in Python, plain data to a picture in JavaScript. May import figures.

One function a picture, which a notebook shows or a file keeps: `nmtcore.views.alignment(trace)`, `heads(trace)`, ...
(see `pictures.py`). Of most pictures the folder has the name of the function: the package is called like one.
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
    """The package of a picture, such as `views.heads`: to call it draws the picture."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return picture_function(self.__name__.rpartition(".")[2])(*arguments, **options)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(picture_function(self.__name__.rpartition(".")[2]))


class Views(ModuleType):
    """This package. An import of `views.heads.data` sets its attribute `heads`: what it sets must be callable."""

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
    """The function that draws a picture. It is imported late: the models that it may load need PyTorch."""
    return getattr(importlib.import_module("nmtcore.views.pictures"), name)


sys.modules[__name__].__class__ = Views
