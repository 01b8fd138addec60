"""Exercises: pairs made by rule, so that a small model can learn them in a minute and its attention can be judged.

Nothing here needs torch. Every exercise makes any number of different pairs from a seed, knows the right answer to
any of its sources, and knows where attention should look for each word of it: exact word links.
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
    for task in (  # as lists show them: first what a class does first
        *(REVERSE, teach()),
        *(DATES, NUMBERS),
        *(LANGUAGE, FRENCH_COUPLETS, CHINESE_COUPLETS),
        *(SUMMARY, STORY),
        *(COPY, SORT, CAPITALS),
        *(SPELL, SUM),  # one to many, many to one
    )
}


def exercise(name: str, word: str = NONCE, french_word: str = NONCE_FRENCH) -> Exercise:
    """An exercise by its name. Raises SettingError for a name that is not there."""
    check_choice("The exercise", name, tuple(EXERCISES))
    return teach(word, french_word) if name == "teach" else EXERCISES[name]
