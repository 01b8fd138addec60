"""Noise, a data augmentation: rewrite the source as people type it, with slips, and leave the translation as it is.

A corpus of examples is neatly typed, and a model that has read nothing else stumbles over one wrong letter (Belinkov
and Bisk 2018). Training with artificial slips helps with real ones (Karpukhin et al. 2019). Each function returns a
changed pair, or None if there is nothing to change.
"""

import re
from collections.abc import Callable
from typing import Final

import numpy as np

from nmtcore.text.languages import word_lists, word_pairs
from nmtcore.training.names import HAN, TextPair

Random = np.random.Generator
Noise = Callable[[TextPair, Random], TextPair | None]

# In a shorter word, a slip would often give another word.
LONG_WORD: Final = re.compile(r"(?<![^\W_])[^\W\d_\u4e00-\u9fff]{4,}(?![^\W_])")
_ENGLISH, _MANDARIN = (
    {name: word_pairs(words) for name, words in word_lists(code, "noise.txt").items()} for code in ("en", "zh")
)
NEIGHBOURS, ABBREVIATIONS, SPELLINGS = (_ENGLISH[name] for name in ("neighbours", "abbreviations", "spellings"))
HOMOPHONES, HALF_WIDTH = _MANDARIN["homophones"], str.maketrans(_MANDARIN["marks"])


def lower_case(pair: TextPair, random: Random) -> TextPair | None:
    """Lower-case the source."""
    return _changed(pair, pair[0].lower())


def first_word_case(pair: TextPair, random: Random) -> TextPair | None:
    """Lower-case the first letter: a capital at the start says nothing about the word."""
    return _changed(pair, pair[0][:1].lower() + pair[0][1:])


def no_full_stop(pair: TextPair, random: Random) -> TextPair | None:
    """Drop the last mark of the source; the translation drops a full stop too, but keeps `?` and `!`."""
    source = pair[0].rstrip(".?!。？！")
    return (source, pair[1].rstrip(".。")) if 0 < len(source) < len(pair[0]) else None


def no_apostrophes(pair: TextPair, random: Random) -> TextPair | None:
    """Write English contractions without apostrophes: dont, im."""
    return _changed(pair, re.sub(r"(?<=[A-Za-z])['’](?=[A-Za-z])", "", pair[0])) if _is_latin(pair) else None


def misspelling(pair: TextPair, random: Random) -> TextPair | None:
    """Misspell one word: drop a letter, double it, swap it with the next, or hit the key beside it."""
    words = [match for match in LONG_WORD.finditer(pair[0]) if match[0].islower()]  # names must be copied exactly
    if not words:
        return None
    match = words[int(random.integers(len(words)))]
    word, at = match[0], int(random.integers(1, len(match[0]) - 1))
    letter = word[at]
    written = (
        word[:at] + word[at + 1 :],
        word[:at] + letter + word[at:],
        word[:at] + word[at + 1] + letter + word[at + 2 :],
        word[:at] + str(random.choice(list(NEIGHBOURS.get(letter, letter)))) + word[at + 1 :],
    )[int(random.choice(4, p=(0.3, 0.25, 0.3, 0.15)))]
    return _changed(pair, pair[0][: match.start()] + written + pair[0][match.end() :])


ABBREVIATED: Final = re.compile(rf"\b(?:{'|'.join(ABBREVIATIONS)})\b", re.IGNORECASE)
GOING_SOMEWHERE: Final = re.compile(r"\b[Gg]oing to (?:(?:the|an?|my|your|his|her|our|their)\b|[A-Z])")


def abbreviations(pair: TextPair, random: Random) -> TextPair | None:
    """English as in text messages: u, gonna, pls. Each word that has a short form gets it or stays."""
    if not _is_latin(pair) or GOING_SOMEWHERE.search(pair[0]):  # "gonna" means future, not movement
        return None
    short = ABBREVIATED.sub(lambda m: ABBREVIATIONS[m[0].lower()] if random.random() < 0.7 else m[0], pair[0])
    return _changed(pair, short)


SPELLED: Final = re.compile(rf"\b(?:{'|'.join(SPELLINGS)})\b", re.IGNORECASE)


def british_spelling(pair: TextPair, random: Random) -> TextPair | None:
    """Spell the English source the British way."""

    def other(match: re.Match[str]) -> str:
        word = match[0]
        british = SPELLINGS[word.lower()]
        return british.capitalize() if word[0].isupper() else british

    return _changed(pair, SPELLED.sub(other, pair[0]))


def half_width_marks(pair: TextPair, random: Random) -> TextPair | None:
    """Use the punctuation marks of an English keyboard in Mandarin."""
    return _changed(pair, pair[0].translate(HALF_WIDTH)) if not _is_latin(pair) else None


def homophone(pair: TextPair, random: Random) -> TextPair | None:
    """Replace one Chinese character by a homophone, as in a wrong choice in pinyin input."""
    places = [i for i, character in enumerate(pair[0]) if character in HOMOPHONES]
    if _is_latin(pair) or not places:
        return None
    at = places[int(random.integers(len(places)))]
    return _changed(pair, pair[0][:at] + str(random.choice(list(HOMOPHONES[pair[0][at]]))) + pair[0][at + 1 :])


NOISES: Final[tuple[tuple[Noise, float], ...]] = (  # each with the probability of being tried first
    (misspelling, 0.3),
    (lower_case, 0.15),
    (first_word_case, 0.1),
    (no_full_stop, 0.1),
    (abbreviations, 0.1),
    (no_apostrophes, 0.05),
    (british_spelling, 0.1),
    (half_width_marks, 0.05),
    (homophone, 0.05),
)
TWICE = 0.3  # share of noisy rows with two kinds, since hasty typing drops both capitals and letters


def add_noise(pair: TextPair, random: Random) -> TextPair | None:
    """Add one or two kinds of noise, drawn at random; None if no kind changes the pair."""
    left = 2 if random.random() < TWICE else 1
    changed = pair
    for index in random.choice(len(NOISES), len(NOISES), replace=False, p=[share for _, share in NOISES]):
        if (noisy := NOISES[index][0](changed, random)) is not None:
            changed, left = noisy, left - 1
            if not left:
                break
    return changed if changed != pair else None


def _changed(pair: TextPair, source: str) -> TextPair | None:
    return (source, pair[1]) if source != pair[0] else None


def _is_latin(pair: TextPair) -> bool:
    return not HAN.search(pair[0])
