"""Constrained decoding: what a translation must contain, as a count that grows while it is written.

A requirement is asked about one hypothesis at a time. Its state says how much of the requirement the hypothesis has
met; search keeps the best hypotheses of every such number (`grid_beam.py`), so that a beginning that has paid for a
required word need not compete with those that have not.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from nmtcore.errors import InterventionError
from nmtcore.intervention import Intervention
from nmtcore.text.vocabulary import SPECIAL, Vocab
from nmtcore.text.words import is_wide, join_pieces

SPACE = "\u2581"  # sentencepiece's, before a piece that begins a word
Ids = np.ndarray[Any, np.dtype[np.int64]]
State = tuple[int, ...]


class Requirement(Protocol):
    """What a translation must contain."""

    @property
    def size(self) -> int:
        """How many parts there are to meet."""
        ...

    def start(self) -> State:
        """The state of an empty hypothesis."""
        ...

    def step(self, state: State, token: int) -> State | None:
        """The state after one more token; None where the requirement forbids it."""
        ...

    def met(self, state: State) -> int:
        """How many parts are met, 0 to `size`; a hypothesis may end when it has all of them."""
        ...

    def wanted(self, state: State) -> Ids:
        """The tokens that would meet a part more; search considers the likeliest of them however unlikely they are."""
        ...


def requirement_of(intervention: Intervention, vocab: Vocab) -> Requirement | None:
    """What an intervention asks a translation to contain; None where it asks for nothing. Raises InterventionError."""
    if intervention.contains and intervention.initials:
        raise InterventionError("A search can be asked for words or for first letters, not for both at once.")
    if intervention.contains:
        return Phrases(intervention.contains, vocab)
    if not intervention.initials:
        return None
    required = Initials(intervention.initials, vocab)
    _check_beginning(required, intervention, vocab)
    return required


def _check_beginning(required: Initials, intervention: Intervention, vocab: Vocab) -> None:
    """A forced beginning whose words begin with other letters: no beam is wide enough, so nothing is searched."""
    forced, state = dict(intervention.forced), required.start()
    for step in itertools.count():
        if not 0 <= forced.get(step, -1) < len(vocab):  # search says what is wrong with such a token
            return
        following = required.step(state, forced[step])
        if following is None:
            begun = join_pieces(vocab.tokens([forced[before] for before in range(step + 1)]))
            raise InterventionError(
                f"Two wishes contradict each other: the translation cannot begin with “{begun}” if its words must "
                f"begin with {', '.join(letter.upper() for letter in required.letters)}. Drop one of them."
            )
        state = following


class Phrases:
    """Phrases that the translation must contain, as whole words, in any order (Hokamp and Liu 2017).

    The state has a number for each phrase: how many of its tokens the hypothesis ends with, one more than it has once
    the token after it has shown that the last word is whole.
    """

    def __init__(self, phrases: Sequence[Sequence[int]], vocab: Vocab) -> None:
        self.phrases = [tuple(phrase) for phrase in phrases]
        if not all(self.phrases):
            raise InterventionError("A phrase that the translation must contain has no pieces: type a word.")
        if wrong := [token for phrase in self.phrases for token in phrase if not len(SPECIAL) <= token < len(vocab)]:
            raise InterventionError(
                f"Token {wrong[0]} cannot be required: ids go from {len(SPECIAL)} to {len(vocab) - 1}."
            )
        self.size = sum(map(len, self.phrases))
        self.fallback = [_fallback(phrase) for phrase in self.phrases]
        self.continues = [_continues_a_word(vocab.token(token)) for token in range(len(vocab))]

    def start(self) -> State:
        return (0,) * len(self.phrases)

    def step(self, state: State, token: int) -> State:
        return tuple(self._along(number, done, token) for number, done in enumerate(state))

    def _along(self, number: int, done: int, token: int) -> int:
        phrase = self.phrases[number]
        if done > len(phrase) or done == len(phrase) and not self.continues[token]:
            return len(phrase) + 1
        while done and (done == len(phrase) or phrase[done] != token):  # Knuth, Morris and Pratt 1977
            done = self.fallback[number][done]
        return done + 1 if phrase[done] == token else 0

    def met(self, state: State) -> int:
        return sum(min(done, len(phrase)) for done, phrase in zip(state, self.phrases, strict=True))

    def wanted(self, state: State) -> Ids:
        following = (phrase[done] for done, phrase in zip(state, self.phrases, strict=True) if done < len(phrase))
        return np.array(sorted(set(following)), dtype=np.int64)


def _fallback(phrase: Sequence[int]) -> list[int]:
    """For each number of tokens found so far: the longest shorter beginning of the phrase that they end with."""
    found = [0, 0]
    for end in range(1, len(phrase)):
        done = found[end]
        while done and phrase[done] != phrase[end]:
            done = found[done]
        found.append(done + 1 if phrase[done] == phrase[end] else 0)
    return found


def _continues_a_word(piece: str) -> bool:
    """Whether a piece goes on with the word before it; in a script without spaces every piece is a word."""
    return piece not in SPECIAL and not piece.startswith(SPACE) and piece[:1].isalnum() and not is_wide(piece[:1])


class Initials:
    """An acrostic: the first words must begin with these letters, one after the other; then the rest is free.

    A letter stands for itself with any accent, large or small. In a script without spaces, as Chinese, every piece is a
    word, and a character stands for itself. The state is the number of words begun, at most all.
    """

    def __init__(self, letters: str, vocab: Vocab) -> None:
        self.letters = [plain_letter(letter) for letter in letters if not letter.isspace()]
        starts = [vocab.token(token).removeprefix(SPACE) for token in range(len(vocab))]
        self.word_start = [
            vocab.token(token).startswith(SPACE) or is_wide(vocab.token(token)[:1]) for token in range(len(vocab))
        ]
        self.first = [plain_letter(piece[0]) if piece else "" for piece in starts]
        self.size = len(self.letters)
        self.pieces: dict[str, Ids] = {}
        for letter in self.letters:
            found = [t for t in range(len(SPECIAL), len(vocab)) if self.word_start[t] and self.first[t] == letter]
            if not found:
                raise InterventionError(f"No word of this model begins with “{letter}”: use another letter.")
            self.pieces[letter] = np.array(found, dtype=np.int64)
        # A Chinese sentence may begin with a blank piece; after one, a Latin word could go on with any letter.
        blanks = [token for token in range(len(vocab)) if vocab.token(token) == SPACE]
        self.blanks = blanks if self.letters and is_wide(self.letters[0]) else []

    def start(self) -> State:
        return (0,)

    def step(self, state: State, token: int) -> State | None:
        (done,) = state
        if done == self.size:
            return state
        if not done and token in self.blanks:
            return state
        if token < len(SPECIAL) or not done and not self.word_start[token]:
            return None
        if not self.word_start[token]:
            return state
        return (done + 1,) if self.first[token] == self.letters[done] else None

    def met(self, state: State) -> int:
        return state[0]

    def wanted(self, state: State) -> Ids:
        (done,) = state
        return self.pieces[self.letters[done]] if done < self.size else np.array([], dtype=np.int64)


def plain_letter(letter: str) -> str:
    """A letter without its accent, small: É is e."""
    return unicodedata.normalize("NFD", letter)[0].casefold()
