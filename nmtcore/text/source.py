"""The source text: what a person typed, as a model reads it and as its vocabulary cuts it, or refused.

A text is cleaned once, by `read_source`, and cut once a vocabulary, by `SourceText.subwords`; from there on the value
travels: the page, the command line, a notebook and every analysis read the same pieces.
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
    """A text as models read it, and what was done to what was typed: texts that are read alike are equal.

    typed: as it was typed; removed: control and zero-width characters left out; simplified: whether traditional
    characters became simplified; emoji: those that were set apart, since no model has seen any.
    """

    text: str
    typed: str = field(compare=False)
    removed: int = field(default=0, compare=False)
    simplified: bool = field(default=False, compare=False)
    emoji: str = field(default="", compare=False)
    _cut: dict[Vocab, Subwords] = field(default_factory=dict, init=False, repr=False, compare=False)

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

    def with_emoji(self, translation: str) -> str:
        """A translation with the emoji that the text has."""
        return f"{translation} {self.emoji}".strip() if self.emoji else translation

    def __getstate__(self) -> dict[str, Any]:
        """What another process gets, equal for texts that were typed alike: a vocabulary is larger than all it cuts."""
        kept = ("text", "typed", "removed", "simplified", "emoji", "normalized")
        return {name: getattr(self, name) for name in kept} | {"_cut": {}}


def read_source(typed: str, language: str = "") -> SourceText:
    """Clean what was typed. language: the code of its language, such as zh."""
    visible, removed = remove_invisible(typed)
    simple = simplify(visible, language)
    text, emoji = _set_apart(simple)
    return SourceText(text, typed, removed, simple != visible, emoji)


def _set_apart(text: str) -> tuple[str, str]:
    """The text without its emoji, and these; a text in which there is nothing else stays as it is."""
    words = " ".join(_EMOJI.sub(" ", text).split())
    emoji = "".join(_EMOJI.findall(text))
    return (words, emoji) if emoji and any(map(str.isalnum, words)) else (text, "")
