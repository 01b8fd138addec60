"""Settings of a run (RunConfig, in config.json) and its progress (Status, in status.json)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from nmtcore.config import check_range, model_config
from nmtcore.errors import DataError, NmtError, SettingError
from nmtcore.runs.records import MOST_STEPS, parse
from nmtcore.text.normalization import normalized_length
from nmtcore.training.config import Precision, TrainingConfig
from nmtcore.training.exercises import NONCE, NONCE_FRENCH, Example, Exercise, exercise

State = Literal["queued", "starting", "running", "stopping", "stopped", "done", "failed", "interrupted"]
LIVE: tuple[State, ...] = ("starting", "running", "stopping")  # a process is working on the run
OPEN: tuple[State, ...] = ("queued", *LIVE)  # the run will continue by itself
STOPPABLE: tuple[State, ...] = ("queued", "starting", "running")  # and nobody has asked it to stop
RESUMABLE: tuple[State, ...] = ("stopped", "failed", "interrupted")

DEVICE = re.compile(r"cpu|mps|cuda:\d{1,2}")
REHEARSED = 300  # characters in a sentence to rehearse, as a vocabulary reads it
MAX_REHEARSED = 2000  # rehearsal sentences from the user


@dataclass(frozen=True)
class Device:
    """A device to train on. id: cpu, mps or cuda:0; free: free bytes, None if unknown."""

    id: str
    name: str
    free: int | None = None


class RunError(NmtError):
    """A run cannot do what was asked in its current state."""


@dataclass(frozen=True)
class RunConfig:
    """The settings of a run: model, task, training and starting point. They never change."""

    training: TrainingConfig
    pinned: Example  # the pair whose alignment is shown during training
    exercise: str = ""  # one of EXERCISES; empty if a user gave the pairs
    word: str = NONCE  # the word that the exercise "teach" teaches, and its translation
    french_word: str = NONCE_FRENCH
    architecture: str = ""  # of a model from scratch; empty if start/ holds the model to fine-tune
    settings: Mapping[str, Any] = field(default_factory=dict)  # of a model from scratch
    vocab_size: int = 400  # most pieces to learn, from scratch
    began_with: str = ""  # the name of the model in start/
    source: str = "source"  # language codes, such as en
    target: str = "target"
    device: str = "cpu"
    rehearsal: float = 0.0  # rehearsed pairs for each training pair, 0 to 1, when fine-tuning
    rehearsed: tuple[str, ...] = ()  # the user's own sentences to rehearse, in addition to ours

    def __post_init__(self) -> None:
        if self.exercise:
            exercise(self.exercise, self.word, self.french_word)  # raises SettingError and DataError
        if not DEVICE.fullmatch(self.device):
            raise SettingError(f"The device must be cpu, mps or cuda with a number; it is {self.device!r}.")
        if self.architecture:
            model_config(self.architecture, self.vocab_size, **self.settings)  # raises SettingError
        check_range("rehearsal", self.rehearsal, 0.0, 1.0)
        if self.rehearsal and self.architecture:
            raise SettingError("A model from scratch has nothing to rehearse: rehearsal is for fine-tuning.")
        if len(self.rehearsed) > MAX_REHEARSED:
            raise SettingError(f"At most {MAX_REHEARSED:,} sentences of your own can be rehearsed.")
        if any(normalized_length(sentence) > REHEARSED or not sentence.isprintable() for sentence in self.rehearsed):
            raise SettingError(f"A sentence to rehearse is one line of at most {REHEARSED} characters.")
        if not all(self.pinned):
            raise SettingError("The sentence to watch needs a source and a translation.")

    @property
    def task(self) -> Exercise | None:
        return exercise(self.exercise, self.word, self.french_word) if self.exercise else None

    @classmethod
    def from_json(cls, data: object) -> RunConfig:
        """The inverse of `asdict`. Raises ValueError if the data are not a RunConfig."""
        config: RunConfig = parse(cls, data, "config.json")
        return config


@dataclass(frozen=True)
class Status:
    """The progress of a run. `queued` orders the queue (ns); `score` is in percent."""

    state: State = "queued"
    message: str = ""  # a sentence about why it ended, if that is not obvious
    queued: int = 0
    step: int = 0
    total: int = 0
    seconds: float = 0.0  # of training
    seconds_left: float | None = None  # None until there are enough steps to extrapolate
    score: float | None = None  # exact match or BLEU at the last evaluation
    old_score: float | None = None  # BLEU against the model's former translations, if it rehearses them
    longer: float | None = None  # final exact match on sources longer than any in training
    parameters: int = 0
    precision: Precision = "auto"  # of training; auto until it has begun
    pid: int = 0

    @classmethod
    def from_json(cls, data: object) -> Status:
        """The inverse of `asdict`. Raises ValueError if the data are not a Status."""
        status: Status = parse(cls, data, "status.json")
        if isinstance(data, dict) and "state" not in data:
            raise DataError("status.json is damaged: it has no state.")
        numbers = {name: value for name, value in vars(status).items() if isinstance(value, (int, float))}
        if min(numbers.values()) < 0 or max(status.step, status.total) > MOST_STEPS:
            raise DataError("status.json is damaged: a number in it cannot be.")
        if any(score is not None and score > 100 for score in (status.score, status.old_score, status.longer)):
            raise DataError("status.json is damaged: a score is at most 100.")
        return status
