"""Models saved on the Fine-tune page: the pages that suit them offer them; a damaged one affects nothing else."""

import asyncio
import gc
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from streamlit.testing.v1 import AppTest

from nmtcore.config import ARCHITECTURES, Architecture, model_config
from nmtcore.models import checkpoint
from nmtcore.runs import run_folder
from nmtcore.runs.config import RunConfig, Status
from nmtcore.runs.run_folder import Run
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.config import TrainingConfig
from nmtcore.training.exercises import EXERCISES
from pages.common.examples import example_sentences
from pages.common.registry import PAGES, offering
from pages.server.start_up import prepare_server
from tests.helpers import SIZES, small
from tests.pages.helpers import component_data, opened, said

REVERSE = EXERCISES["reverse"]


@pytest.fixture
def root(tmp_path: Path, model_directory: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "runs"
    monkeypatch.setenv("ALIGNMENT_LAB_RUNS", str(folder))
    return folder


def save(root: Path, vocab: Vocab, name: str, architecture: Architecture = "dot", seed: int = 7, **meta: object) -> Run:
    """A run that translates English to French, saved under a name; its weights are not those of the model directory."""
    config = RunConfig(
        TrainingConfig(), ("the small dog .", "le petit chien ."), began_with="en-fr, Dot", source="en", target="fr"
    )
    run, _ = run_folder.create(root, config, [("a", "b")], "me")
    checkpoint.save(run.best, small(architecture, vocab, seed).model, vocab, {"source": "en", "target": "fr", **meta})
    run.save_as(name)
    return run


def save_reverse(root: Path, name: str, architecture: Architecture = "dot") -> Run:
    """A run of the exercise that reverses digits."""
    vocab = Vocab.train([side for pair in REVERSE.pairs(50) for side in pair], 30, 1.0, split_digits=False)
    config = RunConfig(
        TrainingConfig(), (REVERSE.pinned, REVERSE.answer(REVERSE.pinned)), "reverse", architecture=architecture
    )
    run, _ = run_folder.create(root, config, REVERSE.pairs(50), "me")
    torch.manual_seed(3)
    model = checkpoint.build(model_config(architecture, len(vocab), **SIZES[architecture]))
    checkpoint.save(run.best, model, vocab, {"source": "source", "target": "target"})
    run.save_as(name)
    return run


def drawn(at: AppTest, component: str = "alignment") -> dict[str, Any]:
    return component_data(at, component)


def test_the_pages_that_are_named_when_it_is_saved_are_those_that_offer_it(root: Path, vocab: Vocab) -> None:
    for architecture in ARCHITECTURES:
        save(root, vocab, f"Mine {architecture}", architecture)
        save_reverse(root, f"Backwards {architecture}", architecture)
    offering_pages: dict[Architecture, list[str]] = {architecture: [] for architecture in ARCHITECTURES}
    for entry in PAGES:
        if entry.name != "finetune":
            options = opened(entry.name).selectbox(key="pair").options
            for architecture, titles in offering_pages.items():
                both = {f"Mine {architecture} (saved)", f"Backwards {architecture} (saved)"}
                offered = both.intersection(options)
                assert len(offered) in (0, 2)
                titles += [entry.title()] if offered else []
    assert offering_pages == {architecture: offering(architecture) for architecture in ARCHITECTURES}


def test_a_saved_model_stands_in_the_place_of_its_architecture_and_translates(root: Path, vocab: Vocab) -> None:
    save(root, vocab, "My first")
    at = opened("translate")
    before = drawn(at)["panels"]
    assert at.selectbox(key="pair").options == ["English to French", "Mandarin to English", "My first (saved)"]
    data = drawn(at.selectbox(key="pair").set_value(at.selectbox(key="pair").options[2]).run())
    assert [panel["title"] for panel in data["panels"]] == ["No attention", "Additive", "Dot: My first", "Transformer"]
    assert data["sentence"] == example_sentences("en-fr")[0].text  # the same language: the sentence stays
    after = data["panels"]
    assert [a["weights"] == b["weights"] for a, b in zip(after, before, strict=True)] == [True, True, False, True]
    assert after[2]["translation"] != before[2]["translation"]
    assert said(at) == []


def test_an_exercise_has_a_panel_and_sentences_of_its_own(root: Path) -> None:
    save_reverse(root, "Backwards")
    at = opened("translate", text="A cat.")
    at.selectbox(key="pair").set_value("Backwards (saved)").run()
    data = drawn(at)
    assert [panel["title"] for panel in data["panels"]] == ["Dot: Backwards"]
    assert data["sentence"] == REVERSE.pinned
    assert at.markdown[0].value.startswith("This model was trained for a task of its own.")
    longer = drawn(at.menu_button(key="examples").click_index(1).run())
    assert len(longer["sentence"].split()) > REVERSE.length
    back = drawn(at.selectbox(key="pair").set_value("English to French").run())
    assert back["sentence"] == example_sentences("en-fr")[0].text


@pytest.mark.parametrize("damage", ["weights", "config", "gone", "run"])
def test_a_damaged_model_is_left_out_and_said(root: Path, vocab: Vocab, damage: str) -> None:
    save(root, vocab, "Whole")
    broken = save(root, vocab, "Broken")
    if damage == "weights":
        (broken.best / checkpoint.WEIGHTS).write_bytes(b"\0" * 400)
    elif damage == "config":
        (broken.best / checkpoint.CONFIG).write_text("{")
    elif damage == "run":
        (broken.folder / "config.json").write_text("[]")
    else:
        shutil.rmtree(broken.folder)
    at = opened("translate", pair="saved.Broken")
    assert len(drawn(at)["panels"]) == 4
    assert at.selectbox(key="pair").value == "en-fr"
    assert at.selectbox(key="pair").options[2:] == ["Whole (saved)"]
    left_out = [sentence for sentence in said(at) if "Broken is left out" in sentence]
    assert len(left_out) == (damage != "gone")


def test_a_link_opens_a_saved_model_with_its_own_sentence_until_it_is_deleted(root: Path, vocab: Vocab) -> None:
    run = save(root, vocab, "My first")
    at = opened("translate", pair="saved.My first")
    assert drawn(at)["sentence"] == "the small dog ."
    assert at.menu_button(key="examples").options[0].startswith("**the watched sentence**")
    run.delete()
    assert [panel["title"] for panel in drawn(at.run())["panels"]][2] == "Dot"


@pytest.mark.parametrize("page", ["additive", "dot", "no_attention", "transformer", "positions", "beam"])
def test_a_page_opens_a_saved_model_that_fits_with_its_own_sentence(root: Path, vocab: Vocab, page: str) -> None:
    architecture = {"no_attention": "none", "positions": "transformer", "beam": "dot"}.get(page, page)
    save(root, vocab, "English", architecture)  # type: ignore[arg-type]
    save_reverse(root, "Digits", architecture)  # type: ignore[arg-type]
    for name, text in (("English", "the small dog ."), ("Digits", REVERSE.pinned)):
        at = opened(page, pair=f"saved.{name}")
        assert at.selectbox(key="pair").value.startswith("run/") and at.text_input(key="text").value == text
        assert not [sentence for sentence in said(at) if "model folder" in sentence or "damaged" in sentence]
    if page == "beam":
        assert at.selectbox(key="model").options == ["Dot"]


@pytest.mark.usefixtures("own_model_directory")
def test_a_server_that_starts_marks_the_runs_whose_process_is_gone(
    root: Path, vocab: Vocab, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, waits = save(root, vocab, "Gone"), save(root, vocab, "Waits")
    gone.write_status(Status("running", step=3))
    started: list[Run] = []
    monkeypatch.setattr("nmtcore.runs.queue._spawn", lambda run, _lock: bool(started.append(run)))
    monkeypatch.setenv("ALIGNMENT_LAB_PRETRAINED", str(root / "none"))

    async def start() -> None:
        async with prepare_server(None):  # type: ignore[arg-type]
            pass

    asyncio.run(start())
    gc.unfreeze()
    assert json.loads((gone.folder / "status.json").read_text())["state"] == "interrupted"
    assert started == [waits]


def test_beam_search_turns_to_the_saved_model_whatever_model_was_chosen_before(root: Path, vocab: Vocab) -> None:
    save(root, vocab, "Mine", "transformer")
    save_reverse(root, "Digits", "additive")
    at = opened("beam", text="a red cat", model="dot")
    assert at.selectbox(key="model").value == "dot"
    for name, architecture in (("Mine (saved)", "transformer"), ("Digits (saved)", "additive")):
        at.selectbox(key="pair").set_value(name).run()
        assert at.selectbox(key="model").value == architecture
        assert drawn(at, "beam_tree")["model"].endswith(name.removesuffix(" (saved)"))
        assert not [sentence for sentence in said(at) if "link" in sentence]
        at.selectbox(key="pair").set_value("English to French").run()
