"""The models that ship and those that people saved, loaded once, and what they made of a sentence, decoded once.

A model's id is its folder under pretrained/, `en-fr/dot`, or `run/<12 hex digits>` for one that was saved. What a page
offers to choose from is a language pair, `en-fr`, for all its models, or the id of a saved model, which takes the
place of the pair's model of the same architecture. Ids come from the disk or from a fixed list, never from what a
person typed. Models and traces are shared between all sessions: read them only.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Sequence
from concurrent.futures import Future
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st
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
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.errors import CheckpointError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.places import models_folder
from nmtcore.processes import usable_cores
from nmtcore.serving.question import Answer, Model, Question, answer, load_model
from nmtcore.serving.service import Service
from nmtcore.text.languages import known_pairs
from pages.common import saved_models
from pages.common.examples import example_sentences
from pages.common.i18n import _, direction, title
from pages.common.once import once_a_run
from pages.common.waiting import crowded, wait_for

PATIENCE = 0.6  # seconds of decoding after which a page draws what there is
MOST_BYTES = 200_000_000  # of the traces that are remembered: the last sentence of each of a hundred people
Result = Trace | MaskPredictRecord | CheckpointError | None  # a decode, why there is none, or None: not yet decoded

# One thread a sentence: many sessions share the machine, and the matrices of one sentence are small.
torch.set_num_threads(1)


@once_a_run
def model_directory() -> Path:
    """The folder of the models that ship, or the one that ALIGNMENT_LAB_PRETRAINED names in its place."""
    return models_folder()


@once_a_run
def pairs() -> tuple[str, ...]:
    """The language pairs that have at least one model, those of our own first."""
    codes = {path.parent.parent.name for path in model_directory().glob(f"*-*/*/{checkpoint.CONFIG}")}
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
    """The choice that a code in the address stands for; also as links of former releases name it."""
    former = {"English to French": "en-fr", "Mandarin to English": "zh-en"}
    known = former | {direction(pair): pair for pair in pairs()} | {pair: pair for pair in pairs()}
    return (known | saved_models.by_code()).get(code)


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
    of_the_pair = model_directory() / pair
    there = (a for a in filter(is_autoregressive, ARCHITECTURES) if (of_the_pair / a / checkpoint.CONFIG).exists())
    further = {a: f"{pair}/{a}" for a in there}
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


def translate(model: str, text: str, decoding: DecodingConfig, intervention: Intervention = NO_CHANGE) -> Trace:
    """What a model does with `text`. Raises CheckpointError, TextError (too long) or InterventionError."""
    (trace,) = translate_each_way(model, text, decoding, [Way(intervention)])
    return trace


@once_a_run
def translate_once(model: str, text: str, decoding: DecodingConfig) -> Trace:
    """The same, one record for a whole run of a page, even where the server has forgotten it meanwhile."""
    return translate(model, text, decoding)


class Way(NamedTuple):
    """How a model reads and decodes a text. order: of its pieces, where not as they stand."""

    intervention: Intervention = NO_CHANGE
    order: tuple[int, ...] = ()


def translate_each_way(model: str, text: str, decoding: DecodingConfig, ways: Sequence[Way]) -> list[Trace]:
    """What a model does with `text` in each of some ways, all asked at once. Raises as `translate` does."""
    questions = [Question(_key(model), text, decoding, *way) for way in ways]
    asked = [(question, SERVICE.ask(question)) for question in questions]
    _wait_for_answers(asked, len(asked))
    return [future.result() for _question, future in asked]


def translate_each(
    ids: Sequence[str], text: str, decoding: DecodingConfig, at_once: MaskPredictDecoding
) -> Generator[Trace | MaskPredictRecord | CheckpointError, None, None]:
    """What each of some models does with `text`, one after another. Raises TextError.

    at_once: how those that write all words at once decode. All is asked at once; what is not waited for when the
    iterator is closed is withdrawn.
    """
    asked = [_question(model, text, decoding if is_autoregressive(architecture(model)) else at_once) for model in ids]
    waiting = [(question, SERVICE.ask(question)) for question in asked]
    try:
        while waiting:
            _wait_for_answers([first := waiting.pop(0)])
            try:
                record = first[1].result()
            except CheckpointError as error:
                yield error
            else:
                yield record
    finally:
        for question, future in waiting:
            SERVICE.withdraw(question, future)


def mask_predict(model: str, text: str, decoding: MaskPredictDecoding) -> MaskPredictRecord:
    """What a model that writes all words at once does with `text`. Raises CheckpointError or TextError."""
    record: MaskPredictRecord = _answer(_question(model, text, decoding))
    return record


def seconds(model: str, text: str, decoding: Decoding) -> float:
    """How long a decode takes: the quickest of some, one after another. Raises as `translate` does."""
    quickest: float = _answer(_question(model, text, decoding)._replace(timed=True))
    return quickest


def known_seconds(model: str, text: str, decoding: Decoding) -> float | None:
    """The same where it has been measured."""
    measured = SERVICE.known(_question(model, text, decoding)._replace(timed=True))
    return measured if isinstance(measured, float) else None


def _answer(question: Question) -> Any:
    future = SERVICE.ask(question)
    _wait_for_answers([(question, future)])
    return future.result()


def translate_with_each(
    ids: Sequence[str], text: str, decoding: DecodingConfig, at_once: MaskPredictDecoding
) -> dict[str, Result]:
    """What each of some models does with `text`, however it writes, by its id. Raises TextError.

    at_once: how those that write all words at once decode.
    """
    searching = [model for model in ids if is_autoregressive(architecture(model))]
    searched = translate_all(searching, text, decoding) if searching else {}
    return {model: searched[model] if model in searched else _at_once(model, text, at_once) for model in ids}


def _at_once(model: str, text: str, decoding: MaskPredictDecoding) -> Result:
    try:
        return mask_predict(model, text, decoding)
    except CheckpointError as error:
        return error


def translate_all(ids: Sequence[str], text: str, decoding: DecodingConfig) -> dict[str, Trace | CheckpointError | None]:
    """What each of some models that write word by word does with `text`, by its id: see Result.

    All are asked at once. None is for a model whose turn has not come when PATIENCE is over, counted from the first
    answer, where the server is not crowded: draw the others, then ask again. What has been decoded is remembered, and
    each call does at least one model more than the one before, so that even a server that is slow to remember comes
    to an end. Raises TextError.
    """
    results: dict[str, Trace | CheckpointError | None] = dict.fromkeys(ids)
    asked, (before, reached) = (tuple(ids), text, decoding), st.session_state.get("models reached", (None, 0))
    reached = reached if before == asked else 0
    questions: list[tuple[Question, Future[Any]]] = []
    began = time.monotonic()
    for model in ids:
        question = _question(model, text, decoding)
        questions.append((question, SERVICE.ask(question)))
        if time.monotonic() - began > PATIENCE and len(questions) > reached and not crowded():
            break
    # Only now, so that what is asked again keeps its place in the queue; a sentence that has been replaced loses it.
    for left in st.session_state.pop("left in queue", ()):
        SERVICE.withdraw(*left)
    _wait_for_answers(questions, reached + 1)
    st.session_state["left in queue"] = [asked for asked in questions if not asked[1].done()]
    for model, (_asked, future) in zip(ids, questions, strict=False):
        if future.done():
            try:
                results[model] = future.result()
            except CheckpointError as error:
                results[model] = error
    st.session_state["models reached"] = (asked, sum(result is not None for result in results.values()))
    return results


def start_workers(count: int) -> None:
    """Decode in so many worker processes from now on, as many as the machine has processors if it is negative."""
    count = count if count >= 0 else usable_cores()
    opening = [
        _question(model, example.text, DecodingConfig(beam=DEFAULT_BEAM))
        for pair in pairs()
        for model in of_pair(pair)
        for example in example_sentences(pair)[:1]
    ]
    SERVICE.start(count, opening)


def _question(model: str, text: str, decoding: Decoding) -> Question:
    return Question(_key(model), text, decoding)


@once_a_run
def _key(model: str) -> Model:
    """A model as it is on the disk now: a cache key."""
    name = saved_models.name(model) if saved_models.is_saved(model) else ""
    return Model(str(folder(model).absolute()), name, stamp(model))


def _wait_for_answers(asked: Sequence[tuple[Question, Future[Any]]], least: int = 1) -> None:
    """Wait until all are answered, or until PATIENCE after the first answer when there are `least`.

    Where the run ends meanwhile, since another sentence has been asked, the questions are withdrawn.
    """
    first = None

    def enough() -> bool:
        nonlocal first
        done = sum(future.done() for _question, future in asked)
        first = time.monotonic() if done and first is None else first
        if first is None or done < least or crowded():
            return done == len(asked)
        return done == len(asked) or time.monotonic() - first > PATIENCE

    def before() -> int:
        return min((SERVICE.before(question) for question, future in asked if not future.done()), default=0)

    try:
        wait_for([future for _question, future in asked], before, enough)
    except BaseException:
        for question, future in asked:
            SERVICE.withdraw(question, future)
        raise


def stamp(model: str) -> tuple[int, ...]:
    """A cache key of a model, by its files' modification times: a newly trained model replaces the one in memory."""
    return saved_models.modification_times(_files(str(folder(model))))


@lru_cache(maxsize=100)  # every run of every page asks, for all its models
def _files(place: str) -> tuple[str, ...]:
    """The paths of a model's files, and of the file with its run's name, if it has one."""
    names = (checkpoint.CONFIG, checkpoint.WEIGHTS, checkpoint.VOCAB)
    return (*(os.path.join(place, name) for name in names), str(Path(place).parents[1] / "name.json"))


@st.cache_resource(max_entries=16, show_spinner=False)
def _load(model: Model) -> Checkpoint:
    return load_model(model)


@lru_cache(maxsize=100)  # Streamlit's own caches hash the key at each look-up, and a page has eight of them
def _settings(model: Model) -> tuple[ModelConfig, dict[str, Any]]:
    return checkpoint.read_config(model.folder)


def _decode_here(asked: Question) -> Answer:
    return answer(_load(asked.model), asked)


SERVICE = Service(_decode_here, MOST_BYTES)
