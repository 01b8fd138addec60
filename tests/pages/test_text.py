"""A page's remarks on a typed text. For the cleaning itself see tests/text/test_source.py."""

import pytest

from nmtcore.errors import TextError
from nmtcore.limits import MAX_CHARACTERS
from nmtcore.text.source import read_source
from pages.common.opening import fewer_sentences
from pages.common.text import not_markdown, remarks


@pytest.mark.parametrize(
    ("typed", "language", "notes"),
    [
        ("She said: “It's 5 o'clock” – naïve, isn't it?", "en", ()),
        ("  two\u00a0 \t words\r\n here ", "en", ()),
        ("1 < 2 and 3 > 2", "en", ()),
        ("I <3 you", "en", ()),
        ("I met Мария in Paris.", "en", ()),
        ("我用 Python 写了一个小程序。", "zh", ()),
        ("Где?", "ru", ()),
        ("我们是学生。", "zh", ()),
        ("我", "zh", ()),
        ("a\x00b", "en", ("1 control or zero-width character was",)),
        ("\u202eevil\u202c text\u200b", "en", ("3 control or zero-width characters were",)),
        ("half \ud83d pair", "en", ("1 control or zero-width character was",)),
        *((typed, "en", ("ordinary text",)) for typed in ("a <b>bold</b> man", "<s> start </s>", "<!-- x -->")),
        ("a ▁b", "en", ("underscore",)),
        ("I love you ❤️ 👩‍👧", "en", ("1 control", "❤👩👧 is left out, and Translate puts it back")),
        ("🐕🐈", "en", ("no word",)),
        ("?!…", "zh", ("no word",)),
        ("1234 !!!", "zh", ("no word",)),
        ("我們是學生。", "zh", ("The models read simplified characters: yours are read as 我们是学生。",)),
        ("Где библиотека?", "en", ("another script",)),
        ("我很好。", "en", ("another script",)),
        ("Hello there", "zh", ("another script",)),
    ],
)
def test_what_surprises_is_said_in_a_sentence_each(typed: str, language: str, notes: tuple[str, ...]) -> None:
    source = read_source(typed, language)
    source.text.encode("utf-8")
    found = remarks(source, language)
    assert len(found) == len(notes) and all(note in said for note, said in zip(notes, found, strict=True)), found


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        *((typed, "^Type a sentence and press Enter") for typed in ("", "   ", "\n\t", "\u3000")),
        ("\u200b\x07 \ufeff", "only control or zero-width"),
        ("a" * (MAX_CHARACTERS + 1), f"{MAX_CHARACTERS + 1:,} characters; the limit is {MAX_CHARACTERS:,}"),
        ("\ufdfa" * 112, "2,016 characters; the limit is 2,000"),  # 18 characters each for a vocabulary
    ],
)
def test_what_cannot_be_translated_is_refused_in_a_sentence(typed: str, sentence: str) -> None:
    with pytest.raises(TextError, match=sentence):
        remarks(read_source(typed, "en"), "en")


def test_nothing_in_a_text_is_markdown() -> None:
    typed = "![a](http://b) *c* _d_ $e$ `f` <g> :red[h] 红 é 1."
    shown = not_markdown(typed)
    assert shown.replace("\\", "") == typed
    for sign in "![]():*_$`<>.":
        assert shown.count(sign) == shown.count(f"\\{sign}") == typed.count(sign)


@pytest.mark.parametrize(
    ("text", "translation", "said"),
    [
        ("I sing. You run. It rains.", "Je chante.", ("This text has 3 sentences, its translation 1",)),
        ("I sing. You sleep.", "Je chante. Tu dors.", ()),
        ("I sing. You sleep.", "Je chante. Tu dors. Il pleut.", ()),
        ("I sing.", "", ()),
        ("I sing. You sleep.", "", ()),  # which is called empty anyway
    ],
)
def test_sentences_that_a_translation_lacks_are_missed(text: str, translation: str, said: tuple[str, ...]) -> None:
    notes = fewer_sentences(text, translation)
    assert [note.partition(":")[0] for note in notes] == list(said)
