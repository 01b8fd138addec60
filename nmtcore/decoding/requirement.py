"""Constraints for constrained decoding: each hypothesis counts how many parts of the requirement it has met.

A requirement judges one hypothesis at a time. The hypothesis carries a state with the parts that it has met: `start`
makes the state of an empty one, and `step` that after one more token, or None if the requirement forbids the token;
`met` counts the parts met, of `size`, all of which a hypothesis must have met to end; `wanted` names the tokens that
would meet another part, of which search always considers the likeliest. Search keeps the best hypotheses for every
number of parts (`grid_beam.py`), so that a prefix that contains an unlikely required word need not compete with
prefixes that lack it.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nmtcore.errors import InterventionError
from nmtcore.intervention import Intervention
from nmtcore.text.normalization import SPACE
from nmtcore.text.vocabulary import SPECIAL, UNK, Vocab
from nmtcore.text.words import is_wide, join_pieces

Ids = np.ndarray[Any, np.dtype[np.int64]]
State = tuple[int, ...]


def requirement_of(intervention: Intervention, vocab: Vocab) -> Requirement | None:
    """Make the requirement of an Intervention; None if it has no constraints. Raises InterventionError."""
    if intervention.contains and intervention.initials:
        raise InterventionError("A search can be asked for words or for first letters, not for both at once.")
    if intervention.contains:
        return Phrases(intervention.contains, vocab)
    if not intervention.initials:
        return None
    required = Initials(intervention.initials, vocab)
    _check_prefix(required, intervention, vocab)
    return required


def _check_prefix(required: Initials, intervention: Intervention, vocab: Vocab) -> None:
    """Raise InterventionError if a forced prefix contradicts the required letters: no beam could satisfy both."""
    forced, state = dict(intervention.forced), required.start()
    for step in itertools.count():
        if not 0 <= forced.get(step, -1) < len(vocab):  # search reports what is wrong with such a token
            return
        following = required.step(state, forced[step])
        if following is None:
            begun = join_pieces(vocab.tokens([forced[before] for before in range(step + 1)]))
            raise InterventionError(
                f"Two constraints contradict each other: the translation cannot begin with “{begun}” if its words must "
                f"begin with {', '.join(letter.upper() for letter in required.letters)}. Drop one of them."
            )
        state = following


class Spelling(NamedTuple):
    """One spelling of a phrase in a translation. after: what must precede it, None for anything."""

    tokens: tuple[int, ...]
    after: int | None = None


ANYTHING, AT_START, APOSTROPHE = 0, 1, 2  # what precedes the next token


class Phrases:
    """Phrases that the translation must contain, as whole words, in any order (Hokamp and Liu 2017).

    A phrase may also follow an apostrophe, as *eau* does in *l'eau*, or begin the translation with a capital letter;
    its first word then has other pieces. The state has a number for each spelling of each phrase: how many of its
    tokens the hypothesis ends with, plus one when the following token has shown that the last word is complete. The
    last number of the state says what precedes the next token.
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
        self.spellings = [
            (number, one) for number, phrase in enumerate(self.phrases) for one in _spellings(phrase, vocab)
        ]
        self.fallback = [_fallback(one.tokens) for _number, one in self.spellings]
        pieces = [vocab.token(token) for token in range(len(vocab))]
        self.continues = [_continues_a_word(piece) for piece in pieces]
        self.leaves = [APOSTROPHE if piece.endswith("'") else ANYTHING for piece in pieces]

    def start(self) -> State:
        return (*(0,) * len(self.spellings), AT_START)

    def step(self, state: State, token: int) -> State:
        *done, before = state
        return (*(self._along(n, count, token, before) for n, count in enumerate(done)), self.leaves[token])

    def _along(self, n: int, done: int, token: int, before: int) -> int:
        tokens, after = self.spellings[n][1]
        if done > len(tokens) or done == len(tokens) and not self.continues[token]:
            return len(tokens) + 1
        while done and (done == len(tokens) or tokens[done] != token):  # Knuth, Morris and Pratt 1977
            done = self.fallback[n][done] if after is None else 0
        return done + 1 if tokens[done] == token and (done or after in (None, before)) else 0

    def met(self, state: State) -> int:
        return sum(self._parts(state))

    def _parts(self, state: State) -> list[int]:
        """The parts met of each phrase: the most that any of its spellings has; all of them once one is complete."""
        most_done = [0] * len(self.phrases)
        for (number, one), done in zip(self.spellings, state[:-1], strict=True):
            most = len(self.phrases[number])
            most_done[number] = max(most_done[number], most if done >= len(one.tokens) else min(done, most - 1))
        return most_done

    def wanted(self, state: State) -> Ids:
        *done, before = state
        parts = self._parts(state)
        following = {
            one.tokens[count]
            for (number, one), count in zip(self.spellings, done, strict=True)
            if parts[number] < len(self.phrases[number]) and (count or one.after in (None, before))
        }
        return np.array(sorted(following), dtype=np.int64)


def _spellings(phrase: tuple[int, ...], vocab: Vocab) -> list[Spelling]:
    """The spellings of a phrase: as typed, after an apostrophe, and capitalised as the first word."""
    spellings = [Spelling(phrase)]
    text = vocab.decode(phrase)
    if not vocab.token(phrase[0]).startswith(SPACE) or not text or is_wide(text[0]):
        return spellings
    behind = tuple(vocab.target.encode(f"l'{text}"))
    names = [vocab.token(token) for token in behind]
    start = next((n for n, name in enumerate(names, 1) if name.endswith("'")), len(names))
    if names[start:] and not names[start].startswith(SPACE) and UNK not in behind:
        spellings.append(Spelling(behind[start:], APOSTROPHE))
    capital = tuple(vocab.target.encode(text[0].upper() + text[1:]))
    if capital != phrase and UNK not in capital:
        spellings.append(Spelling(capital, AT_START))
    return spellings


def _fallback(phrase: Sequence[int]) -> list[int]:
    """Failure function of Knuth, Morris and Pratt: for each matched length, the longest shorter prefix it ends with."""
    fallback = [0, 0]
    for end in range(1, len(phrase)):
        done = fallback[end]
        while done and phrase[done] != phrase[end]:
            done = fallback[done]
        fallback.append(done + 1 if phrase[done] == phrase[end] else 0)
    return fallback


def _continues_a_word(piece: str) -> bool:
    """Whether a piece continues the word before it; in a script without spaces every piece is a word."""
    return piece not in SPECIAL and not piece.startswith(SPACE) and piece[:1].isalnum() and not is_wide(piece[:1])


class Initials:
    """Acrostic: the first words must begin with these letters, one after the other; the other words are free.

    A letter matches itself with any accent, upper or lower case. In a script without spaces, such as Chinese, every
    piece is a word and a character matches itself. The state is the number of words begun, at most all letters.
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
            with_letter = [t for t in range(len(SPECIAL), len(vocab)) if self.word_start[t] and self.first[t] == letter]
            if not with_letter:
                raise InterventionError(f"No word of this model begins with “{letter}”: use another letter.")
            self.pieces[letter] = np.array(with_letter, dtype=np.int64)
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


Requirement = Phrases | Initials


def plain_letter(letter: str) -> str:
    """Strip a letter's accent and case: É becomes e."""
    return unicodedata.normalize("NFD", letter)[0].casefold()
