"""Data augmentation: rows made of other rows by concatenation, entity replacement and noise.

Concatenation (Kondo et al. 2021) gives a model long sentences where a corpus has short ones. Entity replacement puts
another name or number on both sides, so that a model learns to copy: a corpus of examples knows few names. Noise
(noise.py) writes the source as people type.
"""

import re
from collections.abc import Callable, Sequence

import numpy as np

from nmtcore.training.names import TextPair, other_names
from nmtcore.training.noise import add_noise

NUMBER = re.compile(r"(?<![A-Za-z\d])[1-9]\d*(?![A-Za-z\d])")  # no space stands before one in Mandarin
LONGEST_NUMBER = 9  # digits
NAMES = 0.75  # of the rows of entity replacement have other names, the others other numbers
REPEATED = 4  # times that one pair gets other names or numbers in an epoch

Rewrite = Callable[[TextPair, np.random.Generator], TextPair | None]


def other_numbers(pair: TextPair, random: np.random.Generator) -> TextPair | None:
    """Another number of as many digits for every number that both sides write alike, but for 1, which is singular."""
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
    """A number, above 1, of so many digits. After the first, half of them are zeros or repeat the digit before.

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
    """One long statement of several: full stops between them make way for links. None unless all are statements."""
    if not all(side.endswith(STOPS) and len(side) > 1 for pair in pairs for side in pair):
        return None
    source, target = pairs[0]
    for pair in pairs[1:]:
        before, between = links[int(random.integers(len(links)))]
        source = source[:-1] + before + _within(pair[0], pair[1])
        target = target[:-1].rstrip() + between + _within(pair[1], pair[0])
    return source, target


def _within(sentence: str, other: str) -> str:
    """A sentence as it is written after a link: its first letter small, but for `I` and for a name, on both sides."""
    word = re.split(r"[^\w-]", sentence, maxsplit=1)[0]
    if word == "I" or re.search(rf"\b{re.escape(word)}\b", other):
        return sentence
    return sentence[:1].lower() + sentence[1:]


def replace_entities(pairs: Sequence[TextPair], count: int, random: np.random.Generator) -> list[TextPair]:
    """Entity replacement: `count` pairs drawn at random with other names or numbers; fewer where few have any.

    Where more are asked for than pairs have some, a pair gets several, at most REPEATED.
    """
    names = round(NAMES * count)
    return [
        *_rewrite(pairs, other_names, names, REPEATED, random),
        *_rewrite(pairs, other_numbers, count - names, REPEATED, random),
    ]


def add_noise_rows(pairs: Sequence[TextPair], count: int, random: np.random.Generator) -> list[TextPair]:
    """Noise: `count` pairs drawn at random, their sources as people type them; fewer where few can be changed."""
    return _rewrite(pairs, add_noise, count, 1, random)


def _rewrite(
    pairs: Sequence[TextPair], rewrite: Rewrite, count: int, times: int, random: np.random.Generator
) -> list[TextPair]:
    """At most `count` pairs, drawn at random, that could be rewritten; each at most `times` times."""
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
