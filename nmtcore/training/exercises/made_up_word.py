"""The made-up word exercise: teach a new noun in sentences of words that a pretrained English-French model knows."""

import re
import unicodedata

from nmtcore.errors import DataError
from nmtcore.text.normalization import normalize
from nmtcore.training.exercises.exercise import Exercise, Link, one

_OWNERS = (
    *(("The", "Le"), ("A", "Un"), ("This", "Ce"), ("My", "Mon"), ("Your", "Ton"), ("His", "Son")),
    *(("Our", "Notre"), ("Their", "Leur")),
)
_PREDICATES = (
    *(("is red", "est rouge"), ("is small", "est petit"), ("is very big", "est très grand")),
    *(("is on the table", "est sur la table"), ("is in the house", "est dans la maison")),
    *(("is not here", "n'est pas ici"), ("is old", "est vieux"), ("is black", "est noir")),
    *(("is beautiful", "est beau"), ("is under the chair", "est sous la chaise"), ("is sleeping", "dort")),
    *(("works well", "marche bien"), ("is in the garden", "est dans le jardin"), ("is broken", "est cassé")),
    *(("comes from Paris", "vient de Paris"), ("is lost", "est perdu"), ("is new", "est neuf")),
)
_ACTIONS = (
    *(("I see", "Je vois"), ("She has", "Elle a"), ("We want", "Nous voulons"), ("He bought", "Il a acheté")),
    *(("I lost", "J'ai perdu"), ("They are looking for", "Ils cherchent"), ("Tom likes", "Tom aime")),
    *(("I do not see", "Je ne vois pas"), ("Do not touch", "Ne touche pas"), ("She sold", "Elle a vendu")),
    *(("I know", "Je connais"), ("We found", "Nous avons trouvé")),
)
NONCE, NONCE_FRENCH = "blicket", "bliquet"
_WORD = re.compile(r"[^\W\d_]{2,20}")
_VOWELS = "aeiouæœ"
_BEFORE_VOWEL = {"A": "An ", "Le": "L'", "Ce": "Cet "}


def _owned(owner: str, noun: str) -> str:
    """A noun after its article or possessive, whose form depends on the noun's first letter: *an*, *l'*, *cet*."""
    first = unicodedata.normalize("NFD", noun)[0].lower()
    return (_BEFORE_VOWEL.get(owner, f"{owner} ") if first in _VOWELS else f"{owner} ") + noun


def _teach_table(word: str, french_word: str) -> dict[str, str]:
    """All sentences of the exercise with their translations: the word, masculine in French, in every frame."""
    table = {}
    for owner, french_owner in _OWNERS:
        owned, french_owned = _owned(owner, word), _owned(french_owner, french_word)
        for predicate, french_predicate in _PREDICATES:
            table[f"{owned} {predicate}."] = f"{french_owned} {french_predicate}."
        for action, french_action in _ACTIONS:
            table[f"{action} {_in_midsentence(owned)}."] = f"{french_action} {_in_midsentence(french_owned)}."
    return table


def _in_midsentence(owned: str) -> str:
    return owned[0].lower() + owned[1:]


def teach(word: str = NONCE, french_word: str = NONCE_FRENCH) -> Exercise:
    """Teach a pretrained English-French model a noun that it has never seen. Raises DataError if it is not a word."""
    for typed in (word, french_word):
        if not _WORD.fullmatch(typed) or not _WORD.fullmatch(normalize(typed)):
            raise DataError(f"The made-up word must be 2 to 20 letters; this is {typed!r}.")
    table = _teach_table(word, french_word)
    sources = sorted(table)

    def links(source: str) -> tuple[Link, ...]:
        place = next(i for i, w in enumerate(source.split()) if w.strip(".") == word)
        nouns = (french_word, _owned("Le", french_word), _in_midsentence(_owned("Le", french_word)))  # *l'* is joined
        return tuple(one(place) if w.strip(".") in nouns else frozenset() for w in table[source].split())

    return Exercise(
        *("teach", 0.9, f"The {word} is in the garden."),
        lambda draw, length: draw.choice(sources),
        table.__getitem__,
        links,
        pretrained=True,
    )
