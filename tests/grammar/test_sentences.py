"""Sentences of two clauses, against sentences written by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.grammar.builder import Builder, said

SENTENCES: list[tuple[str, str, Callable[[Builder], Any]]] = [
    ("If it rains, I will stay at home.", "S'il pleut, je resterai à la maison.",
     lambda b: b.sentence("if~1 {b} , {a} .", b=b.template("it~1 <rain>", None),
                          a=b.clause(b.pronoun("I"), ("stay at home", "rester"), tense="future"))),
    ("If he came back, she would smile.", "S'il revenait, elle sourirait.",
     lambda b: b.sentence("if~1 {b} , {a} .", b=b.clause(b.pronoun("he"), ("come back", "revenir"), tense="imperfect"),
                          a=b.clause(b.pronoun("she"), ("smile", "sourire"), tense="conditional"))),
    ("When she arrives, we will have dinner.", "Quand elle arrivera, nous dînerons.",
     lambda b: b.sentence("when~1 {b} , {a} .", b=b.clause(b.pronoun("she"), ("arrive", "arriver"), tense="whenfuture"),
                          a=b.clause(b.pronoun("we"), ("have dinner", "dîner"), tense="future"))),
    ("He shivers although he is hot.", "Il frissonne bien qu'il ait chaud.",
     lambda b: b.sentence("{a} although~1 {b} .", a=b.clause(s := b.pronoun("he"), ("shiver", "frissonner")), s=s,
                          p=b.pronoun("he"), b=b.template("{s} <be> hot~1", b.pronoun("he"), tense="subjunctive"))),
    ("She will leave before we wake up.", "Elle partira avant que nous nous réveillions.",
     lambda b: b.sentence("{a} before~1 {b} .", a=b.clause(b.pronoun("she"), ("leave", "partir"), tense="future"),
                          b=b.clause(b.pronoun("we"), ("wake up", "réveiller"), tense="subjunctive"))),
    ("I have to leave.", "Il faut que je parte.",
     lambda b: b.sentence("{c} .", "necessity", c=b.clause(b.pronoun("I"), ("leave", "partir"), tense="necessity"))),
    ("He left without eating the soup.", "Il est parti sans manger la soupe.",
     lambda b: b.sentence("{a} without~1 {x} .", s=(s := b.pronoun("he")), a=b.clause(s, ("leave", "partir"),
                tense="past"),
                          x=b.clause(s, ("eat", "manger"), b.noun("soup"), tense="infinitive", form="gerund"))),
    ("She cried while washing it.", "Elle a pleuré en le lavant.",
     lambda b: b.sentence("{a} while~1 {x} .", s=(s := b.pronoun("she")), a=b.clause(s, ("cry", "pleurer"),
                tense="past"),
                          x=b.clause(s, ("wash", "laver"), b.pronoun("it"), tense="infinitive", form="participle"))),
    ("They slept after coming back.", "Ils ont dormi après être revenus.",
     lambda b: b.sentence("{a} after~1 {x} .", s=(s := b.pronoun("they")), a=b.clause(s, ("sleep", "dormir"),
                tense="past"),
                          x=b.clause(s, ("come back", "revenir"), tense="infinitive", form="after"))),
    ("You like tea, don't you?", "Tu aimes le thé, n'est-ce pas ?",
     lambda b: b.sentence("{c} , {c:tag} ?", p=(s := b.pronoun("you (tu)")),
                          c=b.clause(s, ("like", "aimer"), b.noun("tea", "-", generic=True)))),
    ("She can't swim, can she?", "Elle ne peut pas nager, n'est-ce pas ?",
     lambda b: b.sentence("{c} , {c:tag} ?", p=(s := b.pronoun("she")),
                          c=b.template("{s} <can> {x}", s, negation="not", short=True,
                                       x=b.clause(s, ("swim", "nager"), tense="infinitive", form="infinitive")))),
    ("Where is my key?", "Où est ma clé ?",
     lambda b: b.sentence("where~1 {c} ?", "copula",
                          c=b.template("{s} <be>", b.noun("key", "his~1", owner=b.pronoun("I")), only="copula",
                          form="question"))),
    ("How old is she?", "Quel âge a-t-elle ?",
     lambda b: b.sentence("how~1 old~1 {c} ?", c=b.template("{s} <be>", b.pronoun("she"), only="age",
                form="question"))),
    ("It is a pity that you are ill.", "C'est dommage que vous soyez malade.",
     lambda b: b.sentence("it~1 is~1 a~2 pity~2 that~3 {c} .",
                          c=b.template("{s} <be> ill~1", b.pronoun("you (vous)"), tense="subjunctive"))),
]  # fmt: skip


@pytest.mark.parametrize(("english", "french", "make"), SENTENCES)
def test_sentence(english: str, french: str, make: Callable[[Builder], Any]) -> None:
    assert said(make(Builder())) == (english, french)


def test_relative_clauses() -> None:
    """qui, que with agreement of the participle, où, dont."""
    b = Builder()
    cases = [
        ("who~1 {c}", b.noun("girl"), {"gap": "subject"}, "The girl who slept", "La fille qui a dormi"),
        ("that~1 {c}", b.noun("letter"), {"gap": "object"}, "The letter that he read", "La lettre qu'il a lue"),
    ]
    for template, head, more, english, french in cases:
        if more["gap"] == "subject":
            clause = b.clause(head, ("sleep", "dormir"), tense="past", gapped=head, **more)
        else:
            clause = b.clause(b.pronoun("he"), ("read", "lire"), tense="past", gapped=head, **more)
        rule = next(
            rule for rule in b.d.rules["Relative"]
            if rule.row["en"] == template and rule.parts[0].arguments.get("gap") == more["gap"]
        )  # fmt: skip
        head.post.append(b.d.expand(rule, {"c": clause, "n": head}))
        assert said(b.clause(head, ("leave", "partir"), tense="past")) == (f"{english} left.", f"{french} est partie.")


def test_place_and_owner_in_relative_clauses() -> None:
    b = Builder()
    house = b.noun("house")
    where = b.clause(b.pronoun("we"), ("sleep", "dormir"), tense="past")
    house.post.append(b.d.expand(b.rule("Relative", "where~1 {c}"), {"c": where}))
    bought = b.clause(b.pronoun("he"), ("rent", "louer"), house, tense="past")
    assert said(bought) == ("He rented the house where we slept.", "Il a loué la maison où nous avons dormi.")
    man = b.noun("man")
    dog = b.noun("dog", "whose~1", whose=True)
    lost = b.clause(dog, ("run", "courir"), tense="past")
    rule = next(rule for rule in b.d.rules["Relative"] if rule.parts[0].arguments.get("det") == "whose")
    man.post.append(b.d.expand(rule, {"o": dog, "c": lost, "n": man}))
    cried = b.clause(man, ("cry", "pleurer"), tense="past")
    assert said(cried) == ("The man whose dog ran cried.", "L'homme dont le chien a couru a pleuré.")
