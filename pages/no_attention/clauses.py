"""Clauses of our own that make any sentence longer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pages.common.i18n import languages

_END = re.compile(r"[\s.!?…。！？]+$")

_CLAUSES = {
    "en": (
        "because it was raining",
        "and nobody knew what to do",
        "when my sister came home from school",
        "although the shops were already closed",
        "so we stayed in the kitchen and drank tea",
        "until the children were tired of waiting",
    ),
    "zh": (
        "因为外面下雨了",
        "可是谁也不知道怎么办",
        "我妹妹放学回家的时候",
        "虽然商店已经关门了",
        "所以我们坐在厨房里喝茶",
        "后来孩子们都等累了",
    ),
}
_JOINTS = {"en": (", ", "."), "zh": ("，", "。")}


def extra_clauses(pair: str) -> tuple[str, ...]:
    """The clauses in the source language of a pair; none for a language that has none."""
    return _CLAUSES.get(languages(pair)[0], ())


def lengthened(pair: str, sentence: str, added: Sequence[str]) -> str:
    """`sentence` with `added` clauses behind it, one after another."""
    if not added:
        return sentence
    joint, end = _JOINTS[languages(pair)[0]]
    return joint.join([_END.sub("", sentence), *added]) + end
