"""Reading aids for a Mandarin sentence: pinyin under its pieces, an English gloss under its words."""

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
PARTICLES = "不没很太", "了过着"  # before a verb and after it, which segmentation may join to it
HAN = re.compile("[\u3400-\u9fff]+")
COUNTED = re.compile("([零一二两三四五六七八九十百千万几半]+)(.+)")  # a number and its measure word


@dataclass(frozen=True)
class ReadWord:
    """A word of the sentence: its pieces, the pinyin of each, and its meaning; empty if unknown."""

    pieces: tuple[str, ...]
    pinyin: tuple[str, ...]
    gloss: str


def read_words(pieces: Sequence[str]) -> list[ReadWord]:
    """The words of a sentence in Mandarin, given as its pieces without `<eos>`."""
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
    """The meaning of a word; if its pieces span several words, the meaning of each."""
    known = load_glosses()
    if not HAN.search(text):
        return ""
    if text in known:
        return known[text]
    meanings = [known.get(part, "").partition(",")[0] for part in _parts(text)]
    return " + ".join(meaning or "…" for meaning in meanings) if any(meanings) else ""


def _parts(text: str) -> tuple[str, ...]:
    """The words in a text that has several of them, though the segmenter may take them for one.

    A number and what it counts; two words of two characters; a verb and what negates it or says that it is done.
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
    """What gives the pinyin of a word, a syllable a character: pypinyin, with neutral tones where people say them."""
    import pypinyin  # its tables take a moment: only where there is Chinese

    lines = NEUTRAL_TONES.read_text(encoding="utf-8").splitlines()
    own = dict(line.split("\t") for line in lines if not line.startswith("#"))
    pypinyin.load_phrases_dict({word: [[one] for one in said.split()] for word, said in own.items() if len(word) > 1})

    def read(word: str) -> list[str]:
        alone = own.get(word) if len(word) == 1 else None  # 教 is jiāo, but jiào in 教室
        return [alone] if alone else pypinyin.lazy_pinyin(word, style=pypinyin.Style.TONE)

    return read


def _syllables(text: str) -> list[str]:
    """The pinyin of each character, as its word is read, a blank before each word; empty for what is not Chinese."""
    syllables: list[str] = []
    for word in segment(text):
        if HAN.fullmatch(word):
            first, *rest = _reader()(word)
            syllables += [f" {first}", *rest]
        else:
            syllables += [""] * len(word)
    return syllables
