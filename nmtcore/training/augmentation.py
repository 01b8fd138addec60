"""Data augmentation: new training rows made from others by concatenation, entity replacement and noise.

Concatenation (Kondo et al. 2021) provides long sentences for a corpus of short ones. Entity replacement puts another
name or number on both sides, which teaches a model to copy: a corpus of examples contains few names. Noise (noise.py)
writes the source as people type.
"""

import re
from collections.abc import Callable, Sequence

import numpy as np

from nmtcore.training.names import TextPair, other_names
from nmtcore.training.noise import add_noise

NUMBER = re.compile(r"(?<![A-Za-z\d])[1-9]\d*(?![A-Za-z\d])")  # Mandarin puts no space before a number
LONGEST_NUMBER = 9  # digits
NAMES = 0.75  # share of entity replacement that replaces names; the rest replaces numbers
REPEATED = 4  # most rewritten copies of one pair in an epoch

Rewrite = Callable[[TextPair, np.random.Generator], TextPair | None]


def other_numbers(pair: TextPair, random: np.random.Generator) -> TextPair | None:
    """Replace each number that both sides write alike by another of equal length, except 1, which is singular."""
    new = {
        number: random_number(len(number), random)
        for number in sorted(set(NUMBER.findall(pair[0])) & set(NUMBER.findall(pair[1])))
        if number != "1" and len(number) <= LONGEST_NUMBER
    }
    if not new:
        return None
    source, target = (NUMBER.sub(lambda match: new.get(match[0], match[0]), side) for side in pair)
    return source, target


def random_number(digits: int, random: np.random.Generator) -> str:
    """A random number above 1 with this many digits. Half of the later digits are zeros or repeat the one before.

    People write 500, 599 and 2011 more often than chance does, and a model that copies digit by digit stumbles there:
    equal digits look alike to its attention.
    """
    written = str(random.integers(2 if digits == 1 else 1, 10))
    for _ in range(digits - 1):
        written += random.choice(("0", written[-1], *2 * (str(random.integers(10)),)))
    return written


STOPS = (".", "。")


def join_statements(
    pairs: Sequence[TextPair], links: Sequence[tuple[str, str]], random: np.random.Generator
) -> TextPair | None:
    """Join several statements into one sentence, with links in place of full stops; None if one is not a statement."""
    if not all(side.endswith(STOPS) and len(side) > 1 for pair in pairs for side in pair):
        return None
    source, target = pairs[0]
    for pair in pairs[1:]:
        before, between = links[int(random.integers(len(links)))]
        source = source[:-1] + before + _within(pair[0], pair[1])
        target = target[:-1].rstrip() + between + _within(pair[1], pair[0])
    return source, target


def _within(sentence: str, other: str) -> str:
    """Lower-case the first letter, as after a link, except in `I` and in a name, which occurs on both sides."""
    word = re.split(r"[^\w-]", sentence, maxsplit=1)[0]
    if word == "I" or re.search(rf"\b{re.escape(word)}\b", other):
        return sentence
    return sentence[:1].lower() + sentence[1:]


def replace_entities(pairs: Sequence[TextPair], count: int, random: np.random.Generator) -> list[TextPair]:
    """Entity replacement: `count` random pairs with other names or numbers, or fewer if too few pairs have any.

    If `count` exceeds the pairs that have some, a pair is rewritten several times, at most REPEATED.
    """
    names = round(NAMES * count)
    return [
        *_rewrite(pairs, other_names, names, REPEATED, random),
        *_rewrite(pairs, other_numbers, count - names, REPEATED, random),
    ]


def add_noise_rows(pairs: Sequence[TextPair], count: int, random: np.random.Generator) -> list[TextPair]:
    """Noise: `count` random pairs whose sources look as people type; fewer if too few pairs can be changed."""
    return _rewrite(pairs, add_noise, count, 1, random)


def _rewrite(
    pairs: Sequence[TextPair], rewrite: Rewrite, count: int, times: int, random: np.random.Generator
) -> list[TextPair]:
    """At most `count` rewritten pairs, drawn at random; each pair is rewritten at most `times` times."""
    result: list[TextPair] = []
    drawn = [int(i) for i in random.permutation(len(pairs))]
    for _ in range(times):
        changeable = []
        for i in drawn:
            if len(result) >= count:
                return result
            if (changed := rewrite(pairs[i], random)) is not None:
                result.append(changed)
                changeable.append(i)
        drawn = changeable
    return result
