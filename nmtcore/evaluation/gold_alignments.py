"""Gold alignments: sentence pairs with word links, made by hand or exact, for evaluating attention.

A file of alignments is TSV in UTF-8, one line per sentence pair; the last column is optional:

    source words <tab> target words <tab> sure links <tab> possible links

Spaces separate words, and links too; the punctuation at either end of a word is a word of its own. A link i-j joins
source word i and target word j, both counted from zero. Sure links are also possible links, without being repeated.
Words of a script without spaces are separated as well; a model reads them joined. Lines that begin with `#` are
comments; `# languages: en-fr` names the languages, and `# links: exact` says that the links were generated together
with the sentences.

A file that ends in .jsonl has one object per line: `source` and `target`, lists of words, and `sure`, links [i, j]. It
links the content words of news (Nikolaev et al. 2020, on the Parallel Universal Dependencies treebanks); rows of more
than LONGEST source words are skipped. Treebanks split contractions, so the French ones (de le, du) are joined again.

Target words without a link do not count if the links are exact or only join content words. A target word that
translates several source words may then be linked to any of them, since attention names only one.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from nmtcore.text.normalization import normalize
from nmtcore.text.words import join_texts, split_words
from nmtcore.training.corpus import read_rows, read_text

Link = tuple[int, int]  # source word, target word, counted from zero
Kind = Literal["hand", "exact", "news"]  # how the links were made, and for which words

WHAT = "source words, target words and links, separated by tabs"
LONGEST = 15  # source words in a row of news; longer ones are too unlike the training sentences


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
    """The pairs of a file. languages: such as "en-fr", or "" if the file names none."""

    languages: str
    kind: Kind
    pairs: tuple[Aligned, ...]

    @property
    def linked_only(self) -> bool:
        """Whether target words without a link are left out."""
        return self.kind != "hand"


def read_alignments(path: Path | str, swap: bool = False) -> GoldAlignments:
    """Read the gold alignments of a file. Raises DataError. swap: read a .jsonl file from target to source."""
    if Path(path).suffix == ".jsonl":
        languages, pairs = read_rows(path, lambda line: _news(line, swap), WHAT)
        kind = "news"
    else:
        languages, pairs = read_rows(path, _parse, WHAT)
        kind = "exact" if re.search(r"^#\s*links:\s*exact\s*$", read_text(path), re.MULTILINE) else "hand"
    if kind != "hand":
        pairs = [with_one_of_several(pair) for pair in pairs]
    return GoldAlignments(languages, kind, tuple(pairs))  # type: ignore[arg-type]


def with_one_of_several(pair: Aligned) -> Aligned:
    """Keep a target word's link sure if it is the only one; others are possible, since attention names only one."""
    times = Counter(j for _, j in pair.possible)
    return replace(pair, sure=frozenset((i, j) for i, j in pair.possible if times[j] == 1))


def from_links(source: str, target: str, links: Sequence[Collection[int]]) -> Aligned:
    """A gold alignment of texts with spaces between words; links: the source words of each target word."""
    possible = frozenset((i, j) for j, words in enumerate(links) for i in words)
    sides = tuple(source.split()), tuple(target.split())
    return with_one_of_several(Aligned(source, target, *sides, frozenset(), possible))


def _parse(line: str) -> Aligned:
    """Parse a line. Raises ValueError with a sentence that explains the mistake."""
    columns = line.split("\t")
    if len(columns) not in (3, 4):
        raise ValueError(f"there must be three or four columns, separated by tabs; there are {len(columns)}.")
    source_words, target_words = (tuple(split_words(normalize(column))) for column in columns[:2])
    if not source_words or not target_words:
        raise ValueError("a side has no words.")
    sure, possible = (frozenset(map(_link, column.split())) for column in (*columns, "")[2:4])
    source, target = (join_texts(normalize(column).split()) for column in columns[:2])
    return _checked(Aligned(source, target, source_words, target_words, sure, sure | possible))


def _checked(pair: Aligned) -> Aligned:
    """The pair. Raises ValueError for impossible links."""
    for i, j in pair.possible:
        if not (0 <= i < len(pair.source_words) and 0 <= j < len(pair.target_words)):
            raise ValueError(
                f"the link {i}-{j} is outside the sentence: words count from zero, and there are "
                f"{len(pair.source_words)} and {len(pair.target_words)}."
            )
    if not pair.sure:
        raise ValueError("there is no sure link.")
    return pair


def _link(text: str) -> Link:
    match = re.fullmatch(r"(\d{1,4})-(\d{1,4})", text)
    if not match:
        raise ValueError(f"a link is two numbers such as 3-4; this is {text!r}.")
    return int(match[1]), int(match[2])


def _news(line: str, swap: bool) -> Aligned | None:
    """A pair with links of content words; None if it is too long. Raises ValueError, which includes JSON errors."""
    row = json.loads(line)
    try:
        sides = [[normalize(str(word)) for word in row[side]] for side in ("source", "target")]
        links = [(int(i), int(j)) for i, j in row["sure"]]
    except (KeyError, TypeError) as error:
        raise ValueError("an object must have lists: words of source and target, and links [i, j], sure.") from error
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
    return _checked(Aligned(*texts, tuple(source_words), tuple(target_words), joined, joined))


CONTRACTIONS = {("de", "le"): "du", ("de", "les"): "des", ("à", "le"): "au", ("à", "les"): "aux"}
INFINITIVE = re.compile(r"\w+(?:er|ir|re)$")  # le and les before an infinitive are pronouns, and not contracted


def _contracted(words: Sequence[str]) -> tuple[list[str], list[int]]:
    """The words with French contractions, and the position of each treebank word among them."""
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
    """Detokenise a treebank's words: no spaces around punctuation and clitics that are written closed up."""
    text = join_texts(words)
    text = re.sub(r" (?=[,.%)\]”…]|n't\b|'(?:s|ll|re|ve|d|m)\b)", "", text)
    text = re.sub(r"(?<=[(\[“$£€]) ", "", text)
    return re.sub(r"(?<=\w') (?=\w)", "", text)
