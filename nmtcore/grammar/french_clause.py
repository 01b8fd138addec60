"""French clauses: tenses, clitic pronouns, negation, questions and the agreement of participles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from nmtcore.grammar.french_forms import ETRE
from nmtcore.grammar.language import Tokens, tokens
from nmtcore.grammar.tree import AUXILIARY, NEGATION, QUESTION, VERB, Clause, NounPhrase
from nmtcore.grammar.words import Tags, Token

if TYPE_CHECKING:
    from nmtcore.grammar.french import French

SIMPLE: Final = {
    "habit": "present", "now": "present", "since": "present", "subjunctive": "subjunctive", "imperfect": "imperfect",
    "used": "imperfect", "pastprog": "imperfect", "future": "future", "whenfuture": "future",
    "conditional": "conditional", "polite": "conditional", "necessity": "subjunctive", "wish": "subjunctive",
}  # fmt: skip
COMPOUND: Final = {  # the tense of the auxiliary
    "past": "present",
    "perfect": "present",
    "pluperfect": "imperfect",
    "condperfect": "conditional",
    "futperfect": "future",
    "subjunctive past": "subjunctive",
}
BEFORE_INFINITIVE: Final = {"going": ("aller",), "justpast": ("venir", "de")}
NEGATIONS: Final = {"not": "pas", "never": "jamais", "no longer": "plus", "not yet": "pas encore", "only": ""}
INDEFINITE_ARTICLE: Final = re.compile(r"^(?:du |de la |de l'|des |une? )")
EARLY: Final = {"nothing": "rien", "everything": "tout"}
ORDER: Final = (("me", "te", "se", "nous", "vous"), ("le", "la", "les"), ("lui", "leur"), ("y",), ("en",))
REFLEXIVE: Final = ("me", "te", "se", "nous", "vous", "se")
NOBODY: Final = frozenset(("nobody", "nothing"))


def person(subject: NounPhrase | None) -> int:
    """The number of the person's form, 0 (je) to 5 (ils)."""
    if subject is None:
        return 2
    if subject.kind == "pronoun" and subject.person == 2:
        return 1 if subject.register == "tu" and not subject.many("fr") else 4
    return subject.person - 1 + 3 * subject.many("fr")


def clause_words(french: French, clause: Clause) -> Tokens:
    """The words of a clause in their order."""
    template = clause.rule.templates["fr"]
    assert template.verb is not None
    name = template.verb.words[-1]
    leaf = clause.parts.get(name)
    verb = clause.verb.words["fr"] if clause.verb else leaf.entry.words["fr"] if leaf else (name, "", "")
    infinitive, reflexive, fixed = verb
    clitics: list[Token] = [Token(word, (clause.tag + VERB,)) for word in template.verb.words[:-1] if word != "se"]
    reflexive = reflexive or ("se" if "se" in template.verb.words[:-1] else "")
    about = clause.subject
    if reflexive:
        clitics.append(Token(REFLEXIVE[person(about)], (clause.tag + VERB,)))
    placed, early, rest, direct = complements(french, clause, bool(clitics))
    clitics = sorted([*clitics, *placed], key=rank)
    object_follows = direct is None and (
        any(c.is_object for c, _ in clause.complements) or "object" in clause.rule.features
    )
    has_object = object_follows or direct is not None or clause.gap == "object"
    etre = bool(reflexive) or (infinitive in ETRE and not has_object)
    participle = agreement(clause, reflexive, object_follows, direct, etre)
    words = group(french, clause, infinitive, clitics, etre, participle, early)
    if clause.negation not in ("", "only"):
        fixed = INDEFINITE_ARTICLE.sub("de ", fixed)  # faire du judo, ne pas faire de judo
    tail = [*tokens(fixed, (clause.tag + VERB,)), *rest]
    for phrase in clause.back:
        tail += french.value(phrase)
    front: Tokens = []
    for phrase in clause.front:
        front += [*french.value(phrase), Token(",")]
    return [*front, *words, *tail]


def rank(token: Token) -> int:
    """The place of a clitic pronoun among others: me le, le lui, lui en."""
    return next((i for i, some in enumerate(ORDER) if token.form in some), 0)


def complements(french: French, clause: Clause, reflexive: bool) -> tuple[Tokens, Tokens, Tokens, NounPhrase | None]:
    """Clitic pronouns, what precedes a participle (rien, tout), the words after it, and the direct object if clitic."""
    from nmtcore.grammar.french import PRONOUNS, index

    clitics: Tokens = []
    early: Tokens = []
    rest = french.after_verb(clause, "negated" if clause.negation not in ("", "only") else "object")
    direct: NounPhrase | None = None
    for i, (complement, value) in enumerate(clause.complements):
        preposition = complement.prepositions["fr"]
        strong = preposition.endswith("!")
        preposition = preposition.rstrip("!")
        tags: Tags = (clause.tag + 14 + min(i, 1),) if complement.prepositions["en"] else (clause.tag + VERB,)
        if isinstance(value, NounPhrase):
            if value.kind == "pronoun":
                row = PRONOUNS[index(value)]
                if not preposition and direct is None and not complement.clause:
                    clitics.append(Token(row[1], (value.tag,)))
                    direct = value
                    continue
                blocked = reflexive or (direct is not None and direct.person < 3)
                if preposition == "à" and value.human and not strong and not blocked:
                    clitics.append(Token(row[2], (value.tag,)))
                    continue
                if preposition in ("à", "de") and not value.human:
                    clitics.append(Token("y" if preposition == "à" else "en", (value.tag,)))
                    continue
            negated = clause.negation and clause.negation != "only"
            role = preposition or ("negated" if negated else "object")
            if value.kind in EARLY and not preposition:
                early.append(Token(EARLY[value.kind], (value.tag,)))
                continue
            if clause.negation == "only" and i == 0:
                rest.append(Token("que", (clause.tag + NEGATION,)))
            rest += [*tokens(preposition, tags), *french.noun_phrase(value, role)]
        elif complement.clause == "ADJ":
            rest += french.leaf(value, "", clause.subject)
        else:
            rest += [*tokens(preposition, tags), *french.value(value)]
    return clitics, early, rest, direct


def agreement(
    clause: Clause, reflexive: str, object_follows: bool, direct: NounPhrase | None, etre: bool
) -> tuple[str, bool]:
    """Gender and number of the participle: of the subject with être, of an object that precedes with avoir."""
    subject = clause.subject
    if clause.gap == "object" and clause.gapped:
        return clause.gapped.gender, clause.gapped.many("fr")
    if direct is not None and not reflexive:
        return direct.gender or "m", direct.many("fr")
    indirect = clause.verb is not None and "indirect" in clause.verb.marks
    if etre and subject and not (reflexive and (object_follows or indirect)):
        return subject.gender or "m", subject.many("fr")
    return "m", False


def group(
    french: French,
    clause: Clause,
    infinitive: str,
    clitics: Tokens,
    etre: bool,
    participle: tuple[str, bool],
    early: Tokens,
) -> Tokens:
    """Subject, negation, clitics and verb in order."""
    both: Tags = (clause.tag + VERB, clause.tag + AUXILIARY)
    no: Tags = (clause.tag + NEGATION,)
    asked: Tags = (clause.tag + QUESTION,) if clause.form == "question" and clause.gap != "subject" else ()
    conjugations = french.conjugations
    ne, pas = [Token("ne", no)], []
    if clause.negation:
        pas = tokens(NEGATIONS[clause.negation], no)
    elif not any(
        isinstance(v, NounPhrase) and v.kind in NOBODY for v in (clause.subject, *(v for _, v in clause.complements))
    ):
        ne = []
    adverb = [*early, *(french.leaf(clause.adverb, "", None) if clause.adverb else [])]
    if clause.form in ("infinitive", "gerund"):
        return [*(ne + pas if pas or ne else []), *early, *clitics, Token(infinitive, both)]
    if clause.form == "participle":
        return [Token("en", both), *clitics, Token(conjugations.gerund(infinitive), both)]
    if clause.form == "after":
        done = Token(conjugations.participle(infinitive, *participle), both)
        return [*clitics, Token("être" if etre else "avoir", both), done]
    if clause.form == "imperative":
        return [
            *imperative(french, clause, infinitive, clitics, ne, [*pas, *early] if ne else []),
            *([] if ne else early),
        ]
    who = person(clause.subject)
    tail: Tokens = []
    main: Tags = (clause.tag + VERB,)
    aux: Tags = (clause.tag + AUXILIARY,)
    if clause.tense in COMPOUND:
        finite = conjugations.forms("être" if etre else "avoir", COMPOUND[clause.tense])[who]
        tail = [Token(conjugations.participle(infinitive, *participle), main)]
        finite_tags = aux
    elif clause.tense in BEFORE_INFINITIVE:
        verb, *link = BEFORE_INFINITIVE[clause.tense]
        finite = conjugations.forms(verb, "present")[who]
        tail = [*(Token(word, aux) for word in link), *clitics, Token(infinitive, main)]
        finite_tags = aux
        clitics = []
    else:
        finite = conjugations.forms(infinitive, SIMPLE[clause.tense])[who]
        finite_tags = both
    subject = french.subject(clause) if clause.gap != "subject" else []
    pronoun = bool(clause.subject and clause.subject.kind == "pronoun")
    if asked:
        if "swap" in clause.rule.features and not pronoun:  # où est le chat ?
            return [*ne, *clitics, Token(finite, finite_tags + asked), *pas, *subject, *adverb, *tail]
        if ("swap" in clause.rule.features or clause.inverted) and invertible(clause, pronoun):
            form = inverted(finite, clause)
            word = Token(form, finite_tags + asked + (subject[0].tags if pronoun else ()))
            return [*([] if pronoun else subject), *ne, *clitics, word, *pas, *adverb, *tail]
        subject = [Token("est-ce", asked), Token("que", asked), *subject]
    return [*subject, *ne, *clitics, Token(finite, finite_tags), *pas, *adverb, *tail]


def invertible(clause: Clause, pronoun: bool) -> bool:
    """Inversion is not used after je, nor with a noun where something else is asked for."""
    if clause.subject is None or (pronoun and clause.subject.person == 1 and not clause.subject.plural):
        return False
    return pronoun or clause.gap != "object"


def inverted(finite: str, clause: Clause) -> str:
    """A verb with its subject pronoun behind it: va-t-il."""
    from nmtcore.grammar.french import PRONOUNS, index

    assert clause.subject is not None
    pronoun = PRONOUNS[index(clause.subject)][0]
    link = "-t-" if finite[-1] in "aec" and pronoun[0] in "ie" else "-"
    return finite + link + pronoun


def imperative(french: French, clause: Clause, infinitive: str, clitics: Tokens, ne: Tokens, pas: Tokens) -> Tokens:
    """donne-le-moi, ne me le donne pas."""
    both: Tags = (clause.tag + VERB, clause.tag + AUXILIARY)
    subject = clause.subject
    assert subject is not None
    number = 1 if subject.person == 1 else 0 if person(subject) == 1 else 2
    form = french.conjugations.forms(infinitive, "imperative")[number]
    if ne:
        return [*ne, *clitics, Token(form, both), *pas]
    tags: Tags = both
    order = sorted(clitics, key=lambda token: (("le", "la", "les").count(token.form) == 0, rank(token)))
    strong: dict[str, str] = {"me": "moi", "te": "toi"}
    for i, token in enumerate(order):
        following = order[i + 1].form if i + 1 < len(order) else ""
        word = token.form
        if following in ("y", "en") and word in strong:
            order[i + 1] = Token(f"{word[0]}'{following}", order[i + 1].tags)
            tags += token.tags
            continue
        if word in ("y", "en") and form[-1] in "ae":
            form += "s"
        form += f"-{strong.get(word, word)}"
        tags += token.tags
    return [Token(form, tags)]
