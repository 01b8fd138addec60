"""Reading aids for a Mandarin sentence: pinyin under its pieces, English glosses under its words."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nmtcore.text.glosses import load_glosses
from nmtcore.text.segmentation import segment
from nmtcore.text.vocabulary import CONTINUED
from nmtcore.text.words import bare, group_pieces

NEUTRAL_TONES = Path(__file__).with_name("neutral_tones.zh.tsv")
PARTICLES = "不没很太", "了过着"  # before and after a verb; segmentation may join them to it
HAN = re.compile("[\u3400-\u9fff]+")
COUNTED = re.compile("([零一二两三四五六七八九十百千万几半]+)(.+)")  # a number and its measure word


@dataclass(frozen=True)
class ReadWord:
    """A word of the sentence: its pieces, the pinyin of each, and its gloss, empty if unknown."""

    pieces: tuple[str, ...]
    pinyin: tuple[str, ...]
    gloss: str


def read_words(pieces: Sequence[str]) -> list[ReadWord]:
    """The words of a Mandarin sentence, given as its pieces without `<eos>`."""
    words = []
    for group in group_pieces(pieces):
        texts = tuple(text for i in group if (text := bare(pieces[i])) and pieces[i] != CONTINUED)
        if not texts:
            continue
        syllables = _syllables("".join(texts))
        at, pinyin = 0, []
        for text in texts:
            pinyin.append("".join(syllables[at : at + len(text)]).strip())
            at += len(text)
        words.append(ReadWord(texts, tuple(pinyin), gloss("".join(texts))))
    return words


def gloss(text: str) -> str:
    """The gloss of a word; if its pieces span several words, the gloss of each."""
    known = load_glosses()
    if not HAN.search(text):
        return ""
    if text in known:
        return known[text]
    meanings = [known.get(part, "").partition(",")[0] for part in _parts(text)]
    return " + ".join(meaning or "…" for meaning in meanings) if any(meanings) else ""


def _parts(text: str) -> tuple[str, ...]:
    """The words in a text that the segmenter may have taken for a single word.

    It splits a number from what it counts, two words of two characters, and a verb from its negation or aspect.
    """
    words = segment(text)
    if len(words) > 1 or len(text) < 2:
        return words
    known = load_glosses()
    if (counted := COUNTED.fullmatch(text)) and counted[2] in known:
        return (*counted[1], counted[2])
    if len(text) == 4 and text[:2] in known and text[2:] in known:
        return (text[:2], text[2:])
    before, after = PARTICLES
    return (text[0], text[1:]) if text[0] in before else (text[:-1], text[-1]) if text[-1] in after else ()


@cache
def _reader() -> Callable[[str], list[str]]:
    """A function that returns the pinyin of a word by character: pypinyin, with neutral tones as in speech."""
    import pypinyin  # loads large tables, so it is imported only when there is Chinese text

    lines = NEUTRAL_TONES.read_text(encoding="utf-8").splitlines()
    own = dict(line.split("\t") for line in lines if not line.startswith("#"))
    pypinyin.load_phrases_dict({word: [[one] for one in said.split()] for word, said in own.items() if len(word) > 1})

    def read(word: str) -> list[str]:
        alone = own.get(word) if len(word) == 1 else None  # 教 is jiāo, but jiào in 教室
        return [alone] if alone else pypinyin.lazy_pinyin(word, style=pypinyin.Style.TONE)

    return read


def _syllables(text: str) -> list[str]:
    """The pinyin of each character as read in its word, with a space before each word; empty for other scripts."""
    syllables: list[str] = []
    for word in segment(text):
        if HAN.fullmatch(word):
            first, *rest = _reader()(word)
            syllables += [f" {first}", *rest]
        else:
            syllables += [""] * len(word)
    return syllables
