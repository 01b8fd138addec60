"""French: noun phrases and sentences put into words; verbs are in french_clause."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from nmtcore.grammar import french_forms as forms
from nmtcore.grammar.french_clause import clause_words
from nmtcore.grammar.language import Language, Tokens, tokens
from nmtcore.grammar.rows import Row
from nmtcore.grammar.template import Slot, Word
from nmtcore.grammar.tree import Clause, Leaf, NounPhrase, Number, Prepositional
from nmtcore.grammar.words import Token

# number of the pronoun (see `index`): subject, direct object, indirect object, stressed, possessives
PRONOUNS: Final = (
    ("je", "me", "me", "moi", ("mon", "ma", "mes")),
    ("tu", "te", "te", "toi", ("ton", "ta", "tes")),
    ("il", "le", "lui", "lui", ("son", "sa", "ses")),
    ("elle", "la", "lui", "elle", ("son", "sa", "ses")),
    ("nous", "nous", "nous", "nous", ("notre", "notre", "nos")),
    ("vous", "vous", "vous", "vous", ("votre", "votre", "vos")),
    ("ils", "les", "leur", "eux", ("leur", "leur", "leurs")),
    ("elles", "les", "leur", "elles", ("leur", "leur", "leurs")),
)
# Words of determiners: masculine, feminine, plural. A final underscore marks what finish() may change.
AGREE: Final = {
    "le": ("le_", "la", "les_"),
    "un": ("un", "une", "des"),
    "ce": ("ce_", "cette", "ces"),
    "quel": ("quel", "quelle", "quels"),
    "aucun": ("aucun", "aucune", "aucuns"),
    "certain": ("certain", "certaine", "certains"),
    "quelque": ("quelque", "quelque", "quelques"),
    "tout": ("tout", "toute", "tous"),
    "autre": ("autre", "autre", "autres"),
    "même": ("même", "même", "mêmes"),
}
FEMININE_PLURALS: Final = {"quels": "quelles", "certains": "certaines", "tous": "toutes"}
SPECIAL: Final = {
    "who": "qui",
    "what": "que",
    "someone": "quelqu'un",
    "something": "quelque chose",
    "everyone": "tout le monde",
    "everything": "tout",
    "nobody": "personne",
    "nothing": "rien",
}
NUMBERS: Final = tuple(
    """
    zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit
    dix-neuf vingt
    """.split()  # noqa: SIM905 (a list of quoted words is hard to read)
)
ELIDED: Final = frozenset(
    ("le_", "le", "la", "je", "me", "te", "se", "ne", "de", "que", "ce", "jusque", "lorsque", "puisque")
)
BEFORE_VOWEL: Final = {"ma": "mon", "ta": "ton", "sa": "son", "ce_": "cet"}
SENSITIVE: Final = ELIDED | frozenset(BEFORE_VOWEL)  # words that a vowel after them changes
CONTRACTED: Final = {("de", "le_"): "du", ("de", "les_"): "des", ("à", "le_"): "au", ("à", "les_"): "aux"}


def index(phrase: NounPhrase) -> int:
    """The row of PRONOUNS."""
    if phrase.person == 1:
        return 4 if phrase.many("fr") else 0
    if phrase.person == 2:
        return 1 if phrase.register == "tu" and not phrase.many("fr") else 5
    return 2 + 4 * phrase.many("fr") + (phrase.gender == "f")


class French(Language):
    code = "fr"
    space_before = "?!;:"

    def __init__(self, folder: Path) -> None:
        self.conjugations = forms.Conjugations(folder / "conjugations.fr.tsv")

    def forms(self, category: str, row: Row) -> Any:
        word = row.need("fr")
        if category == "noun":
            return self._noun(word, row)
        if category == "adjective":
            return self._adjective(word, row)
        if category == "verb":
            clitic, _, infinitive = word.rpartition(" ")
            infinitive = infinitive.removeprefix("s'")
            first = word.split()
            if word in ("se", "s'"):
                raise row.error(f"{word!r} is no verb")
            if word.startswith("s'"):
                clitic, infinitive = "se", word[2:].split()[0]
                rest = " ".join(word.split()[1:])
            elif first[0] == "se":
                infinitive, rest = first[1], " ".join(first[2:])
                clitic = "se"
            else:
                clitic, infinitive, rest = "", first[0], " ".join(first[1:])
            if infinitive not in self.conjugations.rows:
                raise row.error(f"conjugations.fr.tsv has no row for the verb {infinitive!r}")
            return infinitive, clitic, rest
        if category == "country":
            return word, row.need("fr_gender"), row["fr_plural"] == "p"
        return word

    def _noun(self, word: str, row: Row) -> Any:
        """gender: (singular, plural); of persons both genders, `acteur/actrice`."""
        gender = row["fr_gender"]
        if gender not in ("m", "f", "mf"):
            raise row.error("a noun needs its gender in fr_gender: m, f or, of persons, mf")
        many = row["count"] == "p"
        masculine, _, feminine = word.partition("/")
        if gender != "mf":
            return {gender: (word, row["fr_plural"] or (word if many else self.plural(word)))}
        feminine = feminine or masculine
        return {"m": (masculine, self.plural(masculine)), "f": (feminine, self.plural(feminine))}

    def plural(self, word: str) -> str:
        """The plural of a noun of several words: that of the first, as in pommes de terre."""
        first, space, rest = word.partition(" ")
        if space and rest.split()[0] not in ("à", "de", "en", "au", "aux", "du", "des", "pour", "contre"):
            return " ".join(self.plural(part) for part in word.split())
        return forms.plural(first) + space + rest if not first.startswith(("d'", "l'")) else word

    def _adjective(self, word: str, row: Row) -> Any:
        """Masculine, feminine, their plurals, the masculine before a vowel, and whether it precedes the noun."""
        place = row["place_fr"] or "a"
        if place not in ("a", "b"):
            raise row.error("place_fr is a (after the noun) or b (before it)")
        feminine = row["fr_feminine"] or forms.feminine(word)
        if row["fr_feminine"] == "=":
            return word, word, word, word, word, place == "b"
        return (
            word,
            feminine,
            row["fr_plural"] or forms.plural(word),
            forms.plural(feminine) if feminine != word or not row["fr_plural"] else row["fr_plural"],
            row["fr_vowel"] or word,
            place == "b",
        )

    def gender(self, entry: Any) -> str:
        """The gender of a noun that has one."""
        return str(next(iter(entry.words["fr"])))

    def adjective(self, words: Any, gender: str, plural: bool) -> str:
        """The form of an adjective that agrees."""
        return str(words[(gender == "f") + 2 * plural])

    # noun phrases

    def noun_phrase(self, phrase: NounPhrase, role: str) -> Tokens:
        """role: subject, object, negated, `de` (after that preposition), or another preposition."""
        own = (phrase.tag,)
        if phrase.kind == "pronoun":
            row = PRONOUNS[index(phrase)]
            return [Token(row[0] if role == "subject" else row[3], own)]
        if phrase.kind == "both":
            first, second = phrase.both
            return [*self.noun_phrase(first, role), Token("et", own), *self.noun_phrase(second, role)]
        if phrase.kind in SPECIAL:
            return tokens(SPECIAL[phrase.kind], own)
        entry = phrase.entry
        assert entry is not None
        if phrase.kind != "noun":
            return tokens(entry.words["fr"], own)
        forms_of = entry.words["fr"]
        noun = (forms_of.get(phrase.gender) or next(iter(forms_of.values())))[phrase.many("fr")]
        before: Tokens = []
        after: Tokens = []
        for adjective, tag, degree in phrase.adjectives:
            words = adjective.words["fr"]
            text = self.adjective(words, phrase.gender, phrase.many("fr"))
            if degree:
                compared = self.compared(words, phrase, degree, tag)
                if words[5]:
                    before += compared
                else:
                    article = [Token(AGREE["le"][2 if phrase.many("fr") else phrase.gender == "f"], (tag,))]
                    after += [*(article if degree == "est" else []), *compared]
            elif words[5]:
                if phrase.gender == "m" and not phrase.many("fr") and forms.elides(noun):
                    text = words[4]
                before += tokens(text, (tag,))
            else:
                after += tokens(text, (tag,))
        found = [*self.determiner(phrase, role, bool(before)), *before, *tokens(noun, own), *after]
        for post in phrase.post:
            found += self.value(post)
        if phrase.genitive:
            found += [Token("de", (phrase.tag + 1,)), *self.noun_phrase(phrase.genitive, "de")]
        return found

    def compared(self, words: Any, phrase: NounPhrase, degree: str, tag: int) -> Tokens:
        """The comparative or superlative of an adjective before or after its noun."""
        text = self.adjective(words, phrase.gender, phrase.many("fr"))
        if words[0] == "bon":
            return tokens(f"meilleur{text[3:].replace('n', '')}", (tag,))
        return tokens(f"plus {text}", (tag,))

    def determiner(self, phrase: NounPhrase, role: str, adjective_first: bool) -> Tokens:
        """The words of the determiner. An indefinite one is `de` after a negation, and falls after `de`."""
        determiner = phrase.determiner
        if determiner is None:
            return []
        features = determiner.rule.features
        items = determiner.rule.templates["fr"].items
        if "indefinite" in features:
            many = phrase.many("fr") or (phrase.entry is not None and phrase.entry.mass)
            link = next((item.link for item in items if isinstance(item, Word) and item.link), 0)
            tags = (determiner.tag + link,) if link else ()
            if role == "negated" or (phrase.many("fr") and adjective_first and role != "de"):
                return [Token("de", tags)]
            if role == "de" and many:
                return []
        found: Tokens = []
        for token in self.items(items, determiner):
            form = token.form
            if form == "mon" and phrase.owner:
                triple = PRONOUNS[index(phrase.owner)][4]
                form = triple[2 if phrase.many("fr") else phrase.gender == "f"]
            elif form in AGREE:
                form = AGREE[form][2 if phrase.many("fr") else phrase.gender == "f"]
                if phrase.many("fr") and phrase.gender == "f":
                    form = FEMININE_PLURALS.get(form, form)
            if form != "-":
                found.append(Token(form, token.tags))
        return found

    def leaf(self, leaf: Leaf, form: str, agree: NounPhrase | None) -> Tokens:
        if isinstance(leaf.entry, Number):
            return tokens(NUMBERS[leaf.entry.value] if leaf.entry.spelled else str(leaf.entry.value), (leaf.tag,))
        words = leaf.entry.words["fr"]
        gender, plural = (agree.gender, agree.many("fr")) if agree else ("m", False)
        if leaf.entry.category == "adjective":
            text = self.adjective(words, gender, plural)
            degree = {"er": "plus ", "est": "plus ", "less": "moins "}.get(form, "")
            if degree == "plus " and words[0] == "bon":
                text, degree = f"meilleur{text[3:].replace('n', '')}", ""
            return tokens(degree + text, (leaf.tag,))
        if leaf.entry.category == "verb":
            infinitive = words[0]
            text = self.conjugations.participle(infinitive, gender, plural) if form == "pp" else infinitive
            return tokens(f"{text} {words[2]}", (leaf.tag,))
        if leaf.entry.category == "country":
            return self.country(leaf, form)
        return [*tokens(form), *tokens(words, (leaf.tag,))] if form else tokens(words, (leaf.tag,))

    def country(self, leaf: Leaf, form: str) -> Tokens:
        """en Inde, au Japon, aux États-Unis; de Chine, du Japon; la Chine."""
        word, gender, plural = leaf.entry.words["fr"]
        own = (leaf.tag,)
        article = "" if gender == "-" else "les_" if plural else "le_" if gender == "m" else "la"
        feminine = gender == "f" or (gender == "m" and forms.elides(word))
        if form in ("in", "to"):
            if article and feminine and not plural:
                return [Token("en", own), *tokens(word, own)]
            return [Token("à", own), *([Token(article, own)] if article else []), *tokens(word, own)]
        if form == "from":
            bare = feminine and not plural
            return [Token("de", own), *([Token(article, own)] if article and not bare else []), *tokens(word, own)]
        return [*([Token(article, own)] if article else []), *tokens(word, own)]

    def prepositional(self, phrase: Prepositional) -> Tokens:
        word = phrase.prepositions["fr"]
        return [*tokens(word, (phrase.tag,)), *self.noun_phrase(phrase.value, word)]

    def agreeing(self, form: str, with_: Any) -> str:
        """An adjective or participle of a template that agrees with a noun phrase; `son`, whose it is."""
        if not isinstance(with_, NounPhrase):
            return form
        if form in ("son", "sa", "ses"):
            return str(PRONOUNS[index(with_)][4][("son", "sa", "ses").index(form)])
        if form in ("lui", "le", "te", "il"):
            return str(PRONOUNS[index(with_)][{"lui": 3, "le": 1, "te": 1, "il": 0}[form]])
        if form in AGREE:
            found = AGREE[form][2 if with_.many("fr") else with_.gender == "f"]
            return FEMININE_PLURALS.get(found, found) if with_.gender == "f" else found
        text = forms.feminine(form) if with_.gender == "f" else form
        return forms.plural(text) if with_.many("fr") else text

    def clause(self, clause: Clause) -> Tokens:
        return clause_words(self, clause)

    def subject(self, clause: Clause) -> Tokens:
        """The words before the verb of a clause."""
        template = clause.rule.templates["fr"]
        return self.items(tuple(Slot(i.name, "subject") if isinstance(i, Slot) else i for i in template.before), clause)

    def after_verb(self, clause: Clause, role: str) -> Tokens:
        """The words of a clause's template that follow its verb. role: of the noun phrases among them."""
        template = clause.rule.templates["fr"]
        slots = tuple(Slot(i.name, i.form or role) if isinstance(i, Slot) else i for i in template.after)
        found: Tokens = []
        for item in slots:
            value = clause.parts[item.name] if isinstance(item, Slot) else None
            if isinstance(value, Leaf) and isinstance(item, Slot):
                form = item.form if item.form not in ("object", "negated") else ""
                found += self.leaf(value, form, clause.subject)
            else:
                found += self.items((item,), clause)
        return found

    # what depends on the neighbouring word

    def finish(self, words: Tokens) -> Tokens:
        """Contraction (au, des), elision (l', qu'), and the forms before a vowel (mon, cet)."""
        done: Tokens = []
        i = 0
        while i < len(words):
            token = words[i]
            following = words[i + 1] if i + 1 < len(words) else Token("")
            after = words[i + 2] if i + 2 < len(words) else Token("")
            contracted = CONTRACTED.get((token.form, following.form))
            if contracted and not (following.form == "le_" and forms.elides(after.form)):
                done.append(Token(contracted, token.tags + following.tags))
                i += 2
                continue
            vowel = token.form in SENSITIVE and forms.elides(following.form)
            if token.form == "si" and following.form in ("il", "ils"):
                done.append(Token(f"s'{following.form}", token.tags + following.tags))
                i += 2
                continue
            if token.form in ELIDED and vowel:
                words = [*words]
                words[i + 1] = Token(token.form.rstrip("_")[:-1] + "'" + following.form, token.tags + following.tags)
                i += 1
                continue
            form = BEFORE_VOWEL.get(token.form, token.form) if vowel else token.form
            done.append(Token(form.rstrip("_"), token.tags))
            i += 1
        return done
