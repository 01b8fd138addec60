"""Text to pieces to ids and back: what people type never becomes a special token, and nothing is lost silently."""

from collections.abc import Callable
from pathlib import Path

import pytest

from nmtcore.errors import CheckpointError, DataError
from nmtcore.text.normalization import normalize
from nmtcore.text.vocabulary import EOS, PAD, SOS, UNK, UNKNOWN_TEXT, Vocab, join_sides
from tests.helpers import SENTENCES


@pytest.mark.parametrize("sentence", SENTENCES)
def test_round_trip(vocab: Vocab, sentence: str) -> None:
    ids = vocab.encode(sentence)
    assert UNK not in ids
    assert vocab.decode(ids) == sentence
    assert [vocab.token(i) for i in ids] == vocab.pieces(sentence)
    assert vocab.encode_all([sentence, "cat"]) == [ids, vocab.encode("cat")]


@pytest.mark.parametrize("typed", ["<s> cat </s>", "<eos>", "<pad> <sos>", "a <unk> b"])
def test_typed_special_tokens_are_text(vocab: Vocab, typed: str) -> None:
    ids = vocab.encode(typed)
    assert not {PAD, SOS, EOS} & set(ids)
    assert len(vocab.pieces(typed)) == len(ids)
    assert "".join(vocab.pieces(typed)).replace("▁", " ").strip() == typed


def test_a_typed_mark_of_a_space_is_a_low_line(vocab: Vocab) -> None:
    assert normalize("a▁b") == "a_b"
    assert not any("▁" in piece[1:] for piece in vocab.pieces("the▁cat"))


def test_unknown_pieces_are_shown_as_typed(vocab: Vocab) -> None:
    pieces = vocab.pieces("the cat 🙂")
    assert pieces[-1] == "🙂" and vocab.encode("the cat 🙂")[-1] == UNK
    assert vocab.decode([UNK]) == UNKNOWN_TEXT


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("cafe\u0301", "café"),
        ("l’eau", "l'eau"),
        ("a\u200bb\x07c\ud83d", "abc"),
        ("one\u00a0two\tthree\u3000four", "one two three four"),
        ("ＡＢＣ，", "ABC,"),
        ("“stays”", "“stays”"),
    ],
)
def test_normalize(typed: str, normal: str) -> None:
    assert normalize(typed) == normal == normalize(normal)


@pytest.mark.parametrize("text", ["", "  ", "\u200b\ufeff"])
def test_nothing_is_no_piece(vocab: Vocab, text: str) -> None:
    assert vocab.encode(text) == vocab.pieces(text) == []
    assert vocab.decode([]) == ""


def test_special_ids_are_left_out_of_text(vocab: Vocab) -> None:
    assert vocab.decode([SOS, *vocab.encode("the cat"), EOS, PAD]) == "the cat"


def test_ids_outside_are_refused(vocab: Vocab) -> None:
    for wrong in (-1, len(vocab)):
        with pytest.raises(IndexError):
            vocab.token(wrong)
        with pytest.raises(IndexError):
            vocab.decode([wrong])


def test_training_is_deterministic_and_says_what_it_cannot_do(vocab: Vocab) -> None:
    assert Vocab.train(SENTENCES * 3, 90) == vocab != Vocab.train(SENTENCES[1:] * 3, 90)
    with pytest.raises(DataError, match="No vocabulary of 5 pieces"):
        Vocab.train(SENTENCES, 5)
    with pytest.raises(DataError, match="No vocabulary"):
        Vocab.train([], 50)


def test_whole_words_are_one_piece_each_and_other_text_has_pieces_too() -> None:
    sentences = ["the cat sat .", "a cat ran ."] * 20
    words = sorted({word for sentence in sentences for word in sentence.split()})
    spelled = [" ".join(word) for word in words] + [word + word for word in words]
    vocab = Vocab.train([*sentences, *spelled], 90, 1.0, whole=words)
    assert vocab.pieces("the cat ran .") == ["▁the", "▁cat", "▁ran", "▁."]
    assert len(Vocab.train(sentences, 90, 1.0).pieces("the cat ran .")) > 4
    for text in ("the cat sat .", "cats ran", "a rat sat"):
        assert vocab.decode(vocab.encode(text)) == text
    assert vocab.pieces("cats")[0] == "▁cat"


def test_save_and_load(vocab: Vocab, tmp_path: Path) -> None:
    path = tmp_path / "vocab.model"
    vocab.save(path)
    loaded = Vocab.load(path)
    assert loaded == vocab and hash(loaded) == hash(vocab)


def test_two_sides_are_the_most(vocab: Vocab) -> None:
    other = Vocab.train(["a b"] * 9, 8)
    model = vocab._model + b"\xc2\x3e\x01x"  # field 1000 of one byte, which makes it another model with the same pieces
    two = join_sides(vocab._model, model)
    assert Vocab(two).target == Vocab(model) != Vocab(two)
    with pytest.raises(CheckpointError, match="more than two sides"):
        Vocab(join_sides(model, two))
    with pytest.raises(CheckpointError, match="different pieces"):
        Vocab(join_sides(vocab._model, other._model))


def not_text(model: bytes) -> bytes:
    """A vocabulary one of whose pieces is no UTF-8."""
    at = model.index("▁".encode()) + 1
    return model[:at] + b"\xff" + model[at + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        lambda model: b"",
        lambda model: b"not a model",
        lambda model: b"\x0a\x05hello" * 20,
        lambda model: model[:50],
        lambda model: model.replace(b"<pad>", b"<dap>"),  # a whole one, of another program
        not_text,
    ],
)
def test_a_damaged_file_is_named(vocab: Vocab, tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "vocab.model"
    path.write_bytes(damage(vocab._model))
    with pytest.raises(CheckpointError, match=r"vocab\.model.*(damaged|not made by)"):
        Vocab.load(path)
    with pytest.raises(CheckpointError, match="cannot be read: No such file"):
        Vocab.load(tmp_path / "nowhere.model")
