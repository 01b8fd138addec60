"""The list of one's own runs on the Fine-tune page: who has one, and its actions."""

import dataclasses
import re

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.runs.config import State
from nmtcore.runs.run_folder import Run, control_code
from pages.server import classroom
from tests.pages.finetune.helpers import OWNER, labels, owned, said
from tests.pages.helpers import component_data

STRANGER = "f" * 32


def served(monkeypatch: pytest.MonkeyPatch, address: str, opened: str = "http://127.0.0.1:8501/finetune") -> None:
    """As if the server listened to `address` and a browser had opened the page as `opened`."""
    options = classroom.st.get_option
    monkeypatch.setattr(classroom.st, "get_option", lambda name: address if name == "server.address" else options(name))
    monkeypatch.setattr(classroom, "page_address", lambda: opened)


def test_who_comes_back_finds_a_training_with_its_state_time_and_action(page: AppTest, run: Run) -> None:
    at = owned(page).run()
    assert "Your runs (1)" in [popover.proto.popover.label for popover in at.get("popover")]
    line = at.button(key=f"open-mine-{run.id}").label
    told = r"^done · started about \d+ (s|min|h) ago · Strings: reverse the digits · From scratch: Dot"
    assert re.search(told, line), line
    at.button(key=f"act-{run.id}").click().run()
    assert at.query_params["run"] in (run.id, [run.id])
    names = component_data(at, "switch")["names"]
    assert list(names) == ["learning", "compare", "before-after"]
    assert "Your runs (1)" in [popover.proto.popover.label for popover in at.get("popover")]


@pytest.mark.parametrize(
    ("state", "action", "becomes"), [("running", "■ Stop", "stopping"), ("stopped", "▶ Resume", "queued")]
)
def test_a_training_is_stopped_and_resumed_from_the_list(
    page: AppTest, run: Run, monkeypatch: pytest.MonkeyPatch, state: State, action: str, becomes: str
) -> None:
    monkeypatch.setattr(Run, "alive", lambda _run: state == "running")
    run.write_status(dataclasses.replace(run.status(), state=state, step=10, seconds_left=50.0))
    at = owned(page).run()
    button = at.button(key=f"act-{run.id}")
    assert button.label == action
    if state == "running":
        assert "about 50 s left" in at.button(key=f"open-mine-{run.id}").label
    button.click().run()
    assert run.status().state == becomes and at.query_params["run"] in (run.id, [run.id])


def test_another_browser_finds_a_training_by_its_control_code(page: AppTest, run: Run) -> None:
    at = owned(page, STRANGER).run()
    assert f"open-mine-{run.id}" not in {button.key for button in at.button}
    at.text_input(key="code of a run").set_value("0123456789")
    at.button(key="find").click().run()
    assert "No run on this server has this control code." in said(at)
    at.text_input(key="code of a run").set_value(f" {control_code(OWNER, run.id).upper()} ")
    at.button(key="find").click().run()
    assert at.query_params["run"] in (run.id, [run.id]) and "Delete this run" in labels(at)
    at.button(key="new").click().run()
    assert f"open-mine-{run.id}" in {button.key for button in at.button}


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0"])
def test_on_a_computer_of_ones_own_every_training_is_mine_without_a_code(
    page: AppTest, run: Run, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    served(monkeypatch, address)
    at = owned(page, STRANGER).run()
    alone = address == "127.0.0.1"
    assert (f"open-mine-{run.id}" in {button.key for button in at.button}) == alone
    assert ("Everyone's runs on this server" not in {expander.label for expander in at.expander}) == alone
    at.query_params["run"] = run.id
    popovers = [popover.proto.popover.label for popover in at.run().get("popover")]
    assert ("Delete this run" in labels(at)) == alone == ("Control code" not in popovers)


def test_behind_a_proxy_or_by_another_name_codes_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    served(monkeypatch, "127.0.0.1")
    assert classroom.for_this_computer_only()
    monkeypatch.setenv("ALIGNMENT_LAB_PROXIES", "1")
    assert not classroom.for_this_computer_only()
    monkeypatch.delenv("ALIGNMENT_LAB_PROXIES")
    served(monkeypatch, "127.0.0.1", "https://school.example/finetune")
    assert not classroom.for_this_computer_only()


def test_what_is_announced_is_said_to_be_longer_while_another_training_waits(page: AppTest, run: Run) -> None:
    assert "longer: " not in said(page.run())
    run.write_status(dataclasses.replace(run.status(), state="queued"))
    assert "longer: 1 other run is active or waiting" in said(page.run())
