"""A new architecture is a module and an entry in ARCHITECTURES: whatever lists architectures then has it."""

import dataclasses
import json
from pathlib import Path

import pytest
import torch
from streamlit.testing.v1 import AppTest

from nmtcore.analysis.complexity import layer_complexity
from nmtcore.config import ARCHITECTURES, ArchitectureEntry, DecodingConfig, model_config
from nmtcore.errors import SettingError
from nmtcore.figures import palette
from nmtcore.models import checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.runs.config import RunConfig
from nmtcore.training.config import TrainingConfig
from pages.common.i18n import title
from pages.common.registry import script
from pages.finetune.wording import begun_with
from tests.helpers import PATIENCE, Run, translate
from tests.models.bag_of_words import BagOfWords, BagOfWordsConfig


@pytest.fixture
def bag(monkeypatch: pytest.MonkeyPatch) -> ArchitectureEntry:
    entry = ArchitectureEntry(
        *("Bag of words", "#CC79A7", BagOfWordsConfig, "tests.models.bag_of_words:BagOfWords"),
        attention=False,
        small={"bag": 5},
    )
    monkeypatch.setitem(ARCHITECTURES, "bag", entry)
    return entry


def test_it_trains_and_is_saved_loaded_and_asked_by_the_commands(
    bag: ArchitectureEntry, pairs: Path, tmp_path: Path, run: Run
) -> None:
    folder = tmp_path / "en-fr" / "bag"
    sizes = ["--bag", 7, "--vocab-size", 60, "--max-steps", 2, "--split-validation", 4, "--split-test", 4]
    given = ["--pairs", pairs, "--architecture", "bag", "--out", folder, "--runs", tmp_path / "run"]
    assert run("train", *given, *sizes)[0] == 0
    written = json.loads((folder / checkpoint.CONFIG).read_text(encoding="utf-8"))
    assert (written["class"], written["architecture"], written["config"]["bag"]) == ("BagOfWordsConfig", "bag", 7)

    loaded = checkpoint.load(folder)
    assert isinstance(loaded.model, BagOfWords) and loaded.model.embed.weight.shape == (len(loaded.vocab), 7)
    fast = accelerate(loaded.model)  # without a class of its own
    assert isinstance(fast, BagOfWords) and isinstance(fast, Accelerated)
    assert fast.embed.weight is loaded.model.embed.weight
    trace = translate(loaded, "the red cat", DecodingConfig(beam=3, max_length=6))
    assert trace.architecture == "bag" and trace.attention == () and len(trace.beam) > 10
    ready = dataclasses.replace(loaded, model=fast)
    assert translate(ready, "the red cat", DecodingConfig(beam=3, max_length=6)).text == trace.text

    whole = translate(loaded, "the red cat", DecodingConfig(beam=3))
    assert run("translate", "--model", folder, "--beam", 3, "the red cat")[:2] == (0, f"{whole.text}\n")


def test_fine_tune_offers_it(bag: ArchitectureEntry, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ALIGNMENT_LAB_RUNS", str(tmp_path))
    at = AppTest.from_file(script("finetune"), default_timeout=PATIENCE)
    at.query_params["from"] = "scratch-bag"
    at.run()
    assert not at.exception, at.exception
    start = next(box for box in at.selectbox if "From scratch: Bag of words" in box.options)
    assert start.value == "scratch-bag"
    config = RunConfig(TrainingConfig(), ("1 2", "2 1"), "reverse", architecture="bag", settings=bag.small)
    assert begun_with(config) == "From scratch: Bag of words"


def test_what_is_said_of_it_is_said_in_its_entry(bag: ArchitectureEntry) -> None:
    assert title("bag") == "Bag of words" and title("dot") == "Dot" and title("mamba") == "mamba"
    config = model_config("bag", 9, **bag.small)
    assert config == BagOfWordsConfig(9, 5) and layer_complexity(config) is None
    with pytest.raises(SettingError, match="The bag architecture has no setting units"):
        model_config("bag", 9, units=4)
    with pytest.raises(SettingError, match="must be one of none, additive, dot, transformer, .*, bag; it is 'mamba'"):
        model_config("mamba", 9)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_entry_makes_a_model_of_its_name(architecture: str) -> None:
    entry = ARCHITECTURES[architecture]
    config = model_config(architecture, 13, **entry.small)
    assert (config.architecture, type(config)) == (architecture, entry.config)
    with torch.device("meta"):
        assert checkpoint.build(config).config == config
    assert palette.HUES[architecture] == entry.color
    assert len({other.color for other in ARCHITECTURES.values()}) == len(ARCHITECTURES)
