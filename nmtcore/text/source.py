"""The source text: what a person typed, as cleaned for a model and split by its vocabulary, or an error.

`read_source` cleans a text once, and `SourceText.subwords` splits it once per vocabulary. The result is passed on, so
the page, the command line, a notebook and every analysis use the same pieces.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from nmtcore.limits import check_characters, check_pieces
from nmtcore.text.normalization import normalize, remove_invisible, simplify
from nmtcore.text.vocabulary import Subwords, Vocab

_EMOJI = re.compile("[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff][\ufe0e\ufe0f]?")


@dataclass(frozen=True)
class SourceText:
    """A cleaned text and how it was changed; values with the same cleaned text are equal.

    typed: the original text; removed: how many control and zero-width characters were removed; simplified: whether
    traditional characters were simplified; emoji: those set apart, since no model has seen any.
    """

    text: str
    typed: str = field(compare=False)
    removed: int = field(default=0, compare=False)
    simplified: bool = field(default=False, compare=False)
    emoji: str = field(default="", compare=False)
    _cut: dict[Vocab, Subwords] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def normalized(self) -> str:
        """The normalized text, which every vocabulary splits."""
        return normalize(self.text)

    def subwords(self, vocab: Vocab) -> Subwords:
        """Tokenise the text with a vocabulary, without `<eos>`. Raises TextError beyond a limit."""
        check_characters(len(self.normalized))
        cut = self.cut(vocab)
        check_pieces(len(cut.ids))
        return cut

    def cut(self, vocab: Vocab) -> Subwords:
        """`subwords` for a text of any length."""
        if vocab not in self._cut:
            self._cut[vocab] = vocab.cut(self.normalized)
        return self._cut[vocab]

    def with_emoji(self, translation: str) -> str:
        """Add the emoji of the text to its translation."""
        return f"{translation} {self.emoji}".strip() if self.emoji else translation

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without cached subwords, which hold a large vocabulary; texts typed alike pickle alike."""
        kept = ("text", "typed", "removed", "simplified", "emoji", "normalized")
        return {name: getattr(self, name) for name in kept} | {"_cut": {}}


def read_source(typed: str, language: str = "") -> SourceText:
    """Clean a typed text. language: its code, such as zh."""
    visible, removed = remove_invisible(typed)
    simple = simplify(visible, language)
    text, emoji = _separate_emoji(simple)
    return SourceText(text, typed, removed, simple != visible, emoji)


def _separate_emoji(text: str) -> tuple[str, str]:
    """Separate a text from its emoji; a text of nothing else stays as it is."""
    words = " ".join(_EMOJI.sub(" ", text).split())
    emoji = "".join(_EMOJI.findall(text))
    return (words, emoji) if emoji and any(map(str.isalnum, words)) else (text, "")
