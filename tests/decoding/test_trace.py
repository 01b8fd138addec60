"""The record: its checks, its ranking, and its JSON."""

import json
from dataclasses import replace

import numpy as np
import pytest

from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import AttentionMap, BeamNode, Step, Trace
from nmtcore.decoding.trace_json import rounded, six
from nmtcore.errors import TraceError

SOURCE = ("▁the", "▁the", "<eos>")
TARGET = ("▁le", "<eos>")


def weights(*shape: int) -> np.ndarray:
    values = np.random.default_rng(7).random(shape).astype(np.float32)
    return values / values.sum(-1, keepdims=True)


def node(id: int, parent: int, step: int, token: str, total: float, fate: str, coverage: float = 0.0) -> BeamNode:
    return BeamNode(id, parent, step, token, id, -0.5, total, coverage, id, fate)  # type: ignore[arg-type]


def trace() -> Trace:
    return Trace(
        model="en-fr/additive",
        architecture="additive",
        source_text="the the",
        source=SOURCE,
        target=TARGET,
        text="le",
        log_probability=-1.25,
        score=-1.2,
        finished=True,
        seconds=0.01,
        decoding=DecodingConfig(beam=2, alpha=0.5, beta=0.1),
        steps=(Step("▁le", 2, -0.75, ()), Step("<eos>", 3, -0.5, ())),
        attention=(AttentionMap("cross", TARGET, SOURCE, weights(1, 1, 2, 3)),),
        beam=(
            node(0, -1, 0, "<sos>", 0.0, "root"),
            node(1, 0, 1, "▁le", -0.75, "kept"),
            node(2, 0, 1, "<eos>", -0.9, "finished", -4.0),
            node(3, 1, 2, "<eos>", -1.25, "winner", -0.3),
            node(4, 1, 2, "▁la", -3.0, "pruned"),
        ),
        inner={"scores": np.array([[[1.0, -np.inf, 0.123456789]]], dtype=np.float32)},
    )


def test_without_arrays_the_translation_stays() -> None:
    whole = trace()
    found = whole.without_arrays
    assert (found.source, found.target, found.ids, found.text) == (SOURCE, TARGET, whole.ids, "le")
    assert (found.attention, found.beam, found.inner) == ((), (), {}) and found.log_probability == -1.25
    assert whole.without_arrays is found and whole.attention and whole.inner


@pytest.mark.parametrize(
    ("queries", "keys", "shape"),
    [
        (TARGET, SOURCE, (1, 1, 3, 2)),  # axes swapped
        (SOURCE, SOURCE, (1, 1, 2, 3)),
        (TARGET, SOURCE[:2], (1, 1, 2, 3)),
        (TARGET, SOURCE, (2, 3)),
    ],
)
def test_a_map_that_does_not_fit_its_names_cannot_be_made(
    queries: tuple[str, ...], keys: tuple[str, ...], shape: tuple[int, ...]
) -> None:
    with pytest.raises(TraceError, match="does not fit"):
        AttentionMap("cross", queries, keys, weights(*shape))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -0.1])
def test_a_map_holds_only_weights(bad: float) -> None:
    values = weights(1, 1, 2, 3)
    values[0, 0, 1, 1] = bad
    with pytest.raises(TraceError, match="finite and not negative"):
        AttentionMap("cross", TARGET, SOURCE, values)
    with pytest.raises(TraceError, match="kinds"):
        AttentionMap("sideways", TARGET, SOURCE, weights(1, 1, 2, 3))  # type: ignore[arg-type]


def test_a_trace_refuses_the_attention_of_other_tokens() -> None:
    wrong = AttentionMap("cross", ("<sos>", "▁le"), SOURCE, weights(1, 1, 2, 3))  # shifted by a position
    with pytest.raises(TraceError, match="axes of the cross attention"):
        replace(trace(), attention=(wrong,))
    with pytest.raises(TraceError, match="name its target"):
        replace(trace(), target=("▁la", "<eos>"))


def test_json_both_ways() -> None:
    made = trace()
    again = Trace.from_json(json.loads(made.dumps(inner=True)))
    assert again == made
    assert again.inner["scores"][0, 0, 1] == -np.inf
    assert "inner" not in json.loads(made.dumps())
    assert Trace.from_json(json.loads(made.dumps())).beam == made.beam


def test_json_keys_are_pinned() -> None:
    data = trace().to_json()
    assert list(data) == [
        *("format", "model", "architecture", "source_text", "source", "source_ids", "target", "text"),
        *("log_probability", "score", "finished", "seconds", "decoding", "intervention"),
        *("steps", "attention", "beam"),
    ]
    assert list(data["attention"][0]) == ["kind", "layers", "heads", "queries", "keys", "weights"]
    assert list(data["steps"][0]) == ["token", "id", "log_probability", "candidates", "probability"]
    assert list(data["beam"][0]) == [
        *("id", "parent", "step", "token", "token_id", "log_probability", "total", "coverage", "rank", "fate"),
        *("lp", "cp", "score"),
    ]
    winner = data["beam"][3]
    assert winner["lp"] == pytest.approx((7 / 6) ** 0.5, abs=1e-5)
    assert winner["score"] == pytest.approx(winner["total"] / winner["lp"] + winner["cp"], abs=1e-5)


def test_an_unknown_fate_is_refused() -> None:
    data = trace().to_json()
    data["beam"][4]["fate"] = "barred"
    with pytest.raises(TraceError, match="'barred' must be one of root, kept, pruned"):
        Trace.from_json(data)


@pytest.mark.parametrize("change", [{"format": 2}, {"steps": None}, {"attention": [{}]}, {"beam": 3}])
def test_foreign_json_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(TraceError):
        Trace.from_json({**trace().to_json(), **change})
    with pytest.raises(TraceError):
        Trace.from_json({})


def test_an_error_in_a_trace_is_said_as_it_is() -> None:
    data = trace().to_json()
    with pytest.raises(TraceError, match=r"^This trace has format 2; this program reads format 1\.$"):
        Trace.from_json({**data, "format": 2})
    with pytest.raises(TraceError, match=r"^The beam width must be between 1 and 20; it is 900\.$"):
        Trace.from_json({**data, "decoding": {**data["decoding"], "beam": 900}})


def test_ranking_again() -> None:
    made = trace()
    assert [n.id for n in made.ranked(0.0, 0.0)] == [2, 3]  # log P alone prefers the short one
    assert [n.id for n in made.ranked(0.0, 1.0)] == [3, 2]  # which covers little of the source
    assert [n.id for n in made.ranked(5.0, 0.0)] == [3, 2]  # and is short
    assert [n.id for n in made.path(made.beam[3])] == [1, 3]


def test_six_significant_digits() -> None:
    assert six(0.000123456789) == 0.000123457
    assert rounded(np.array([0.000123456789, 1234567.0, 0.0, 1.0])) == [0.000123457, 1234570.0, 0.0, 1.0]
