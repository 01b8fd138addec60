"""Pairs in other spellings: what changes, what must not, and what cannot."""

import dataclasses
import itertools
import re

import numpy as np
import pytest

from nmtcore.errors import SettingError
from nmtcore.text.languages import language_pair
from nmtcore.text.vocabulary import EOS, Vocab
from nmtcore.training.augmentation import (
    add_noise_rows,
    join_statements,
    other_numbers,
    random_number,
    replace_entities,
)
from nmtcore.training.batches import TrainingData
from nmtcore.training.config import AugmentationConfig
from nmtcore.training.corpus import Pair
from nmtcore.training.names import (
    CITIES,
    FAMILIES,
    GIVEN,
    MEN,
    MEN_IN_MANDARIN,
    WOMEN,
    WOMEN_IN_MANDARIN,
    chinese_name,
    invented_name,
    other_names,
)
from nmtcore.training.noise import (
    SPELLINGS,
    Noise,
    abbreviations,
    add_noise,
    british_spelling,
    first_word_case,
    half_width_marks,
    homophone,
    lower_case,
    misspelling,
    no_apostrophes,
    no_full_stop,
)

RANDOM = np.random.default_rng(1)


@pytest.mark.parametrize(
    ("noise", "source", "changed"),
    [
        (lower_case, "It's Tom.", "it's tom."),
        (lower_case, "so be it.", None),
        (lower_case, "房子很大。", None),
        (first_word_case, "Smith left.", "smith left."),
        (first_word_case, "it rains.", None),
        (no_apostrophes, "I'm sure it isn't Tom’s.", "Im sure it isnt Toms."),
        (no_full_stop, "I know.", "I know"),
        (no_full_stop, "Who is it?", "Who is it"),
        (no_full_stop, "你好。", "你好"),
        (no_full_stop, "Stop", None),
        (no_full_stop, "...", None),
        (half_width_marks, "你好，谁？", "你好,谁?"),
        (half_width_marks, "Hello, who?", None),
        (homophone, "你好", None),
        (misspelling, "Mary, it is so", None),  # a name is to be copied, short words would be others
        (abbreviations, "I'm going to the bank with you.", None),
        (abbreviations, "这是 you, you, you", None),
        (british_spelling, "My favorite color is gray.", "My favourite colour is grey."),
        (british_spelling, "Color it! He realized it.", "Colour it! He realised it."),
        (british_spelling, "The theater's center", "The theatre's centre"),
        (british_spelling, "Colorado, discolored, metering, dialogs", None),  # parts of words stay
        (british_spelling, "My favourite colour", None),
    ],
)
def test_noise_changes_what_it_can(noise: Noise, source: str, changed: str | None) -> None:
    assert noise(source, RANDOM) == (changed or source)


def test_with_the_full_stop_of_the_source_goes_that_of_the_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmtcore.training.noise.NOISES", ((no_full_stop, 0.5), (lower_case, 0.5)))
    monkeypatch.setattr("nmtcore.training.noise.TWICE", 1.0)
    assert add_noise(("I know.", "Je sais."), RANDOM) == ("i know", "Je sais")
    assert add_noise(("Who is it?", "Qui est-ce ?"), RANDOM) == ("who is it", "Qui est-ce ?")
    assert add_noise(("so", "ainsi."), RANDOM) is None


def test_other_names_are_the_same_on_both_sides_and_of_the_same_kind() -> None:
    kinds = [0, 0, 0]
    for _ in range(40):
        changed = other_names(("Tom met Mary in Boston; Tom left.", "Tom a vu Marie à Boston ; Tom partit."), RANDOM)
        assert changed is not None
        found = re.fullmatch(r"([\w ]+) met ([\w ]+) in ([\w ]+); ([\w ]+) left\.", changed[0])
        assert found and found[4] == found[1]
        for kind, names in enumerate((MEN, WOMEN, CITIES)):
            kinds[kind] += found[kind + 1] in names
        assert changed[1] == f"{found[1]} a vu {found[2]} à {found[3]} ; {found[1]} partit."
    assert all(5 < count < 28 for count in kinds)  # the others are invented


def test_invented_names_are_words_and_some_begin_with_a_vowel() -> None:
    names = {invented_name(RANDOM) for _ in range(200)}
    assert len(names) > 190
    assert all(re.fullmatch(r"[A-GI-Z][^\W\d_]{2,14}", name) and name.istitle() for name in names)
    assert 20 < sum(not name.isascii() for name in names) < 65  # some letters are not on an English keyboard
    assert 25 < sum(name[0] in "AEIOU" for name in names) < 75


def test_french_words_before_a_name_that_begins_with_a_vowel_lose_their_e() -> None:
    pair = ("I think Tom's dog likes the house of Tom.", "Je crois que le chien de Tom aime la maison de Tom.")
    other = ("I know that Tom and the rest sleep.", "Je sais que Tom et le reste dorment.")
    elided = {True: 0, False: 0}
    for _ in range(60):
        first, second = other_names(pair, RANDOM), other_names(other, RANDOM)
        assert first is not None and second is not None
        name = re.findall(r"of ([\w ]+)\.", first[0])[0]
        of = f"d'{name}" if name[0] in "AEIOU" else f"de {name}"
        assert first == (
            f"I think {name}'s dog likes the house of {name}.",
            f"Je crois que le chien {of} aime la maison {of}.",
        )
        name = re.findall(r"that ([\w ]+) and", second[0])[0]
        that = f"qu'{name}" if name[0] in "AEIOU" else f"que {name}"
        assert second[1] == f"Je sais {that} et le reste dorment."
        elided[name[0] in "AEIOU"] += 1
    assert min(elided.values()) > 5


@pytest.mark.parametrize(
    "pair",
    [
        ("Tom left.", "Il partit."),  # on one side only
        ("Tom saw Jim.", "Tom vit Jim."),  # two of a kind: whose is whose is not known
        ("Tomorrow, Bobby.", "Demain, Bobby."),
    ],
)
def test_names_that_cannot_be_matched_are_left(pair: tuple[str, str]) -> None:
    assert other_names(pair, RANDOM) is None


def test_names_in_a_mandarin_sentence_become_latin_ones_or_chinese_ones_with_their_pinyin() -> None:
    chinese = foreign = 0
    for _ in range(60):
        changed = other_names(("汤姆昨天见了玛丽，汤姆很高兴。", "Tom saw Mary yesterday; Tom was glad."), RANDOM)
        assert changed is not None
        source = re.fullmatch(r"(.+)昨天见了(.+)，(.+)很高兴。", changed[0])
        target = re.fullmatch(r"(.+) saw (.+) yesterday; (.+) was glad\.", changed[1])
        assert source and target and source[1] == source[3] and target[1] == target[3]
        for name, translated in ((source[1], target[1]), (source[2], target[2])):
            if name == translated:
                assert re.fullmatch(r"[^\W\d_\u4e00-\u9fff]+( [^\W\d_\u4e00-\u9fff]+)?", name)
            else:
                known = f"{translated}/{name}" in (*MEN_IN_MANDARIN, *WOMEN_IN_MANDARIN)
                foreign += known
                chinese += not known
                assert known or re.fullmatch(r"[\u4e00-\u9fff]{2,3}", name)
                assert known or re.fullmatch(r"[A-Z][a-zü]+ [A-Z][a-z]+", translated)
    assert 25 < chinese < 60 and 20 < foreign < 55  # of 120
    assert other_names(("我和Tom去了波士顿。", "I went to Boston with Tom."), RANDOM) is not None
    city = other_names(("她住在東京。", "She lives in Tokyo."), RANDOM)
    assert city is not None and re.fullmatch(r"她住在[^\W\d_\u4e00-\u9fff]+。", city[0]) and "Tokyo" not in city[1]
    assert other_names(("汤姆来了。", "He came."), RANDOM) is None


@pytest.mark.parametrize(
    ("pair", "rest"),
    [
        (
            ("我的同学李文博很高。", "My classmate Li Wenbo is tall."),
            (r"我的同学(.+)很高。", r"My classmate (.+) is tall\."),
        ),
        (("安娜走了，李敏没走。", "She left; Li Min stayed."), (r"安娜走了，(.+)没走。", r"She left; (.+) stayed\.")),
    ],
)
def test_a_chinese_name_with_its_pinyin_is_replaced(pair: tuple[str, str], rest: tuple[str, str]) -> None:
    pinyin = {part[0]: part[1:].lower() for part in (*GIVEN, *FAMILIES)}
    others = set()
    for _ in range(30):
        changed = other_names(pair, RANDOM)
        assert changed is not None
        source, target = (re.fullmatch(pattern, side) for pattern, side in zip(rest, changed, strict=True))
        assert source and target
        others.add(source[1])
        if source[1] != target[1] and f"{target[1]}/{source[1]}" not in (*MEN_IN_MANDARIN, *WOMEN_IN_MANDARIN):
            assert "".join(pinyin[c] for c in source[1]) == target[1].replace(" ", "").lower()
    assert len(others) > 20 and pair[0] not in others
    assert other_names((pair[0], "She saw him."), RANDOM) is None


def test_chinese_names_have_the_pinyin_of_their_characters() -> None:
    pinyin = {part[0]: part[1:].lower() for part in FAMILIES} | {part[0]: part[1:] for part in GIVEN}
    names = {chinese_name(RANDOM) for _ in range(200)}
    assert len(names) > 190
    for characters, latin in names:
        assert "".join(pinyin[c] for c in characters) == latin.replace(" ", "").lower()
    assert all(re.fullmatch(r"[\u4e00-\u9fff][A-Z][a-zü]+", part) for part in FAMILIES)
    assert all(re.fullmatch(r"[\u4e00-\u9fff][a-z]+", part) for part in GIVEN)
    assert len({part[0] for part in GIVEN}) == len(GIVEN) and len({part[0] for part in FAMILIES}) == len(FAMILIES)


def test_numbers_beside_characters_change_too() -> None:
    changed = other_numbers(("船13:20出发。", "The boat leaves at 13:20."), RANDOM)
    assert changed is not None
    first, second = re.findall(r"\d+", changed[0])
    assert changed == (f"船{first}:{second}出发。", f"The boat leaves at {first}:{second}.")
    assert other_numbers(("B52", "B52"), RANDOM) is None


def test_no_name_begins_with_an_h() -> None:
    assert not [name for name in (*MEN, *WOMEN, *CITIES) if name[0] == "H"]


def test_other_numbers_keep_their_length_and_both_sides_agree() -> None:
    changed = other_numbers(("Page 215 of 1998, room 7.", "Page 215 de 1998, salle 7."), RANDOM)
    assert changed is not None
    found = re.fullmatch(r"Page (\d{3}) of (\d{4}), room ([2-9])\.", changed[0])
    assert found and changed[1] == f"Page {found[1]} de {found[2]}, salle {found[3]}."
    assert other_numbers(("Room 1.", "Salle 1."), RANDOM) is None, "one thing stays one"
    assert other_numbers(("At 10.", "À dix heures."), RANDOM) is None
    assert other_numbers(("No. 007", "N° 007"), RANDOM) is None


def test_half_of_the_digits_after_the_first_are_zeros_or_repeat_the_one_before() -> None:
    numbers = [random_number(5, np.random.default_rng(seed)) for seed in range(2000)]
    assert all(len(number) == 5 and number[0] != "0" for number in numbers)
    later = [(before, digit) for number in numbers for before, digit in itertools.pairwise(number)]
    share = sum(digit in ("0", before) for before, digit in later) / len(later)
    assert share == pytest.approx(0.5 + 0.5 * 0.19, abs=0.02), "and those that do so by chance"
    assert {random_number(1, np.random.default_rng(seed)) for seed in range(99)} == set("23456789")


def test_entities_are_replaced_where_there_are_some() -> None:
    pairs = [("Tom is here.", "Tom est ici."), ("so", "ainsi")] + [(f"a {i}", f"un {i}") for i in range(30)]
    result = replace_entities(pairs, 20, np.random.default_rng(3))
    # One pair has a name, which is replaced four times; a quarter of the rows have numbers.
    assert len(result) == 4 + 5 and len({source for source, _ in result if "here" in source}) == 4
    assert replace_entities(pairs, 20, np.random.default_rng(3)) == result
    assert replace_entities(pairs, 0, RANDOM) == []


def test_noise_changes_sources_and_leaves_translations() -> None:
    pairs = [(f"The old sailor number {i} wasn't asleep", f"Le vieux marin {i} ne dormait pas") for i in range(30)]
    result = add_noise_rows([*pairs, ("7", "7")], 25, np.random.default_rng(3))
    sources = dict((target, source) for source, target in pairs)
    assert len({target for _, target in result}) == len(result) == 25  # each pair once
    assert all(source != sources[target] for source, target in result)
    assert add_noise_rows([("7", "7"), ("这是七", "7")], 25, RANDOM) == []  # nothing in them that can be mistyped


@pytest.mark.parametrize(("word", "least"), [("window", 10), ("straße", 6)])
def test_a_misspelling_is_one_slip_inside_a_word(word: str, least: int) -> None:
    found = {misspelling(f"a {word}, Mary", RANDOM) for _ in range(300)}
    written = {slip.removeprefix("a ").removesuffix(", Mary") for slip in found}
    assert len(written - {word}) >= least
    for slip in written:
        assert slip[0] == word[0] and abs(len(slip) - len(word)) <= 1
        assert len(set(slip) - set(word)) <= 1


def test_what_people_type_in_messages() -> None:
    seen = {abbreviations("You are going to sleep because you want to.", RANDOM) for _ in range(200)}
    assert "ur gonna sleep cuz u wanna." in seen and "You are gonna sleep because u want to." in seen


def test_slips_of_mandarin_input() -> None:
    seen = {homophone("跑得快的人在家", RANDOM) for _ in range(99)}
    assert {"跑的快的人在家", "跑得快地人在家", "跑得快的人再家"} <= seen


def test_no_spelling_is_both_american_and_british() -> None:
    assert not set(SPELLINGS) & set(SPELLINGS.values())
    assert all(word == word.lower() for pair in SPELLINGS.items() for word in pair)


def test_an_epoch_has_its_own_noisy_rows() -> None:
    pairs = [Pair(f"Tom is {i} meters.", f"Tom est {i}.") for i in range(40)]
    vocab = Vocab.train([side for pair in pairs for side in pair] + [*MEN], 200)
    data = TrainingData(pairs, vocab, 100, augmentation=AugmentationConfig(noise=0.5))
    first, second = data.epoch(0), data.epoch(1)
    assert len(first.sources) == len(second.sources) == 60
    assert first.sources[40:] != second.sources[40:]
    assert all(row[-1] == EOS for row in first.sources)


@pytest.mark.parametrize("field", dataclasses.fields(AugmentationConfig), ids=lambda field: field.name)
@pytest.mark.parametrize("share", [-0.1, 10.1, float("nan")])
def test_a_share_has_a_range(field: dataclasses.Field[float], share: float) -> None:
    with pytest.raises(SettingError, match=f"{field.name} must be between 0 and 10?"):
        AugmentationConfig(**{field.name: share})


def test_statements_are_linked_to_one_sentence() -> None:
    pairs = [
        ("He slept.", "Il dormait."),
        ("I left.", "Je partis."),
        ("Tom ate .", "Tom mangea."),
        ("We go.", "On va."),
    ]
    link = ((", and ", ", et "),)
    assert join_statements(pairs, link, RANDOM) == (
        "He slept, and I left, and Tom ate , and we go.",
        "Il dormait, et je partis, et Tom mangea, et on va.",
    )
    assert join_statements(pairs[:1], link, RANDOM) == pairs[0]
    chinese = [("他睡了。", "He slept."), ("我走了。", "I left.")]
    assert join_statements(chinese, (("，", ", "),), RANDOM) == ("他睡了，我走了。", "He slept, I left.")
    several = {join_statements(pairs[:2], language_pair("en-fr").connectives, RANDOM) for _ in range(60)}
    assert len(several) == len(language_pair("en-fr").connectives)


@pytest.mark.parametrize("pair", [("Who?", "Qui ?"), ("So.", "Soit !"), (".", "."), ("Stop", "Arrête")])
def test_what_is_no_statement_is_not_linked(pair: tuple[str, str]) -> None:
    assert join_statements([("He slept.", "Il dormait."), pair], language_pair("en-fr").connectives, RANDOM) is None


def test_half_of_the_concatenated_rows_are_linked() -> None:
    pairs = [Pair(f"He has {i}.", f"Il a {i}.") for i in range(50)]
    vocab = Vocab.train([side for pair in pairs for side in pair] + [", and he", ", et il"], 100)
    epoch = TrainingData(
        pairs, vocab, 1000, augmentation=AugmentationConfig(concatenation=4.0), links=((", and ", ", et "),)
    ).epoch(0)
    texts = [(vocab.decode(s), vocab.decode(t)) for s, t in zip(epoch.sources[50:], epoch.targets[50:], strict=True)]
    one = [(s, t) for s, t in texts if ", and he has" in s]
    assert 0.4 < len(one) / len(texts) < 0.6
    assert all(s.count(".") == 1 and t.count(", et il a") == s.count(", and") for s, t in one)
