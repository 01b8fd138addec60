"""Sentences of our own that make a point, one click away. The first of a pair opens its page."""

from __future__ import annotations

from dataclasses import dataclass

from pages.shared.words import _, languages


@dataclass(frozen=True)
class Example:
    """A sentence and, in a word or two, the point that it makes."""

    name: str
    text: str


def examples(pair: str) -> tuple[Example, ...]:
    """The examples of a pair, by its source language; none for a language that has none."""
    by_language = {
        "en": (
            Example(_("word order"), "The old man has a little red car and a big white dog."),
            Example(_("agreement"), "These two tired girls are looking for their grandmother."),
            Example(_("negation"), "We never eat meat and we do not drink wine."),
            Example(
                _("a long sentence"),
                "When my brother came home late yesterday evening, he told us that his train had stopped "
                "in a small village because there was too much snow.",
            ),
            Example(_("a rare word"), "My uncle photographs caterpillars in his garden."),
        ),
        "zh": (
            Example(_("word order"), "我昨天买的那本书很有意思。"),
            Example(_("one and many"), "桌子上有三个苹果和一本书。"),
            Example(_("negation"), "今天我一点儿也不想出门。"),
            Example(_("a long sentence"), "因为昨天晚上下了很大的雨，所以我们没有去公园，在家里看了一部老电影。"),
            Example(_("a rare word"), "动物园里的长颈鹿喜欢吃树叶。"),
        ),
    }
    return by_language.get(languages(pair)[0], ())
