"""The models that ship and those that people saved, loaded once, and what they made of a sentence, decoded once.

A model's id is its folder under pretrained/, `en-fr/dot`, or `run/<12 hex digits>` for one that was saved. What a page
offers to choose from is a language pair, `en-fr`, for all its models, or the id of a saved model, which takes the
place of the pair's model of the same architecture. Ids come from the disk or from a fixed list, never from what a
person typed. Models and traces are shared between all sessions: read them only.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import torch

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
from pages.common import own_models, saved_models
from pages.common.examples import example_sentences
from pages.common.i18n import _, direction, languages, title
from pages.common.once import once_a_run
from pages.common.shared import kept
from pages.common.waiting import wait_for

PRELOADED = 2  # own models that workers have from the start: to read a large one takes seconds
MOST_BYTES = 200_000_000  # of the traces that are remembered: the last sentence of each of a hundred people

# One thread a sentence: many sessions share the machine, and the matrices of one sentence are small.
torch.set_num_threads(1)


@once_a_run
def model_directory() -> Path:
    """The folder of the models that ship, or the one that ALIGNMENT_LAB_PRETRAINED names in its place."""
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
    """The ids of the core models of a pair (CORE: from no attention to the Transformer), there or not."""
    return tuple(f"{pair}/{architecture}" for architecture in CORE)


def choices(architecture: Architecture | None = None) -> tuple[str, ...]:
    """What a page offers: the pairs, then the saved models; only those of one architecture where a page needs it.

    A saved model that writes all words at once is not among them: it has no search to show.
    """
    saved, _notes = saved_models.usable()
    searching = (model for model in saved.values() if is_autoregressive(model.architecture))
    fitting = (model.id for model in searching if architecture in (None, model.architecture))
    return (*pairs(), *fitting)


def all_choices() -> tuple[str, ...]:
    """The pairs, then all saved models, however they write."""
    return (*pairs(), *saved_models.usable()[0])


def choices_on_disk(architecture: Architecture) -> tuple[str, ...]:
    """The choices whose model of one architecture is on the disk."""
    return tuple(c for c in choices(architecture) if folder(model(c, architecture)).is_dir())


def pair_of(choice: str) -> str:
    """The language pair of a choice; that of a saved model, such as `source-target`, need not ship."""
    saved = saved_models.usable()[0].get(choice)
    return saved.pair if saved else choice


def labels(choices: Sequence[str]) -> dict[str, str]:
    """Choices in words: English to French, or the name of a saved model."""
    saved = saved_models.usable()[0]
    return {choice: saved[choice].label if choice in saved else direction(choice) for choice in choices}


def asked_choice(code: str) -> str | None:
    """The choice that a code in the address stands for."""
    return code if code in pairs() else saved_models.by_code().get(code)


def link_code(choice: str) -> str:
    """A choice as in the address: the pair, or the name of the saved model."""
    saved = saved_models.usable()[0].get(choice)
    return saved.code if saved else choice


def available(choice: str) -> dict[Architecture, str]:
    """The ids of the models that a choice opens with, by architecture, in the fixed order.

    They are the core models of a pair, there or not, and a saved one.
    """
    saved = saved_models.usable()[0].get(choice)
    pair = saved.pair if saved else choice
    four = {a: f"{pair}/{a}" for a in CORE if not saved or pair in pairs()}
    own = {saved.architecture: saved.id} if saved else {}
    both = four | own
    return {architecture: both[architecture] for architecture in ARCHITECTURES if architecture in both}


def word_by_word(choice: str) -> dict[Architecture, str]:
    """The models of `available`, with those of further architectures in the model directory that write word by word."""
    saved = saved_models.usable()[0].get(choice)
    pair = saved.pair if saved else choice
    further = {a: f"{pair}/{a}" for a in filter(is_autoregressive, ARCHITECTURES) if f"{pair}/{a}" in shipped()}
    both = further | available(choice)
    return {architecture: both[architecture] for architecture in ARCHITECTURES if architecture in both}


def model(choice: str, architecture: Architecture) -> str:
    """The id of the model of a choice with this architecture. Raises CheckpointError where there is none."""
    try:
        return word_by_word(choice)[architecture]
    except KeyError:
        reason = _("There is no model with this architecture for the task of this saved one: {architecture}.")
        raise CheckpointError(reason.format(architecture=title(architecture))) from None


def architecture(model: str) -> Architecture:
    """The architecture of the model of an id."""
    if not saved_models.is_saved(model):
        return model.rpartition("/")[2]
    return saved_models.usable()[0][model].architecture


def heading(model: str, architecture: Architecture) -> str:
    """What stands over a model's picture: its architecture, with the name of a saved one."""
    if not saved_models.is_saved(model):
        return title(architecture)
    return _("{architecture}: {name}").format(architecture=title(architecture), name=saved_models.name(model))


def load(model: str) -> Checkpoint:
    """A model by its id. Raises CheckpointError with a sentence that names the wrong file."""
    return _load(_key(model))


def load_anew(model: str) -> Checkpoint:
    """A model for whoever needs each of many once: it is not kept in memory. Raises CheckpointError."""
    return load_model(_key(model))


def settings(model: str) -> tuple[ModelConfig, dict[str, Any]]:
    """A model's configuration and meta data without its weights, which only workers need. Raises CheckpointError."""
    return _settings(_key(model))


def readable(model: str) -> bool:
    """Whether a model is there, with a configuration that can be read."""
    try:
        settings(model)
    except CheckpointError:
        return False
    return True


@once_a_run
def folder(model: str) -> Path:
    """Where the model of an id lies."""
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
    """The Answer to each of some requests, which are made at once: from the records, or decoded.

    Raises TextError, CheckpointError, BusyError or InterventionError, as the first of them that has no answer. With
    return_errors a CheckpointError stands in the place of its answer: a model that is damaged leaves the others.
    progress: called with the number of those that are answered, whenever it grows. Where the run ends meanwhile, since
    another sentence has been asked, the requests are withdrawn.
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
    """The answer to a request that was made before, where it is kept."""
    return SERVICE.known(request)


def start_workers(count: int) -> None:
    """Decode in so many worker processes from now on, as many as the machine has processors if it is negative."""
    count = count if count >= 0 else usable_cores()
    opening = [
        request(model, read_source(example.text, languages(pair)[0]), DecodingConfig(beam=DEFAULT_BEAM))
        for pair in pairs()
        for model in of_pair(pair)
        for example in example_sentences(pair)[:1]
    ]
    own = [model for model in own_models.usable()[0] if is_autoregressive(architecture(model))]
    opening += [request(model, read_source(WARM_UP), DecodingConfig()) for model in own[:PRELOADED]]
    SERVICE.start(count, opening)


@once_a_run
def _key(model: str) -> ModelKey:
    """A model as it is on the disk now: a cache key."""
    name = saved_models.name(model) if saved_models.is_saved(model) else ""
    return ModelKey(str(folder(model).absolute()), name, stamp(model))


def stamp(model: str) -> tuple[int, ...]:
    """A cache key of a model, by its files' modification times: a newly trained model replaces the one in memory."""
    return saved_models.modification_times(_files(str(folder(model))))


def _files(place: str) -> tuple[str, ...]:
    """The paths of a model's files, and of the file with its run's name, if it has one."""
    names = (checkpoint.CONFIG, checkpoint.WEIGHTS, checkpoint.VOCAB)
    return (*(os.path.join(place, name) for name in names), str(Path(place).parents[1] / "name.json"))


@kept(16)
def _load(model: ModelKey) -> Checkpoint:
    return load_model(model, warm=SERVICE.pool is None)  # workers decode, if there are any


@kept(100)
def _settings(model: ModelKey) -> tuple[ModelConfig, dict[str, Any]]:
    return checkpoint.read_config(model.folder)


def _decode_here(request: DecodeRequest) -> Answer:
    return answer(_load(request.model), request)


SERVICE = Service(_decode_here, MOST_BYTES)
