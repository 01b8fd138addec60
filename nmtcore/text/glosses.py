"""Short English glosses of Mandarin words: python -m nmtcore.text.glosses --words FILE

Rewrites glosses.zh-en.tsv from our own glosses and from the word list hsk.cmn-eng.tsv.gz: complete-hsk-vocabulary
(MIT) with the meanings of CC-CEDICT (CC BY-SA 4.0, which therefore also applies to the result).
"""

import argparse
import gzip
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from nmtcore.files import atomic_write

FILE = Path(__file__).with_name("glosses.zh-en.tsv")
OWN = FILE.with_name("own_glosses.zh-en.tsv")
HEADER = (
    "# Glosses of Mandarin words, made by: python -m nmtcore.text.glosses. Sources: complete-hsk-vocabulary (Yanis\n"
    "# Zafirópulos, MIT), whose meanings are of CC-CEDICT (https://cc-cedict.org, CC BY-SA 4.0); our own glosses.\n"
    "# This file: CC BY-SA 4.0, https://creativecommons.org/licenses/by-sa/4.0/\n"
)
LONGEST = 22  # letters in a gloss

# Function words, for which a dictionary has long entries.
FUNCTION_WORDS = {
    "的": "’s, that", "了": "(done)", "着": "(going on)", "过": "(ever)", "吗": "(question?)", "呢": "(and …?)",
    "吧": "(suggestion)", "啊": "(oh)", "们": "(plural)", "地": "-ly", "得": "(so that)", "把": "(object:)",
    "被": "by", "个": "(measure)", "只": "only", "本": "(measure)", "张": "(measure)", "条": "(measure)",
    "位": "(measure)", "辆": "(measure)", "件": "(measure)", "是": "be", "不": "not", "没": "not", "没有": "not have",
    "有": "have, there is", "在": "at, be at", "我": "I, me", "你": "you", "您": "you", "他": "he, him",
    "她": "she, her", "它": "it", "我们": "we, us", "你们": "you (all)", "他们": "they, them", "她们": "they, them",
    "这": "this", "那": "that", "哪": "which", "谁": "who", "什么": "what", "哪里": "where", "哪儿": "where",
    "怎么": "how", "为什么": "why", "多少": "how many", "几": "how many", "上": "on, up", "下": "under, down",
    "里": "in", "和": "and", "跟": "with", "对": "to, right", "给": "give, to", "从": "from", "到": "to, arrive",
    "比": "than", "也": "also", "都": "all", "就": "then", "还": "still", "很": "very", "太": "too", "会": "can, will",
    "能": "can", "要": "want, will", "想": "want, think", "去": "go", "来": "come", "说": "say", "一": "one",
    "二": "two", "两": "two", "三": "three", "四": "four", "五": "five", "一个": "a, one", "一本": "one (measure)",
    "一张": "one (measure)", "一只": "one (measure)", "一杯": "a cup of", "但是": "but", "因为": "because",
    "所以": "so", "如果": "if", "可是": "but", "书": "book", "你好": "hello", "上有": "on … there is",
}  # fmt: skip

NO_MEANING = re.compile(
    r"^(?:abbr\.|variant|old variant|unofficial variant|used in|surname|see |also |erhua|Japanese variant|CL:)"
    r"|[\u3400-\u9fff]"
)


@cache
def load_glosses() -> dict[str, str]:
    """The glosses that ship with the program, by word."""
    return _read(FILE)


def _read(path: Path) -> dict[str, str]:
    """Read rows of a word and its gloss."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if line and not line.startswith("#"))


def short_meaning(meanings: str) -> str:
    """The first meaning in a dictionary entry that is short and defines the word; empty if there is none."""
    for meaning in meanings.split(" / "):
        if NO_MEANING.search(meaning):
            continue
        for part in re.sub(r"\([^)]*\)", " ", meaning).split(";"):
            text = re.sub(r"^(?:to be|to|a|an|the) ", "", " ".join(part.split())).strip(" ,.:?")
            if 0 < len(text) <= LONGEST:
                return text
    return ""


def from_list(path: Path) -> Iterator[tuple[str, str]]:
    """The words of the word list, each with its first short meaning."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            word, _parts, meanings = line.split("\t")[:3]
            if text := short_meaning(meanings):
                yield word, text


def main(arguments: Sequence[str] | None = None) -> int:
    """Rewrite glosses.zh-en.tsv; exit code 2 without the word list."""
    parser = argparse.ArgumentParser(prog="python -m nmtcore.text.glosses", description="Rewrite the glosses.")
    parser.add_argument("--words", type=Path, required=True, metavar="FILE", help="hsk.cmn-eng.tsv.gz")
    parser.add_argument("--out", type=Path, default=FILE, metavar="FILE")
    options = parser.parse_args(arguments)
    if not options.words.is_file():
        print(f"{parser.prog}: there is no file {options.words}.", file=sys.stderr)
        return 2
    glosses = dict(FUNCTION_WORDS)
    for word, text in (*_read(OWN).items(), *from_list(options.words)):
        glosses.setdefault(word, text)
    rows = "".join(f"{word}\t{text}\n" for word, text in sorted(glosses.items()))
    atomic_write(options.out, (HEADER + rows).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
