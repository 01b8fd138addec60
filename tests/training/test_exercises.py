"""The exercises: every answer by a second, slower method; numbers by hand; links that name the right words."""

import datetime
import re
import subprocess
import sys

import pytest

from nmtcore.errors import DataError, SettingError
from nmtcore.runs import defaults
from nmtcore.runs.preparation import set_aside
from nmtcore.training.corpus import Pair
from nmtcore.training.exercises import EXERCISES, exercise, french, teach

NAMES = sorted(EXERCISES)


@pytest.mark.parametrize("name", NAMES)
def test_pairs_are_seeded_different_and_right(name: str) -> None:
    task = EXERCISES[name]
    pairs = task.pairs(150, seed=3)
    assert pairs == task.pairs(150, seed=3)
    assert pairs != task.pairs(150, seed=4)
    assert len({source for source, _ in pairs}) == len(pairs) == 150
    for source, target in pairs:
        assert task.check(source, target)
        assert task.check(source, f"  {target} ")
        assert not task.check(source, target + " x")
        assert not task.check(source, " ".join(target.split()[:-1]))
        links = task.links(source)
        assert len(links) == len(target.split())
        assert all(0 <= i < len(source.split()) for link in links for i in link)
    assert task.check(task.pinned, task.answer(task.pinned)), "the watched source belongs to the exercise"
    assert not task.length or len(task.pinned.split()) <= task.length
    train, validation = set_aside([Pair(*pair) for pair in task.pairs(230, seed=1)])
    assert len(validation) >= 15
    assert not {p.source for p in train} & {p.source for p in validation}


@pytest.mark.parametrize(
    ("name", "length", "most"),
    [("reverse", 0, 15), ("copy", 20, 30), ("sort", 3, 4), ("reverse", 60, 0), ("numbers", 4, 6), ("numbers", 6, 0)],
)
def test_longer_ones_are_longer_than_any_of_training(name: str, length: int, most: int) -> None:
    task = EXERCISES[name]
    sources = [source for source, _ in task.pairs(200, length=length)]
    longest = max(len(source.split()) for source in sources)
    assert longest == (length or task.length)
    longer = task.long_pairs(40, sources)
    assert len(longer) == (40 if most else 0)
    for source, target in longer:
        assert longest < len(source.split()) <= most
        assert task.check(source, target)


@pytest.mark.parametrize(("name", "length"), [("reverse", 3), ("copy", 40), ("sort", 7), ("numbers", 2)])
def test_pairs_of_one_length_have_that_length_alone(name: str, length: int) -> None:
    task = EXERCISES[name]
    pairs = task.pairs_of_length(length, 30)
    assert len({source for source, _ in pairs}) == len(pairs) == 30
    assert {len(source.split()) for source, _ in pairs} == {length}
    assert all(task.check(source, target) for source, target in pairs)
    assert pairs == task.pairs_of_length(length, 30) and len(task.pairs_of_length(1, 30)) < 30
    others = task.pairs_of_length(length, 30, without={source for source, _ in pairs})
    assert others and not set(others) & set(pairs)


def test_right_words_are_those_in_their_place() -> None:
    task = EXERCISES["reverse"]
    assert task.right_words("1 2 3 4", "4 3 2 1") == 1 and task.right_words("1 2 3 4", "") == 0
    assert task.right_words("1 2 3 4", "4 2 2 1 1") == 0.75
    assert task.right_words("1 2 3 4", "3 2 1") == 0, "one word too early is in no right place"


@pytest.mark.parametrize("name", [n for n in NAMES if EXERCISES[n].length])
def test_every_length_that_may_be_chosen_has_enough_pairs(name: str) -> None:
    task = EXERCISES[name]
    for length in task.lengths:
        assert len(task.pairs(defaults.count(task), length=length)) == defaults.count(task)
    with pytest.raises(DataError, match="or for longer ones"):
        task.pairs(defaults.count(task), length=task.lengths[0] - 1)
    with pytest.raises(SettingError, match=f"between 2 and {task.lengths[1]}"):
        task.pairs(10, length=task.lengths[1] + 1)


def test_a_chosen_length_is_kept_to() -> None:
    assert {len(s.split()) for s, _ in EXERCISES["reverse"].pairs(300, length=5)} == {2, 3, 4, 5}


def test_asking_for_more_than_there_are_says_so() -> None:
    with pytest.raises(DataError, match="at most 1.. different|at most 1"):
        EXERCISES["reverse"].pairs(1000, length=2)
    with pytest.raises(SettingError, match="no length to choose"):
        EXERCISES["dates"].pairs(10, length=5)
    with pytest.raises(SettingError, match="reverse"):
        exercise("../../x")
    assert EXERCISES["dates"].long_pairs(3, ["2 0 2 6 / 0 1 / 0 2"]) == []


def test_copy_reverse_and_sort_letter_by_letter() -> None:
    assert EXERCISES["copy"].answer("7 2 9") == "7 2 9"
    assert EXERCISES["reverse"].answer("7 2 9") == "9 2 7"
    assert EXERCISES["sort"].answer("q d a d") == "a d d q"
    assert EXERCISES["sort"].links("q d a d") == ({2}, {1, 3}, {1, 3}, {0})
    for name in ("copy", "reverse", "sort"):
        for source, target in EXERCISES[name].pairs(60):
            assert all(len(word) == 1 for word in source.split())
            letters = source.split()
            for letter, link in zip(target.split(), EXERCISES[name].links(source), strict=True):
                assert {letters[i] for i in link} == {letter}


def test_dates_against_the_calendar() -> None:
    """Parsed here by regular expressions and datetime, unlike in the exercise."""
    task = EXERCISES["dates"]
    styles = set()
    for source, target in task.pairs(600, seed=2):
        iso = target.replace(" ", "")
        date = datetime.date.fromisoformat(iso)
        tight = re.sub(r"(?<=\d) (?=\d)", "", source)
        styles.add(re.sub(r"[A-Z][a-z]{3,}", "Month", re.sub(r"\b[A-Z][a-z]{2}\b", "Mon", re.sub(r"\d", "0", tight))))
        if month := re.search(r"[A-Z][a-z]+", source):
            assert date.strftime("%B").startswith(month[0])
            year = source.replace(month[0], "|")
            assert str(date.year) in year.replace(" ", "")
        elif match := re.fullmatch(r"(\d+) [/.-] (\d+) [/.-] (\d{4})", tight):
            assert (date.day, date.month, date.year) == tuple(map(int, match.groups()))
        else:
            match = re.fullmatch(r"(\d{4}) [/.-] (\d+) [/.-] (\d+)", tight)
            assert match and (date.year, date.month, date.day) == tuple(map(int, match.groups()))
    assert len(styles) > 10


def test_dates_by_hand() -> None:
    task = EXERCISES["dates"]
    for source, iso in {
        "the 2 1 st of March 2 0 1 7": "2017-03-21",
        "May 1 , 1 9 9 9": "1999-05-01",
        "1 2 May 2 0 0 1": "2001-05-12",
        "Dec 3 , 2 0 5 0": "2050-12-03",
        "0 2 / 0 3 / 2 0 2 6": "2026-03-02",
        "2 0 2 6 . 3 . 2": "2026-03-02",
        "2 0 2 6 Feb 1 2": "2026-02-12",
        "January 3 1 2 0 2 0": "2020-01-31",
        "January 3 2 0 2 0": "2020-01-03",
        "2 0 1 0 , 1 1 June": "2010-06-11",
    }.items():
        assert task.answer(source) == " ".join(iso), source
    assert task.links("May 1 , 1 9 9 9") == ({3}, {4}, {5}, {6}, set(), {0}, {0}, set(), {1}, {1})
    with pytest.raises(DataError):
        task.answer("yesterday")


NUMBERS = """
0 zéro; 1 un; 10 dix; 16 seize; 17 dix-sept; 19 dix-neuf; 20 vingt; 21 vingt et un; 22 vingt-deux; 31 trente et un
41 quarante et un; 51 cinquante et un; 61 soixante et un; 69 soixante-neuf; 70 soixante-dix; 71 soixante et onze
72 soixante-douze; 73 soixante-treize; 74 soixante-quatorze; 75 soixante-quinze; 76 soixante-seize
77 soixante-dix-sept; 78 soixante-dix-huit; 79 soixante-dix-neuf; 80 quatre-vingts; 81 quatre-vingt-un
82 quatre-vingt-deux; 83 quatre-vingt-trois; 84 quatre-vingt-quatre; 85 quatre-vingt-cinq; 86 quatre-vingt-six
87 quatre-vingt-sept; 88 quatre-vingt-huit; 89 quatre-vingt-neuf; 90 quatre-vingt-dix; 91 quatre-vingt-onze
92 quatre-vingt-douze; 93 quatre-vingt-treize; 94 quatre-vingt-quatorze; 95 quatre-vingt-quinze
96 quatre-vingt-seize; 97 quatre-vingt-dix-sept; 98 quatre-vingt-dix-huit; 99 quatre-vingt-dix-neuf
100 cent; 101 cent un; 111 cent onze; 121 cent vingt et un; 171 cent soixante et onze; 180 cent quatre-vingts
200 deux cents; 201 deux cent un; 280 deux cent quatre-vingts; 300 trois cents; 399 trois cent quatre-vingt-dix-neuf
999 neuf cent quatre-vingt-dix-neuf; 1000 mille; 1001 mille un; 1100 mille cent; 1900 mille neuf cents
1999 mille neuf cent quatre-vingt-dix-neuf; 2000 deux mille; 2021 deux mille vingt et un; 2200 deux mille deux cents
21000 vingt et un mille; 71000 soixante et onze mille; 80000 quatre-vingt mille; 80080 quatre-vingt mille quatre-vingts
100000 cent mille; 200000 deux cent mille; 200200 deux cent mille deux cents; 280000 deux cent quatre-vingt mille
999999 neuf cent quatre-vingt-dix-neuf mille neuf cent quatre-vingt-dix-neuf
"""


def test_french_numbers_by_hand() -> None:
    cases = [item.strip().partition(" ") for item in re.split(r"[;\n]", NUMBERS) if item.strip()]
    assert len(cases) == 73
    for digits, _, words in cases:
        assert french(int(digits)) == words


UNITS = (
    *("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"),
    *("onze", "douze", "treize", "quatorze", "quinze", "seize"),
)


def test_every_french_number_is_different_and_reads_back() -> None:
    """Words are added and multiplied back: un, deux ...; vingt after quatre; cent and mille multiply."""
    value = {w: i for i, w in enumerate(UNITS)}
    value |= {"vingt": 20, "vingts": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60, "et": 0}

    def read(words: str) -> int:
        total = group = small = 0
        for word in re.split(r"[ -]", words):
            if word in ("cent", "cents"):
                group, small = group + 100 * max(small, 1), 0
            elif word == "mille":
                total, group, small = 1000 * max(group + small, 1), 0, 0
            elif word.startswith("vingt") and small == 4:
                small = 80
            else:
                small += value[word]
        return total + group + small

    for number in [*range(2100), *range(2100, 1_000_000, 997)]:
        assert read(french(number)) == number
    for wrong in (-1, 1_000_000):
        with pytest.raises(DataError, match="999,999"):
            french(wrong)


def test_numbers_link_words_to_their_group_of_digits() -> None:
    assert EXERCISES["numbers"].answer("4 3 7 1") == "quatre mille trois cent soixante et onze"
    assert EXERCISES["numbers"].links("4 3 7 1") == ({0}, {0}, *[{1, 2, 3}] * 5)


def test_a_made_up_word() -> None:
    task = teach("wug", "zorbi")
    pairs = task.pairs(200)
    for source, target in pairs:
        assert source.split().count("wug") + source.split().count("wug.") == 1
        words = target.split()
        taught = [i for i, word in enumerate(words) if word.strip(".") == "zorbi"]
        assert len(taught) == 1
        (place,) = task.links(source)[taught[0]]
        assert source.split()[place].strip(".") == "wug"
    assert task.answer("This wug is red.") == "Ce zorbi est rouge."
    assert task.answer("She sold our wug.") == "Elle a vendu notre zorbi."
    elided = teach("oblick", "éblique")
    assert elided.answer("This oblick is red.") == "Cet éblique est rouge."
    assert elided.answer("I see the oblick.") == "Je vois l'éblique."
    assert elided.links("I see the oblick.") == (set(), set(), {3})
    assert elided.links("The oblick is new.") == ({1}, set(), set())
    assert elided.answer("He bought an oblick.") == "Il a acheté un éblique."
    for wrong in ("", "two words", "<b>", "a" * 30, "x\ty", "123", "\ufdfa" * 2):
        with pytest.raises(DataError, match="made-up word"):
            teach(wrong, "zorbi")


def test_exercises_need_no_torch() -> None:
    code = "import sys, nmtcore.training.exercises; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_many_to_one_and_one_to_many() -> None:
    for source, target in EXERCISES["sum"].pairs(60):
        first, second = source.replace(" ", "").split("+")
        assert target == ("odd" if (int(first) + int(second)) % 2 else "even")
    assert EXERCISES["sum"].links("4 7 + 1 2 8") == ({1, 5},)
    odd = sum(int(number[-1]) % 2 for source, _ in EXERCISES["sum"].pairs(2000) for number in source.split(" + "))
    assert 0.22 < odd / 4000 < 0.3, "one number alone must say something about the answer"
    for typed in ("4 7", "a + b", "1 + 2 + 3", ""):
        with pytest.raises(DataError):
            EXERCISES["sum"].answer(typed)
    spelled = {
        **{"0": "zero", "13": "thirteen", "40": "forty", "99": "ninety nine", "100": "one hundred"},
        **{"305": "three hundred and five", "342": "three hundred and forty two", "1000": "one thousand"},
        **{"1018": "one thousand and eighteen", "9999": "nine thousand nine hundred and ninety nine"},
    }
    for number, words in spelled.items():
        assert EXERCISES["spell"].answer(number) == words
    assert EXERCISES["spell"].links("1000") == ({0}, {0})
    for typed in ("ten", "10000", "-1", ""):
        with pytest.raises(DataError):
            EXERCISES["spell"].answer(typed)


def test_names_in_brackets_keep_every_word_in_its_place() -> None:
    task = EXERCISES["capitals"]
    assert task.answer("we met Anna near Oslo today") == "we met [Anna] near [Oslo] today"
    for source, target in task.pairs(80):
        assert target.replace("[", "").replace("]", "") == source
        assert all((word[0] == "[") == word[1].isupper() for word in target.split() if len(word) > 1)
        assert task.links(source) == tuple({i} for i in range(len(target.split())))


def test_couplets_answer_word_by_word_and_back_again() -> None:
    chinese, french_lines = EXERCISES["couplets-zh"], EXERCISES["couplets-fr"]
    assert chinese.answer("春 风 来 南 山") == "秋 雨 去 北 水"
    assert french_lines.answer("la mer douce dort avec le roi noir") == "la montagne dure veille sans la reine blanche"
    for task in (chinese, french_lines):
        for source, target in task.pairs(120):
            assert task.answer(target) == source
            assert len(source.split()) == len(target.split())
            assert all(i in link for i, link in enumerate(task.links(source)) if task is chinese or i not in (0, 5))
    assert {len(source.split()) for source, _ in chinese.pairs(80)} == {5, 7}
    for task, line in ((chinese, "春 猫"), (french_lines, "le chat dort"), (french_lines, "")):
        with pytest.raises(DataError):
            task.answer(line)


def test_a_summary_keeps_the_sentence_about_the_person() -> None:
    task = EXERCISES["summary"]
    text = "about Tom : Anna sings a song . Tom eats a pear . Paul reads a book ."
    assert task.answer(text) == "Tom eats a pear ."
    assert task.links(text) == ({1, 8}, {9}, {10}, {11}, {12})
    for source, target in task.pairs(80):
        name = re.match(r"about (\w+) :", source)
        assert name and target.startswith(name[1]) and target in source and target.count(".") == 1
    with pytest.raises(DataError):
        task.answer("about Tom : nobody sings .")


def test_a_story_is_answered_by_the_last_sentence_about_the_person() -> None:
    """Followed here from the first sentence to the last, not searched from the end."""
    task = EXERCISES["story"]
    assert task.answer(task.pinned) == "Mei moved to the hall"
    assert task.links(task.pinned) == ({0, 12, 20}, {13}, set(), set(), {16})
    pairs = task.pairs(400)
    moved = 0
    for source, target in pairs:
        told: dict[str, list[str]] = {}
        for fact, name in re.findall(r"((\w+) \w+ to the \w+) \.", source):
            told.setdefault(name, []).append(fact)
        assert sorted(map(len, told.values())) == [1, 2], "one person moves once, another twice"
        asked = re.search(r"where is (\w+) \?$", source)
        assert asked and target == told[asked[1]][-1]
        moved += len(told[asked[1]]) > 1
        linked = [{source.split()[i] for i in link} for link in task.links(source)]
        name, verb, *_, place = target.split()
        assert linked == [{name}, {verb}, set(), set(), {place}]
        assert all(source[: source.rindex(target)].count(" ") <= i for link in task.links(source)[1:] for i in link)
    assert 140 < moved < 260, "as many questions are about the person who moves twice as about the other"
    assert len({target.split()[0] for _, target in pairs}) == 8 and len({target.split()[4] for _, target in pairs}) == 6
    for text in ("Tom ran to the hall . where is Anna ?", "Tom ran to the hall .", ""):
        with pytest.raises(DataError):
            task.answer(text)


def test_the_small_language_has_about_200_words_and_exact_links() -> None:
    task = EXERCISES["language"]
    pairs = task.pairs(10_000)
    words = {word.lower() for source, _ in pairs for word in source.split()}
    assert 190 <= len(words) <= 210
    assert task.answer(task.pinned) == "La fille n'achète pas les pommes rouges ."
    links = task.links(task.pinned)
    assert links == ({0}, {1}, {2, 3, 4}, {3}, {5}, {7}, {6}, set())  # n'achète: does, not, buy; rouges, pommes cross
    with pytest.raises(DataError, match="exercise language"):
        task.links("The cat")


def test_answers_of_few_kinds_keep_only_their_sources_apart() -> None:
    pairs = [Pair(*pair) for pair in EXERCISES["sum"].pairs(300)]
    train, unseen = set_aside(pairs)
    assert len(unseen) == 30 and {pair.target for pair in unseen} == {"odd", "even"}
    assert not {pair.source for pair in train} & {pair.source for pair in unseen}
    one_answer = [Pair(pair.source, "yes") for pair in pairs]
    assert set_aside(one_answer) == (one_answer, [])


def test_tasks_of_words_begin_at_a_higher_rate_from_scratch_alone() -> None:
    couplets, reverse = EXERCISES["couplets-fr"], EXERCISES["reverse"]
    usual = defaults.from_scratch(reverse).learning_rate
    assert defaults.from_scratch(couplets).learning_rate == pytest.approx(3 * usual)
    assert defaults.fine_tune(couplets).learning_rate == defaults.fine_tune(reverse).learning_rate
    assert defaults.rate("sgd", task=couplets) == defaults.rate("sgd", task=reverse)
