"""Exercises: sentence pairs made by rule, which a small model learns in a minute and which have gold alignments.

Nothing here needs torch. Every exercise makes any number of different pairs from a seed, knows the right answer to
each of its sources, and knows from which source words each word of the answer comes: exact word links.
"""

from nmtcore.config import check_choice
from nmtcore.training.exercises.couplets import CHINESE_COUPLETS, FRENCH_COUPLETS
from nmtcore.training.exercises.dates import DATES
from nmtcore.training.exercises.exercise import Example, Exercise, Link
from nmtcore.training.exercises.made_up_word import NONCE, NONCE_FRENCH, teach
from nmtcore.training.exercises.numbers import NUMBERS, SPELL, french
from nmtcore.training.exercises.sentences import CAPITALS, STORY, SUMMARY
from nmtcore.training.exercises.small_language import LANGUAGE
from nmtcore.training.exercises.strings import COPY, REVERSE, SORT, SUM

__all__ = ["EXERCISES", "NONCE", "NONCE_FRENCH", "Example", "Exercise", "Link", "exercise", "french", "teach"]

EXERCISES: dict[str, Exercise] = {
    task.name: task
    for task in (  # in the order of lists: what students usually do first comes first
        *(REVERSE, teach()),
        *(DATES, NUMBERS),
        *(LANGUAGE, FRENCH_COUPLETS, CHINESE_COUPLETS),
        *(SUMMARY, STORY),
        *(COPY, SORT, CAPITALS),
        *(SPELL, SUM),  # one to many, many to one
    )
}


def exercise(name: str, word: str = NONCE, french_word: str = NONCE_FRENCH) -> Exercise:
    """An exercise by its name. Raises SettingError for an unknown name."""
    check_choice("The exercise", name, tuple(EXERCISES))
    return teach(word, french_word) if name == "teach" else EXERCISES[name]
