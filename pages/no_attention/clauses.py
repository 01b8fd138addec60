"""Clauses of our own that make any sentence longer."""

import re
from collections.abc import Sequence

from nmtcore.text.languages import language
from pages.common.i18n import languages

_END = re.compile(r"[\s.!?…。！？]+$")


def extra_clauses(pair: str) -> tuple[str, ...]:
    """The clauses in the source language of a pair; none for a language that has none."""
    return language(languages(pair)[0]).clauses


def lengthened(pair: str, sentence: str, added: Sequence[str]) -> str:
    """`sentence` with `added` clauses appended, one after another."""
    if not added:
        return sentence
    source = language(languages(pair)[0])
    return source.clause_joint.join([_END.sub("", sentence), *added]) + source.full_stop
