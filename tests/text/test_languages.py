"""A language and a pair are a folder each; without one, defaults apply; no code is treated as a path."""

import pytest
import sacrebleu

from nmtcore.text.languages import FOLDER, known_pairs, language, language_pair, lines
from pages.common.text import other_script


@pytest.mark.parametrize("code", sorted(path.parent.name for path in FOLDER.glob("*/language.toml")))
def test_the_sentences_of_a_language_are_of_its_script_and_its_tokenizer_exists(code: str) -> None:
    known = language(code)
    sentences = (*known.sentences, *known.clauses, *known.examples.values(), *lines(code, "rehearsal.txt"))
    assert len(set(sentences)) == len(sentences)
    assert not any(other_script(text, code) for text in sentences)
    assert all(text.endswith((known.full_stop, "?", "？", "!", "！")) for text in known.examples.values())
    assert list(known.sentences) == sorted(known.sentences, key=len)
    assert sacrebleu.corpus_bleu(["a b c d"], [["a b c d"]], tokenize=known.bleu_tokenizer).score == pytest.approx(100)


def test_a_pair_has_its_languages_and_connectives_in_both() -> None:
    assert known_pairs() == ("en-fr", "zh-en")
    for code in known_pairs():
        pair = language_pair(code)
        assert pair.code == code and pair.source.examples and len(pair.connectives) > 2
        assert all(before and after for before, after in pair.connectives)


@pytest.mark.parametrize("code", ["", "eo", "../en", "en/../../secret", "en\n", "source"])
def test_a_language_without_a_folder_has_defaults(code: str) -> None:
    assert (language(code).name, language(code).bleu_tokenizer, language(code).examples) == (code, "13a", {})
    assert lines(code, "rehearsal.txt") == () and language_pair(f"{code}-xx").connectives == ()
