"""Shared by page tests: a model directory of small models for the app."""

import functools
import shutil
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from streamlit import config
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner import script_runner
from streamlit.runtime.scriptrunner.exec_code import exec_func_with_error_handling
from streamlit.testing.v1 import AppTest, local_script_runner

from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from pages.common.once import lookups_kept
from tests.pages import browser
from tests.pages.helpers import page_at
from tests.paths import PRETRAINED

assert browser  # makes AppTest's query parameters an address bar

# Every new AppTest looks through all installed packages for components of theirs, which takes longer than a small page.
manifest_scanner.scan_component_manifests = functools.cache(manifest_scanner.scan_component_manifests)
# After each run of a page Streamlit collects garbage, which takes longer than the run. The server turns it off, too.
config.set_option("runner.postScriptGC", False)


def run_as_app_does(script: Callable[[], Any], context: Any) -> Any:
    """Cache lookups as app.py does, without which a test runs a page: they are most of a small page's time."""

    def kept() -> Any:
        with lookups_kept():
            return script()

    return exec_func_with_error_handling(kept, context)


script_runner.exec_func_with_error_handling = run_as_app_does
ask_whether_it_has_stopped = local_script_runner.require_widgets_deltas


def wait_until_it_has_stopped(runner: Any, timeout: float) -> None:
    """AppTest asks a page every millisecond whether it is done, which holds up the page."""
    runner._script_thread.join(timeout)
    if not runner.script_stopped():
        ask_whether_it_has_stopped(runner, 0.0)  # which says so


local_script_runner.require_widgets_deltas = wait_until_it_has_stopped


@pytest.fixture(autouse=True)
def short(short_translations: None) -> None:
    """Limit translations: models that do not stop would take most of a page's time on long opening sentences."""


@pytest.fixture(scope="session")
def few_sentences(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first of our own sentences. Searching all of them for six of one length takes longer than any page."""
    folder = tmp_path_factory.mktemp("corpus")
    for pair in ("en-fr", "zh-en"):
        with open(PRETRAINED / "corpus" / f"{pair}.tsv", encoding="utf-8") as rows:
            (folder / f"{pair}.tsv").write_text("".join(islice(rows, 1000)), encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def few_swaps(few_sentences: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What C keeps is measured on a few sentences: most of the time of opening No attention."""
    monkeypatch.setattr("pages.no_attention.forgetting.CORPUS", few_sentences)
    monkeypatch.setattr("pages.no_attention.forgetting.COUNT", 6)


@pytest.fixture(autouse=True)
def few_timings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time only one decode: no test checks accuracy, and timing took a third of Architectures."""
    monkeypatch.setattr("nmtcore.serving.request.DECODES", 1)


@pytest.fixture(autouse=True)
def quick_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimate a run from two gradients and few translations: estimates take most of the Fine-tune page's time."""
    monkeypatch.setattr("nmtcore.runs.preparation.ENOUGH", 0.0)
    monkeypatch.setattr("nmtcore.runs.preparation.SCORED", 5)


@pytest.fixture
def model_directory(model_folders: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The app takes its models from here. All tests share it, and what was decoded.

    Ask for `own_model_directory` to change it.

    Two tests that ask for the same translation decode it once; decoding is most of a page's time.
    """
    monkeypatch.setenv("ALIGNMENT_LAB_PRETRAINED", str(model_folders))
    before = _stamps(model_folders)
    yield model_folders
    assert _stamps(model_folders) == before, (
        "This test changes the models of all tests: let it ask for own_model_directory."
    )


@pytest.fixture
def page(request: pytest.FixtureRequest, model_directory: Path) -> AppTest:
    """The page of a module's PAGE, a link as people copy it, not yet run."""
    name, _mark, query = request.module.PAGE.partition("?")
    return page_at(name, **dict(parse_qsl(query)))


@pytest.fixture
def model(model_directory: Path) -> Checkpoint:
    """The Transformer for English to French."""
    return checkpoint.load(model_directory / "en-fr" / "transformer")


@pytest.fixture
def own_model_directory(model_directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy that a test may damage, or decode differently from the app.

    Nothing cached applies to it, since its files are newer. Results from the shared models stay cached.
    """
    root = tmp_path / "models"
    shutil.copytree(model_directory, root, copy_function=shutil.copyfile)
    monkeypatch.setenv("ALIGNMENT_LAB_PRETRAINED", str(root))
    return root


def _stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """Time and size of every file and folder."""
    found = {str(path): path.stat() for path in folder.rglob("*")}
    return {name: (stat.st_mtime_ns, stat.st_size) for name, stat in found.items()}
