"""A grammar with its lexicon, which makes sentence pairs with their word links."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, Final

from nmtcore.errors import DataError
from nmtcore.grammar.derivation import DeadEnd, Derivation
from nmtcore.grammar.english import English
from nmtcore.grammar.french import French
from nmtcore.grammar.language import Language
from nmtcore.grammar.lexicon import Lexicon
from nmtcore.grammar.mandarin import Mandarin
from nmtcore.grammar.mandarin_derivation import MandarinDerivation
from nmtcore.grammar.mandarin_names import full_names
from nmtcore.grammar.rules import START, Rule, read_rules
from nmtcore.grammar.words import LinkedPair, capital, links

FOLDER: Final = Path(__file__).parents[2] / "pretrained" / "corpus" / "grammar"
LONGEST: Final = 25  # words of the source sentence
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
        if (path / "chinese_names.tsv").exists():
            lexicon.entries["name"] = full_names(path / "chinese_names.tsv", lexicon)
        rules = read_rules(path / "rules.tsv", (source.code, target.code), lexicon.kinds.wider)
        return cls((source, target), rules, lexicon)

    def pairs(self, count: int, seed: int, category: str = START) -> list[LinkedPair]:
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

    def draw(self, random: Random, category: str = START) -> LinkedPair | None:
        """One pair; None where what was drawn has no fitting word or is too long or short."""
        derivation = DERIVATIONS.get(self.languages[0].code, Derivation)(self.rules, self.lexicon, random, self.pools)
        try:
            phrase = derivation.phrase(category)
        except DeadEnd:
            return None
        sides = [capital(language.finish(language.phrase(phrase))) for language in self.languages]
        length = sum(token.form.isalnum() or len(token.form) > 1 for token in sides[0])
        if not self.languages[0].shortest <= length <= LONGEST:
            return None
        texts = [language.write(side) for side, language in zip(sides, self.languages, strict=True)]
        spaced = texts[0] if " " in texts[0] else " ".join(token.form for token in sides[0])
        return LinkedPair(texts[0], texts[1], links(sides[0], sides[1]), spaced)


def _english(folder: Path) -> Language:
    return English()


def _mandarin(folder: Path) -> Language:
    return Mandarin()


LANGUAGES: Final = {"en-fr": (_english, French), "zh-en": (_mandarin, _english)}
DERIVATIONS: Final[dict[str, type[Derivation]]] = {"zh": MandarinDerivation}  # by the source language
