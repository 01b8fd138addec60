"""What a typed text becomes, and the sentence that says so."""

from typing import NamedTuple

import pytest

from nmtcore.errors import TextError
from nmtcore.limits import MAX_CHARACTERS
from nmtcore.text.source import read_source
from pages.common.text import not_markdown, remarks


class Clean(NamedTuple):
    """A text as models read it, and what a page says of it."""

    text: str
    notes: tuple[str, ...]
    emoji: str


def clean(typed: str, code: str) -> Clean:
    source = read_source(typed, code)
    return Clean(source.text, remarks(source, code), source.emoji)


def test_an_ordinary_sentence_is_left_alone() -> None:
    result = clean("She said: “It's 5 o'clock” – naïve, isn't it?", "en")
    assert (result.text, result.notes) == ("She said: “It's 5 o'clock” – naïve, isn't it?", ())


def test_spaces_are_made_one_without_a_word_about_it() -> None:
    result = clean("  two\u00a0 \t words\r\n here ", "en")
    assert (result.text, result.notes) == ("two words here", ())


def test_a_letter_and_its_accent_become_one_character() -> None:
    assert clean("cafe\u0301", "fr").text == "café"


@pytest.mark.parametrize("typed", ["", "   ", "\n\t", "\u3000"])
def test_empty(typed: str) -> None:
    with pytest.raises(TextError, match="^Type a sentence and press Enter"):
        clean(typed, "en")


def test_nothing_but_invisible_characters() -> None:
    with pytest.raises(TextError, match="only control or zero-width"):
        clean("\u200b\x07 \ufeff", "en")


@pytest.mark.parametrize(
    ("typed", "text", "count"),
    [
        ("a\x00b", "ab", "1 control or zero-width character was"),
        ("\u202eevil\u202c text\u200b", "evil text", "3 control or zero-width characters were"),
        ("half \ud83d pair", "half pair", "1 control or zero-width character was"),
    ],
)
def test_invisible_characters_are_removed_and_counted(typed: str, text: str, count: str) -> None:
    result = clean(typed, "en")
    assert result.text == text
    assert len(result.notes) == 1
    assert result.notes[0].startswith(count)
    result.text.encode("utf-8")


@pytest.mark.parametrize("typed", ["<script>alert(1)</script>", "a <b>bold</b> man", "<s> start </s>", "<!-- x -->"])
def test_tags_stay_as_text(typed: str) -> None:
    result = clean(typed, "en")
    assert result.text == typed
    assert "ordinary text" in result.notes[0]


@pytest.mark.parametrize("typed", ["1 < 2 and 3 > 2", "I <3 you"])
def test_less_and_greater_are_no_tags(typed: str) -> None:
    assert clean(typed, "en").notes == ()


def test_the_sign_of_a_word_start() -> None:
    result = clean("a ▁b", "en")
    assert "low line" in result.notes[0]


@pytest.mark.parametrize(
    ("typed", "text", "emoji"),
    [
        ("I love you ❤️ 👩‍👧", "I love you", "❤👩👧"),
        ("🐕 The cat 🐈 sees.", "The cat sees.", "🐕🐈"),
        ("The cat sees.", "The cat sees.", ""),
        ("🐕🐈", "🐕🐈", ""),
    ],
)
def test_emoji_are_set_apart_unless_there_is_nothing_else(typed: str, text: str, emoji: str) -> None:
    found = clean(typed, "en")
    assert (found.text, found.emoji) == (text, emoji)
    assert any(emoji in note and "puts it back" in note for note in found.notes) == bool(emoji)


@pytest.mark.parametrize(("typed", "said"), [("?!…", True), ("🐕🐈", True), ("1234 !!!", True), ("我", False)])
def test_a_text_without_words_is_said_to_be_none(typed: str, said: bool) -> None:
    assert any("no word" in note for note in clean(typed, "zh").notes) == said


def test_traditional_characters_are_read_as_simplified_ones() -> None:
    found = clean("我們是學生。", "zh")
    assert found.text == "我们是学生。"
    assert found.notes == ("The models read simplified characters: yours are read as 我们是学生。",)
    assert clean("我们是学生。", "zh").notes == ()
    assert clean("學生", "en").text == "學生"


@pytest.mark.parametrize(("typed", "source"), [("Где библиотека?", "en"), ("我很好。", "en"), ("Hello there", "zh")])
def test_another_script(typed: str, source: str) -> None:
    result = clean(typed, source)
    assert result.text == typed
    assert "another script" in result.notes[0]


@pytest.mark.parametrize(
    ("typed", "source"),
    [("I met Мария in Paris.", "en"), ("我用 Python 写了一个小程序。", "zh"), ("Где?", "ru")],
)
def test_own_script_and_mixed_script(typed: str, source: str) -> None:
    assert clean(typed, source).notes == ()


def test_one_endless_word() -> None:
    with pytest.raises(TextError, match=f"{MAX_CHARACTERS + 1:,} characters; the limit is {MAX_CHARACTERS:,}"):
        clean("a" * (MAX_CHARACTERS + 1), "en")


def test_the_limit_is_for_what_the_models_read() -> None:
    one = "\ufdfa"  # 18 characters for a vocabulary
    assert clean(one * 111, "en").text == one * 111
    with pytest.raises(TextError, match="2,016 characters; the limit is 2,000"):
        clean(one * 112, "en")


def test_nothing_in_a_text_is_markdown() -> None:
    typed = "![a](http://b) *c* _d_ $e$ `f` <g> :red[h] 红 é 1."
    shown = not_markdown(typed)
    assert shown.replace("\\", "") == typed
    for sign in "![]():*_$`<>.":
        assert shown.count(sign) == shown.count(f"\\{sign}") == typed.count(sign)
