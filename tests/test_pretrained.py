"""The models that ship: each loads and translates, is as small as promised, and matches the READMEs."""

import re

import pytest

from nmtcore.__main__ import main
from nmtcore.config import CORE, DecodingConfig
from nmtcore.intervention import Intervention
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import VOCAB, WEIGHTS, read_config
from nmtcore.text.vocabulary import Vocab
from nmtcore.text.words import is_wide
from pages.common.examples import ORDER, example_sentences
from tests.helpers import translate
from tests.paths import ROOT

SHELF = ROOT / "pretrained"
SENTENCES = {"en-fr": ("I am very tired.", "fatigué"), "zh-en": ("我很累。", "tired")}
MODELS = [f"{pair}/{architecture}" for pair in SENTENCES for architecture in CORE]


@pytest.mark.parametrize("name", MODELS)
def test_it_translates(name: str) -> None:
    model = checkpoint.load(SHELF / name)
    sentence, word = SENTENCES[name.partition("/")[0]]
    trace = translate(model, sentence, DecodingConfig(beam=5))
    assert trace.finished and 2 <= len(trace.text.split()) <= 6
    if not name.endswith("none"):
        assert word in trace.text
    for map in trace.attention:
        assert abs(map.weights.sum(-1) - 1).max() < 1e-5


@pytest.mark.parametrize("pair", SENTENCES)
def test_without_positions_the_example_means_something_else(pair: str) -> None:
    model = checkpoint.load(SHELF / pair / "transformer")
    text = example_sentences(pair)[ORDER].text
    removed = translate(model, text, DecodingConfig(beam=5), Intervention(positions="dropped"))
    assert translate(model, text, DecodingConfig(beam=5)).text != removed.text


def crumbled(words: list[str], vocab: Vocab) -> dict[str, int]:
    """Words in more than three pieces, with their number; one with an apostrophe, such as don't, counts as two."""
    found = {word: len(vocab.encode(word)) for word in words}
    return {word: count for word, count in found.items() if count > 3 * (1 + ("'" in word))}


@pytest.mark.parametrize(("pair", "share"), [("en-fr", 0.001), ("zh-en", 0.15)])
def test_frequent_words_have_few_pieces(pair: str, share: float) -> None:
    """Words of the text that the vocabulary was learned from; the Mandarin one also holds 3,500 characters."""
    path = SHELF / "corpus" / f"words.{pair}.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines and all(line and line == line.strip() and len(line.split()) == 1 for line in lines)
    latin = sorted({line for line in lines if line[0].isalpha() and not is_wide(line)})
    assert len(crumbled(latin, Vocab.load(SHELF / pair / "transformer" / VOCAB))) <= share * len(latin)


def test_sizes() -> None:
    sizes = [(SHELF / name / WEIGHTS).stat().st_size for name in MODELS]
    assert max(sizes) <= 25e6 and sum(sizes) <= 110e6


def test_the_tables_are_those_of_the_cards(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scores", "--models", str(SHELF)]) == 0
    assert capsys.readouterr().out in (SHELF / "README.md").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for pair, languages in (("en-fr", "English to French"), ("zh-en", "Mandarin to English")):
        row = re.search(rf"^\| {languages}, BLEU \|(.*)\|$", readme, re.MULTILINE)
        assert row
        scores = [read_config(SHELF / pair / a)[1]["scores"]["bleu"] for a in CORE]
        assert [cell.strip() for cell in row[1].split("|")] == [f"{bleu:.1f}" for bleu in scores]
