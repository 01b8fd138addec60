"""Own models: models in the folders of ALIGNMENT_LAB_MODELS join the shipped ones, and can be compared side by side."""

import errno
import io
import os
import zipfile
from pathlib import Path

import pytest

from nmtcore.errors import CheckpointError, NmtError
from nmtcore.models import checkpoint
from nmtcore.places import model_folder
from nmtcore.runs.config import RunError
from nmtcore.text.vocabulary import Vocab
from pages.common import models, saved_models
from pages.common.side_by_side import offered
from pages.finetune.put_in import put_in
from tests.helpers import small
from tests.pages.helpers import component_data, opened


def put(root: Path, name: str, vocab: Vocab, architecture: str = "transformer", **meta: object) -> Path:
    """An own model; its weights are not those of the model directory."""
    source, _dash, target = name.partition("/")[0].partition("-")
    made = small(architecture, vocab, seed=8)
    checkpoint.save(root / name, made.model, vocab, {"source": source, "target": target, **meta})
    return root / name


def zipped(folder: Path) -> bytes:
    """A model folder as a ZIP file."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path in folder.iterdir():
            archive.write(path, f"folder/{path.name}")
    return content.getvalue()


@pytest.fixture
def two_folders(model_directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    roots = (tmp_path / "first", tmp_path / "second")
    monkeypatch.setenv("ALIGNMENT_LAB_MODELS", os.pathsep.join(map(str, roots)))
    return roots


def test_two_own_models_stand_beside_those_that_ship(two_folders: tuple[Path, Path], vocab: Vocab) -> None:
    put(two_folders[0], "en-fr/opus", vocab)
    put(two_folders[1], "en-fr/opus", vocab, "dot")
    put(two_folders[1], "en-de/other", vocab)
    ids = offered("en-fr")
    assert {"own.en-fr.opus", "own.en-fr.opus.2", "none", "dot", "transformer"} <= set(ids)
    assert models.architecture(ids["own.en-fr.opus.2"]) == "dot"
    at = opened("translate", pair="en-fr", text="a red cat", models="transformer~own.en-fr.opus~own.en-fr.opus.2")
    assert not at.exception
    headings = [panel["title"] for panel in component_data(at, "alignment")["panels"]]
    assert sorted(headings) == ["Dot: opus", "Transformer", "Transformer: opus"]


def test_a_training_that_was_stopped_is_said(two_folders: tuple[Path, Path], vocab: Vocab) -> None:
    put(two_folders[0], "en-fr/mine", vocab, unfinished=True)
    (model,) = saved_models.own_models()[0].values()
    assert "stopped early" in model.label and "stopped early" in models.heading(model.id)
    checkpoint.mark_finished(model.folder)
    (model,) = saved_models.own_models()[0].values()
    assert model.label == "mine (own)"


def test_the_command_line_knows_own_models_by_name(two_folders: tuple[Path, Path], vocab: Vocab) -> None:
    own = put(two_folders[1], "en-fr/opus", vocab)
    assert model_folder("en-fr/opus") == own
    with pytest.raises(CheckpointError, match="en-fr/opus"):
        model_folder("en-fr/nothing")


def test_a_model_is_put_in_from_the_page(
    model_directory: Path, tmp_path: Path, vocab: Vocab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALIGNMENT_LAB_RUNS", str(tmp_path / "runs"))
    content = zipped(put(tmp_path, "en-fr/made", vocab, "dot"))
    assert "“My model (own)”" in put_in("My_model.zip", content)
    assert "own.en-fr.My model" in offered("en-fr")
    with pytest.raises(CheckpointError, match="already"):
        put_in("My model.zip", content)
    with pytest.raises(NmtError, match="A name is"):
        put_in("..zip", content)
    monkeypatch.setattr("pages.finetune.put_in.MOST", 1)
    assert "as many as this server keeps" in put_in("another.zip", content)
    at = opened("finetune")
    assert not at.exception and any("Add a model" in part.label for part in at.expander)


def test_a_disk_that_takes_no_model_is_said_without_a_path(
    tmp_path: Path, vocab: Vocab, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = zipped(put(tmp_path, "en-fr/made", vocab, "dot"))
    place = tmp_path / "runs"
    monkeypatch.setenv("ALIGNMENT_LAB_RUNS", str(place))

    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    with monkeypatch.context() as patch, pytest.raises(RunError, match="^The disk is full: make room"):
        patch.setattr(Path, "write_bytes", full)
        put_in("mine.zip", content)
    assert list((place / "models").iterdir()) == []
    (place / "models").rmdir()
    place.rmdir()
    place.write_text("", encoding="utf-8")
    with pytest.raises(RunError, match="is not a folder") as told:
        put_in("mine.zip", content)
    assert str(tmp_path) not in str(told.value)
