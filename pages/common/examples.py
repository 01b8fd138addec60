"""Sentences of our own that make a point, one click away. A pair's first one opens the pages, except Positions."""

from dataclasses import dataclass

from nmtcore.messages import N_
from nmtcore.text.languages import language
from pages.common.i18n import _, languages

ORDER = 5  # the number of the example whose meaning depends on word order

# The points made by the examples of nmtcore/text/languages, for translators.
POINTS = (
    *(N_("word order"), N_("agreement"), N_("negation"), N_("a long sentence"), N_("a rare word"), N_("who is where")),
    N_("a question inside"),
)


@dataclass(frozen=True)
class Example:
    """A sentence and, in a word or two, its point."""

    name: str
    text: str


def rare_name(pair: str) -> Example | None:
    """The pointer-generator's example: a sentence with rare names, better copied than spelled. None without one."""
    text = language(languages(pair)[0]).rare_name
    return Example(_("an unseen name"), text) if text else None


def example_sentences(pair: str) -> tuple[Example, ...]:
    """The examples of a pair's source language, which may have none."""
    return tuple(Example(_(point), text) for point, text in language(languages(pair)[0]).examples.items())
