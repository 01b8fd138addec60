"""The pages of the static site: the worker's answers equal the library's for the same sentence."""

import base64
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nmtcore.analysis.aligning_head import aligning_head
from nmtcore.analysis.head_ablation import without_each_head
from nmtcore.analysis.head_names import head_names
from nmtcore.analysis.head_parts import attention_inputs, recompute_head
from nmtcore.analysis.masks import padded_batch
from nmtcore.analysis.residual_stream import recompute_stream
from nmtcore.config import ARCHITECTURES, DecodingConfig
from nmtcore.errors import TextError
from nmtcore.intervention import Intervention, layer_switch_code
from nmtcore.models.checkpoint import Checkpoint, load
from nmtcore.text.languages import language
from nmtcore.text.source import read_source
from nmtcore.views.heads.data import CellParts, vectors_json
from nmtcore.views.heads.head import Head, in_order, names_json
from nmtcore.views.masks.data import data as masks_data
from nmtcore.views.residual_stream.data import data as residual_stream_data
from nmtcore.views.site.build import LIMITS, shuffled_orders
from nmtcore.views.site.messages import MESSAGES
from nmtcore.views.site.pages import BEAM, PAGES, SitePage
from pages.common.text import remarks
from pages.translate.instead import another, beside, blame
from tests.helpers import translate
from tests.paths import PRETRAINED
from tests.views.live.node import call, run

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="Only Node can run the models in JavaScript.")

PICTURE = Path(__file__).with_name("picture.mjs")
BINARY = {"cells": "<i2", "values": "<i2", "weights": "<u2"}  # of 32,767 or 65,535, the number that stands for 1


def same(expected: Any, found: Any, where: str = "") -> None:
    """Two JSON values are alike, numbers to 2e-3 of their size."""
    if isinstance(expected, dict):
        assert isinstance(found, dict) and set(expected) == set(found), f"{where}: {set(expected) ^ set(found)}"
        for name in expected:
            if name in BINARY and isinstance(expected[name], str) and where != ".words":
                ours, theirs = (np.frombuffer(base64.b64decode(v[name]), BINARY[name]) for v in (expected, found))
                np.testing.assert_allclose(theirs.astype(float), ours.astype(float), atol=60, err_msg=where)
                continue
            same(expected[name], found[name], f"{where}.{name}")
    elif isinstance(expected, list):
        assert isinstance(found, list) and len(expected) == len(found), f"{where}: {len(expected)}, not {len(found)}"
        for i, pair in enumerate(zip(expected, found, strict=True)):
            same(*pair, f"{where}[{i}]")
    elif isinstance(expected, float) or isinstance(found, float):
        assert found == pytest.approx(expected, abs=2e-3, rel=2e-3), where
    else:
        assert expected == found, where


Address = dict[str, str]


def asked_of(
    page: SitePage, pair: str, text: str, checkpoints: dict[Any, Checkpoint], addresses: Sequence[Address] = ({},)
) -> Any:
    """The library's opening picture, and the worker's answer at each address, {picture, notes}."""
    expected = json.loads(json.dumps(page.data(text, checkpoints)))
    asked = {
        "page": page.name,
        "text": text,
        "beam": BEAM,
        "limits": LIMITS,
        "addresses": addresses,
        "says": MESSAGES,
        "words": expected["words"],
        "pair": pair,
        "fixed": {
            "formulas": expected.get("formulas"),
            "code": expected.get("numpy", {}).get("code"),
            "colors": {**expected.get("colors", {}), "hue": "#000000"},  # of the model that the page opened with
            "panes": expected.get("heads", {}).get("panes"),
            "note": expected.get("heads", {}).get("note"),
            "orders": shuffled_orders(page),
            "own": {pane.name: pane.to_json() for pane in page.panes},
        },
        "sentences": language(pair[:2]).sentences,
        "folders": {name: str(PRETRAINED / pair / name) for name in page.models},
        "models": [
            {
                "name": name,
                "title": ARCHITECTURES[name].title,
                "hue": ARCHITECTURES[name].color,
                "head": aligning_head(checkpoint.config, checkpoint.meta),
                "names": names_json(head_names(checkpoint.meta)),
            }
            for name, checkpoint in checkpoints.items()
        ],
    }
    return expected, json.loads(run([PICTURE], asked))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
@pytest.mark.parametrize("pair", ["en-fr", "zh-en"])
def test_a_picture_is_the_same(page: SitePage, pair: str) -> None:
    text = [*language(pair[:2]).examples.values()][2]
    checkpoints = {name: load(PRETRAINED / pair / name) for name in page.models}
    expected, (answered,) = asked_of(page, pair, text, checkpoints)
    for found in (expected, answered["picture"]):
        found.pop("stamp", None)  # any identifier of searches
    same(expected, answered["picture"])
    assert answered["notes"] == []


HEADS = next(page for page in PAGES if page.name == "transformer")


@pytest.mark.parametrize("pair", ["en-fr", "zh-en"])
def test_the_panes_of_the_transformer_are_the_same(pair: str) -> None:
    """Each head's effect, the vectors around one, one layer with a part off, and a padded batch."""
    text = min(language(pair[:2]).examples.values(), key=len)
    checkpoint = load(PRETRAINED / pair / "transformer")
    trace = translate(checkpoint, text, DecodingConfig(BEAM))
    cells = (Head("cross", 1, 2), Head("encoder", 4, 1), Head("decoder", 0, 3))
    off = (("decoder", 0, "feedforward"), ("encoder", 1, "norm"))
    addresses = [
        {"pane": "compare"},
        *({"pane": "cell", "head": head.code} for head in cells),
        {"pane": "layer", "layer.off": "_".join(layer_switch_code(switch) for switch in off)},
        {"pane": "batch"},
    ]
    __, answers = asked_of(HEADS, pair, text, {"transformer": checkpoint}, addresses)
    compare, *chosen, layer, masks = (answered["picture"] for answered in answers)

    layers = [(m.kind, layer) for m in in_order(trace) for layer in range(m.layers)]
    scores = [score for place in layers for score in without_each_head(checkpoint, trace, *place)]
    np.testing.assert_allclose(compare["heads"]["changes"], np.array(scores) - trace.log_probability, atol=2e-3)

    for head, pane in zip(cells, chosen, strict=True):
        parts = recompute_head(checkpoint, trace, head.kind, head.layer, head.head)
        cell = CellParts(attention_inputs(checkpoint, trace, head.kind), parts)
        expected = vectors_json(trace, head, cell)
        found = pane["heads"]["vectors"]
        for letter in ("q", "k", "v", "xi", "xj", "f"):
            ours, theirs = (np.frombuffer(base64.b64decode(of.pop(letter)), "<f4") for of in (expected, found))
            np.testing.assert_allclose(theirs, ours, atol=2e-3)
        same(expected | {"run": "before"}, found)

    forced = Intervention(parts_off=off, forced=tuple(enumerate(trace.ids)))
    changed = translate(checkpoint, text, DecodingConfig(max_length=len(trace.ids)), forced)
    encoder, decoder = (recompute_stream(checkpoint, changed, stack) for stack in ("encoder", "decoder"))
    expected = residual_stream_data(
        encoder,
        decoder,
        changed,
        checkpoint.config,
        model="Transformer",
        opens=layer["opens"],
        effect=layer["effect"],
    )
    assert [title for title, *_ in layer["effect"]][0] == "Before"
    assert layer.pop("view") == "residual_stream"
    same(json.loads(json.dumps(expected | {"words": layer["words"]})), layer)

    traces = [translate(checkpoint, one, DecodingConfig()) for one in masks["sentences"][1:]]
    sources = [checkpoint.vocab.encode(one) for one in masks["sentences"]]
    batch = padded_batch(checkpoint, sources, [one.ids for one in (trace, *traces)])
    expected = masks_data(batch, model=masks["model"], sentences=masks["sentences"])
    if pair == "zh-en":  # a word of the longest sentence ends elsewhere for the browser than for jieba: see words.js
        longest = expected["source_words"].pop()
        assert len(masks["source_words"].pop()) == len(longest)
    for kind in expected["kinds"]:
        ours, theirs = (
            np.frombuffer(base64.b64decode(of["kinds"][kind].pop("scores")), "<f4") for of in (expected, masks)
        )
        np.testing.assert_allclose(theirs, ours, atol=5e-3)
    assert masks.pop("view") == "masks" and {len(row) for row in masks["sources"]} == {len(masks["sources"][0])}
    same(json.loads(json.dumps(expected | {"words": masks["words"]})), masks)


TRANSLATE = next(page for page in PAGES if page.name == "index")


def test_another_word_is_judged_as_in_the_app() -> None:
    """A candidate, a word, a whole translation, and what is refused."""
    checkpoints = {name: load(PRETRAINED / "en-fr" / name) for name in TRANSLATE.models}
    name = "dot"
    checkpoint, column = checkpoints[name], TRANSLATE.models.index(name)
    text = "She bought a beautiful red dress."
    own = translate(checkpoint, text, DecodingConfig(BEAM))
    step = next(j for j, token in enumerate(own.target) if j and token.startswith("▁"))
    candidate = next(c.id for c in own.steps[step].candidates if c.id != own.ids[step])
    asked = (str(candidate), "=vendu", "=elle a acheté une robe rouge.", "=" + "a b " * 60, "=  ")
    codes = [f"{column}.{step}.{token}" for token in asked]
    wrong = [f"{column}.{step}.9999999", f"{column}.900.9", "9.0.9", "red"]
    _, answers = asked_of(TRANSLATE, "en-fr", text, checkpoints, [{"instead": code} for code in (*codes, *wrong)])
    assert [answer["notes"] for answer in answers] == [[]] * len(codes) + [[MESSAGES["instead_wrong"]]] * len(wrong)
    assert all(answer["picture"]["verdict"] is None for answer in answers[len(codes) :])
    for token, code, answer in zip(asked, codes, answers, strict=False):
        found = answer["picture"]["verdict"]
        assert found["asked"] == code
        try:
            put = another(checkpoint, own, step, token)
        except TextError as error:
            assert found["says"] == [str(error)] and not found["parts"]
            continue
        forced = Intervention(forced=tuple(enumerate(put.ids)))
        other = translate(checkpoint, text, DecodingConfig(BEAM), forced)
        assert found["says"] == [*beside(put, own, other), blame(own, other)]
        assert "".join(part for part, _ in found["parts"]) == ("" if put.whole else other.text)
        assert found["title"] == ("" if put.whole else "Dot then writes")


TYPED = (
    *("", " \t ", "\u200b\u200d", "A red\u200b dress.", "a\u200bb\u200dc", "<b>bold</b> words", "a ▁ mark", "I am 😀."),
    *(
        "Привет, как дела?",
        "這本書很貴。乾隆皇帝晒乾了",
        "Çà ira.",
        "word " * 121,
        "好" * 121,
        "x" * 2001,
        "\ufdfa" * 150,
        "12 34",
        "我們 🐕 是學生。",
        "🐕 ❤\ufe0f",
    ),
)


@pytest.mark.parametrize("code", ["en", "zh"])
def test_a_text_is_read_or_refused_with_the_same_sentence(code: str) -> None:
    spoken = language(code)
    known = {"code": code, "name": spoken.name, "scripts": list(spoken.scripts)}
    table = None
    if code == "zh":
        from nmtcore.views.site.build import simplified_characters  # noqa: PLC0415

        table = simplified_characters()
    found = call("live/clean.js", "clean", [[typed, known, LIMITS, MESSAGES, table] for typed in TYPED])
    for typed, read in zip(TYPED, found, strict=True):
        try:
            expected = read_source(typed, code)
            notes = remarks(expected, code)
        except TextError as error:
            assert read == {"refused": str(error)}, typed
        else:
            assert read == {"text": expected.text, "notes": [*notes], "emoji": expected.emoji}, typed
