"""A vocabulary with byte fallback: no character is unknown, and people see characters, not bytes."""

import dataclasses
import unicodedata

import pytest

from nmtcore.config import DecodingConfig
from nmtcore.decoding.decode import force
from nmtcore.intervention import Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.normalization import normalize
from nmtcore.text.vocabulary import BYTE_FALLBACK, CONTINUED, EOS, EVERYDAY, UNK, Vocab, readable_bytes
from nmtcore.text.words import group_pieces, join_pieces, word_label
from tests.helpers import SENTENCES, small, translate


@pytest.fixture(scope="module")
def bytes_vocab() -> Vocab:
    return Vocab.train(SENTENCES * 3, BYTE_FALLBACK)


def test_a_small_vocabulary_has_no_bytes(vocab: Vocab, bytes_vocab: Vocab) -> None:
    assert UNK in vocab.encode("ž") and UNK not in bytes_vocab.encode("ž")
    assert len(bytes_vocab) <= BYTE_FALLBACK


@pytest.mark.parametrize("character", EVERYDAY)
def test_an_everyday_character_has_a_piece_of_its_own(bytes_vocab: Vocab, character: str) -> None:
    pieces = bytes_vocab.pieces(f"b{character}b")
    assert CONTINUED not in pieces and not any(piece.startswith("<0x") for piece in pieces)


@pytest.mark.parametrize("block", range(0, 0x30000, 0x1000), ids=hex)
def test_whatever_a_keyboard_types_comes_back_and_is_shown(bytes_vocab: Vocab, block: int) -> None:
    for code in range(block, block + 0x1000, 37):
        typed = chr(code)
        if unicodedata.category(typed)[0] in "CZ" or normalize(typed) != typed:
            continue  # invisible or a space, not given out, or written otherwise
        text = f"cat {typed} sees{typed}"
        ids, pieces = bytes_vocab.encode(text), bytes_vocab.pieces(text)
        assert UNK not in ids
        assert bytes_vocab.decode(ids) == text
        assert join_pieces(pieces) == text
        assert bytes_vocab.tokens(ids) == pieces
        words = [word_label(pieces, group) for group in group_pieces(pieces)]
        assert "".join(words).replace("␣", "") == text.replace(" ", "")
        assert not any(CONTINUED in word for word in words)


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (["<0xC3>", "<0xA9>"], ["é", CONTINUED]),
        (["▁a", "<0xF0>", "<0x9F>", "<0x90>", "<0x95>", "b"], ["▁a", "🐕", CONTINUED, CONTINUED, CONTINUED, "b"]),
        (["<0xC3>"], ["<0xC3>"]),  # a character that a model did not finish
        (["<0xC3>", "x", "<0xA9>"], ["<0xC3>", "x", "<0xA9>"]),
        (["<0xA9>", "<0xC3>", "<0xA9>"], ["<0xA9>", "é", CONTINUED]),
        (["<0x41>", "<0xC3>", "<0xA9>"], ["A", "é", CONTINUED]),
        ([], []),
    ],
)
def test_bytes_are_shown_as_characters(pieces: list[str], shown: list[str]) -> None:
    assert readable_bytes(pieces) == shown


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (["▁le", "▁ž", CONTINUED, "ad", "."], ["le", "žad", "."]),
        (["▁a", "ž", CONTINUED, "!", "▁b"], ["až", "!", "b"]),
        (["▁", "薴", CONTINUED, CONTINUED, "大", "薴", CONTINUED, CONTINUED], ["薴", "大", "薴"]),
        (["▁«", CONTINUED, "a", "»", CONTINUED], ["«", "a", "»"]),
    ],
)
def test_the_bytes_of_a_character_stay_in_one_word(pieces: list[str], words: list[str]) -> None:
    groups = group_pieces(pieces)
    assert [word_label(pieces, group) for group in groups] == words
    assert [i for group in groups for i in group] == list(range(len(pieces)))


def test_what_a_model_writes_in_bytes_is_shown_as_characters(bytes_vocab: Vocab) -> None:
    checkpoint = small("dot", bytes_vocab)
    forced = force(checkpoint, "žluťoučký cat", "žlutá kočka 🐕")
    assert forced.text == "žlutá kočka 🐕"
    assert forced.target == (*bytes_vocab.pieces("žlutá kočka 🐕"), "<eos>")
    assert "🐕" in forced.target and CONTINUED in forced.target
    assert forced.source == (*bytes_vocab.pieces("žluťoučký cat"), "<eos>")
    for step, token, index in zip(forced.steps, forced.target, forced.ids, strict=True):
        assert token in [c.token for c in step.candidates if c.id == index] or index not in [
            c.id for c in step.candidates
        ]


def test_a_byte_that_is_no_character_stays_a_byte(bytes_vocab: Vocab) -> None:
    first = next(i for i in range(len(bytes_vocab)) if bytes_vocab.token(i) == "<0xC5>")
    checkpoint = dataclasses.replace(small("dot", bytes_vocab), meta={})
    trace = translate(checkpoint, "cat", DecodingConfig(max_length=2), Intervention.prefix((first, EOS)))
    assert isinstance(checkpoint, Checkpoint)
    assert trace.target == ("<0xC5>", "<eos>")
