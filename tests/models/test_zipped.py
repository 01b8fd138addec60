"""A model uploaded as a ZIP file: used if it is complete, refused in a sentence if not."""

import io
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from nmtcore.errors import CheckpointError
from nmtcore.models import checkpoint
from nmtcore.models.zipped import unzip_model
from nmtcore.text.vocabulary import Vocab
from tests.helpers import small


@pytest.fixture
def files(tmp_path: Path, vocab: Vocab) -> dict[str, bytes]:
    checkpoint.save(tmp_path / "made", small("dot", vocab).model, vocab, {"source": "en", "target": "fr"})
    return {path.name: path.read_bytes() for path in (tmp_path / "made").iterdir()}


def zipped(files: dict[str, bytes], prefix: str = "", method: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(prefix + name, data)
    return content.getvalue()


@pytest.mark.parametrize("prefix", ["", "a/folder/", "../../", "/"])
def test_a_whole_model_is_unpacked_to_its_pair(tmp_path: Path, files: dict[str, bytes], prefix: str) -> None:
    content = zipped(files | {"run.json": b"{}", "evil.pkl": b"x"}, prefix)
    place = unzip_model(content, tmp_path / "put" / "mine")
    assert place == tmp_path / "put" / "en-fr" / "mine"
    assert sorted(path.name for path in place.iterdir()) == sorted(files)
    assert checkpoint.load(place).meta["target"] == "fr"
    assert sorted(path.name for path in (tmp_path / "put").iterdir()) == ["en-fr"]
    with pytest.raises(CheckpointError, match="already"):
        unzip_model(content, tmp_path / "put" / "mine")


def understated(content: bytes, size: int) -> bytes:
    """A ZIP file whose directory states another size for its last entry than it has."""
    entry = content.rfind(b"PK\x01\x02")
    return content[: entry + 24] + size.to_bytes(4, "little") + content[entry + 28 :]


def config_of(files: dict[str, bytes], old: bytes, new: bytes) -> dict[str, bytes]:
    return files | {"config.json": files["config.json"].replace(old, new)}


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (lambda files: zipped({k: v for k, v in files.items() if k != "vocab.model"}), "has no vocab.model"),
        (lambda files: zipped(files | {"model.safetensors": b"no"}), "model.safetensors is damaged"),
        (lambda files: zipped(config_of(files, b'"en"', b'"../../en"')), "source and target languages"),
        (lambda files: zipped(config_of(files, b'"units": 18', b'"units": 20')), "does not fit"),
        (lambda files: zipped(files)[:-40], "not a ZIP file"),
        (lambda files: b"", "not a ZIP file"),
        (lambda files: zipped(files | {"card.md": b"\0" * 100_000_001}), "more than 100 MB"),
        (
            lambda files: zipped(files | {"config.json": b"{}," * 400_000}),
            "config.json has more than 1 MB",
        ),
        (lambda files: zipped(files, method=zipfile.ZIP_BZIP2), "compressed in an unusual way"),
        (lambda files: zipped(files, method=zipfile.ZIP_LZMA), "compressed in an unusual way"),
        (lambda files: zipped(files | {"é": b""}).replace("é".encode(), b"\xff\xfe"), "not a ZIP file"),
    ],
)
def test_what_is_no_model_leaves_nothing(tmp_path: Path, files: dict[str, bytes], broken, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(CheckpointError, match=says) as error:
        unzip_model(broken(files), tmp_path / "put" / "mine")
    assert str(tmp_path) not in str(error.value) and not list(tmp_path.glob("put/*"))


def test_a_file_that_is_larger_than_stated_takes_no_memory(tmp_path: Path, files: dict[str, bytes]) -> None:
    del files["card.md"]
    content = understated(zipped(files | {"card.md": b"\0" * 90_000_000}), 1000)
    tracemalloc.start()
    with pytest.raises(CheckpointError, match="not a ZIP file"):
        unzip_model(content, tmp_path / "put" / "mine")
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 30_000_000
