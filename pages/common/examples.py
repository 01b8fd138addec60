"""Sentences of our own that make a point, one click away. The first of a pair opens the pages, but for Positions."""

from __future__ import annotations

from dataclasses import dataclass

from pages.common.i18n import _, languages

ORDER = 5  # the number of the one whose meaning hangs on the order of the words


@dataclass(frozen=True)
class Example:
    """A sentence and, in a word or two, the point that it makes."""

    name: str
    text: str


def new_name() -> Example:
    """An English sentence whose name is in no dictionary: the example of the model that copies."""
    return Example(_("a new name"), "My name is Wanjiru Okonkwo and I live in Nakuru.")


def example_sentences(pair: str) -> tuple[Example, ...]:
    """The examples of a pair, by its source language; none for a language that has none."""
    by_language = {
        "en": (
            Example(_("word order"), "She bought a beautiful red dress."),
            Example(_("agreement"), "My shoes are too small."),
            Example(_("negation"), "I have never read this book."),
            Example(
                _("a long sentence"),
                "I told him that I did not want to go to school because I was tired, but he did not believe me.",
            ),
            Example(_("a rare word"), "She plays the violin."),
            Example(_("who is where"), "The boy is behind the girl."),
        ),
        "zh": (
            Example(_("word order"), "桌子上有一本书。"),
            Example(_("a question inside"), "我不知道他住在哪里。"),
            Example(_("negation"), "今天我不想出门。"),
            Example(_("a long sentence"), "我知道他住在哪里，但是我不知道他的电话号码。"),
            Example(_("a rare word"), "我的妹妹喜欢巧克力。"),
            Example(_("who is where"), "男孩在女孩后面。"),
        ),
    }
    return by_language.get(languages(pair)[0], ())
