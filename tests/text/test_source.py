"""A source text is cleaned, simplified and checked against the limits once, for all callers."""

import dataclasses
import pickle

import pytest

from nmtcore.config import DecodingConfig
from nmtcore.config.models import ConvolutionalConfig
from nmtcore.decoding import decode
from nmtcore.decoding.batched import translate_all
from nmtcore.decoding.decode import force
from nmtcore.errors import TextError
from nmtcore.limits import MAX_CHARACTERS, MAX_PIECES
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.serving import request
from nmtcore.text import source as source_module
from nmtcore.text.normalization import normalize
from nmtcore.text.source import read_source
from nmtcore.text.vocabulary import EOS, Subwords, Vocab
from tests.helpers import SENTENCES, translate

SHORT = DecodingConfig(max_length=6)


@pytest.mark.parametrize(
    ("typed", "language", "read"),
    [
        (" the  cat\t\u3000sees \n", "en", ("the cat sees", 0, False, "")),
        ("“l’eau” …", "fr", ("“l’eau” …", 0, False, "")),  # the vocabulary's business, not the reader's
        ("cafe\u0301", "fr", ("café", 0, False, "")),
        ("a\u200b\x07 \ufeff b\ue000", "en", ("a b", 4, False, "")),
        ("I ❤\ufe0f you 🐕", "en", ("I you", 0, False, "❤🐕")),
        ("❤\ufe0f!", "en", ("❤!", 0, False, "")),  # there is nothing else to translate
        ("她喜歡讀書。", "zh", ("她喜欢读书。", 0, True, "")),
        ("她喜歡讀書。", "ja", ("她喜歡讀書。", 0, False, "")),
        ("薴", "zh", ("苎", 0, True, "")),  # two steps in OpenCC's table
        ("\u200b\ufeff", "en", ("", 2, False, "")),
    ],
)
def test_a_text_is_cleaned_once_and_for_all(typed: str, language: str, read: tuple[str, int, bool, str]) -> None:
    source = read_source(typed, language)
    assert (source.typed, source.text, source.removed, source.simplified, source.emoji) == (typed, *read)
    assert read_source(source.text, language) == source and hash(read_source(source.text, language)) == hash(source)


def test_emoji_come_back_after_the_translation() -> None:
    assert read_source("A dog 🐕 sees ❤\ufe0f.").with_emoji("Un chien voit.") == "Un chien voit. 🐕❤"
    assert read_source("A dog.").with_emoji("Un chien.") == "Un chien."


def test_another_process_gets_the_text_as_it_is_read_and_no_vocabulary(vocab: Vocab) -> None:
    source = read_source("a\u200b ｒｅｄ cat 🐕")
    cut = source.subwords(vocab)
    sent = pickle.dumps(source)
    assert len(sent) < 1000 and sent == pickle.dumps(read_source("a\u200b ｒｅｄ cat 🐕")), "whatever was asked of it"
    read = pickle.loads(sent)
    assert (read, read.typed, read.removed, read.emoji) == (source, source.typed, 1, "🐕")
    assert read.subwords(vocab) == cut


@pytest.mark.parametrize("typed", ["紅色的房子很大。", " the  small\u200b cat", "ｔｈｅ cat"])
def test_a_notebook_a_batch_and_a_tokenizer_read_alike(small_checkpoint: Checkpoint, typed: str) -> None:
    checkpoint = dataclasses.replace(small_checkpoint, meta={"source": "zh", "target": "en"})
    source = read_source(typed, "zh")
    trace = translate(checkpoint, typed, SHORT)
    assert dataclasses.replace(decode.translate(checkpoint, source, SHORT), seconds=trace.seconds) == trace
    ids, pieces = source.subwords(checkpoint.vocab)
    assert trace.source_text == source.text
    assert trace.source == (*pieces, "<eos>") == (*checkpoint.vocab.tokens(ids), "<eos>")
    assert trace.source_ids == (*ids, EOS) == (*checkpoint.vocab.encode(source.text), EOS)
    assert translate_all(checkpoint, [*map(checkpoint.read, ("cat", typed))], SHORT).texts[1] == trace.text


def cut(text: str, vocab: Vocab) -> Subwords:
    return read_source(text).subwords(vocab)


def test_limits_are_for_what_the_vocabulary_reads(vocab: Vocab) -> None:
    one = "\u337f"  # becomes the four characters of a company's name
    assert len(cut(one * (MAX_CHARACTERS // 4), vocab).ids) <= MAX_PIECES
    with pytest.raises(TextError, match=f"has 2,004 characters; the limit is {MAX_CHARACTERS:,}"):
        cut(one * 501, vocab)
    words = ["cat"] * MAX_PIECES
    piece = len(vocab.encode("cat"))
    cut(" ".join(words[: MAX_PIECES // piece]), vocab)
    with pytest.raises(TextError, match=f"pieces; the limit is {MAX_PIECES}"):
        cut(" ".join([*words, "cat"]), vocab)


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


def test_a_text_is_normalized_once_and_cut_once_a_vocabulary(vocab: Vocab, monkeypatch: pytest.MonkeyPatch) -> None:
    normalized: list[str] = []
    monkeypatch.setattr(source_module, "normalize", lambda text: normalized.append(text) or normalize(text))
    other = Vocab.train(SENTENCES, 60)
    read = read_source("the ｓｍａｌｌ cat")
    assert read.subwords(vocab) is read.subwords(vocab) == vocab.cut("the ｓｍａｌｌ cat")
    assert read.subwords(other) == other.cut("the small cat") != read.subwords(vocab)
    assert normalized == ["the ｓｍａｌｌ cat"]


def test_who_asks_has_cleaned_a_question_s_text(small_checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = request.DecodeRequest(request.ModelKey("here"), read_source("the small cat"), SHORT)
    other = read_source("a cat")
    monkeypatch.setattr(source_module, "remove_invisible", None)
    (answered,) = request.answers(small_checkpoint, [asked])
    again = request.answers(small_checkpoint, [asked, asked._replace(source=other)])
    assert [trace.source_text for trace in (answered, *again)] == ["the small cat", "the small cat", "a cat"]
