"""Words: group pieces (subwords) into words, as people read them.

Spaces separate words, and the punctuation at either end of a word is a word of its own. In a script without spaces,
such as Chinese, a segmenter finds the ends of words; a piece that contains several words stays whole.
"""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from nmtcore.text.normalization import SPACE
from nmtcore.text.segmentation import word_ends
from nmtcore.text.vocabulary import CONTINUED, SPECIAL, Vocab

BLANK = "␣"  # shown for a space that stands alone


def group_pieces(pieces: Sequence[str]) -> list[list[int]]:
    """The positions of each word's pieces, in order; every piece is in one word. `<eos>` is a word."""
    return [list(word) for word in _grouped(tuple(pieces))]


@lru_cache(maxsize=1000)
def _grouped(pieces: tuple[str, ...]) -> list[list[int]]:
    """`group_pieces`, memoized, since a page groups the pieces of a sentence for a dozen pictures."""
    words: list[list[int]] = []
    characters = _whole_characters(pieces)
    for chunk in _chunks(pieces, characters):
        start, end = _core([bare(characters[i]) for i in chunk])
        words += [part for part in (chunk[:start], chunk[start:end], chunk[end:]) if part]
    return words


def word_of(pieces: Sequence[str]) -> list[int]:
    """For each piece, the number of its word, counted from zero."""
    return [number for number, group in enumerate(group_pieces(pieces)) for _ in group]


def split_words(text: str) -> list[str]:
    """Split a text into words by the same rule, except that a script without spaces is not segmented.

    So `"Don't go!"` has the words `"`, `Don't`, `go` and `!"`.
    """
    words: list[str] = []
    for chunk in text.split():
        start, end = _core(chunk)
        words += [part for part in (chunk[:start], chunk[start:end], chunk[end:]) if part]
    return words


def text_length(text: str, vocab: Vocab) -> int:
    """The length of a text: its words, or its pieces if the script has no spaces."""
    return len(vocab.encode(text)) if is_wide(text) else len(text.split())


def is_wide(text: str) -> bool:
    """Whether `text` has a character or punctuation mark of a script without spaces."""
    return not text.isascii() and any(unicodedata.east_asian_width(c) in "WF" for c in text)


@lru_cache(maxsize=5000)
def is_punctuation(text: str) -> bool:
    """Whether a text consists of punctuation."""
    return bool(text) and not text.isalnum() and all(unicodedata.category(c).startswith("P") for c in text)


def bare(piece: str) -> str:
    """A piece without sentencepiece's mark for the space before it."""
    return piece.removeprefix(SPACE)


def token_name(piece: str) -> str:
    """A piece as people read it: without sentencepiece's mark, or a visible space if there is nothing else."""
    return bare(piece) or BLANK


def piece_name(piece: str) -> str:
    """A piece outside its sentence: a dot says that it continues a word, since "·s" and "s" are two pieces.

    In a script without spaces, a piece with a space before it is the exception: "␣我", next to "我".
    """
    if _has_spaces(piece):
        return f"·{piece}"
    return f"{BLANK}{bare(piece)}" if piece.startswith(SPACE) and _is_chinese(piece) else token_name(piece)


def sentence_names(pieces: Sequence[str]) -> list[str]:
    """The pieces of a sentence: a dot says that one continues the word of the piece before it, "Nou", "·s".

    In a script without spaces, only the segmenter's words tell which piece continues one. The pictures follow the
    same rule (`goesOnAt` in views/kit/piece.js).
    """
    return list(_sentence_names(tuple(pieces)))


@lru_cache(maxsize=1000)
def _sentence_names(pieces: tuple[str, ...]) -> tuple[str, ...]:
    within = _inside_words(pieces)

    def goes_on(i: int) -> bool:
        before, piece = pieces[i - 1] if i else "", pieces[i]
        if before[-1:].isalnum() and _has_spaces(piece):
            return True
        return i in within and _is_chinese(piece) and (before == CONTINUED or _is_chinese(before))

    return tuple(f"·{piece}" if goes_on(i) else token_name(piece) for i, piece in enumerate(pieces))


def name_at(pieces: Sequence[str], index: int) -> str:
    """One piece of a sentence, named as by `sentence_names`."""
    return sentence_names(pieces)[index]


def _has_spaces(piece: str) -> bool:
    """Whether a piece begins with a digit or in a script with spaces between words, such as Latin."""
    first = piece[:1] or " "
    return unicodedata.category(first).startswith("N") or unicodedata.name(first, "").startswith("LATIN")


def _is_chinese(piece: str) -> bool:
    return any(unicodedata.name(character, "").startswith("CJK UNIFIED") for character in piece)


def join_pieces(pieces: Sequence[str]) -> str:
    """Join displayed pieces into a text, with spaces for sentencepiece's marks."""
    return "".join(piece for piece in pieces if piece != CONTINUED).replace(SPACE, " ").strip()


def _whole_characters(pieces: Sequence[str]) -> list[str]:
    """The pieces, with each CONTINUED byte replaced by its character, so that they are grouped together."""
    whole: list[str] = []
    for piece in pieces:
        whole.append(bare(whole[-1]) if piece == CONTINUED and whole else piece)
    return whole


def _chunks(pieces: Sequence[str], characters: Sequence[str]) -> list[list[int]]:
    """Group pieces by spaces, or by the segmenter in a script without spaces; special pieces are groups of one."""
    chunks: list[list[int]] = []
    within = _inside_words(pieces)
    apart = [piece in SPECIAL or is_wide(piece) for piece in characters]
    for i, piece in enumerate(characters):
        before = characters[i - 1] if i else SPACE
        alone = pieces[i] != CONTINUED and (apart[i] or (i > 0 and apart[i - 1])) and i not in within
        if i == 0 or piece.startswith(SPACE) or (alone and before != SPACE):
            chunks.append([])
        chunks[-1].append(i)
    return chunks


def _inside_words(pieces: Sequence[str]) -> set[int]:
    """The pieces that continue a word which an earlier piece began, in a script without spaces."""
    within: set[int] = set()
    run: list[int] = []
    for i, piece in enumerate([*pieces, SPACE]):
        if piece == CONTINUED:
            continue
        if run and (piece.startswith(SPACE) or piece in SPECIAL or not is_wide(piece)):
            within.update(_continuing([bare(pieces[k]) for k in run], run))
            run = []
        if is_wide(piece):
            run.append(i)
    return within


def _continuing(texts: Sequence[str], places: Sequence[int]) -> list[int]:
    """Of consecutive pieces, the positions of those that do not begin a word."""
    if len(texts) < 2:
        return []
    ends = word_ends("".join(texts))
    starts = [sum(map(len, texts[:k])) for k in range(len(texts))]
    return [place for place, start in zip(places, starts, strict=True) if start and start not in ends]


def _core(parts: Sequence[str]) -> tuple[int, int]:
    """The end of the punctuation at the start of a chunk, and the start of the punctuation at its end.

    A space mark that is a piece of its own belongs to what follows it.
    """
    inner = (i for i, part in enumerate(parts) if part and not is_punctuation(part))
    first = next(inner, None)
    if first is None:
        return 0, len(parts)
    last = next(i for i in range(len(parts) - 1, -1, -1) if parts[i] and not is_punctuation(parts[i]))
    return (first if any(parts[:first]) else 0), last + 1


def word_label(pieces: Sequence[str], group: Sequence[int]) -> str:
    """A word as people read it; a space mark on its own becomes a visible space."""
    return "".join(bare(pieces[i]) for i in group if pieces[i] != CONTINUED) or BLANK


def join_texts(texts: Sequence[str]) -> str:
    """Join words or sentences, with spaces between them if their script has spaces."""
    text = texts[0]
    for following in texts[1:]:
        wide = unicodedata.east_asian_width(text[-1]) in "WF" or unicodedata.east_asian_width(following[0]) in "WF"
        text += following if wide else f" {following}"
    return text
