"""The subword vocabulary: text <-> pieces <-> ids, by a sentencepiece model that both languages of a pair share."""

from __future__ import annotations

import contextlib
import io
import random
import re
import string
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import sentencepiece

from nmtcore.errors import CheckpointError, DataError
from nmtcore.files import refuse_special
from nmtcore.text.normalization import SPACE, normalize
from nmtcore.text.subword_regularisation import SegmentationSampler

PAD, UNK, SOS, EOS = 0, 1, 2, 3
SPECIAL = ("<pad>", "<unk>", "<sos>", "<eos>")
UNKNOWN_TEXT = "\u2047"  # a generated <unk> in text

# Characters that people type even if training sentences rarely have them: numbers and names must not break.
EVERYDAY = string.digits + string.ascii_letters + "àâäæçèéêëîïôöùûüœÀÂÇÈÉÊËÎÏÔÛŒ.,;:!?'\"-()%€$"

BYTE_FALLBACK = 1000  # smallest vocabulary, in pieces, with room for EVERYDAY and for bytes
SAMPLING_ALPHA = 0.3  # `sample_all` draws a segmentation with its probability to this power
UNKNOWN_PENALTY = 10  # sentencepiece scores a character without a piece this far below its least likely piece
CONTINUED = "\u22ef"  # shown in place of a character's bytes after the first
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
# A second model, for the target side, follows the first one in its file, as an extension field of the protocol buffer,
# which sentencepiece skips. The field ends with its length and this mark, and so is found from the end of the file.
_FIELD, _MARK = 1000, b"target side"


def is_byte(piece: str) -> bool:
    """Whether a piece is a single byte, such as <0xC3>, of a character without a piece of its own."""
    return _BYTE.fullmatch(piece) is not None


def readable_bytes(pieces: Sequence[str]) -> list[str]:
    """Decode byte pieces such as <0xC3><0xA9> to their character, followed by CONTINUED for each further byte.

    Bytes that form no character, as a model may write them, are left as they are.
    """
    shown = list(pieces)
    start = 0
    while start < len(shown):
        end = start
        while end < len(pieces) and _BYTE.fullmatch(pieces[end]) and end - start < 4:
            end += 1
            raw = bytes(int(piece[3:5], 16) for piece in pieces[start:end])
            with contextlib.suppress(UnicodeDecodeError):
                shown[start:end] = [raw.decode(), *[CONTINUED] * (end - start - 1)]
                break
        else:
            end = start + 1
        start = end
    return shown


class Subwords(NamedTuple):
    """A tokenised text: the id of each piece, and the piece as people see it."""

    ids: tuple[int, ...]
    pieces: tuple[str, ...]


def join_sides(source: bytes, target: bytes) -> bytes:
    """Join two sentencepiece models, which have the same pieces and ids, into one vocabulary file.

    Their scores differ, so each splits a text in its own way: Marian models have one for each language.
    """
    if source == target:
        return source
    field = target + len(target).to_bytes(8, "little") + _MARK
    return source + _varint(_FIELD << 3 | 2) + _varint(len(field)) + field


def _target_side(model: bytes) -> bytes:
    """The second model in a vocabulary file; empty if there is only one."""
    if not model.endswith(_MARK):
        return b""
    end = len(model) - len(_MARK) - 8
    length = int.from_bytes(model[end : end + 8], "little")
    return model[end - length : end] if 0 < length <= end else b""


def _varint(number: int) -> bytes:
    """Encode a number as a protocol buffer varint: seven bits per byte, lowest first."""
    digits = [number >> shift & 127 for shift in range(0, max(number.bit_length(), 1), 7)]
    return bytes([*(digit | 128 for digit in digits[:-1]), digits[-1]])


class Vocab:
    """The subword vocabulary of a language pair; ids 0 to 3 are `<pad>`, `<unk>`, `<sos>` and `<eos>`.

    Typed text never becomes one of these special pieces, except `<unk>`: a typed `<s>` is ordinary text.
    target: splits texts of the target language, with the same ids. It is the vocabulary itself, except in imported
    models, which may have a separate sentencepiece model for each language.
    """

    def __init__(self, model: bytes) -> None:
        """Raise CheckpointError if the bytes are not a vocabulary made by `train`."""
        try:
            if not model:
                raise RuntimeError
            processor = sentencepiece.SentencePieceProcessor(model_proto=model)
            self._pieces: tuple[str, ...] = tuple(processor.id_to_piece(i) for i in range(len(processor)))
        except (RuntimeError, UnicodeDecodeError) as error:
            raise CheckpointError("The vocabulary is damaged: it is not a sentencepiece model.") from error
        if self._pieces[:4] != SPECIAL:
            raise CheckpointError(
                f"The vocabulary was not made by this program: its first pieces must be {' '.join(SPECIAL)}."
            )
        self._processor = processor
        self._model = model
        target = _target_side(model)
        if _target_side(target):  # vocabularies one in the other would each be kept, gigabytes in all
            raise CheckpointError("The vocabulary is damaged: it has more than two sides.")
        self.target: Vocab = Vocab(target) if target else self
        if self.target._pieces != self._pieces:
            raise CheckpointError("The vocabulary is damaged: its two sides have different pieces.")

    @classmethod
    def train(
        cls,
        sentences: Iterable[str],
        size: int,
        coverage: float = 0.9999,
        split_digits: bool = True,
        whole: Iterable[str] = (),
    ) -> Vocab:
        """Learn at most about `size` pieces (unigram, Kudo 2018) from sentences of both languages.

        `coverage` is the share of all characters that get a piece of their own; the rest are `<unk>`.
        Without `split_digits`, for exercises, a single digit is one piece with the space before it.
        whole: words that must each be one piece; from 20 words alone, unigram would keep little more than letters.
        A vocabulary of at least BYTE_FALLBACK pieces has one for every character of EVERYDAY, and byte fallback: a
        character without a piece is split into its UTF-8 bytes, so nothing is unknown.
        The same sentences give the same vocabulary. Raises DataError if the sentences have too few
        or too many different characters for `size`.
        """
        model = io.BytesIO()
        try:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=(normalize(s) for s in sentences),
                model_writer=model,
                vocab_size=size,
                hard_vocab_limit=False,  # allow fewer pieces if a small corpus does not have enough
                model_type="unigram",
                character_coverage=coverage,
                required_chars=EVERYDAY if size >= BYTE_FALLBACK else "",
                byte_fallback=size >= BYTE_FALLBACK,
                normalization_rule_name="identity",
                add_dummy_prefix=True,
                split_digits=split_digits,
                user_defined_symbols=[f"{SPACE}{word}" for word in whole],
                max_sentence_length=65536,
                pad_id=PAD,
                unk_id=UNK,
                bos_id=SOS,
                eos_id=EOS,
                pad_piece=SPECIAL[PAD],
                unk_piece=SPECIAL[UNK],
                bos_piece=SPECIAL[SOS],
                eos_piece=SPECIAL[EOS],
                unk_surface=UNKNOWN_TEXT,
                num_threads=1,  # sums in a fixed order, for the same result on every machine
                minloglevel=2,
            )
        except RuntimeError as error:
            raise DataError(
                f"No vocabulary of {size} pieces can be made from these sentences: choose another size, or give "
                f"more sentences ({str(error).splitlines()[0]})."
            ) from error
        return cls(model.getvalue())

    @classmethod
    def load(cls, path: Path | str) -> Vocab:
        """Read a vocabulary that `save` wrote. Raises CheckpointError for a missing or damaged file."""
        try:
            refuse_special(Path(path))
            model = Path(path).read_bytes()
        except OSError as error:
            raise CheckpointError(f"The vocabulary {path} cannot be read: {error.strerror}.") from error
        try:
            return cls(model)
        except CheckpointError as error:
            raise CheckpointError(f"{path}: {error}") from error

    def save(self, path: Path | str) -> None:
        """Write the sentencepiece model to a file."""
        Path(path).write_bytes(self._model)

    def __len__(self) -> int:
        return len(self._pieces)

    def __eq__(self, other: object) -> bool:
        return self._model == other._model if isinstance(other, Vocab) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._model)

    def encode(self, text: str) -> list[int]:
        """Tokenise: the ids of `text`, without `<sos>` and `<eos>`; empty for text without a visible character."""
        ids: list[int] = self._processor.encode(normalize(text))
        return ids

    def encode_all(self, texts: Sequence[str]) -> list[list[int]]:
        """`encode` for many texts at once."""
        ids: list[list[int]] = self._processor.encode([normalize(text) for text in texts])
        return ids

    def sample_all(self, texts: Sequence[str], seed: int) -> list[list[int]]:
        """Subword regularisation: a random segmentation of each text, likelier ones more often (Kudo 2018).

        The same seed gives the same pieces, in every process.
        """
        generator = random.Random(seed)
        return [self._sample(" ".join(normalize(text).split()), generator) for text in texts]

    def _sample(self, text: str, generator: random.Random) -> list[int]:
        if not text:
            return []
        id_of = self._processor.piece_to_id
        ids: list[int] = []
        for piece in self._sampler.draw(SPACE + text.replace(" ", SPACE), generator):
            if piece in self._sampler.log_weights:
                ids.append(id_of(piece))
            elif id_of("<0x00>") != UNK:  # byte fallback
                ids += [id_of(f"<0x{byte:02X}>") for byte in piece.encode()]
            elif not ids or ids[-1] != UNK:  # unknown characters in a row are one piece
                ids.append(UNK)
        return ids

    @cached_property
    def _sampler(self) -> SegmentationSampler:
        """Weighs each piece that is text by its probability to the power of SAMPLING_ALPHA."""
        texts = [i for i, piece in enumerate(self._pieces) if i >= len(SPECIAL) and not is_byte(piece)]
        scores = {self._pieces[i]: self._processor.get_score(i) for i in texts}
        weights = {piece: SAMPLING_ALPHA * score for piece, score in scores.items()}
        return SegmentationSampler(weights, SAMPLING_ALPHA * (min(scores.values()) - UNKNOWN_PENALTY))

    def cut(self, text: str) -> Subwords:
        """Tokenise a text into subwords: the ids that `encode` returns, and the pieces as people see them.

        An unknown piece is shown as it was typed. Of a character's bytes, the first is shown as the character and the
        others as CONTINUED.
        """
        text = normalize(text)
        cut = self._processor.encode(text, return_type="offset_mapping")
        places = zip(cut["ids"], cut["pieces"], cut["offsets"], strict=True)
        names = [(text[start:end].strip() or piece) if i == UNK else piece for i, piece, (start, end) in places]
        return Subwords(tuple(cut["ids"]), tuple(readable_bytes(names)))

    def pieces(self, text: str) -> list[str]:
        """The pieces of `text`, one per id of `encode`, as `cut` shows them."""
        return [*self.cut(text).pieces]

    def tokens(self, ids: Iterable[int]) -> list[str]:
        """The pieces with these ids, one per id, as people see them: bytes as in `pieces`."""
        return readable_bytes([self.token(i) for i in ids])

    def token(self, index: int) -> str:
        """The piece with this id. Raises IndexError for an id outside the vocabulary."""
        if index < 0:
            raise IndexError(f"There is no piece {index}.")
        return self._pieces[index]

    def decode(self, ids: Iterable[int]) -> str:
        """Detokenise: the text of generated ids, without special ids; `<unk>` is shown as \u2047."""
        kept = [i for i in ids if i not in (PAD, SOS, EOS)]
        if any(not 0 <= i < len(self) for i in kept):
            raise IndexError(f"Ids must be between 0 and {len(self) - 1}.")
        text: str = self.target._processor.decode(kept)
        return text.strip()
