"""Overlaid runs on the page: the choice, the link, their curves, films and differences."""

import dataclasses
import json
import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Multiselect

from nmtcore.runs.run_folder import Run
from pages.finetune import overlay
from tests.pages.finetune.helpers import drawn, said, watching


def other(root: Path, run: Run, name: str, **changes: object) -> Run:
    """A copy of a run under another id, with other settings in its record."""
    copy = Run(Path(shutil.copytree(run.folder, root / name)))
    path = copy.folder / "config.json"
    config = json.loads(path.read_text())
    config["training"].update(changes)
    path.write_text(json.dumps(config))
    return copy


def box(at: AppTest) -> Multiselect[str]:
    """The list of the other runs."""
    return at.multiselect(key="other-runs")


def test_runs_are_laid_over_one_another_and_the_link_says_which(page: AppTest, root: Path, run: Run) -> None:
    second = other(root, run, "a" * 12, optimiser="sgd", learning_rate=0.5)
    third = other(root, run, "b" * 12, optimiser="rmsprop")
    at = watching(page, run)
    box(at).set_value([second.id, third.id]).run()
    asked = at.query_params["other-runs"]
    assert asked == [f"{second.id}.{third.id}"] or asked == f"{second.id}.{third.id}"
    table = at.dataframe[-1].value if "setting" in at.dataframe[-1].value else at.dataframe[0].value
    rows = {row[0]: tuple(row[1:]) for row in table.to_numpy().tolist()}
    assert rows == {
        "Optimiser": ("AdamW", "SGD", "RMSprop"),
        "Learning rate": ("0.001", "0.5", "0.001"),
    }
    films = next(data for data in drawn(at) if len(data["panels"]) == 3)
    assert [panel["title"].split(" at ")[1] for panel in films["panels"]] == ["step 40"] * 3
    assert "SGD" in films["panels"][1]["title"]
    at.button(key="frame-0").click().run()
    films = next(data for data in drawn(at) if len(data["panels"]) == 3)
    assert [panel["title"].split(" at ")[1] for panel in films["panels"]] == ["step 0"] * 3


def test_a_link_with_runs_that_are_gone_shows_those_that_are_there(page: AppTest, root: Path, run: Run) -> None:
    second = other(root, run, "a" * 12, seed=2)
    (other(root, run, "d" * 12).folder / "config.json").write_text("[", encoding="utf-8")
    page.query_params["other-runs"] = f"{'c' * 12}.{'d' * 12}.{second.id}.{run.id}"
    at = watching(page, run)
    assert box(at).value == [second.id]
    assert "What differs" in said(at)
    page.query_params["other-runs"] = "../../x"
    assert "cannot be read" in said(watching(page, run))


def test_what_was_measured_at_the_end_is_drawn_where_all_runs_have_it(page: AppTest, root: Path, run: Run) -> None:
    second = other(root, run, "a" * 12)
    second.write_status(dataclasses.replace(second.status(), longer=37.0))
    page.query_params["other-runs"] = second.id
    at = watching(page, run)
    assert "These runs have the same settings" in said(at) and "Right by string length" in said(at)
    assert "longer than any in training: 1: From scratch: Dot, GRU, 8 units: 0% · 2: From scratch" in said(at)
    second.write_status(dataclasses.replace(second.status(), longer=None))
    for one in (run, second):
        rows = [event for event in one.events() if event["event"] != "by_length"]
        (one.folder / "events.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    at = watching(page, run)
    assert "Right by string length" not in said(at) and "Right on strings" not in said(at)


def test_a_bar_shows_how_far_all_runs_are_together(
    page: AppTest, root: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Run, "alive", lambda _run: True)
    second = other(root, run, "a" * 12, optimiser="sgd")
    page.query_params["other-runs"] = second.id
    second.write_status(dataclasses.replace(second.status(), state="running", step=10, seconds_left=31.0))
    (bar,) = watching(page, run).get("progress")
    assert bar.proto.value == 62 and bar.proto.text == "All these runs together: about 31 s left"


def test_when_the_last_of_them_ends_the_list_says_so(
    page: AppTest, root: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Run, "alive", lambda _run: True)
    second = other(root, run, "a" * 12, optimiser="sgd")
    page.query_params["other-runs"] = second.id
    done, draw, asked = second.status(), overlay._pictures, []

    def ends_meanwhile(chosen: list[Run], going_on: bool) -> None:
        asked.append(going_on)
        second.write_status(done)
        draw(chosen, going_on)

    second.write_status(dataclasses.replace(done, state="running", step=10))
    monkeypatch.setattr(overlay, "_pictures", ends_meanwhile)
    at = watching(page, run)
    options = box(at).options
    assert asked == [True, False] and [option for option in options if "training" in option] == []
    assert any(option.startswith(second.id) and "done" in option for option in options), options


def test_a_run_that_ends_while_a_browser_still_shows_the_old_list_stays_chosen(
    page: AppTest, root: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser sends the labels that it shows; the server's list has another label once the run has ended."""
    monkeypatch.setattr(Run, "alive", lambda _run: True)
    second = other(root, run, "a" * 12, optimiser="sgd")
    page.query_params["other-runs"] = second.id
    done = second.status()
    second.write_status(dataclasses.replace(done, state="running", step=10))
    shown = list(box(watching(page, run)).options)
    second.write_status(done)
    stale = box(page.run())
    assert stale.options != shown
    stale.proto.options[:] = shown  # the page has been redrawn; the browser does not know yet
    stale.set_value([second.id]).run()
    assert box(page).value == [second.id] and "What differs" in said(page)
