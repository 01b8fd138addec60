"""Gold alignments: sentence pairs with word links, by hand or exact, that attention is compared with.

A file of alignments is TSV in UTF-8, one line a sentence pair, of which the last column may be left out:

    source words <tab> target words <tab> sure links <tab> possible links

Words are separated by spaces, and so are links; punctuation at either end of a word is a word of its own.
A link i-j joins source word i and target word j, both counted from zero. Sure links are possible too
without being written twice. In a script without spaces the words are separated all the same; a model reads
them joined. Lines that begin with `#` are comments; `# languages: en-fr` names the languages, and `# links: exact` says
that the links were made together with the sentences.

A file that ends in .jsonl has an object a line: `source` and `target`, lists of words, and `sure`, links [i, j]. Its
links are of content words in news (Nikolaev et al. 2020, on the Parallel Universal Dependencies treebanks), and rows of
more than LONGEST source words are passed over. A treebank's words are not always a text's: French ones are contracted
again (de le, du).

Target words without a link are not counted where links are exact or of content words alone. A target word that stands
for several source words may be linked to any of them there, for attention names one.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from nmtcore.errors import DataError
from nmtcore.text.normalization import normalize
from nmtcore.text.words import join_texts, split_words
from nmtcore.training.corpus import read_text

Link = tuple[int, int]  # source word, target word, counted from zero
Kind = Literal["hand", "exact", "news"]  # how the links were made, and of which words

LONGEST = 15  # source words of a row of news: longer ones are far from what the models learn from


@dataclass(frozen=True)
class Aligned:
    """A gold alignment: a sentence pair with its links; the sure ones are among the possible ones."""

    source: str
    target: str
    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    sure: frozenset[Link]
    possible: frozenset[Link]


@dataclass(frozen=True)
class GoldAlignments:
    """The pairs of a file. languages: such as "en-fr", "" where the file does not say."""

    languages: str
    kind: Kind
    pairs: tuple[Aligned, ...]

    @property
    def linked_only(self) -> bool:
        """Whether target words without a link are left out."""
        return self.kind != "hand"


def read_alignments(path: Path | str, swap: bool = False) -> GoldAlignments:
    """The gold alignments of a file. Raises DataError. swap: whether a .jsonl file is read from target to source."""
    if Path(path).suffix == ".jsonl":
        lines = read_lines(path)[1]
        pairs = [pair for number, line in lines if (pair := _checked(path, number, line, lambda x: _news(x, swap)))]
        languages, kind = "", "news"
    else:
        languages, lines = read_lines(path)
        exact = re.search(r"^#\s*links:\s*exact\s*$", read_text(path), re.MULTILINE)
        pairs = [pair for number, line in lines if (pair := _checked(path, number, line, _parse))]
        kind = "exact" if exact else "hand"
    if not pairs:
        raise DataError(f"{path} has no line with source words, target words and links, separated by tabs.")
    if kind != "hand":
        pairs = [with_one_of_several(pair) for pair in pairs]
    return GoldAlignments(languages, kind, tuple(pairs))  # type: ignore[arg-type]


def with_one_of_several(pair: Aligned) -> Aligned:
    """Sure are the links of target words that have one; the others are possible, for attention names one word."""
    times = Counter(j for _, j in pair.possible)
    return replace(pair, sure=frozenset((i, j) for i, j in pair.possible if times[j] == 1))


def from_links(source: str, target: str, links: Sequence[Collection[int]]) -> Aligned:
    """A gold alignment of texts whose words are separated by spaces; links: for each target word its source words."""
    possible = frozenset((i, j) for j, words in enumerate(links) for i in words)
    sides = tuple(source.split()), tuple(target.split())
    return with_one_of_several(Aligned(source, target, *sides, frozenset(), possible))


def read_lines(path: Path | str) -> tuple[str, list[tuple[int, str]]]:
    """The languages that a comment names, or "", and the other lines with their numbers from 1. Raises DataError."""
    text = read_text(path)
    named = re.search(r"^#\s*languages:\s*([a-z]{2,3}-[a-z]{2,3})\s*$", text, re.MULTILINE)
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip() and not line.startswith("#")]
    return named[1] if named else "", lines


def _checked(path: Path | str, number: int, line: str, parse: Callable[[str], Aligned | None]) -> Aligned | None:
    try:
        return parse(line)
    except ValueError as error:
        raise DataError(f"{path}, line {number}: {error}") from error


def _parse(line: str) -> Aligned:
    """Parse a line. Raises ValueError with a sentence about the mistake."""
    columns = line.rstrip("\r\n").split("\t")
    if len(columns) not in (3, 4):
        raise ValueError(f"there must be three or four columns, separated by tabs; there are {len(columns)}.")
    source_words, target_words = (tuple(split_words(normalize(column))) for column in columns[:2])
    if not source_words or not target_words:
        raise ValueError("a side has no words.")
    sure, possible = (frozenset(map(_link, column.split())) for column in (*columns, "")[2:4])
    source, target = (join_texts(normalize(column).split()) for column in columns[:2])
    return _aligned(source, target, source_words, target_words, sure, sure | possible)


def _aligned(
    source: str,
    target: str,
    source_words: tuple[str, ...],
    target_words: tuple[str, ...],
    sure: frozenset[Link],
    possible: frozenset[Link],
) -> Aligned:
    """Raises ValueError for links that cannot be."""
    for i, j in possible:
        if not (0 <= i < len(source_words) and 0 <= j < len(target_words)):
            raise ValueError(
                f"the link {i}-{j} is outside the sentence: words count from zero, and there are "
                f"{len(source_words)} and {len(target_words)}."
            )
    if not sure:
        raise ValueError("there is no sure link.")
    return Aligned(source, target, source_words, target_words, sure, possible)


def _link(text: str) -> Link:
    match = re.fullmatch(r"(\d{1,4})-(\d{1,4})", text)
    if not match:
        raise ValueError(f"a link is two numbers such as 3-4; this is {text!r}.")
    return int(match[1]), int(match[2])


def _news(line: str, swap: bool) -> Aligned | None:
    """A pair with links of content words; None for a longer one. Raises ValueError, of which JSON's errors are one."""
    row = json.loads(line)
    try:
        sides = [[normalize(str(word)) for word in row[side]] for side in ("source", "target")]
        links = [(int(i), int(j)) for i, j in row["sure"]]
    except (KeyError, TypeError) as error:
        raise ValueError("an object has lists of words, source and target, and of links [i, j], sure.") from error
    if swap:
        sides, links = sides[::-1], [(j, i) for i, j in links]
    if len(sides[0]) > LONGEST:
        return None
    if not all(sides):
        raise ValueError("a side has no words.")
    (source_words, source_at), (target_words, target_at) = map(_contracted, sides)
    outside = [(i, j) for i, j in links if not (0 <= i < len(source_at) and 0 <= j < len(target_at))]
    if outside:
        raise ValueError(f"the link {outside[0][0]}-{outside[0][1]} is outside the sentence.")
    joined = frozenset((source_at[i], target_at[j]) for i, j in links)
    texts = _detokenized(source_words), _detokenized(target_words)
    return _aligned(*texts, tuple(source_words), tuple(target_words), joined, joined)


CONTRACTIONS = {("de", "le"): "du", ("de", "les"): "des", ("à", "le"): "au", ("à", "les"): "aux"}
INFINITIVE = re.compile(r"\w+(?:er|ir|re)$")  # before which le and les are pronouns, and stand apart


def _contracted(words: Sequence[str]) -> tuple[list[str], list[int]]:
    """The words as a French text writes them, and where each of the treebank's stands among them."""
    result: list[str] = []
    places: list[int] = []
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        one = CONTRACTIONS.get((before.lower(), word))
        following = words[at + 1] if at + 1 < len(words) else ""
        if one and not INFINITIVE.fullmatch(following):
            result[-1] = one if before.islower() else one.capitalize()
        else:
            result.append(word)
        places.append(len(result) - 1)
    return result, places


def _detokenized(words: Sequence[str]) -> str:
    """The text of a treebank's words: without spaces where marks and parts of words stand close."""
    text = join_texts(words)
    text = re.sub(r" (?=[,.%)\]”…]|n't\b|'(?:s|ll|re|ve|d|m)\b)", "", text)
    text = re.sub(r"(?<=[(\[“$£€]) ", "", text)
    return re.sub(r"(?<=\w') (?=\w)", "", text)
