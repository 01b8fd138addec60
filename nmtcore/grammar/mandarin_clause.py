"""Mandarin clauses: the order of words, aspect, negation, 把 and 被, complements.

Marks of verbs: state (no aspect), punct (done in a moment: no 正在), zhe (着), guo (过), ba (把 where the object is
definite), bamust (always 把), bei (may be passive), ability (with 会), manner, nowill (nobody does it on purpose).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from nmtcore.grammar.language import Tokens
from nmtcore.grammar.lexicon import Complement
from nmtcore.grammar.template import Slot
from nmtcore.grammar.tree import AUXILIARY, EVEN, NEGATION, QUESTION, VERB, Clause, NounPhrase, Phrase, Prepositional
from nmtcore.grammar.words import Tags, Token

if TYPE_CHECKING:
    from nmtcore.grammar.mandarin import Mandarin

# tense: what stands before the verb
BEFORE: Final = {
    "now": "正在", "pastprog": "正在", "already": "已经", "justpast": "刚", "about": "快要", "future": "会",
    "going": "要", "since": "已经", "conditional": "会", "used": "以前",
}  # fmt: skip
DONE: Final = frozenset(("past", "already", "pluperfect", "justpast", "since"))  # with 了
DENIED_WITH_MEI: Final = frozenset(("past", "experience", "pluperfect", "pastprog", "now"))


def definite(phrase: Any) -> bool:
    """Whether 把 may stand before it."""
    if not isinstance(phrase, NounPhrase) or phrase.kind in ("who", "what"):
        return False
    if phrase.kind != "noun" or phrase.determiner is None:
        return True
    features = phrase.determiner.rule.features
    return "definite" in features or "poss" in features


def alternative(word: str) -> str:
    """去不去, 喜不喜欢, 有没有: what asks by saying yes and no; 是不是 before what is long or says no itself."""
    if len(word) > 2 and word[0] != "有" or word[0] in "不没":
        return "是不是" + word
    return word[0] + ("没" if word[0] == "有" else "不") + word


class ClauseWords:
    """Puts clauses into words, for one language object."""

    def __init__(self, mandarin: Mandarin) -> None:
        self.m = mandarin

    def clause(self, clause: Clause, inserted: Token | None, named: bool = False) -> Tokens:
        """A clause; `named`: without its subject, which was named before.

        inserted: a word after the subject (为什么, 就, 一), or 是, which makes 是...的, or 不, which makes 去不去, or
        连, which puts the object between 连 and 都.
        """
        template = clause.rule.templates["zh"]
        cleft = inserted is not None and inserted.form.startswith("是")
        before = template.before if template.verb else template.items
        subject: Tokens = []
        hidden = named or (clause.gap == "subject" and clause.form != "question")
        if not hidden and clause.form in ("statement", "question"):
            slots = (Slot(i.name, i.form or "subject") if isinstance(i, Slot) else i for i in before)
            subject = self.m.items(tuple(slots), clause)
        front: Tokens = []
        for phrase in clause.front:
            front += [*self.m.value(phrase), Token(",")]
        middle = self.predicate(clause, inserted, cleft) if template.verb else []
        end: Tokens = []
        if cleft and inserted:
            end = [Token("的", inserted.tags)]
        asked = clause.form == "question" and clause.gap in ("", "topic")
        if asked and inserted is None and not clause.front:
            end = [Token("吗", (clause.tag + QUESTION,))]
        return [*front, *subject, *middle, *end]

    def predicate(self, clause: Clause, inserted: Token | None, cleft: bool) -> Tokens:
        """All of a clause but subject and front: times, auxiliaries, places, 把 and 被, verb and objects."""
        m = self.m
        template = clause.rule.templates["zh"]
        assert template.verb is not None
        main: Tags = (clause.tag + VERB,)
        times, places, durations, manners = self.adjuncts(clause)
        topic, preverbal, objects = self.split(clause)
        located = bool(preverbal) and preverbal[0].form == "在"
        words: Tokens = []
        asking = inserted is not None and inserted.form == "不"
        inserts = self.inserted(None if asking else inserted)
        if inserted is not None and inserted.form == "连":
            even = (clause.tag + EVEN,)
            inserts = [Token("连", even), *m.noun_phrase(clause.complements[0][1], "object"), Token("都", even)]
        if inserted is not None and inserted.form in ("就", "一", "才", "都", "也", "连"):
            words += times
        else:
            words += inserts + times
            inserts = []
        if clause.adverb:
            words += m.leaf(clause.adverb, "", None)
        words += inserts
        ba: Tokens = []
        if topic is not None:
            ba = [Token("把", main), *m.noun_phrase(topic, "ba")]
        helpers = self.auxiliaries(clause, bool(places) or located, cleft)
        if asking:
            helpers = self.asking(clause, helpers)
        words += helpers + places
        if "passive" in clause.rule.features:
            agent = clause.parts.get("b")
            words += [Token("被", (clause.tag + 1,)), *(m.noun_phrase(agent, "") if agent else [])]
        words += manners + preverbal + ba
        rest = m.items(
            tuple(Slot(i.name, i.form or "object") if isinstance(i, Slot) else i for i in template.after), clause
        )
        alternative = asking and not helpers
        plain = cleft or (asking and clause.tense == "past")  # without 了
        return [*words, *self.verb(clause, objects + rest, durations, plain, alternative)]

    def asking(self, clause: Clause, helpers: Tokens) -> Tokens:
        """会不会, 有没有: what asks before the verb; nothing where the verb itself is said twice."""
        tags: Tags = (clause.tag + QUESTION, clause.tag + AUXILIARY)
        if clause.tense in ("past", "experience"):
            return [Token("有没有", tags)]
        return [Token(alternative(token.form), tags) for token in helpers]

    def inserted(self, word: Token | None) -> Tokens:
        """The inserted word; 是 with a question word (是在哪儿) is two."""
        if word is None:
            return []
        parts = ("是", word.form[1:]) if word.form.startswith("是") and len(word.form) > 1 else (word.form,)
        return [Token(part, word.tags) for part in parts]

    def adjuncts(self, clause: Clause) -> tuple[Tokens, Tokens, Tokens, Tokens]:
        """Times, places, durations and manners, of what is at the end of an English clause."""
        times: Tokens = []
        places: Tokens = []
        durations: Tokens = []
        manners: Tokens = []
        for phrase in clause.back:
            words = self.m.value(phrase)
            category = phrase.rule.category if isinstance(phrase, Phrase) else "Manner"
            {"Time": times, "Place": places, "Duration": durations}.get(category, manners).extend(words)
        return times, places, durations, manners

    def split(self, clause: Clause) -> tuple[NounPhrase | None, Tokens, Tokens]:
        """The object of 把 if there is one, what stands before the verb, and what follows it."""
        topic: NounPhrase | None = None
        preverbal: Tokens = []
        objects: Tokens = []
        verb = clause.verb
        first = True
        asked = clause.gapped if clause.gap == "object" and clause.form == "question" else None
        if asked is not None and verb and "bamust" in verb.marks:
            topic, asked, first = asked, None, False
        for i, (complement, value) in enumerate(clause.complements):
            if i == 0 and clause.gap == "topic":
                first = False
                continue
            preposition = complement.prepositions["zh"]
            tags = (clause.tag + 14 + min(i, 1),)
            if preposition:
                words = [Token(preposition, tags if complement.prepositions["en"] else (clause.tag + VERB,))]
                preverbal += words + self.m.value(value)
                if verb and "together" in verb.marks:
                    preverbal.append(Token("一起", words[0].tags))
            elif isinstance(value, Prepositional) and not value.prepositions.get("movement"):
                words = self.m.prepositional(value)
                if verb and "".join(verb.words["zh"]).endswith("在"):
                    objects += words[1:]
                else:
                    preverbal += words
            elif first and verb and self.with_ba(clause, complement, value):
                topic = value
            else:
                objects += self.complement(clause, complement, value)
            first = False
        if asked is not None:
            objects = [*self.m.noun_phrase(asked, "object"), *objects]
        return topic, preverbal, objects

    def complement(self, clause: Clause, complement: Complement, value: Any) -> Tokens:
        """What follows the verb for one complement."""
        if complement.clause == "ADJ":
            return [Token("很", (value.tag,)), *self.m.leaf(value, "", None)]
        if complement.clause == "QUE":
            return self.m.clause(value)
        if isinstance(value, NounPhrase):
            return self.m.noun_phrase(value, "object")
        return self.m.value(value)

    def with_ba(self, clause: Clause, complement: Complement, value: Any) -> bool:
        """Whether an object stands before the verb, after 把."""
        assert clause.verb is not None
        marks = clause.verb.marks
        if "bamust" in marks:
            return True
        if "ba" not in marks or not clause.inverted or complement.clause or clause.gap or not definite(value):
            return False
        if clause.verb.words["zh"][1]:
            return clause.tense in ("past", "already", "future", "going", "imperative", "infinitive", "pluperfect")
        return clause.tense in ("past", "already") and not clause.negation and clause.form == "statement"

    def auxiliaries(self, clause: Clause, placed: bool, cleft: bool) -> Tokens:
        """Negation and what stands before the verb for its aspect or tense."""
        no: Tags = (clause.tag + NEGATION,)
        aux: Tags = (clause.tag + AUXILIARY,)
        if cleft or clause.tense == "potential":
            return []
        template = clause.rule.templates["zh"]
        assert template.verb is not None
        has = template.verb.words[-1] == "有"
        before = BEFORE.get(clause.tense, "")
        marks = clause.verb.marks if clause.verb else frozenset()
        if clause.tense in ("now", "pastprog") and (not clause.verb or "zhe" in marks):
            before = ""
        if "nobefore" in clause.rule.features:
            before = ""
        if before == "正在" and placed:
            before = "正"
        words: Tokens = []
        if clause.negation:
            if clause.form == "imperative":
                return [Token("别", no)]
            mei = has or clause.tense in DENIED_WITH_MEI
            if clause.negation == "never":
                return [Token("从来", no), Token("没" if mei else "不", no)]
            if clause.negation == "no longer":
                return [Token("不再", no)]
            words.append(Token("没有" if mei and not has and clause.inverted else "没" if mei else "不", no))
            if clause.tense in ("past", "experience", "pluperfect"):
                return words
        return [*words, *([Token(before, aux)] if before else [])]

    def verb(self, clause: Clause, objects: Tokens, durations: Tokens, cleft: bool, asking: bool = False) -> Tokens:
        """The verb with its complement and aspect, and its objects. asking: said twice, as in 去不去."""
        m = self.m
        template = clause.rule.templates["zh"]
        assert template.verb is not None
        both: Tags = (clause.tag + VERB, clause.tag + AUXILIARY)
        main: Tags = (clause.tag + VERB,)
        *clitics, name = template.verb.words
        part = clause.parts.get(name)
        head, result, inner = name, "", ""
        if clause.verb and name == "v":
            head, result, inner = clause.verb.words["zh"]
        elif part is not None and part.entry.category == "verb":
            head, result, inner = part.entry.words["zh"]
            main = both = (part.tag,)
        elif part is not None:
            head = part.entry.words["zh"]
            degree: Tokens = []
            head = alternative(head) if asking else head
            for word in clitics if not clause.negation and not asking else ():
                degree += m.value(clause.parts[word]) if word in clause.parts else [Token(word, (part.tag,))]
            final = [Token("了", (part.tag,))] if "le" in clause.rule.features else []
            return [*degree, Token(head, (part.tag,)), *final, *objects]
        marks = clause.verb.marks if clause.verb else part.entry.marks if part is not None else frozenset()
        state = "state" in marks or "state" in clause.rule.features
        helper = clause.tense in BEFORE and not clause.negation
        tags = main if helper or clause.tense in ("experience", "past") and clause.negation else both
        before = [Token(word, tags) for word in clitics if not clause.negation or word != "很"]
        if clause.tense == "potential":  # 看得见, 看不见
            no = (clause.tag + NEGATION,) if clause.negation else ()
            return [Token(head + ("不" if clause.negation else "得") + result, (*both, *no)), *objects]
        if asking:
            head = alternative(head)
        aspect = self.aspect(clause, state, marks, cleft)
        verb = Token(head + result, tags)
        mark = [Token(aspect, (clause.tag + AUXILIARY,) if helper or aspect == "过" else tags)] if aspect else []
        if clause.tense == "about":
            return [*before, Token(head + result + inner, tags), *objects, *mark]
        if inner and not objects:
            if durations:
                return [*before, verb, *mark, *durations, Token(inner, tags), *self.still(clause)]
            if aspect in ("过", "着"):
                return [*before, verb, *mark, Token(inner, tags)]
            return [*before, Token(head + inner, tags), *mark]
        if inner:
            return [*before, Token(head + inner, tags), *mark, *objects]
        return [*before, verb, *mark, *durations, *objects, *(self.still(clause) if durations else [])]

    def still(self, clause: Clause) -> Tokens:
        """The second 了 of what is not over: 他已经睡了三个小时了."""
        return [Token("了", (clause.tag + AUXILIARY,))] if clause.tense == "since" else []

    def aspect(self, clause: Clause, state: bool, marks: frozenset[str], cleft: bool) -> str:
        """The aspect marker of a verb, 了, 过 or 着; empty for none."""
        if clause.negation:
            return "过" if clause.tense == "experience" else ""
        if clause.tense == "experience":
            return "过"
        if clause.tense in ("now", "pastprog") and "zhe" in marks:
            return "着"
        if cleft or state or (clause.gap == "object" and clause.form == "statement"):
            return ""
        if clause.tense == "about":
            return "了"
        if clause.tense in DONE:
            if any(c.clause in ("INF", "QUE") for c, _ in clause.complements):
                return ""
            return "" if clause.tense == "justpast" and not clause.complements else "了"
        return ""
