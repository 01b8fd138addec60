"""The Python side of the alignment component: the errors of a panel, and the browser's data."""

import numpy as np
import pytest

from nmtcore.analysis.word_confidence import split_at_words
from nmtcore.config import DecodingConfig, RecurrentConfig
from nmtcore.decoding.trace import AttentionMap, Candidate, Step
from nmtcore.errors import TraceError
from nmtcore.intervention import AttentionKind, Intervention
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.alignment.data import Panel, data, likeliest
from tests.helpers import small, translate, untrained

SOURCE, TARGET = ("▁the", "▁cat", "<eos>"), ("▁le", "<eos>")
WEIGHTS = np.arange(2 * 3 * 2 * 3, dtype=np.float32).reshape(2, 3, 2, 3) / 36


def panel(**changes: object) -> Panel:
    attention = AttentionMap("cross", TARGET, SOURCE, WEIGHTS)
    settings = {"title": "A", "architecture": "dot", "source": SOURCE, "target": TARGET, "attention": attention}
    return Panel(**{**settings, **changes})


def test_only_a_decode_can_say_why_a_word_was_written(vocab: Vocab) -> None:
    model = small("dot", vocab)
    decoded = Panel.of("B", "dot", translate(model, "the cat", DecodingConfig(max_length=3)))
    offered = {
        name: "why it was written" in data(panels, play=True)["words"]["idle"]
        for name, panels in {"links": [panel()], "decode": [panel(), decoded], "to come": [Panel("C", "dot")]}.items()
    }
    assert offered == {"links": False, "decode": True, "to come": True}
    assert "why" not in data([decoded])["words"]["idle_tap"]  # without its candidates


@pytest.mark.parametrize(
    ("layer", "head", "caption", "weights"),
    [
        (1, 2, "layer 2, head 3", WEIGHTS[1, 2]),
        (1, "mean", "layer 2, mean of the heads", WEIGHTS[1].mean(0)),
        ("mean", 0, "head 1, mean of the layers", WEIGHTS[:, 0].mean(0)),
        ("mean", "mean", "mean of all layers and heads", WEIGHTS.mean((0, 1))),
    ],
)
def test_a_panel_shows_one_head_or_a_mean_and_says_so(
    layer: object, head: object, caption: str, weights: np.ndarray
) -> None:
    shown = panel(layer=layer, head=head, log_probability=-2.071, notes=("step 2",))
    np.testing.assert_allclose(shown.weights(), weights, atol=1e-4)
    assert shown.caption() == ["log P \u22122.07", caption, "step 2"]


def test_other_tokens_and_missing_heads_are_refused() -> None:
    with pytest.raises(TraceError, match="other tokens"):
        panel(source=("▁the", "▁dog", "<eos>"))
    with pytest.raises(TraceError, match="no head 3"):
        panel(head=3)
    with pytest.raises(TraceError, match="no layer -1"):
        panel(layer=-1)


def test_a_context_vector_is_plain_numbers(vocab: Vocab) -> None:
    config = RecurrentConfig(len(vocab), embedding=10, units=14, attention="none")
    trace = translate(untrained(config, vocab), "a cat", DecodingConfig(max_length=4))
    vector = Panel.of("None", "none", trace).vector
    assert vector is not None and all(type(number) is float for number in vector), "a key of NumPy's is made slowly"
    assert vector == tuple(trace.inner["summary"][-1])


def test_the_window_of_local_attention_is_what_each_step_could_see(vocab: Vocab) -> None:
    config = RecurrentConfig(len(vocab), embedding=10, units=14, attention="dot", locality="monotonic", window=1)
    forced = Intervention(forced=tuple(enumerate((7, 5, 9, 6, 8, 11, 12))))  # longer than its source
    trace = translate(untrained(config, vocab), "a cat", DecodingConfig(max_length=9), forced)
    S, T = len(trace.source), len(trace.target)
    assert 3 < S < T - 1
    centers = [min(j, S - 1) for j in range(T)]
    expected = tuple((max(0, c - 1), min(S - 1, c + 1)) for c in centers)
    shown = Panel.of("Local", "dot", trace)
    assert shown.windows == expected == tuple(shown.to_json()["windows"])
    for row, (first, last) in zip(shown.weights() or [], expected, strict=True):
        assert not any(row[:first]) and not any(row[last + 1 :]) and sum(row) == pytest.approx(1, abs=1e-3)
    assert Panel.of("Dot", "dot", translate(small("dot", vocab), "a cat .")).windows == ()


def test_what_another_translation_does_not_have_is_underlined(vocab: Vocab) -> None:
    shown = Panel.of("Dot", "dot", translate(small("dot", vocab), "a big dog .", DecodingConfig(max_length=7)))
    text = shown.translation
    first, *_rest, last = [number for _text, number in split_at_words(text, shown.words) if number is not None]
    end = len(shown.words[first].text)
    assert text.startswith(shown.words[first].text) and first != last
    assert shown.against([(text[:end], True), (text[end:], False)]).underlined == (first,)
    assert last in shown.against([(text[:end], False), (text[end:], True)]).to_json()["underlined"]
    assert shown.against([(text, False)]).underlined == () == shown.underlined


@pytest.mark.parametrize(("kind", "played", "waits"), [("cross", 1, 1), ("decoder", 1, 0), ("encoder", 0, 0)])
def test_a_decode_can_be_played_but_not_the_encoder(kind: AttentionKind, played: bool, waits: bool) -> None:
    names = ("▁a", "<eos>")
    heads = AttentionMap(kind, names, names, np.full((1, 1, 2, 2), 0.5, dtype=np.float32))
    sent = Panel("A", "transformer", names, names, heads).to_json()
    assert (sent["kind"], sent["played"], sent["waits"]) == (kind, played, waits)


def test_what_was_written_is_among_the_candidates_shown() -> None:
    found = tuple(Candidate(name, number, -0.5 - number) for number, name in enumerate("abcdefg"))
    assert likeliest(Step("c", 2, -2.5, found), 4) == found[:4]
    assert likeliest(Step("f", 5, -5.5, found), 4) == (*found[:3], found[5])
    assert likeliest(Step("z", 40, -9.0, found), 4) == (*found[:3], Candidate("z", 40, -9.0))


def test_without_attention_a_decode_is_played_too() -> None:
    vector = Panel("A", "none", SOURCE, TARGET, vector=(0.5, -0.5)).to_json()
    assert vector["played"] is vector["waits"] is True
    assert Panel("A", "none").to_json()["played"] is False, "its place is kept for a result to come"
