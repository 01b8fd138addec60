"""The pane of masks and batches: the data of its picture, and the values allowed in its link."""

import base64
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from nmtcore.analysis.arithmetic import softmax
from nmtcore.analysis.masks import padded_batch
from nmtcore.config import DecodingConfig
from nmtcore.intervention import ATTENTION_KINDS
from nmtcore.models import checkpoint
from nmtcore.text.vocabulary import EOS
from nmtcore.text.words import word_of
from nmtcore.views.masks.data import opening_row
from pages.transformer import batch
from tests.helpers import rounding, translate
from tests.pages import helpers
from tests.pages.helpers import component_data, components, said

opened = partial(helpers.opened, "transformer", pane="batch")


@pytest.mark.numerical
def test_its_rows_are_the_sentences_and_its_scores_give_the_attention_of_the_page(model_directory: Path) -> None:
    """The first sentence of the batch is the page's: in a batch it has the same weights as alone."""
    model = checkpoint.load(model_directory / "en-fr" / "transformer")
    trace = translate(model, "a red dog", DecodingConfig(3))
    found = component_data(opened(text="a red dog", beam="3"), "masks")
    assert found["sentences"][0] == "a red dog" and len(found["sentences"]) == 3
    for name, own in (("sources", trace.source), ("inputs", trace.inputs)):
        rows, lengths = found[name], found["lengths"][name]
        assert tuple(rows[0][: len(own)]) == own
        assert lengths[0] - len(own) in (0, 1), "of a translation that was stopped, its last piece is read too"
        for row, length in zip(rows, lengths, strict=True):
            assert row[length:] == ["<pad>"] * (len(rows[0]) - length) and "<pad>" not in row[:length]
    for kind in ATTENTION_KINDS:
        attention = trace.attention_of(kind)
        assert attention is not None
        queries, keys = ("sources" if part else "inputs" for part in (kind == "encoder", kind != "decoder"))
        sent, lengths = found["kinds"][kind], found["lengths"][queries]
        shape = (attention.layers, attention.heads, sum(lengths), len(found[keys][0]))
        assert (sent["layers"], sent["heads"]) == shape[:2]
        scores = np.frombuffer(base64.b64decode(sent["scores"]), "<f4").reshape(shape)[:, :, : len(attention.queries)]
        hidden = np.arange(shape[3]) >= found["lengths"][keys][0]
        future = np.arange(shape[3]) > np.arange(len(attention.queries))[:, None]
        masked = np.where(hidden | (future if kind == "decoder" else False), -np.inf, scores)
        weights = softmax(masked)[..., : len(attention.keys)]
        np.testing.assert_allclose(weights, attention.weights, rtol=0, atol=rounding(model.model))


def test_it_opens_with_the_first_sentence_that_has_padding(model_directory: Path) -> None:
    model = checkpoint.load(model_directory / "en-fr" / "transformer")

    def opens(*lengths: int) -> int:
        targets = [(*[5] * (length - 1), EOS) for length in lengths]
        return opening_row(padded_batch(model, [model.vocab.encode("a dog")] * len(lengths), targets))

    assert [opens(3, 2, 5), opens(5, 2, 3), opens(5, 5, 3), opens(4, 4, 4)] == [0, 1, 2, 0]


def test_a_sentence_that_stands_beside_others_never_stands_beside_itself(model_directory: Path) -> None:
    found = component_data(opened(text="I like tea."), "masks")
    assert len(set(found["sentences"])) == 3
    assert found["lengths"]["sources"][0] < max(found["lengths"]["sources"])


def test_the_sentences_beside_a_typed_one_are_shorter_and_longer(model_directory: Path) -> None:
    """About half and one and a half of its pieces: padding is visible, but not most of the batch."""
    found = component_data(opened(text="We like tea, and our red car is by the sea in good weather."), "masks")
    first, *others = found["lengths"]["sources"]
    assert 0.3 * first < others[0] < first < others[1] < 2 * first
    assert len(set(found["sentences"])) == 3


def test_pieces_that_go_on_with_a_chinese_word_are_known(model_directory: Path) -> None:
    found = component_data(opened(pair="zh-en", text="我喜欢喝绿茶。"), "masks")
    row = found["sources"][0][: found["lengths"]["sources"][0]]
    assert found["source_words"][0][: len(row)] == word_of(row)


def test_a_sentence_that_is_too_long_for_the_pane_is_told_so(
    model_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "DRAWN_PIECES", 3)
    shown = opened(text="a red dog")
    assert not components(shown, "masks")
    assert any("up to 3 pieces" in sentence for sentence in said(shown))


def test_sorting_by_length_is_measured_where_there_is_a_collection(own_model_directory: Path) -> None:
    assert "Sorting" not in " ".join(m.value for m in opened().markdown)
    rows = [f"school\t{'a red cat ' * (1 + i % 9)}\tun chat rouge" for i in range(90)]
    (own_model_directory / "corpus").mkdir()
    (own_model_directory / "corpus" / "en-fr.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    batch._lengths.cache_clear()
    said_now = " ".join(m.value for m in opened().markdown)
    assert "Of 90 sentences" in said_now
