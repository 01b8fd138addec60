"""English: derivations put into words."""

from __future__ import annotations

from typing import Any, Final

from nmtcore.grammar import english_forms as forms
from nmtcore.grammar.language import Language, Tokens, tokens
from nmtcore.grammar.rows import Row
from nmtcore.grammar.template import Slot
from nmtcore.grammar.tree import (
    AUXILIARY,
    EVEN,
    INDEFINITE,
    NEGATION,
    QUESTION,
    VERB,
    Clause,
    Leaf,
    NounPhrase,
    Number,
    Prepositional,
)
from nmtcore.grammar.words import Tags, Token

# number of the pronoun (see `index`): subject, object, possessive, reflexive
PRONOUNS: Final = (
    ("I", "me", "my", "myself"),
    ("you", "you", "your", "yourself"),
    ("he", "him", "his", "himself"),
    ("she", "her", "her", "herself"),
    ("it", "it", "its", "itself"),
    ("we", "us", "our", "ourselves"),
    ("you", "you", "your", "yourselves"),
    ("they", "them", "their", "themselves"),
)
# tense: the finite verb (an auxiliary or the verb itself, empty), in the present or the past, and what follows it
TENSES: Final = {
    "habit": ("", "present", ""),
    "subjunctive": ("", "present", ""),
    "whenfuture": ("", "present", ""),
    "now": ("be", "present", "ing"),
    "past": ("", "past", ""),
    "imperfect": ("", "past", ""),
    "used": ("used", "past", "to base"),
    "pastprog": ("be", "past", "ing"),
    "perfect": ("have", "present", "pp"),
    "justpast": ("have", "present", "just pp"),
    "already": ("have", "present", "already pp"),
    "experience": ("have", "present", "pp"),
    "about": ("be", "present", "about to base"),
    "since": ("have", "present", "been ing"),
    "pluperfect": ("have", "past", "pp"),
    "future": ("will", "present", "base"),
    "going": ("be", "present", "going to base"),
    "conditional": ("would", "present", "base"),
    "condperfect": ("would", "present", "have pp"),
    "futperfect": ("will", "present", "have pp"),
    "polite": ("", "present", ""),
    "necessity": ("have", "present", "to base"),
    "potential": ("can", "present", "base"),
}
NUMBERS: Final = tuple(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty
    """.split()  # noqa: SIM905 (a list of quoted words is hard to read)
)
SHORT: Final = {
    "am": "'m",
    "are": "'re",
    "is": "'s",
    "will": "'ll",
    "would": "'d",
    "have": "'ve",
    "has": "'s",
    "had": "'d",
}
NOT: Final = {"will": "won't", "can": "can't", "am": "am not"}
AGREE: Final = {"this": "these", "that": "those", "is": "are", "was": "were", "has": "have"}


def index(phrase: NounPhrase) -> int:
    """The row of PRONOUNS."""
    if phrase.person < 3:
        return phrase.person - 1 + 5 * phrase.plural
    if phrase.many("en"):
        return 7
    return (2 if phrase.gender == "m" else 3) if phrase.human else 4


GERUNDS: Final = frozenset(("gerund", "participle", "after"))


class English(Language):
    code = "en"

    def forms(self, category: str, row: Row) -> Any:
        word = row.need("en")
        if category == "noun":
            return word, row["en_plural"] or (word if row["count"] in ("m", "p") else forms.plural(word))
        if category == "verb":
            base, _, particle = word.partition(" ")
            return base, particle
        return word

    def finite(self, base: str, time: str, subject: NounPhrase | None) -> str:
        """The finite form of a verb that agrees with its subject."""
        person, plural = (subject.person, subject.many("en")) if subject else (3, False)
        if subject and subject.kind == "pronoun" and person == 2:
            plural = True
        if base in ("will", "would", "used", "can", "could", "should", "must", "might"):
            return base
        if base == "be":
            if time == "past":
                return "were" if plural else "was"
            return "are" if plural else "am" if person == 1 else "is"
        if time == "past":
            return forms.past(base)[0]
        return base if plural or person == 1 else forms.third_person(base)

    def form(self, base: str, form: str) -> str:
        """A verb's infinitive, gerund (`ing`) or past participle (`pp`)."""
        if form == "ing":
            return forms.gerund(base)
        return forms.past(base)[1] if form == "pp" else base

    def noun_phrase(self, phrase: NounPhrase, role: str) -> Tokens:
        own = (phrase.tag,)
        if phrase.kind == "pronoun":
            return [Token(PRONOUNS[index(phrase)][role not in ("", "subject")], own)]
        if phrase.kind == "both":
            first, second = phrase.both
            return [*self.noun_phrase(first, role), Token("and", own), *self.noun_phrase(second, role)]
        if phrase.kind in ("who", "what") or phrase.kind in INDEFINITE:
            return [Token(phrase.kind, own)]
        entry = phrase.entry
        assert entry is not None
        if phrase.kind != "noun":
            return tokens(entry.words["en"], own)
        words: Tokens = []
        if phrase.genitive:
            article = (phrase.determiner.tag + 1,) if phrase.determiner else ()
            *owner, last = self.noun_phrase(phrase.genitive, "object")
            ending = "'" if last.form.endswith("s") and phrase.genitive.many("en") else "'s"
            words += [*owner, Token(last.form + ending, (*last.tags, phrase.tag + 1, *article))]
        determiner = phrase.determiner
        if determiner:
            for token in self.items(determiner.rule.templates["en"].items, determiner):
                form = token.form
                if form == "-":
                    continue
                if form == "his" and phrase.owner:
                    form = PRONOUNS[index(phrase.owner)][2]
                elif phrase.many("en"):
                    form = AGREE.get(form, form)
                if form == "some" and role == "negated":
                    form = "any"
                words.append(Token(form, token.tags))
        for adjective, tag, degree in phrase.adjectives:
            text = adjective.words["en"]
            words += tokens(forms.compared(text, degree) if degree else text, (tag,))
        words += tokens(entry.words["en"][phrase.many("en")], own)
        for post in phrase.post:
            words += self.value(post)
        return words

    def leaf(self, leaf: Leaf, form: str, agree: NounPhrase | None) -> Tokens:
        if isinstance(leaf.entry, Number):
            return tokens(NUMBERS[leaf.entry.value] if leaf.entry.spelled else str(leaf.entry.value), (leaf.tag,))
        text = leaf.entry.words["en"]
        if leaf.entry.category == "country" and form in ("in", "to", "from"):
            return tokens(f"{form} {text}", (leaf.tag,))
        if leaf.entry.category == "verb":
            base, particle = text
            return tokens(f"{self.form(base, form)} {particle}", (leaf.tag,))
        if form in ("er", "est"):
            text = forms.compared(text, form)
        if form == "erer":  # bigger and bigger, more and more careful
            more, _, rest = forms.compared(text, "er").partition(" ")
            text = f"{more} and {more} {rest}".strip()
        return tokens(text, (leaf.tag,))

    def prepositional(self, phrase: Prepositional) -> Tokens:
        word = phrase.prepositions["en"]
        if phrase.prepositions.get("movement"):
            word = "to"
        return [*tokens(word, (phrase.tag,)), *self.noun_phrase(phrase.value, word)]

    def agreeing(self, form: str, with_: Any) -> str:
        number = index(with_) if isinstance(with_, NounPhrase) else 4
        for column in (2, 3):
            if form == PRONOUNS[2][column]:
                return PRONOUNS[number][column]
        return AGREE.get(form, form) if isinstance(with_, NounPhrase) and with_.plural else form

    def clause(self, clause: Clause) -> Tokens:
        template = clause.rule.templates["en"]
        assert template.verb is not None
        name = template.verb.words[-1]
        leaf = clause.parts.get(name)
        base, particle = clause.verb.words["en"] if clause.verb else leaf.entry.words["en"] if leaf else (name, "")
        about = clause.parts.get(clause.rule.features.get("agree", ""), clause.subject)
        auxiliary, main = self.verb_group(clause, base, about) if clause.tense != "wish" else ([], [])
        subject: Tokens = []
        if clause.gap != "subject" and clause.form in ("statement", "question"):
            subject = self.items(
                tuple(Slot(i.name, "subject") if isinstance(i, Slot) else i for i in template.before), clause
            )
        rest = self.after(clause, particle)
        if clause.tense == "wish":  # (I want) him to eat
            objects = self.noun_phrase(clause.subject, "object") if clause.subject else []
            aux = (clause.tag + AUXILIARY,)
            return [*objects, Token("to", aux), Token(base, (clause.tag + VERB, *aux)), *rest]
        if clause.form == "question" and clause.gap != "subject":
            middle = [*auxiliary[:1], *subject, *auxiliary[1:], *main]
        else:
            middle = [*self.contracted(clause, subject, auxiliary), *main]
        front: Tokens = []
        for phrase in clause.front:
            front += [*self.value(phrase), Token(",")]
        return [*front, *middle, *rest]

    def value(self, value: Any, form: str = "", agree: NounPhrase | None = None) -> Tokens:
        if form == "tag" and isinstance(value, Clause):
            return self.question_tag(value)
        return super().value(value, form, agree)

    def contracted(self, clause: Clause, subject: Tokens, auxiliary: Tokens) -> Tokens:
        """Subject and auxiliary, in one word where a pronoun and an auxiliary are written so."""
        spoken = (
            clause.short
            and clause.tense != "necessity"
            and subject
            and auxiliary
            and clause.subject
            and clause.subject.kind == "pronoun"
        )
        if spoken and len(subject) == 1 and auxiliary[0].form in SHORT:
            pronoun, first = subject[-1], auxiliary[0]
            merged = Token(pronoun.form + SHORT[first.form], pronoun.tags + first.tags)
            return [merged, *auxiliary[1:]]
        return [*subject, *auxiliary]

    def verb_group(self, clause: Clause, base: str, subject: NounPhrase | None) -> tuple[Tokens, Tokens]:
        """Auxiliary with `not`, and the main verb with what stands before it. A simple verb has no auxiliary."""
        main, aux = (clause.tag + VERB,), (clause.tag + AUXILIARY,)
        both = main + aux
        adverbs: Tokens = []
        if clause.negation in ("never", "no longer", "only"):
            adverbs += tokens(clause.negation, (clause.tag + NEGATION,))
        if clause.negation == "even":  # didn't even read it
            adverbs.append(Token("even", (clause.tag + EVEN,)))
        if clause.adverb:
            adverbs += self.leaf(clause.adverb, "", None)
        negated = clause.negation in ("not", "not yet", "even")
        if clause.form == "imperative" and clause.subject and clause.subject.person == 1:
            word = Token("let's", (both[0], clause.subject.tag))
            return [word, *([Token("not", (clause.tag + NEGATION,))] if negated else [])], [*adverbs, Token(base, both)]
        if clause.form in ("infinitive", "imperative") or clause.form in GERUNDS:
            form = forms.gerund(base) if clause.form in GERUNDS else base
            if negated:
                aux_form = "don't" if clause.short else "do not"
                return tokens(aux_form, (clause.tag + NEGATION,)), [*adverbs, Token(form, both)]
            return [], [*adverbs, Token(form, both)]
        helper, time, following = TENSES[clause.tense]
        asked = clause.form == "question" and clause.gap != "subject"
        question: Tags = (clause.tag + QUESTION,) if asked else ()
        modal = base in ("can", "could", "should", "must", "might")
        if not helper and (base == "be" or modal):
            first, rest = Token(self.finite(base, time, subject), both + question), adverbs
        elif not helper and (negated or asked):
            first, rest = Token(self.finite("do", time, subject), aux + question), [*adverbs, Token(base, both)]
        elif not helper:
            return [], [*adverbs, Token(self.finite(base, time, subject), both)]
        else:
            first = Token(self.finite(helper, time, subject), aux + question)
            rest = [*adverbs]
            *between, last = following.split()
            rest += [Token(word, aux) for word in between]
            rest.append(Token(self.form(base, last), main))
        auxiliary = [first]
        if negated:
            auxiliary = self.denied(clause, first)
        return auxiliary, rest

    def denied(self, clause: Clause, first: Token) -> Tokens:
        """The auxiliary with `not`, contracted where the clause is short."""
        tag = (clause.tag + NEGATION,)
        if clause.short and first.form not in ("am", "used", "might"):
            return [Token(NOT.get(first.form, first.form + "n't"), first.tags + tag)]
        if first.form == "can":
            return [Token("cannot", first.tags + tag)]
        return [first, Token("not", tag)]

    def after(self, clause: Clause, particle: str) -> Tokens:
        """What follows the verb: the template's words, what the verb takes, adjuncts."""
        template = clause.rule.templates["en"]
        role = "negated" if clause.negation not in ("", "only") else "object"
        words = self.items(
            tuple(Slot(i.name, i.form or role) if isinstance(i, Slot) else i for i in template.after), clause
        )
        verb = (clause.tag + VERB,)
        extra = tokens(particle, verb)
        for i, (complement, value) in enumerate(clause.complements):
            preposition = complement.prepositions["en"]
            pronoun = isinstance(value, NounPhrase) and value.kind == "pronoun"
            if extra and not (i == 0 and pronoun and not preposition):
                words += extra
                extra = []
            if preposition:
                other = any(p for code, p in complement.prepositions.items() if code != "en")
                words += tokens(preposition, (clause.tag + 14 + min(i, 1),) if other else verb)
            if isinstance(value, NounPhrase):
                words += self.noun_phrase(value, role)
            elif complement.clause == "ADJ":
                words += self.leaf(value, "", None)
            else:
                words += self.value(value)
        words += extra
        for phrase in clause.back:
            words += self.value(phrase)
        if clause.negation == "not yet":
            words.append(Token("yet", (clause.tag + NEGATION,)))
        return words

    def question_tag(self, clause: Clause) -> Tokens:
        """isn't he, did they: the tag that asks whether a statement is right."""
        template = clause.rule.templates["en"]
        assert template.verb is not None and clause.subject is not None
        base = clause.verb.words["en"][0] if clause.verb else template.verb.words[-1]
        auxiliary, main = self.verb_group(clause, base, clause.subject)
        first = auxiliary[0].form if auxiliary else main[-1].form if base == "be" else ""
        if not first:
            first = self.finite("do", TENSES[clause.tense][1], clause.subject)
        for short in ("n't", "not"):
            first = first.removesuffix(short)
        first = {"wo": "will", "ca": "can"}.get(first, first)
        if not clause.negation:
            first = {"am": "aren't", "will": "won't", "can": "can't"}.get(first, first + "n't")
        return tokens(f"{first} {PRONOUNS[index(clause.subject)][0]}", (clause.tag + QUESTION,))

    def finish(self, words: Tokens) -> Tokens:
        done: Tokens = []
        for i, token in enumerate(words):
            if token.form == "a" and i + 1 < len(words):
                token = Token(forms.article(words[i + 1].form), token.tags)
            done.append(token)
        return done
