"""Noise, a data augmentation: rewrite the source as people type it, with slips, and leave the translation as it is.

A corpus of examples is neatly typed, and a model that has read nothing else stumbles over one wrong letter (Belinkov
and Bisk 2018). Training with artificial slips helps with real ones (Karpukhin et al. 2019).
"""

import re
from collections.abc import Callable
from typing import Final

import numpy as np

from nmtcore.text.languages import word_lists, word_pairs
from nmtcore.training.names import HAN, TextPair

Random = np.random.Generator
Noise = Callable[[str, Random], str]  # a source as people type it; the same where there is nothing to change

# In a shorter word, a slip would often give another word.
LONG_WORD: Final = re.compile(r"(?<![^\W_])[^\W\d_\u4e00-\u9fff]{4,}(?![^\W_])")
_ENGLISH, _MANDARIN = (
    {name: word_pairs(words) for name, words in word_lists(code, "noise.txt").items()} for code in ("en", "zh")
)
NEIGHBOURS, ABBREVIATIONS, SPELLINGS = (_ENGLISH[name] for name in ("neighbours", "abbreviations", "spellings"))
MARKS = ".?!。？！"  # at the end of a sentence
HOMOPHONES, HALF_WIDTH = _MANDARIN["homophones"], str.maketrans(_MANDARIN["marks"])


def lower_case(source: str, random: Random) -> str:
    return source.lower()


def first_word_case(source: str, random: Random) -> str:
    """Lower-case the first letter: a capital at the start says nothing about the word."""
    return source[:1].lower() + source[1:]


def no_full_stop(source: str, random: Random) -> str:
    """Drop the last mark, unless there is nothing else."""
    return source.rstrip(MARKS) or source


def no_apostrophes(source: str, random: Random) -> str:
    """Write English contractions without apostrophes: dont, im."""
    return re.sub(r"(?<=[A-Za-z])['’](?=[A-Za-z])", "", source) if _is_latin(source) else source


def misspelling(source: str, random: Random) -> str:
    """Misspell one word: drop a letter, double it, swap it with the next, or hit the key beside it."""
    words = [match for match in LONG_WORD.finditer(source) if match[0].islower()]  # names must be copied exactly
    if not words:
        return source
    match = words[int(random.integers(len(words)))]
    word, at = match[0], int(random.integers(1, len(match[0]) - 1))
    letter = word[at]
    written = (
        word[:at] + word[at + 1 :],
        word[:at] + letter + word[at:],
        word[:at] + word[at + 1] + letter + word[at + 2 :],
        word[:at] + str(random.choice(list(NEIGHBOURS.get(letter, letter)))) + word[at + 1 :],
    )[int(random.choice(4, p=(0.3, 0.25, 0.3, 0.15)))]
    return source[: match.start()] + written + source[match.end() :]


ABBREVIATED: Final = re.compile(rf"\b(?:{'|'.join(ABBREVIATIONS)})\b", re.IGNORECASE)
GOING_SOMEWHERE: Final = re.compile(r"\b[Gg]oing to (?:(?:the|an?|my|your|his|her|our|their)\b|[A-Z])")


def abbreviations(source: str, random: Random) -> str:
    """English as in text messages: u, gonna, pls. Each word that has a short form gets it or stays."""
    if not _is_latin(source) or GOING_SOMEWHERE.search(source):  # "gonna" means future, not movement
        return source
    return ABBREVIATED.sub(lambda m: ABBREVIATIONS[m[0].lower()] if random.random() < 0.7 else m[0], source)


SPELLED: Final = re.compile(rf"\b(?:{'|'.join(SPELLINGS)})\b", re.IGNORECASE)


def british_spelling(source: str, random: Random) -> str:
    """Spell English the British way."""

    def other(match: re.Match[str]) -> str:
        british = SPELLINGS[match[0].lower()]
        return british.capitalize() if match[0][0].isupper() else british

    return SPELLED.sub(other, source)


def half_width_marks(source: str, random: Random) -> str:
    """Use the punctuation marks of an English keyboard in Mandarin."""
    return source if _is_latin(source) else source.translate(HALF_WIDTH)


def homophone(source: str, random: Random) -> str:
    """Replace one Chinese character by a homophone, as in a wrong choice in pinyin input."""
    places = [i for i, character in enumerate(source) if character in HOMOPHONES]
    if not places:
        return source
    at = places[int(random.integers(len(places)))]
    return source[:at] + str(random.choice(list(HOMOPHONES[source[at]]))) + source[at + 1 :]


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
    """Add one or two kinds of noise, drawn at random; None if no kind changes the source.

    A translation loses its full stop with the source, but keeps `?` and `!`.
    """
    left = 2 if random.random() < TWICE else 1
    source = pair[0]
    for index in random.choice(len(NOISES), len(NOISES), replace=False, p=[share for _, share in NOISES]):
        if (noisy := NOISES[index][0](source, random)) != source:
            source, left = noisy, left - 1
            if not left:
                break
    if source == pair[0]:
        return None
    stopped = pair[0][-1] in MARKS and source[-1] not in MARKS
    return source, pair[1].rstrip(".。") if stopped else pair[1]


def _is_latin(source: str) -> bool:
    return not HAN.search(source)
