"""Clauses in both languages, against sentences written by hand: tenses, negation, clitics, agreement, questions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.grammar.builder import Builder, linked, said

Make = Callable[[Builder], Any]

STATEMENTS: list[tuple[str, str, Make]] = [
    # tenses
    ("The cat eats the apple.", "Le chat mange la pomme.",
     lambda b: b.clause(b.noun("cat"), ("eat", "manger"), b.noun("apple"))),
    ("We are eating the apples.", "Nous mangeons les pommes.",
     lambda b: b.clause(b.pronoun("we"), ("eat", "manger"), b.noun("apple", many=True), tense="now")),
    ("He ate an orange.", "Il a mangé une orange.",
     lambda b: b.clause(b.pronoun("he"), ("eat", "manger"), b.noun("orange", "a~1"), tense="past")),
    ("She left.", "Elle est partie.",
     lambda b: b.clause(b.pronoun("she"), ("leave", "partir"), tense="past")),
    ("They got up.", "Elles se sont levées.",
     lambda b: b.clause(b.pronoun("they (f)"), ("get up", "lever"), tense="past")),
    ("He was working.", "Il travaillait.",
     lambda b: b.clause(b.pronoun("he"), ("work", "travailler"), tense="pastprog")),
    ("I will open the door.", "J'ouvrirai la porte.",
     lambda b: b.clause(b.pronoun("I"), ("open", "ouvrir"), b.noun("door"), tense="future")),
    ("I'm going to open the door.", "Je vais ouvrir la porte.",
     lambda b: b.clause(b.pronoun("I"), ("open", "ouvrir"), b.noun("door"), tense="going", short=True)),
    ("You would rent the house.", "Vous loueriez la maison.",
     lambda b: b.clause(b.pronoun("you (vous)"), ("rent", "louer"), b.noun("house"), tense="conditional")),
    ("The hens had slept.", "Les poules avaient dormi.",
     lambda b: b.clause(b.noun("hen", many=True), ("sleep", "dormir"), tense="pluperfect")),
    ("We'd have slept.", "Nous aurions dormi.",
     lambda b: b.clause(b.pronoun("we"), ("sleep", "dormir"), tense="condperfect", short=True)),
    ("She has just fallen asleep.", "Elle vient de s'endormir.",
     lambda b: b.clause(b.pronoun("she"), ("fall asleep", "endormir"), tense="justpast")),
    ("I used to swim.", "Je nageais.",
     lambda b: b.clause(b.pronoun("I"), ("swim", "nager"), tense="used")),
    ("They have been working.", "Ils travaillent.",
     lambda b: b.clause(b.pronoun("they"), ("work", "travailler"), tense="since")),
    # negation
    ("He doesn't eat any bread.", "Il ne mange pas de pain.",
     lambda b: b.clause(b.pronoun("he"), ("eat", "manger"), b.noun("bread", "some~1"), negation="not", short=True)),
    ("He did not eat the bread.", "Il n'a pas mangé le pain.",
     lambda b: b.clause(b.pronoun("he"), ("eat", "manger"), b.noun("bread"), tense="past", negation="not")),
    ("She never listens to her aunt.", "Elle n'écoute jamais sa tante.",
     lambda b: b.clause(s := b.pronoun("she"), ("listen", "écouter"), b.noun("aunt", "his~1", owner=s),
                negation="never")),
    ("I no longer work.", "Je ne travaille plus.",
     lambda b: b.clause(b.pronoun("I"), ("work", "travailler"), negation="no longer")),
    ("We haven't slept yet.", "Nous n'avons pas encore dormi.",
     lambda b: b.clause(b.pronoun("we"), ("sleep", "dormir"), tense="perfect", negation="not yet", short=True)),
    ("Nobody came back.", "Personne n'est revenu.",
     lambda b: b.clause(b.special("nobody"), ("come back", "revenir"), tense="past")),
    ("He ate nothing.", "Il n'a rien mangé.",
     lambda b: b.clause(b.pronoun("he"), ("eat", "manger"), b.special("nothing"), tense="past")),
    ("She saw nobody.", "Elle n'a vu personne.",
     lambda b: b.clause(b.pronoun("she"), ("see", "voir"), b.special("nobody"), tense="past")),
    ("He ate everything.", "Il a tout mangé.",
     lambda b: b.clause(b.pronoun("he"), ("eat", "manger"), b.special("everything"), tense="past")),
    ("He only ate an apple.", "Il n'a mangé qu'une pomme.",
     lambda b: b.clause(b.pronoun("he"), ("eat", "manger"), b.noun("apple", "a~1"), tense="past", negation="only")),
    ("They only threw away some stamps.", "Ils n'ont jeté que des timbres.",
     lambda b: b.clause(b.pronoun("they"), ("throw away", "jeter"), b.noun("stamp", "some~1", many=True), tense="past",
                        negation="only")),
    ("You don't make an effort.", "Vous ne faites pas d'effort.",
     lambda b: b.clause(b.pronoun("you (vous)"), ("make an effort", "faire"), negation="not", short=True)),
    ("She pays attention to us.", "Elle fait attention à nous.",
     lambda b: b.clause(b.pronoun("she"), ("pay attention", "faire"), b.pronoun("we"))),
    ("He saw the old planes.", "Il a vu les vieux avions.",
     lambda b: b.clause(b.pronoun("he"), ("see", "voir"), b.noun("plane", many=True, adj="old"), tense="past")),
    # partitives and articles
    ("She eats some cheese.", "Elle mange du fromage.",
     lambda b: b.clause(b.pronoun("she"), ("eat", "manger"), b.noun("cheese", "some~1"))),
    ("She drinks some water.", "Elle boit de l'eau.",
     lambda b: b.clause(b.pronoun("she"), ("drink", "boire"), b.noun("water", "some~1"))),
    ("He eats a lot of jam.", "Il mange beaucoup de confiture.",
     lambda b: b.clause(b.pronoun("he"), ("eat", "manger"), b.noun("jam", "a~1 lot~1 of~1"))),
    ("I need some money.", "J'ai besoin d'argent.",
     lambda b: b.clause(b.pronoun("I"), ("need", "avoir"), b.noun("money", "some~1"))),
    ("I bought some pretty dresses.", "J'ai acheté de jolies robes.",
     lambda b: b.clause(b.pronoun("I"), ("buy", "acheter"), b.noun("dress", "some~1", many=True, adj="pretty"),
                tense="past")),
    ("He likes cats.", "Il aime les chats.",
     lambda b: b.clause(b.pronoun("he"), ("like", "aimer"), b.noun("cat", "-", many=True, generic=True))),
    # pronouns
    ("He sees me.", "Il me voit.",
     lambda b: b.clause(b.pronoun("he"), ("see", "voir"), b.pronoun("I"))),
    ("She answered them.", "Elle leur a répondu.",
     lambda b: b.clause(b.pronoun("she"), ("answer", "répondre"), b.pronoun("they"), tense="past")),
    ("He gave it to me.", "Il me l'a donné.",
     lambda b: b.clause(b.pronoun("he"), ("give", "donner"), b.pronoun("it"), b.pronoun("I"), tense="past")),
    ("I will lend it to him.", "Je le lui prêterai.",
     lambda b: b.clause(b.pronoun("I"), ("lend", "prêter"), b.pronoun("it"), b.pronoun("he"), tense="future")),
    ("We saw her.", "Nous l'avons vue.",
     lambda b: b.clause(b.pronoun("we"), ("see", "voir"), b.pronoun("she"), tense="past")),
    ("They did not see us.", "Ils ne nous ont pas vus.",
     lambda b: b.clause(b.pronoun("they"), ("see", "voir"), b.pronoun("we"), tense="past", negation="not")),
    ("He gives priority to it.", "Il y donne la priorité.",
     lambda b: b.clause(b.pronoun("he"), ("give priority", "donner"), b.pronoun("it"))),
    ("I need it.", "J'en ai besoin.",
     lambda b: b.clause(b.pronoun("I"), ("need", "avoir"), b.pronoun("it"))),
    ("He thinks about her.", "Il pense à elle.",
     lambda b: b.clause(b.pronoun("he"), ("think", "penser"), b.pronoun("she"))),
    ("He turned it off.", "Il l'a éteint.",
     lambda b: b.clause(b.pronoun("he"), ("turn off", "éteindre"), b.pronoun("it"), tense="past")),
    ("He turned off the lamp.", "Il a éteint la lampe.",
     lambda b: b.clause(b.pronoun("he"), ("turn off", "éteindre"), b.noun("lamp"), tense="past")),
    ("I am going to buy it.", "Je vais l'acheter.",
     lambda b: b.clause(b.pronoun("I"), ("buy", "acheter"), b.pronoun("it"), tense="going")),
    # complements
    ("She tries to see it.", "Elle essaie de le voir.",
     lambda b: b.clause(s := b.pronoun("she"), ("try", "essayer"),
                        b.clause(s, ("see", "voir"), b.pronoun("it"), tense="infinitive", form="infinitive"))),
    ("He knows that we are leaving.", "Il sait que nous partons.",
     lambda b: b.clause(b.pronoun("he"), ("know", "savoir"), b.clause(b.pronoun("we"), ("leave", "partir"),
                tense="now"))),
    ("I want him to leave.", "Je veux qu'il parte.",
     lambda b: b.clause(b.pronoun("I"), ("want", "vouloir", "WISH"), b.clause(b.pronoun("he"), ("leave", "partir"),
                tense="wish"))),
    ("My sister went to the station.", "Ma sœur est allée à la gare.",
     lambda b: b.clause(b.noun("sister", "his~1", owner=b.pronoun("I")), ("go", "aller"), b.place("station", True),
                tense="past")),
    ("He lives in the old hotel.", "Il habite dans le vieil hôtel.",
     lambda b: b.clause(b.pronoun("he"), ("live", "habiter"), b.place_of(b.noun("hotel", adj="old"), "in", "dans"))),
    # noun phrases
    ("My friend's dog is sleeping.", "Le chien de mon ami dort.",
     lambda b: b.clause(b.noun("dog", "-", owner=b.noun("friend", "his~1", owner=b.pronoun("I")), genitive=True),
                        ("sleep", "dormir"), tense="now")),
    ("The boys' dog is sleeping.", "Le chien des garçons dort.",
     lambda b: b.clause(b.noun("dog", "-", owner=b.noun("boy", many=True), genitive=True), ("sleep", "dormir"),
                tense="now")),
    ("This man bought the most expensive car.", "Cet homme a acheté la voiture la plus chère.",
     lambda b: b.clause(b.noun("man", "this~1"), ("buy", "acheter"), b.noun("car", adj="expensive", degree="est"),
                tense="past")),
    ("He ate the best cakes.", "Il a mangé les meilleurs gâteaux.",
     lambda b: b.clause(b.pronoun("he"), ("eat", "manger"), b.noun("cake", many=True, adj="good", degree="est"),
                tense="past")),
    ("Their friend washes her trousers.", "Leur amie lave son pantalon.",
     lambda b: b.clause(s := b.noun("friend", "his~1", gender="f", owner=b.pronoun("they")), ("wash", "laver"),
                        b.noun("trousers", "his~1", owner=s))),
    ("This furniture is beautiful.", "Ces meubles sont beaux.",
     lambda b: b.template("{s} <be> {a}", b.noun("furniture", "this~1"), a=b.leaf("adjective", "beautiful"))),
    ("All the girls are patient.", "Toutes les filles sont patientes.",
     lambda b: b.template("{s} <be> {a}", b.noun("girl", "all~1 the~2", many=True), a=b.leaf("adjective", "patient"))),
    # templates
    ("It was raining.", "Il pleuvait.", lambda b: b.template("it~1 <rain>", None, tense="pastprog")),
    ("She is thirsty.", "Elle a soif.", lambda b: b.template("{s} <be> thirsty~1", b.pronoun("she"))),
    ("There aren't any trees in the garden.", "Il n'y a pas d'arbres dans le jardin.",
     lambda b: b.template("there~1 <be> {o} {p}", None, o=b.noun("tree", "some~1", many=True), p=b.place("garden"),
                          negation="not", short=True)),
    ("He lives in Japan.", "Il habite au Japon.",
     lambda b: b.template("{s} <live> {c:in}", b.pronoun("he"), c=b.leaf("country", "Japan"))),
    ("We come from the United States.", "Nous venons des États-Unis.",
     lambda b: b.template("{s} <come> {c:from}", b.pronoun("we"), c=b.leaf("country", "the United States"))),
    ("She went to Iran.", "Elle est allée en Iran.",
     lambda b: b.template("{s} <go> {c:to}", b.pronoun("she"), c=b.leaf("country", "Iran"), tense="past")),
    ("You wash your hands.", "Tu te laves les mains.",
     lambda b: b.template("{s} <wash> his~3@s {b}", b.pronoun("you (tu)"), b=b.noun("hand", "-", many=True,
                bodypart=True))),
    ("My back hurts.", "J'ai mal au dos.",
     lambda b: b.template("his~3@s {b} <hurt>", b.pronoun("I"), b=b.noun("back", "-", bodypart=True))),
    ("She broke her arm.", "Elle s'est cassé le bras.",
     lambda b: b.template("{s} <break> his~3@s {b}", b.pronoun("she"), b=b.noun("arm", "-", bodypart=True),
                tense="past")),
    ("She would like to sleep.", "Elle aimerait dormir.",
     lambda b: b.template("{s} <would> like~1 to~1 {x}", s := b.pronoun("she"), tense="polite",
                          x=b.clause(s, ("sleep", "dormir"), tense="infinitive", form="infinitive"))),
    ("The car was repaired.", "La voiture a été réparée.",
     lambda b: b.template("{s} <be> {v:pp}", b.noun("car"), v=b.leaf("verb", "repair", "réparer"), tense="past")),
    ("She is taller than me.", "Elle est plus grande que moi.",
     lambda b: b.template("{s} <be> {a:er} than~1 {t:than}", b.pronoun("she"), a=b.leaf("adjective", "tall"),
                t=b.pronoun("I"))),
    ("They are happy that you sleep.", "Ils sont contents que tu dormes.",
     lambda b: b.template("{s} <be> happy~1 that~2 {c}", b.pronoun("they"),
                          c=b.clause(b.pronoun("you (tu)"), ("sleep", "dormir"), tense="subjunctive"))),
    ("She is a baker.", "Elle est boulangère.",
     lambda b: b.template("{s} <be> {n}", b.pronoun("she"), n=b.noun("baker", "a~1", gender="f", job=True))),
]  # fmt: skip


@pytest.mark.parametrize(("english", "french", "make"), STATEMENTS, ids=[row[0] for row in STATEMENTS])
def test_statement(english: str, french: str, make: Make) -> None:
    assert said(make(Builder())) == (english, french)


QUESTIONS: list[tuple[str, str, Make]] = [
    ("Does the dog sleep?", "Le chien dort-il ?",
     lambda b: b.clause(b.noun("dog"), ("sleep", "dormir"), form="question", inverted=True)),
    ("Does the dog sleep?", "Est-ce que le chien dort ?",
     lambda b: b.clause(b.noun("dog"), ("sleep", "dormir"), form="question")),
    ("Did she eat an apple?", "A-t-elle mangé une pomme ?",
     lambda b: b.clause(b.pronoun("she"), ("eat", "manger"), b.noun("apple", "a~1"), tense="past", form="question",
                inverted=True)),
    ("Are they leaving?", "Partent-ils ?",
     lambda b: b.clause(b.pronoun("they"), ("leave", "partir"), tense="now", form="question", inverted=True)),
    ("Haven't you eaten it?", "Ne l'as-tu pas mangé ?",
     lambda b: b.clause(b.pronoun("you (tu)"), ("eat", "manger"), b.pronoun("it"), tense="perfect", form="question",
                        inverted=True, negation="not", short=True)),
    ("Am I sleeping?", "Est-ce que je dors ?",
     lambda b: b.clause(b.pronoun("I"), ("sleep", "dormir"), tense="now", form="question", inverted=True)),
]  # fmt: skip


@pytest.mark.parametrize(("english", "french", "make"), QUESTIONS)
def test_question(english: str, french: str, make: Make) -> None:
    assert said(make(Builder()), "?") == (english, french)


COMMANDS: list[tuple[str, str, Make]] = [
    ("Give it to me!", "Donne-le-moi !",
     lambda b: b.clause(b.pronoun("you (tu)"), ("give", "donner"), b.pronoun("it"), b.pronoun("I"), form="imperative")),
    ("Don't give it to him!", "Ne le lui donne pas !",
     lambda b: b.clause(b.pronoun("you (tu)"), ("give", "donner"), b.pronoun("it"), b.pronoun("he"), form="imperative",
                        negation="not", short=True)),
    ("Get up!", "Lève-toi !", lambda b: b.clause(b.pronoun("you (tu)"), ("get up", "lever"), form="imperative")),
    ("Hurry!", "Dépêchez-vous !", lambda b: b.clause(b.pronoun("you (vous)"), ("hurry", "dépêcher"),
    form="imperative")),
    ("Let's eat the cake!", "Mangeons le gâteau !",
     lambda b: b.clause(b.pronoun("we"), ("eat", "manger"), b.noun("cake"), form="imperative")),
    ("Do not eat any sweets!", "Ne mangez pas de bonbons !",
     lambda b: b.clause(b.pronoun("you (vous)"), ("eat", "manger"), b.noun("sweet", "some~1", many=True),
                form="imperative",
                        negation="not")),
]  # fmt: skip


@pytest.mark.parametrize(("english", "french", "make"), COMMANDS)
def test_command(english: str, french: str, make: Make) -> None:
    assert said(make(Builder()), "!") == (english, french)


def test_links() -> None:
    """Every word is linked with what stands for it, wherever it stands."""
    b = Builder()
    clause = b.clause(
        b.pronoun("he"), ("give", "donner"), b.noun("book", "some~1", many=True, adj="new"), b.pronoun("I"),
        tense="past",
        negation="not", short=True,
    )  # fmt: skip
    assert said(clause) == ("He didn't give any new books to me.", "Il ne m'a pas donné de nouveaux livres.")
    assert linked(clause) == {
        ("he", "il"), ("didn't", "ne"), ("didn't", "pas"), ("didn't", "m'a"), ("give", "m'a"), ("give", "donné"),
        ("any", "de"), ("new", "nouveaux"), ("books", "livres"), ("me", "m'a"),
    }  # fmt: skip
