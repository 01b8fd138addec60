"""A source text is cleaned, simplified and held to the limits once, for whoever asks."""

from __future__ import annotations

import dataclasses

import pytest

from nmtcore.config import DecodingConfig
from nmtcore.config.models import ConvolutionalConfig
from nmtcore.decoding.batched import translate_many
from nmtcore.decoding.decode import force, translate
from nmtcore.errors import TextError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.source import MAX_CHARACTERS, MAX_PIECES, SourceText, read_source, tokenize
from nmtcore.text.vocabulary import EOS, Vocab

SHORT = DecodingConfig(max_length=6)


@pytest.mark.parametrize(
    ("typed", "language", "read"),
    [
        (" the  cat\t\u3000sees \n", "en", SourceText("the cat sees")),
        ("“l’eau” …", "fr", SourceText("“l’eau” …")),  # the vocabulary's business, not the reader's
        ("cafe\u0301", "fr", SourceText("café")),
        ("a\u200b\x07 \ufeff b\ue000", "en", SourceText("a b", removed=4)),
        ("I ❤\ufe0f you", "en", SourceText("I ❤ you")),
        ("她喜歡讀書。", "zh", SourceText("她喜欢读书。", simplified=True)),
        ("她喜歡讀書。", "ja", SourceText("她喜歡讀書。")),
        ("薴", "zh", SourceText("苎", simplified=True)),  # two steps in OpenCC's table
        ("\u200b\ufeff", "en", SourceText("", removed=2)),
    ],
)
def test_a_text_is_cleaned_once_and_for_all(typed: str, language: str, read: SourceText) -> None:
    found = read_source(typed, language)
    assert found == read
    assert read_source(found.text, language) == SourceText(found.text)


@pytest.mark.parametrize("typed", ["紅色的房子很大。", " the  small\u200b cat", "ｔｈｅ cat"])
def test_a_notebook_a_batch_and_a_tokenizer_read_alike(small_checkpoint: Checkpoint, typed: str) -> None:
    checkpoint = dataclasses.replace(small_checkpoint, meta={"source": "zh", "target": "en"})
    source = read_source(typed, "zh").text
    trace = translate(checkpoint, typed, SHORT)
    ids, pieces = tokenize(source, checkpoint.vocab)
    assert trace.source_text == source
    assert trace.source == (*pieces, "<eos>") == (*checkpoint.vocab.tokens(ids), "<eos>")
    assert translate_many(checkpoint, ["cat", typed], SHORT)[1].text == trace.text


def test_limits_are_for_what_the_vocabulary_reads(vocab: Vocab) -> None:
    one = "\u337f"  # becomes the four characters of a company's name
    assert len(tokenize(one * (MAX_CHARACTERS // 4), vocab)[0]) <= MAX_PIECES
    with pytest.raises(TextError, match=f"has 2,004 characters; the limit is {MAX_CHARACTERS:,}"):
        tokenize(one * 501, vocab)
    words = ["cat"] * MAX_PIECES
    piece = len(vocab.encode("cat"))
    tokenize(" ".join(words[: MAX_PIECES // piece]), vocab)
    with pytest.raises(TextError, match=f"pieces; the limit is {MAX_PIECES}"):
        tokenize(" ".join([*words, "cat"]), vocab)


def test_a_text_beyond_the_limits_is_refused_by_translate_but_can_be_forced(small_checkpoint: Checkpoint) -> None:
    long = "cat " * (MAX_PIECES + 1)
    with pytest.raises(TextError, match="limit"):
        translate(small_checkpoint, long, SHORT)
    if isinstance(small_checkpoint.config, ConvolutionalConfig):  # it has a vector for each of its positions
        with pytest.raises(TextError, match="positions"):
            force(small_checkpoint, long, "le chat")
        return
    trace = force(small_checkpoint, long, "le chat")
    assert trace.ids == (*small_checkpoint.vocab.encode("le chat"), EOS)
    assert trace.finished
    assert len(trace.source) > MAX_PIECES
