"""Data augmentation: pairs written in other ways that people type: lower case, no full stop, other names, clauses.

A corpus of examples is neatly typed and knows few names, so a model that has read nothing else stumbles over what
a class types. Each function makes a pair out of a pair, or returns None where it has nothing to change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from nmtcore.training.names import TextPair, other_names, words_of

NUMBER = re.compile(r"(?<![A-Za-z\d])[1-9]\d*(?![A-Za-z\d])")  # no space stands before one in Mandarin
LONGEST_NUMBER = 9  # digits


def lower_case(pair: TextPair, random: np.random.Generator) -> TextPair | None:
    """The source in small letters; the translation as it was."""
    source = pair[0].lower()
    return (source, pair[1]) if source != pair[0] else None


def no_full_stop(pair: TextPair, random: np.random.Generator) -> TextPair | None:
    """The source without its last mark; the translation keeps a `?` or `!`, and leaves out a full stop too."""
    source = pair[0].rstrip(".?!。？！")
    return (source, pair[1].rstrip(".。")) if 0 < len(source) < len(pair[0]) else None


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


# American spellings and the British ones of the same words; the models must read both.
SPELLINGS: Final = dict(
    word.split("/")
    for word in words_of("""
    color/colour colors/colours colored/coloured colorful/colourful favorite/favourite favorites/favourites
    neighbor/neighbour neighbors/neighbours neighborhood/neighbourhood honor/honour behavior/behaviour humor/humour
    labor/labour rumor/rumour rumors/rumours flavor/flavour harbor/harbour odor/odour armor/armour vapor/vapour
    center/centre centers/centres theater/theatre theaters/theatres meter/metre meters/metres kilometer/kilometre
    kilometers/kilometres liter/litre liters/litres fiber/fibre gray/grey traveling/travelling traveled/travelled
    traveler/traveller travelers/travellers canceled/cancelled canceling/cancelling jewelry/jewellery
    realize/realise realized/realised realizes/realises organize/organise organized/organised organizing/organising
    recognize/recognise recognized/recognised apologize/apologise apologized/apologised criticize/criticise
    criticized/criticised memorize/memorise analyze/analyse analyzed/analysed paralyzed/paralysed catalog/catalogue
    dialog/dialogue defense/defence offense/offence license/licence
    pajamas/pyjamas mom/mum moms/mums airplane/aeroplane airplanes/aeroplanes skeptical/sceptical
    plow/plough mold/mould molds/moulds mustache/moustache aluminum/aluminium skillful/skilful fulfill/fulfil
    enroll/enrol curb/kerb cozy/cosy donut/doughnut maneuver/manoeuvre
    pediatrician/paediatrician anesthesia/anaesthesia encyclopedia/encyclopaedia specialty/speciality
    """)
)
SPELLED = re.compile(rf"\b(?:{'|'.join(SPELLINGS)})\b", re.IGNORECASE)


def british_spelling(pair: TextPair, random: np.random.Generator) -> TextPair | None:
    """The English source with British spellings; the translation as it was."""

    def other(match: re.Match[str]) -> str:
        word = match[0]
        british = SPELLINGS[word.lower()]
        return british.capitalize() if word[0].isupper() else british

    source = SPELLED.sub(other, pair[0])
    return (source, pair[1]) if source != pair[0] else None


# What may stand between two statements made one: in the language of the source, in that of the target.
LINKS: Final[dict[tuple[str, str], tuple[tuple[str, str], ...]]] = {
    ("en", "fr"): ((", and ", ", et "), (", but ", ", mais "), ("; ", " ; "), (", so ", ", alors "), (" and ", " et ")),
    ("zh", "en"): (("，", ", "), ("，而且", ", and "), ("，但是", ", but "), ("，所以", ", so ")),
}
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


AUGMENTATIONS: Final[tuple[tuple[Callable[[TextPair, np.random.Generator], TextPair | None], float], ...]] = (
    (other_names, 0.5),
    (lower_case, 0.15),
    (no_full_stop, 0.1),
    (other_numbers, 0.15),
    (british_spelling, 0.1),
)


REPEATED = 4  # times that one pair gets other names or numbers in an epoch


def augment(pairs: Sequence[TextPair], count: int, random: np.random.Generator) -> list[TextPair]:
    """Data augmentation: `count` pairs drawn at random and written in another way; fewer where few can be.

    Where new names or numbers are asked for more often than pairs have some, a pair gets several, at most REPEATED.
    """
    result: list[TextPair] = []
    for way, share in AUGMENTATIONS:
        wanted = round(share * count)
        drawn = [int(i) for i in random.permutation(len(pairs))]
        for _ in range(REPEATED if way in (other_names, other_numbers) else 1):
            changeable = []
            for i in drawn:
                if wanted <= 0:
                    break
                if (changed := way(pairs[i], random)) is not None:
                    result.append(changed)
                    changeable.append(i)
                    wanted -= 1
            drawn = changeable
    return result
