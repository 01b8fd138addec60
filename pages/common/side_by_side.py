"""Models side by side on one sentence: those that ship for its languages, and saved ones of the same languages.

In the address each has a code: its architecture, or `saved.` and its name.
"""

from nmtcore.config import ARCHITECTURES
from pages.common import models, saved_models
from pages.common.once import once_a_run


@once_a_run
def offered(choice: str) -> dict[str, str]:
    """The ids of all models that fit a choice, by their codes, saved ones after the shipped one.

    The models that the choice opens with are always included, on the disk or not.
    """
    return {code(model): model for model in fitting(choice)}


@once_a_run
def fitting(choice: str) -> tuple[str, ...]:
    """The ids of all models that fit a choice, autoregressive or not, in the order of their architectures."""
    saved = saved_models.usable()[0]
    pair, chosen = models.pair_of(choice), choice in saved
    ships = pair in models.pairs()
    ids = [model for name in ARCHITECTURES if (model := f"{pair}/{name}") in models.shipped()]
    ids += models.available(choice).values()
    alike = [id for id in saved if ships or not chosen or _task(id) == _task(choice)]
    ids += [id for id in alike if saved[id].pair == pair]
    order = list(ARCHITECTURES)
    ids.sort(key=lambda model: (order.index(models.architecture(model)), model in saved))
    return tuple(dict.fromkeys(ids))


def _task(model: str) -> str:
    """The exercise that a saved model was trained for; empty for translation."""
    of_run = saved_models.of_run(model)
    return of_run.exercise if of_run else ""


def code(model: str) -> str:
    return models.link_code(model) if saved_models.is_saved(model) else models.architecture(model)


def opening(choice: str) -> tuple[str, ...]:
    """The codes of the models that a choice opens with: the core models of its pair, a saved one in its place."""
    usual = {code(model) for model in models.available(choice).values()}
    return tuple(name for name in offered(choice) if name in usual)
