"""A grammar with its lexicon, which makes sentence pairs with their word links."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, Final

from nmtcore.errors import DataError
from nmtcore.grammar.derivation import Dead, Derivation
from nmtcore.grammar.english import English
from nmtcore.grammar.french import French
from nmtcore.grammar.language import Language, write
from nmtcore.grammar.lexicon import Lexicon
from nmtcore.grammar.rules import Rule, read_rules
from nmtcore.grammar.words import LinkedPair, capital, links

FOLDER: Final = Path(__file__).parents[2] / "pretrained" / "corpus" / "grammar"
LENGTHS: Final = (4, 25)  # words of the source sentence
TRIES: Final = 200  # derivations drawn for one new pair before giving up


class Grammar:
    """Rules and lexicon of one language pair."""

    def __init__(self, languages: tuple[Language, Language], rules: dict[str, list[Rule]], lexicon: Lexicon) -> None:
        self.languages = languages
        self.rules = rules
        self.lexicon = lexicon
        self.pools: dict[Any, Any] = {}

    @classmethod
    def load(cls, folder: Path | str = FOLDER, pair: str = "en-fr") -> Grammar:
        """Read the folder of a language pair. Raises DataError, naming file and row."""
        path = Path(folder) / pair
        if pair not in LANGUAGES or not path.is_dir():
            raise DataError(f"There is no grammar for {pair} in {folder}.")
        source, target = (make(path) for make in LANGUAGES[pair])
        lexicon = Lexicon(path, (source, target))
        rules = read_rules(path / "rules.tsv", (source.code, target.code), lexicon.kinds.wider)
        return cls((source, target), rules, lexicon)

    def pairs(self, count: int, seed: int, category: str = "Sentence") -> list[LinkedPair]:
        """Different sentence pairs; the same ones for the same seed. Raises DataError where there are not so many."""
        random = Random(seed)
        seen: set[str] = set()
        found: list[LinkedPair] = []
        misses = 0
        while len(found) < count:
            pair = self.draw(random, category)
            if pair is None or pair.source in seen:
                misses += 1
                if misses > TRIES * (count + 1):
                    raise DataError(f"The grammar makes only {len(found):,} different sentences of {category}.")
                continue
            seen.add(pair.source)
            found.append(pair)
        return found

    def draw(self, random: Random, category: str = "Sentence") -> LinkedPair | None:
        """One pair; None where what was drawn has no fitting word or is too long or short."""
        derivation = Derivation(self.rules, self.lexicon, random, self.pools)
        try:
            phrase = derivation.phrase(category)
        except Dead:
            return None
        sides = [capital(language.finish(language.phrase(phrase))) for language in self.languages]
        if not LENGTHS[0] <= sum(token.form.isalnum() or len(token.form) > 1 for token in sides[0]) <= LENGTHS[1]:
            return None
        texts = [write(side, language.space_before) for side, language in zip(sides, self.languages, strict=True)]
        return LinkedPair(texts[0], texts[1], links(sides[0], sides[1]))


def _english(folder: Path) -> Language:
    return English()


LANGUAGES: Final = {"en-fr": (_english, French)}
