"""The vocabulary of a Marian model as one of ours: two sentencepiece models whose pieces have the ids of a list.

Marian counts pieces by a list beside its sentencepiece models, `</s>` first, and its decoder starts with a row for
padding, at the end. Ours are `<pad>`, `<unk>`, `<sos>`, `<eos>` and then all others, so rows of the model's tables move
with their pieces: its padding, which is first input and never a next token, is our `<sos>`. Where source and target
have different lists, ours has the pieces of both.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nmtcore.errors import CheckpointError
from nmtcore.text.normalization import SPACE
from nmtcore.text.vocabulary import EOS, PAD, SOS, SPECIAL, UNK, UNKNOWN_TEXT, Vocab, join_sides

END, UNKNOWN, PADDING = "</s>", "<unk>", "<pad>"  # how Marian writes them
LANGUAGE = re.compile(">>.+<<")  # a piece that says into which language to translate
NORMAL, UNKNOWN_TYPE, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)  # kinds of pieces in sentencepiece_model.proto
UNWRITABLE = re.compile("[\0\ud800-\udfff]")  # what no text in UTF-8 has, or ends one
SPARE = 128  # rows of a table, at most, that have no piece: some programs round its size up

Ids = Mapping[str, int]  # from pieces to rows of a table


@dataclass(frozen=True)
class Rows:
    """Where the rows of our tables come from: for each of our ids a row of theirs, or None for a row of zeros."""

    source: tuple[int | None, ...]
    target: tuple[int | None, ...]


def sentencepiece_ids(model: bytes, file: str) -> dict[str, int]:
    """The ids that a sentencepiece model itself gives its pieces. Raises CheckpointError."""
    return {piece.piece: index for index, piece in enumerate(_parsed(model, file).pieces)}


def marian_vocab(
    source: tuple[str, bytes], target: tuple[str, bytes], source_ids: Ids, target_ids: Ids, start: int | None
) -> tuple[Vocab, Rows]:
    """Make our vocabulary, and say where the rows of our tables come from. Raises CheckpointError.

    source, target: name and content of a sentencepiece model; start: the row of the decoder's first input, None for
    zeros.
    """
    pieces = [piece for piece in dict.fromkeys((*source_ids, *target_ids)) if piece not in (END, UNKNOWN, PADDING)]
    sides = []
    for file, content in (source, target):
        sides.append(_with_pieces(_parsed(content, file), pieces))
    special: dict[int, str] = {UNK: UNKNOWN, EOS: END}
    names = [special.get(index, "") for index in range(len(SPECIAL))] + pieces

    def rows(ids: Ids) -> tuple[int | None, ...]:
        return tuple(start if index == SOS else ids.get(name) for index, name in enumerate(names))

    return Vocab(join_sides(*sides)), Rows(rows(source_ids), rows(target_ids))


def check_ids(ids: Any, rows: int, file: str) -> dict[str, int]:
    """A list of pieces with ids, if it fits a table of so many rows. Raises CheckpointError."""
    if not isinstance(ids, dict) or not all(isinstance(i, int) and isinstance(p, str) for p, i in ids.items()):
        raise CheckpointError(f"{file} is damaged: it must give each piece a number.")
    if missing := [piece for piece in (END, UNKNOWN) if piece not in ids]:
        raise CheckpointError(f"{file} is no vocabulary of Marian: it has no piece {missing[0]}.")
    if len(set(ids.values())) != len(ids) or min(ids.values()) < 0:
        raise CheckpointError(f"{file} is damaged: two pieces have the same number, or one is below zero.")
    if any(piece in ("", "<sos>", "<eos>") or UNWRITABLE.search(piece) for piece in ids):
        raise CheckpointError(
            f"{file} has a piece that this program cannot have: an empty one, <sos>, <eos>, or one that is no text."
        )
    if max(ids.values()) >= rows or rows - len(ids) > SPARE:
        raise CheckpointError(
            f"{file} has {len(ids):,} pieces, but the model has {rows:,}: they do not belong together."
        )
    return ids


def _parsed(content: bytes, file: str) -> Any:
    """A sentencepiece model as a protocol buffer. Raises CheckpointError."""
    from google.protobuf.message import DecodeError  # here, as `import_model` has checked that it is there
    from sentencepiece import sentencepiece_model_pb2

    model: Any = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]
    try:
        model.ParseFromString(content)
    except DecodeError as error:
        raise CheckpointError(f"{file} is damaged: it is not a sentencepiece model.") from error
    if not model.pieces:
        raise CheckpointError(f"{file} is damaged: it is not a sentencepiece model.")
    return model


def _with_pieces(model: Any, pieces: Sequence[str]) -> bytes:
    """A sentencepiece model that cuts texts as before, but has these pieces, with their ids, behind ours.

    Those that it does not know never occur in what it cuts, but can be read (UNUSED); those of its own that the list
    lacks are left out, so that a text with them is cut into smaller pieces.
    """
    known = {piece.piece: (piece.type, piece.score) for piece in model.pieces}
    lowest = min(piece.score for piece in model.pieces) - 1
    del model.pieces[:]
    for name, kind in zip(SPECIAL, (CONTROL, UNKNOWN_TYPE, CONTROL, CONTROL), strict=True):
        model.pieces.add(piece=name, score=0.0, type=kind)
    for name in pieces:
        kind, score = known.get(name, (UNUSED, lowest))
        if LANGUAGE.fullmatch(name):
            name, kind, score = SPACE + name, USER_DEFINED, 0.0  # it stands where a word begins
        elif kind not in (NORMAL, USER_DEFINED, BYTE):
            kind, score = UNUSED, lowest
        model.pieces.add(piece=name, score=score, type=kind)
    trainer = model.trainer_spec
    trainer.pad_id, trainer.unk_id, trainer.bos_id, trainer.eos_id = PAD, UNK, SOS, EOS
    trainer.pad_piece, trainer.unk_piece, trainer.bos_piece, trainer.eos_piece = SPECIAL
    trainer.unk_surface = UNKNOWN_TEXT
    trainer.vocab_size = len(model.pieces)
    content: bytes = model.SerializeToString()
    return content
