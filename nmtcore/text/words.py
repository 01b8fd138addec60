"""Words: pieces (subwords) grouped to words, as people read them.

A word is what spaces separate; the punctuation at either end of it is a word of its own. Where a script
has no spaces, as Chinese, a segmenter says where words end; a piece that has several words stays whole.
"""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from nmtcore.text.normalization import SPACE
from nmtcore.text.segmentation import word_ends
from nmtcore.text.vocabulary import CONTINUED, SPECIAL, Vocab

BLANK = "␣"  # shown for a space that stands alone


def group_pieces(pieces: Sequence[str]) -> list[list[int]]:
    """The positions of each word's pieces, in order, every piece in one word. `<eos>` is a word."""
    return [list(word) for word in _grouped(tuple(pieces))]


@lru_cache(maxsize=1000)
def _grouped(pieces: tuple[str, ...]) -> list[list[int]]:
    """`group_pieces`, memoized: a page groups the pieces of one sentence for each of its pictures, a dozen times."""
    words: list[list[int]] = []
    characters = _whole_characters(pieces)
    for chunk in _chunks(pieces, characters):
        start, end = _core([bare(characters[i]) for i in chunk])
        words += [part for part in (chunk[:start], chunk[start:end], chunk[end:]) if part]
    return words


def word_of(pieces: Sequence[str]) -> list[int]:
    """The number of the word, from zero, that each piece belongs to."""
    return [number for number, group in enumerate(group_pieces(pieces)) for _ in group]


def split_words(text: str) -> list[str]:
    """The words of a text by the same rule; in a script without spaces, what spaces separate all the same.

    So `"Don't go!"` has the words `"`, `Don't`, `go` and `!"`.
    """
    words: list[str] = []
    for chunk in text.split():
        start, end = _core(chunk)
        words += [part for part in (chunk[:start], chunk[start:end], chunk[end:]) if part]
    return words


def text_length(text: str, vocab: Vocab) -> int:
    """The length of a text: what spaces separate, or pieces where the script has no spaces."""
    return len(vocab.encode(text)) if is_wide(text) else len(text.split())


def is_wide(text: str) -> bool:
    """Whether `text` has a character of a script without spaces, or of its punctuation."""
    return not text.isascii() and any(unicodedata.east_asian_width(c) in "WF" for c in text)


@lru_cache(maxsize=5000)
def is_punctuation(text: str) -> bool:
    """Whether a text is punctuation alone."""
    return bool(text) and not text.isalnum() and all(unicodedata.category(c).startswith("P") for c in text)


def bare(piece: str) -> str:
    """A piece without the mark of the space before it."""
    return piece.removeprefix(SPACE)


def token_name(piece: str) -> str:
    """A piece as people read it: without sentencepiece's mark; a visible blank where that is all there is."""
    return bare(piece) or BLANK


def piece_name(piece: str) -> str:
    """A piece out of its sentence: with a dot where it goes on with a word, as "·s" and "s" are two pieces.

    In a script without spaces those with a space before them are the exception: "␣我", beside "我".
    """
    if _has_spaces(piece):
        return f"·{piece}"
    return f"{BLANK}{bare(piece)}" if piece.startswith(SPACE) and _is_chinese(piece) else token_name(piece)


def sentence_names(pieces: Sequence[str]) -> list[str]:
    """Pieces in their sentence: with a dot where one goes on with the word of the piece before it, "Nou", "·s".

    In a script without spaces only the segmenter's words say which piece goes on. The pictures have the same rule
    (`goesOnAt` in views/kit/piece.js).
    """
    return list(_sentence_names(tuple(pieces)))


@lru_cache(maxsize=1000)
def _sentence_names(pieces: tuple[str, ...]) -> tuple[str, ...]:
    within = _within_words(pieces)

    def goes_on(i: int) -> bool:
        before, piece = pieces[i - 1] if i else "", pieces[i]
        if before[-1:].isalnum() and _has_spaces(piece):
            return True
        return i in within and _is_chinese(piece) and (before == CONTINUED or _is_chinese(before))

    return tuple(f"·{piece}" if goes_on(i) else token_name(piece) for i, piece in enumerate(pieces))


def name_at(pieces: Sequence[str], index: int) -> str:
    """One piece in its sentence, as `sentence_names` has it."""
    return sentence_names(pieces)[index]


def _has_spaces(piece: str) -> bool:
    """Whether a piece begins in a script whose words have spaces between them: Latin, or a digit."""
    first = piece[:1] or " "
    return unicodedata.category(first).startswith("N") or unicodedata.name(first, "").startswith("LATIN")


def _is_chinese(piece: str) -> bool:
    return any(unicodedata.name(character, "").startswith("CJK UNIFIED") for character in piece)


def join_pieces(pieces: Sequence[str]) -> str:
    """Pieces, as they are shown, as a text: with spaces for sentencepiece's marks."""
    return "".join(piece for piece in pieces if piece != CONTINUED).replace(SPACE, " ").strip()


def _whole_characters(pieces: Sequence[str]) -> list[str]:
    """The pieces, those of a character's further bytes replaced by that character: where it goes, they go."""
    whole: list[str] = []
    for piece in pieces:
        whole.append(bare(whole[-1]) if piece == CONTINUED and whole else piece)
    return whole


def _chunks(pieces: Sequence[str], characters: Sequence[str]) -> list[list[int]]:
    """What spaces separate, or a segmenter in a script without spaces; a special piece stands alone."""
    chunks: list[list[int]] = []
    within = _within_words(pieces)
    apart = [piece in SPECIAL or is_wide(piece) for piece in characters]
    for i, piece in enumerate(characters):
        before = characters[i - 1] if i else SPACE
        alone = pieces[i] != CONTINUED and (apart[i] or (i > 0 and apart[i - 1])) and i not in within
        if i == 0 or piece.startswith(SPACE) or (alone and before != SPACE):
            chunks.append([])
        chunks[-1].append(i)
    return chunks


def _within_words(pieces: Sequence[str]) -> set[int]:
    """The pieces that go on with a word of a script without spaces that the piece before them began."""
    within: set[int] = set()
    run: list[int] = []
    for i, piece in enumerate([*pieces, SPACE]):
        if piece == CONTINUED:
            continue
        if run and (piece.startswith(SPACE) or piece in SPECIAL or not is_wide(piece)):
            within.update(_going_on([bare(pieces[k]) for k in run], run))
            run = []
        if is_wide(piece):
            run.append(i)
    return within


def _going_on(texts: Sequence[str], places: Sequence[int]) -> list[int]:
    """Of pieces in a row, the places of those at whose beginning no word begins."""
    if len(texts) < 2:
        return []
    ends = word_ends("".join(texts))
    starts = [sum(map(len, texts[:k])) for k in range(len(texts))]
    return [place for place, start in zip(places, starts, strict=True) if start and start not in ends]


def _core(parts: Sequence[str]) -> tuple[int, int]:
    """Where the punctuation at the beginning of a chunk ends, and where that at its end begins.

    A mark of a space that is a piece of its own belongs to what follows it.
    """
    inner = (i for i, part in enumerate(parts) if part and not is_punctuation(part))
    first = next(inner, None)
    if first is None:
        return 0, len(parts)
    last = next(i for i in range(len(parts) - 1, -1, -1) if parts[i] and not is_punctuation(parts[i]))
    return (first if any(parts[:first]) else 0), last + 1


def word_label(pieces: Sequence[str], group: Sequence[int]) -> str:
    """A word as it is shown; a mark of a space that stands alone is a visible blank."""
    return "".join(bare(pieces[i]) for i in group if pieces[i] != CONTINUED) or BLANK


def join_texts(texts: Sequence[str]) -> str:
    """Join words or sentences, with a space between two where their script has spaces."""
    text = texts[0]
    for following in texts[1:]:
        wide = unicodedata.east_asian_width(text[-1]) in "WF" or unicodedata.east_asian_width(following[0]) in "WF"
        text += following if wide else f" {following}"
    return text
