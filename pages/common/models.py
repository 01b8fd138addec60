"""The models that ship and those that people saved, each loaded once, and their translations, each decoded once.

A model's id is its folder under pretrained/, such as `en-fr/dot`, or `run/<12 hex digits>` for a saved one. A choice on
a page is either a language pair, `en-fr`, with all its models, or the id of a saved model, which replaces the pair's
model of the same architecture. Ids come from the disk or from a fixed list, never from typed text. All sessions share
the models and traces: treat them as read-only.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import torch

from nmtcore.analysis.aligning_head import aligning_head
from nmtcore.config import (
    ARCHITECTURES,
    CORE,
    DEFAULT_BEAM,
    Architecture,
    Decoding,
    DecodingConfig,
    MaskPredictDecoding,
    ModelConfig,
    is_autoregressive,
)
from nmtcore.errors import CheckpointError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.places import model_names, models_folder
from nmtcore.serving.request import WARM_UP, Answer, DecodeRequest, ModelKey, answer, load_model
from nmtcore.serving.service import Service
from nmtcore.system.processes import usable_cores
from nmtcore.text.languages import known_pairs
from nmtcore.text.source import SourceText, read_source
from pages.common import saved_models
from pages.common.examples import example_sentences
from pages.common.i18n import _, direction, languages, title
from pages.common.once import once_a_run
from pages.common.shared import kept
from pages.common.waiting import wait_for

P = ParamSpec("P")
T = TypeVar("T")

PRELOADED = 2  # own models that workers load at the start: reading a large one takes seconds
MOST_BYTES = 200_000_000  # of cached traces: the last sentence of each of a hundred visitors

# One thread a sentence: many sessions share the machine, and the matrices of one sentence are small.
torch.set_num_threads(1)


@once_a_run
def model_directory() -> Path:
    """The folder of the models that ship, or the one that ALIGNMENT_LAB_PRETRAINED names instead."""
    return models_folder()


@once_a_run
def shipped() -> frozenset[str]:
    """The ids of all models in the model directory."""
    return frozenset(model_names(model_directory()))


@once_a_run
def pairs() -> tuple[str, ...]:
    """The language pairs that have at least one model, those of our own first."""
    codes = {model.partition("/")[0] for model in shipped()}
    return tuple(sorted(codes, key=lambda pair: (pair not in known_pairs(), pair)))


def of_pair(pair: str) -> tuple[str, ...]:
    """The ids of the core models of a pair (CORE: from no attention to the Transformer), on the disk or not."""
    return tuple(f"{pair}/{architecture}" for architecture in CORE)


def choices(architecture: Architecture | None = None, searched: bool = True) -> tuple[str, ...]:
    """The choices of a page: the pairs, then the saved models; only those of one architecture if the page needs it.

    searched: without non-autoregressive saved models, which have no search to show.
    """
    saved = saved_models.usable()[0].values()
    fitting = (model for model in saved if is_autoregressive(model.architecture) or not searched)
    return (*pairs(), *(model.id for model in fitting if architecture in (None, model.architecture)))


def pair_of(choice: str) -> str:
    """The language pair of a choice; a saved model's, such as `source-target`, need not be a shipped one."""
    saved = saved_models.listed(choice)
    return saved.pair if saved else choice


def labels(choices: Sequence[str]) -> dict[str, str]:
    """Choices in words: English to French, or the name of a saved model."""
    saved = {choice: saved_models.listed(choice) for choice in choices}
    return {choice: one.label if one else direction(choice) for choice, one in saved.items()}


def asked_choice(code: str) -> str | None:
    """The choice that a code in the address denotes."""
    if code in pairs():
        return code
    return next((one.id for one in saved_models.usable()[0].values() if one.code == code), None)


def start_key(model: str) -> str:
    """The key of a model among Fine-tune's starting points; empty for a saved run, whose key is the run's."""
    if model in shipped():
        return f"model-{model.replace('/', '-')}"
    return "" if saved_models.of_run(model) else link_code(model)


def link_code(choice: str) -> str:
    """A choice as in the address: the pair, or the name of the saved model."""
    saved = saved_models.listed(choice)
    return saved.code if saved else choice


def available(choice: str) -> dict[Architecture, str]:
    """The ids of the models shown first for a choice, by architecture, in the fixed order.

    They are the core models of the pair, on the disk or not, and the saved one.
    """
    saved = saved_models.listed(choice)
    pair = pair_of(choice)
    four = {a: f"{pair}/{a}" for a in CORE if not saved or pair in pairs()}
    return _ordered(four | ({saved.architecture: saved.id} if saved else {}))


def word_by_word(choice: str) -> dict[Architecture, str]:
    """The models of `available`, with the other autoregressive models of the model directory."""
    ids = {a: f"{pair_of(choice)}/{a}" for a in filter(is_autoregressive, ARCHITECTURES)}
    return _ordered({a: model for a, model in ids.items() if model in shipped()} | available(choice))


def _ordered(models: Mapping[Architecture, str]) -> dict[Architecture, str]:
    return {architecture: models[architecture] for architecture in ARCHITECTURES if architecture in models}


def model(choice: str, architecture: Architecture) -> str:
    """The id of a choice's model of this architecture. Raises CheckpointError if it has none."""
    try:
        return word_by_word(choice)[architecture]
    except KeyError:
        reason = _("No model has this architecture for the saved model's task: {architecture}.")
        raise CheckpointError(reason.format(architecture=title(architecture))) from None


def architecture(model: str) -> Architecture:
    """The architecture of the model of an id. Raises CheckpointError for a saved one that is gone."""
    if not saved_models.is_saved(model):
        return model.rpartition("/")[2]
    return saved.architecture if (saved := saved_models.listed(model)) else settings(model)[0].architecture


def heading(model: str) -> str:
    """The heading of a model's picture: its architecture, and the name of a saved one."""
    heads = title(architecture(model))
    if not saved_models.is_saved(model):
        return heads
    return _("{architecture}: {name}").format(architecture=heads, name=saved_models.name(model))


def load(model: str) -> Checkpoint:
    """A model by its id. Raises CheckpointError with a sentence that names the file at fault."""
    return _load(_key(model))


def load_anew(model: str) -> Checkpoint:
    """A model that is not kept in memory, for callers that need each of many once. Raises CheckpointError."""
    return load_model(_key(model))


def settings(model: str) -> tuple[ModelConfig, dict[str, Any]]:
    """A model's configuration and metadata, without the weights, which only workers need. Raises CheckpointError."""
    return _settings(_key(model))


def readable(model: str) -> bool:
    """Whether a model exists and its configuration can be read."""
    try:
        settings(model)
    except CheckpointError:
        return False
    return True


def best_aligning_head(model: str) -> tuple[int, int] | None:
    """Layer and head, counted from 0, that aligned best when the model was evaluated; None if it was not."""
    return aligning_head(*settings(model))


@once_a_run
def folder(model: str) -> Path:
    return saved_models.folder(model) if saved_models.is_saved(model) else model_directory() / model


def request(
    model: str,
    source: SourceText,
    decoding: Decoding,
    intervention: Intervention = NO_CHANGE,
    order: tuple[int, ...] = (),
    timed: bool = False,
) -> DecodeRequest:
    """A request to a model, by its id."""
    return DecodeRequest(_key(model), source, decoding, intervention, order, timed)


def requests(
    ids: Sequence[str], source: SourceText, decoding: DecodingConfig, mask_predict: MaskPredictDecoding
) -> tuple[DecodeRequest, ...]:
    """A request for the same text to each of some models, autoregressive or not, with the decoding of its kind."""
    ways = (decoding if is_autoregressive(architecture(model)) else mask_predict for model in ids)
    return tuple(request(model, source, way) for model, way in zip(ids, ways, strict=True))


def ask(
    requests: Sequence[DecodeRequest], *, return_errors: bool = False, progress: Callable[[int], None] | None = None
) -> list[Any]:
    """The Answer to each of several requests, made together: from the cache, or decoded.

    Raises the TextError, CheckpointError, BusyError or InterventionError of the first request that fails. With
    return_errors a CheckpointError is returned in the place of its answer, so that a damaged model spares the others.
    progress: called with the number of answers whenever it grows. If the run ends meanwhile, because another sentence
    was entered, the requests are withdrawn.
    """
    futures: list[Future[Any]] = []
    told = 0

    def all_done() -> bool:
        nonlocal told
        done = sum(future.done() for future in futures)
        if progress and done > told:
            progress(done)
        told = done
        return done == len(requests)

    def before() -> int:
        waiting = zip(requests, futures, strict=True)
        return min((SERVICE.before(one) for one, future in waiting if not future.done()), default=0)

    try:
        for one in requests:
            futures.append(SERVICE.ask(one))
            all_done()
        wait_for(futures, before, all_done)
    except BaseException:
        for one, future in zip(requests, futures, strict=False):
            SERVICE.withdraw(one, future)
        raise
    errors = [future.exception() if return_errors else None for future in futures]
    return [
        error if isinstance(error, CheckpointError) else future.result()
        for future, error in zip(futures, errors, strict=True)
    ]


def known(request: DecodeRequest) -> Answer | None:
    """The answer to a request, if it is in the cache."""
    return SERVICE.known(request)


def opening_requests() -> dict[str, DecodeRequest]:
    """What the pages open with, by the id of the model: each core model of a pair is asked for its first example."""
    return {
        model: request(model, read_source(example.text, languages(pair)[0]), DecodingConfig(beam=DEFAULT_BEAM))
        for pair in pairs()
        for model in of_pair(pair)
        for example in example_sentences(pair)[:1]
    }


def start_workers(count: int) -> None:
    """Decode in this many worker processes from now on; a negative count means one a processor."""
    count = count if count >= 0 else usable_cores()
    opening = list(opening_requests().values())
    own = [model for model in saved_models.own_models()[0] if is_autoregressive(architecture(model))]
    opening += [request(model, read_source(WARM_UP), DecodingConfig()) for model in own[:PRELOADED]]
    SERVICE.start(count, opening)


@once_a_run
def _key(model: str) -> ModelKey:
    """The cache key of a model as it is on the disk now."""
    name = saved_models.name(model) if saved_models.is_saved(model) else ""
    return ModelKey(str(folder(model).absolute()), name, stamp(model))


def stamp(model: str) -> tuple[int, ...]:
    """The modification times of a model's files, for cache keys: a newly trained model replaces the one in memory."""
    return saved_models.modification_times(_files(str(folder(model))))


def _files(place: str) -> tuple[str, ...]:
    """The paths of a model's files and of the file with the name of its run."""
    names = (checkpoint.CONFIG, checkpoint.WEIGHTS, checkpoint.VOCAB)
    return (*(os.path.join(place, name) for name in names), str(Path(place).parents[1] / "name.json"))


def kept_by_model(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """`kept` for a function whose first argument is a model's id: made anew when the model's files change."""
    return kept(most, key=lambda model, *more: (_key(model), *more))


@kept(16)
def _load(model: ModelKey) -> Checkpoint:
    return load_model(model, warm=SERVICE.pool is None)  # with workers, this process does not decode


@kept(100)
def _settings(model: ModelKey) -> tuple[ModelConfig, dict[str, Any]]:
    return checkpoint.read_config(model.folder)


SERVICE = Service(lambda request: answer(_load(request.model), request), MOST_BYTES)
