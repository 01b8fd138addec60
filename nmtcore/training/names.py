"""Name replacement, a data augmentation: put another name on both sides of a pair, which teaches a model to copy.

Students type their own names, which no list contains. Most new names are therefore invented, and spelled alike on
both sides; in a Mandarin sentence some are Chinese names, in characters there and in pinyin in the translation.
"""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from nmtcore.text.languages import word_lists, word_pairs

TextPair = tuple[str, str]  # source and target of a sentence pair

_LATIN, _MANDARIN, _CHINESE = (word_lists(code, "names.txt") for code in ("en", "zh-en", "zh"))
MEN, WOMEN, CITIES = _LATIN["men"], _LATIN["women"], _LATIN["cities"]
MEN_IN_MANDARIN, WOMEN_IN_MANDARIN, CITIES_IN_MANDARIN = _MANDARIN["men"], _MANDARIN["women"], _MANDARIN["cities"]
FAMILIES, GIVEN = _CHINESE["surnames"], _CHINESE["given"]
INITIALS, ONSETS, MIDDLES, VOWELS, ENDS = (_LATIN[part] for part in ("initials", "onsets", "middles", "vowels", "ends"))
ACCENTS = word_pairs(_LATIN["accents"])
HAN: Final = re.compile(r"[\u4e00-\u9fff]")
TRANSLITERATED = 0.3  # share of the new names in a Mandarin sentence that are foreign names in characters
CHINESE = 0.5  # share of Chinese names among the others, if they are people's names
INVENTED = 0.6  # share of invented names among the rest, from which a model must learn to copy letters
VOWEL_FIRST = 0.25  # share of invented names that begin with a vowel
ACCENTED = 0.2  # share of invented names with an accented letter after the first
SURNAMES = 0.35  # share of other people's names that are followed by a second name


def _name_pattern(names: Sequence[str]) -> re.Pattern[str]:
    """A pattern for names written Latin/Mandarin. A name may touch a character, since Mandarin has no spaces."""
    latin, mandarin = (
        "|".join(sorted({name.split("/")[side] for name in names}, key=len, reverse=True)) for side in (0, 1)
    )
    return re.compile(rf"(?<![^\W\u4e00-\u9fff])(?:{latin})(?![^\W\u4e00-\u9fff])|{mandarin}")


REPLACED: Final = (  # pattern for a kind of name; names to replace it; those that also have Chinese characters
    (_name_pattern(MEN_IN_MANDARIN), MEN, MEN_IN_MANDARIN),
    (_name_pattern(WOMEN_IN_MANDARIN), WOMEN, WOMEN_IN_MANDARIN),
    (_name_pattern(CITIES_IN_MANDARIN), CITIES, CITIES_IN_MANDARIN),
)
FAMILY_PINYIN: Final = {part[0]: part[1:] for part in FAMILIES}
GIVEN_PINYIN: Final = {part[0]: part[1:] for part in GIVEN}
FULL_NAME: Final = re.compile(f"[{''.join(FAMILY_PINYIN)}](?=([{''.join(GIVEN_PINYIN)}]{{1,2}}))")


def other_names(pair: TextPair, random: np.random.Generator) -> TextPair | None:
    """Replace each common name, or else a Chinese name, if both sides have exactly one name of its kind.

    The new name is spelled alike on both sides, or in characters and in pinyin.
    """
    source, target = pair
    for pattern, others, transliterated in REPLACED:
        names = list(dict.fromkeys(pattern.findall(source)))
        if len(names) == 1 and len(set(pattern.findall(target))) == 1:
            other, translated = _new_name(source, others, transliterated, random)
            source, target = pattern.sub(other, source), _elided(pattern.sub(translated, target), translated)
    if source == pair[0] and (chinese := _chinese_name_in(pair)):
        in_mandarin = (*MEN_IN_MANDARIN, *WOMEN_IN_MANDARIN)
        other, translated = _new_name(source, (*MEN, *WOMEN), in_mandarin, random)
        source, target = source.replace(chinese[0], other), target.replace(chinese[1], translated)
    return (source, target) if source != pair[0] else None


def _new_name(
    source: str, others: Sequence[str], transliterated: Sequence[str], random: np.random.Generator
) -> tuple[str, str]:
    """A new name as written in the source and in the translation."""
    if HAN.search(source) and random.random() < TRANSLITERATED:
        latin, _, mandarin = str(random.choice(transliterated)).partition("/")
        return mandarin, latin
    if others is not CITIES and HAN.search(source) and random.random() < CHINESE:
        return chinese_name(random)
    surname = others is not CITIES and random.random() < SURNAMES
    name = " ".join(
        invented_name(random) if random.random() < INVENTED else str(random.choice(others)) for _ in range(1 + surname)
    )
    return name, name


def _chinese_name_in(pair: TextPair) -> tuple[str, str] | None:
    """The first Chinese name in a Mandarin sentence whose pinyin occurs in the translation, and that pinyin."""
    for match in FULL_NAME.finditer(pair[0]):
        for given in (match[1], match[1][:1]):
            pinyin = f"{FAMILY_PINYIN[match[0]]} {''.join(GIVEN_PINYIN[c] for c in given).capitalize()}"
            if re.search(rf"\b{pinyin}\b", pair[1]):
                return match[0] + given, pinyin
    return None


def chinese_name(random: np.random.Generator) -> tuple[str, str]:
    """A Chinese surname with a given name of one or two characters, and the same in pinyin."""
    family = str(random.choice(FAMILIES))
    given = [str(part) for part in random.choice(GIVEN, size=1 if random.random() < 0.25 else 2)]
    pinyin = "".join(part[1:] for part in given).capitalize()
    return family[0] + "".join(part[0] for part in given), f"{family[1:]} {pinyin}"


def _elided(text: str, name: str) -> str:
    """Elision: French writes "de Tom" and "que Tom", but "d'Anna" and "qu'Anna"."""
    if name[0] not in INITIALS:
        return text
    return re.sub(rf"\b([Dd]|[Qq]u)e (?={name}\b)", r"\1'", text)


def invented_name(random: np.random.Generator) -> str:
    """A made-up name of two or three syllables, such as Dravimon."""
    first = str(random.choice(INITIALS))
    if random.random() >= VOWEL_FIRST:
        first = str(random.choice(ONSETS)) + str(random.choice(VOWELS))
    middles = "".join(str(random.choice(MIDDLES)) + str(random.choice(VOWELS)) for _ in range(random.integers(1, 3)))
    name = f"{first}{middles}{str(random.choice(ENDS)).strip('-')}"
    return _accented(name, random) if random.random() < ACCENTED else name


def _accented(name: str, random: np.random.Generator) -> str:
    """Put an accent on one letter of the name, but not on the first, which decides about elision."""
    at = int(random.choice([i for i, letter in enumerate(name) if i and letter in ACCENTS]))
    return name[:at] + str(random.choice(list(ACCENTS[name[at]]))) + name[at + 1 :]
