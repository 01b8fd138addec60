"""Bends in an address, and what they change in a translation."""

import pytest

from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import InterventionError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.diff import word_diff
from nmtcore.text.vocabulary import Vocab
from pages.attention.override import AttentionOverride, checksum, read_override
from tests.helpers import small, translate


@pytest.fixture(scope="module")
def model(vocab: Vocab) -> Checkpoint:
    return small("additive", vocab)


@pytest.fixture(scope="module")
def trace(model: Checkpoint) -> Trace:
    return translate(model, "a red dog", DecodingConfig(beam=4, max_length=8))


@pytest.mark.parametrize("bend", [AttentionOverride(0, 0), AttentionOverride(3, 2), AttentionOverride(7, None)])
def test_a_bend_survives_the_address(bend: AttentionOverride, trace: Trace) -> None:
    assert read_override(f"{bend.code}.12ab", "12ab", trace) == bend


def test_nothing_and_the_bend_of_another_question_are_none(trace: Trace) -> None:
    assert read_override("", "12ab", trace) is None
    assert read_override("1.s1.ffff", "12ab", trace) is None


NONSENSE = ["1.s1", "s1.1.12ab", "1.s.12ab", "1.s-1.12ab", "٣.s1.12ab", "1.s1.12ab\n", "x" * 4000]


@pytest.mark.parametrize("code", NONSENSE)
def test_what_cannot_be_read_is_said(code: str, trace: Trace) -> None:
    with pytest.raises(InterventionError, match="cannot be read"):
        read_override(code, "12ab", trace)


@pytest.mark.parametrize("code", ["9.s1", "0.s1", "1.s99", "1.s0", "9.all"])
def test_what_is_not_there_is_said(code: str, trace: Trace) -> None:
    with pytest.raises(InterventionError, match="has 8 pieces"):
        read_override(f"{code}.12ab", "12ab", trace)


def test_the_words_before_are_kept_in_beam_search_too(model: Checkpoint, trace: Trace) -> None:
    length = len(trace.source)
    for step in range(len(trace.target)):
        change = AttentionOverride(step, 1).intervention(trace)
        bent = translate(model, "a red dog", trace.decoding, change)
        assert bent.ids[:step] == trace.ids[:step]
        cross = bent.attention_of("cross")
        assert cross is not None and cross.weights[0, 0, step].tolist() == [float(i == 1) for i in range(length)]
    assert AttentionOverride(2, None).intervention(trace).row(2) == (1 / length,) * length


def test_a_checksum_tells_questions_apart() -> None:
    assert checksum("en-fr", "a dog", 5) == checksum("en-fr", "a dog", 5)
    assert len({checksum("en-fr", "a dog", beam) for beam in range(1, 9)}) == 8


def test_differences_are_marked_word_by_word() -> None:
    before, after = word_diff("le chat rouge dort .", "le chien rouge dort bien .")
    assert before == [("le ", False), ("chat", True), (" rouge dort ", False), (".", False)]
    assert after == [("le ", False), ("chien", True), (" rouge dort ", False), ("bien ", True), (".", False)]
    assert word_diff("", "oui") == ([], [("oui", True)])
    one, other = "Il a vu  deux\nchats", "a vu un chat"
    assert ["".join(part for part, _ in parts) for parts in word_diff(one, other)] == [one, other]
    assert word_diff(one, one) == ([(one, False)],) * 2


def test_a_chinese_character_is_a_word() -> None:
    before, after = word_diff("我爱红猫", "我爱黑猫")
    assert before == [("我爱", False), ("红", True), ("猫", False)]
    assert after == [("我爱", False), ("黑", True), ("猫", False)]
