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
    glosses = _read(OWN)
    for word, text in from_list(options.words):
        glosses.setdefault(word, text)
    rows = "".join(f"{word}\t{text}\n" for word, text in sorted(glosses.items()))
    atomic_write(options.out, (HEADER + rows).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
