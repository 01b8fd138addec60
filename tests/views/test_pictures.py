"""One line per picture: a model by its name, a record, its picture, and a sentence if it cannot be drawn."""

import dataclasses
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import nmtcore as nmt
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.errors import CheckpointError, NmtError, SettingError, TraceError
from nmtcore.models import checkpoint
from nmtcore.text.vocabulary import Vocab
from nmtcore.views import PICTURES, bundle, picture_function
from tests.helpers import small
from tests.paths import ROOT

TEXT = "the small cat sees a dog ."
OF = {  # an architecture that each picture can draw
    **{name: "transformer" for name in ("heads", "layer", "masks")},
    **{name: "dot" for name in ("alignment", "compare", "walkthrough", "beam_tree", "embeddings")},
    "context_vector": "none",
    "mask_predict": "mask-predict",
}


@pytest.fixture
def model_directory(model_folders: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ALIGNMENT_LAB_PRETRAINED", str(model_folders))
    return model_folders


def decoded(architecture: str, vocab: Vocab, **settings: Any) -> tuple[checkpoint.Checkpoint, Any]:
    model = small(architecture, vocab)
    if architecture != "mask-predict":
        settings = {"beam": 3, "max_length": 7, **settings}
    return model, nmt.translate(model, TEXT, **settings)


@pytest.mark.parametrize("name", [name for name in PICTURES if name != "matrix"])
def test_every_picture_is_one_function_of_a_record(name: str, vocab: Vocab) -> None:
    model, record = decoded(OF[name], vocab)
    options = {"model": model} if "model" in inspect.signature(picture_function(name)).parameters else {}
    drawn = getattr(nmt.views, name)([record] if name == "compare" else record, **options)
    assert (bundle.VIEWS / drawn.view).is_dir()
    assert str(drawn) == f"{drawn.view}: {TEXT}"
    assert drawn.page.count("</script>") == 2
    kept = json.dumps(drawn.data)  # plain data: otherwise this raises
    assert "NaN" not in kept and "Infinity" not in kept


def test_a_picture_is_called_by_its_name_whatever_was_imported_before() -> None:
    code = (
        "import nmtcore as nmt\n"
        "assert callable(nmt.views.heads)\n"
        "import nmtcore.views.heads.data, nmtcore.views.alignment as package\n"
        "from nmtcore.views.masks.data import data\n"
        "assert package.data and all(callable(getattr(nmt.views, name)) for name in nmt.views.PICTURES)\n"
        "import inspect; print(*inspect.signature(nmt.views.heads).parameters)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "trace head cell model height\n", done.stderr


def test_a_wrong_name_says_which_there_are(model_directory: Path) -> None:
    with pytest.raises(AttributeError, match="no picture 'attention'. There are: alignment, compare, heads, "):
        nmt.views.attention  # noqa: B018
    with pytest.raises(AttributeError, match="nmtcore has no 'draw'. It has: load, show, translate, views"):
        nmt.draw  # noqa: B018
    with pytest.raises(SettingError, match="no picture 'matrix' of one decode. There are: alignment, heads, "):
        nmt.show("en-fr/dot", TEXT, "matrix")
    with pytest.raises(CheckpointError, match="There is no model folder en-fr/dott. Models that are here: en-fr/"):
        nmt.load("en-fr/dott")
    with pytest.raises(SettingError, match="has no setting beams. There are: beam, alpha, beta, max_length."):
        nmt.translate("en-fr/dot", TEXT, beams=3)


def test_a_model_is_loaded_once_until_it_changes(vocab: Vocab, tmp_path: Path) -> None:
    first = small("none", vocab)
    checkpoint.save(tmp_path / "en-fr" / "mine", first.model, vocab, {})
    loaded = nmt.load(tmp_path / "en-fr" / "mine")
    assert nmt.load(str(tmp_path / "en-fr" / "mine")) is loaded and nmt.load(loaded) is loaded
    checkpoint.save(tmp_path / "en-fr" / "mine", small("none", vocab, seed=6).model, vocab, {})
    assert nmt.load(tmp_path / "en-fr" / "mine") is not loaded


def test_a_trace_finds_the_model_of_its_name(model_directory: Path) -> None:
    trace = nmt.translate("en-fr/additive", TEXT, max_length=5)
    given = nmt.views.walkthrough(trace, model=model_directory / "en-fr" / "additive")
    assert nmt.views.walkthrough(trace).data == given.data
    with pytest.raises(
        TraceError, match=r"needs the model that made the trace: give it as model=... There is no model"
    ):
        nmt.views.walkthrough(dataclasses.replace(trace, model="mine/own"))


def test_another_model_of_the_same_name_is_refused(model_directory: Path, vocab: Vocab) -> None:
    other = small("dot", vocab, seed=9)
    trace = nmt.translate(other, TEXT, max_length=5)
    with pytest.raises(TraceError, match="ships under the name en-fr/dot did not make this trace"):
        nmt.views.walkthrough(trace)
    with pytest.raises(TraceError, match="is given as the model en-fr/dot did not make this trace"):
        nmt.views.walkthrough(trace, model=nmt.load("en-fr/dot"))
    assert nmt.views.walkthrough(trace, model=other).data["target"] == list(trace.target)


def test_one_head_is_enlarged_and_named(vocab: Vocab) -> None:
    model, trace = decoded("transformer", vocab)
    drawn = nmt.views.heads(trace, head="encoder.2.1", cell=True, model=model)
    assert drawn.data["heads"]["chosen"] == {"kind": "encoder", "layer": 1, "head": 0}
    assert drawn.data["heads"]["vectors"]["name"] == "encoder.2.1"
    with pytest.raises(SettingError, match="has no head 'encoder.3.1': name it as kind.layer.head"):
        nmt.views.heads(trace, head="encoder.3.1")
    with pytest.raises(SettingError, match="no piece 't99': they are s0 to s"):
        nmt.views.layer(trace, piece="t99", model=model)
    with pytest.raises(SettingError, match="An alignment is one head of cross attention, such as cross.1.1"):
        nmt.views.alignment(trace, head="encoder.2.1")
    for unknown in ("cross.9.1", (1, 0)):
        with pytest.raises(SettingError, match="name it as kind.layer.head"):
            nmt.views.alignment(trace, head=unknown)  # type: ignore[arg-type]
    [panel] = nmt.views.alignment(trace, head="cross.2.1").data["panels"]
    assert panel["weights"] == pytest.approx(trace.attention_of("cross").weights[1, 0], abs=1e-3)
    assert nmt.views.layer(trace, piece="s1", model=model).data["opens"] == "s1"


def test_models_are_compared_on_one_sentence(vocab: Vocab) -> None:
    traces = [decoded(name, vocab)[1] for name in ("none", "additive", "mask-predict")]
    drawn = nmt.views.compare(traces, titles=["A", "B", "C"])
    assert [panel["title"] for panel in drawn.data["panels"]] == ["A", "B", "C"]
    other = nmt.translate(small("dot", vocab), "a dog .", max_length=3)
    with pytest.raises(TraceError, match="one sentence by several models; these are of 2 sentences"):
        nmt.views.compare([*traces, other])
    with pytest.raises(SettingError, match="a title and a head for each trace: there are 3"):
        nmt.views.compare(traces, titles=["A"])


def test_the_tree_has_the_greedy_path_beside_it(vocab: Vocab) -> None:
    model, trace = decoded("dot", vocab)
    drawn = nmt.views.beam_tree(trace, model=model, beta=0.3, step=2)
    assert [line["kind"] for line in drawn.data["lines"]] == ["greedy"]
    assert drawn.data["opens_with"] == {"alpha": 0.6, "beta": 0.3, "step": 2}
    assert nmt.views.beam_tree(trace, model=model, greedy=False).data["lines"] == []
    with pytest.raises(SettingError, match="alpha must be between 0 and 5; it is nan"):
        nmt.views.beam_tree(trace, model=model, alpha=float("nan"))


@pytest.mark.parametrize(
    ("name", "architecture", "said"),
    [
        (
            "walkthrough",
            "transformer",
            "walkthrough() draws a recurrent model with attention; en-fr/transformer is not one.",
        ),
        (
            "walkthrough",
            "none",
            "The walkthrough shows a recurrent model with attention: give it the trace of such a model.",
        ),
        ("context_vector", "transformer", "context_vector() draws a recurrent model; en-fr/transformer is not one."),
        ("heads", "dot", "heads() draws the heads of a Transformer; en-fr/dot is not one."),
        ("layer", "dot", "layer() draws the layers of a Transformer; en-fr/dot is not one."),
        ("heads", "mask-predict", "heads() draws a decode word by word; en-fr/mask-predict writes all words at once."),
        ("mask_predict", "dot", "mask_predict() draws the record of a model that writes all words at once."),
    ],
)
def test_a_picture_of_another_kind_of_model_is_a_sentence(
    name: str, architecture: str, said: str, vocab: Vocab
) -> None:
    model, record = decoded(architecture, vocab)
    options = {"model": model} if name not in ("mask_predict",) else {}
    with pytest.raises(NmtError, match=re.escape(said)):
        getattr(nmt.views, name)(record, **options)
    with pytest.raises(TraceError, match="str"):
        nmt.views.alignment("a text")


class TestMatrix:
    """`matrix` draws attention that nmtcore knows nothing of."""

    WEIGHTS = np.array([[0.7, 0.2, 0.1], [0.0, 0.5, 0.5]])

    def test_it_draws_an_array_and_a_tensor_alike(self) -> None:
        array = nmt.views.matrix(self.WEIGHTS, ["le", "chat"], ["the", "small", "cat"])
        tensor = torch.tensor(self.WEIGHTS, requires_grad=True)
        assert array.data == nmt.views.matrix(tensor, ["le", "chat"], ["the", "small", "cat"]).data  # type: ignore[arg-type]
        (panel,) = array.data["panels"]
        assert panel["weights"] == self.WEIGHTS.tolist() and panel["source_words"] == [0, 1, 2]

    def test_heads_and_layers_are_averaged(self) -> None:
        heads = np.stack([self.WEIGHTS, self.WEIGHTS[:, ::-1]])[None]
        (panel,) = nmt.views.matrix(heads, ["a", "b"], ["x", "y", "z"]).data["panels"]
        assert np.allclose(panel["weights"], [[0.4, 0.2, 0.4], [0.25, 0.5, 0.25]])

    @pytest.mark.parametrize("pieces", [["▁un", "break", "▁it"], ["Ġun", "break", "Ġit"], ["un", "##break", "it"]])
    def test_pieces_of_other_vocabularies_are_words(self, pieces: list[str]) -> None:
        (panel,) = nmt.views.matrix(self.WEIGHTS, ["a", "b"], pieces).data["panels"]
        assert panel["source_words"] == [0, 0, 1] and list(panel["source"]) == ["▁un", "break", "▁it"]

    @pytest.mark.parametrize(
        ("weights", "rows", "columns", "said"),
        [
            (WEIGHTS, ["a"], ["x", "y", "z"], "does not fit 1 query and 3 key tokens"),
            (WEIGHTS[0], ["a"], ["x", "y", "z"], "weights with 2 to 4 axes; these have 1"),
            (-WEIGHTS, ["a", "b"], ["x", "y", "z"], "must be finite and not negative"),
            (WEIGHTS * 3, ["a", "b"], ["x", "y", "z"], "weights from 0 to 1; the largest here is 2.1"),
            (np.zeros((0, 2)), [], ["x", "y"], "at least one row and one column"),
        ],
    )
    def test_what_is_no_attention_is_a_sentence(
        self, weights: Any, rows: list[str], columns: list[str], said: str
    ) -> None:
        with pytest.raises(TraceError, match=said):
            nmt.views.matrix(weights, rows, columns)


def test_a_saved_picture_replaces_the_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "picture.html"
    path.write_text("before", encoding="utf-8")
    drawn = nmt.views.matrix([[1.0]], ["</script>"], ["<!--"])
    assert drawn.save(path) == path and path.read_text(encoding="utf-8") == drawn.page
    assert [*tmp_path.iterdir()] == [path]


def test_records_are_those_of_the_library(model_directory: Path, vocab: Vocab) -> None:
    assert isinstance(nmt.translate("en-fr/dot", TEXT, beam=1, max_length=3), Trace)
    assert nmt.translate("en-fr/dot", TEXT, max_length=3).decoding.beam == 5
    model = small("mask-predict", vocab)
    record = nmt.translate(model, TEXT, rounds=2)
    assert isinstance(record, MaskPredictRecord) and record.decoding.rounds == 2
