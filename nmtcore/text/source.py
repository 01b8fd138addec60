"""The source text: what a person typed, as a model reads it and as its vocabulary cuts it, or refused.

A text is cleaned once, by `read_source`, and cut once a vocabulary, by `SourceText.subwords`; from there on the value
travels: the page, the command line, a notebook and every analysis read the same pieces.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from nmtcore.limits import check_characters, check_pieces
from nmtcore.text.normalization import normalize, remove_invisible, simplify
from nmtcore.text.vocabulary import Subwords, Vocab

TEXTS = 64  # that a process keeps as they are cut


@dataclass(frozen=True)
class SourceText:
    """A text as it was typed and as models read it, and what was done to it on the way.

    removed: control and zero-width characters left out; simplified: whether traditional characters became simplified.
    """

    typed: str
    text: str
    removed: int = 0
    simplified: bool = False
    _cut: dict[Vocab, Subwords] = field(default_factory=dict, init=False, repr=False, compare=False)

    @staticmethod
    @lru_cache(TEXTS)
    def cleaned(text: str) -> SourceText:
        """A text that whoever asks has read already; the same value for all that ask about the text at a time."""
        return SourceText(text, text)

    @cached_property
    def normalized(self) -> str:
        """The text as every vocabulary cuts it."""
        return normalize(self.text)

    def subwords(self, vocab: Vocab) -> Subwords:
        """The text as a vocabulary cuts it, without `<eos>`. Raises TextError beyond a limit."""
        check_characters(len(self.normalized))
        cut = self.cut(vocab)
        check_pieces(len(cut.ids))
        return cut

    def cut(self, vocab: Vocab) -> Subwords:
        """The same of a text of any length."""
        if vocab not in self._cut:
            self._cut[vocab] = vocab.cut_normalized(self.normalized)
        return self._cut[vocab]


def read_source(typed: str | SourceText, language: str = "") -> SourceText:
    """Clean what was typed, unless that is done already. language: the code of its language, such as zh."""
    if isinstance(typed, SourceText):
        return typed
    visible, removed = remove_invisible(typed)
    text = simplify(visible, language)
    return SourceText(typed, text, removed, text != visible)
