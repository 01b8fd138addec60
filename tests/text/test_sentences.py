"""Sentence segmentation: what ends a sentence, and what does not."""

import pytest

from nmtcore.text.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It rains. We stay!", ("It rains.", "We stay!")),
        ("It costs 3.50 today", ("It costs 3.50 today",)),
        ("Mr. Smith met J. Brown. They left.", ("Mr. Smith met J. Brown.", "They left.")),
        ("“It rains.” He left… Why?", ("“It rains.”", "He left…", "Why?")),
        ("下雨了。我们走吧！", ("下雨了。", "我们走吧！")),
        ("one line\n\nanother", ("one line", "another")),
        ("Really?! Yes. 🐕 !", ("Really?!", "Yes. 🐕 !")),
        ("", ()),
    ],
)
def test_a_text_is_cut_into_its_sentences(text: str, sentences: tuple[str, ...]) -> None:
    assert split_sentences(text) == sentences
