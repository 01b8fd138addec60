"""The models in JavaScript beside those in Python, on a few sentences.

`python -m tests.views.live.parity` takes 200 of every pair and model. Here 200 shorter ones are taken in ten
days, 20 a day.
"""

import gzip
import json
import shutil
from dataclasses import fields
from datetime import date
from pathlib import Path

import pytest

from nmtcore.config import ModelConfig, RecurrentConfig, TransformerConfig
from nmtcore.intervention import Intervention
from nmtcore.text.normalization import remove_invisible
from nmtcore.text.vocabulary import Vocab
from tests.paths import PRETRAINED, ROOT
from tests.views.live.node import call
from tests.views.live.parity import MODELS, Question, answer, compare, sentences, slice_of

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="Only Node can run the models in JavaScript.")

TYPED = {"en-fr": "The boy who lost his keys is behind the girl.", "zh-en": "我不知道他住在哪里。"}
ODD = json.loads(Path(__file__).with_name("odd.json").read_text(encoding="utf-8"))  # texts that are hard to cut


@pytest.mark.parametrize("model", ["en-fr/transformer", "en-fr/none", "zh-en/dot", "zh-en/none"])
def test_a_text_has_the_same_pieces(model: str) -> None:
    vocab = Vocab.load(PRETRAINED / model / "vocab.model")
    texts = [*ODD, *people("fra" if model.startswith("en") else "cmn", 5000), *sentences(model[:5], 1000)]
    found = answer(model, cut=texts)["cut"]
    for text, cut in zip(texts, found, strict=True):
        expected = vocab.cut(text)
        assert (cut["ids"], cut["pieces"]) == ([*expected.ids], [*expected.pieces]), text


def people(other: str, count: int) -> list[str]:
    """Sentences that people wrote, in English and the other language, if they are beside the project."""
    path = ROOT.parent / "shared" / "data" / f"tatoeba.eng-{other}.tsv.gz"
    if not path.is_file():
        return []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        pairs = [line.rstrip("\n").split("\t") for line in lines]
    return [text for pair in pairs[:: max(1, len(pairs) // count)][:count] for text in pair[:2]]


@pytest.mark.parametrize("model", ["en-fr/none", "en-fr/copying", "en-fr/transformer", "zh-en/additive", "zh-en/dot"])
def test_a_decode_is_the_same(model: str) -> None:
    """Greedily and with a beam, without and with the pages' interventions."""
    pair, _, architecture = model.partition("/")
    text = TYPED[pair]
    changes = [Intervention(forbidden=((0, 300), (None, 4))), Intervention(forced=((0, 901), (2, 77)))]
    questions: list[Question] = [(text, beam, Intervention()) for beam in (1, 5)]
    questions += [(text, 3, change) for change in changes]
    if architecture != "none":
        uniform = Intervention.attend_uniformly(1, len(Vocab.load(PRETRAINED / model / "vocab.model").encode(text)) + 1)
        questions.append((text, 1, uniform))
    if architecture == "transformer":
        switches = Intervention(
            heads_off=(("encoder", 0, 1), ("decoder", 1, 0), ("cross", 1, 2)),
            parts_off=(("encoder", 2, "feedforward"), ("decoder", 0, "norm"), ("decoder", 1, "residual")),
        )
        questions += [(text, 1, switches), (text, 1, Intervention(positions="dropped", target_positions="dropped"))]
    assert [*compare(model, questions)] == []


@pytest.mark.parametrize("model", MODELS)
def test_other_sentences_every_day_are_translated_alike(model: str) -> None:
    """All models of the site, both pairs, greedily and with a beam: 200 sentences of each in ten days."""
    turn = date.today().toordinal()
    print(f"python -m tests.views.live.parity --turn {turn} {model}")
    assert [*compare(model, slice_of(model.partition("/")[0], turn))] == []


@pytest.mark.parametrize("family", [TransformerConfig, RecurrentConfig])
def test_a_browser_knows_every_setting(family: type[ModelConfig]) -> None:
    """A new setting must be entered in the table of `live`: until then models that have it are refused there."""
    plain = {"vocab_size": 7, "context": "start"}  # if a default is None, or stands for another value
    configs = [{field.name: plain.get(field.name, field.default)} for field in fields(family)]
    asked = [[{"format": 2, "class": family.__name__, "config": config}, {}, {}] for config in configs]
    for config, found in zip(configs, call("live/checkpoint.js", "readCheckpoint", asked), strict=True):
        assert "does not belong to this model" in found["refused"], config  # what is looked at next


def test_a_text_is_cleaned_as_on_the_server() -> None:
    found = call("live/normalization.js", "removeInvisible", [[text] for text in ODD])
    assert found == [[*remove_invisible(text)] for text in ODD]
