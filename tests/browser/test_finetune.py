"""The Fine-tune page in a browser: start, see the curve move, stop, resume, slide back, save, refresh.

And a saved model on the pages that offer it."""

import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from nmtcore.runs import run_folder
from nmtcore.runs.config import OPEN, RunConfig, Status
from nmtcore.runs.run_folder import Run
from nmtcore.runs.worker import Worker
from nmtcore.training.config import TrainingConfig
from tests.browser.conftest import SIZE, WAIT, eventually, settled, visit
from tests.runs.helpers import make

BEYOND = "step => +(document.body.innerText.match(/step ([\\d,]+) of/)?.[1] ?? '0').replaceAll(',', '') > step"

# Records in `places` every position in its row at which the button is drawn from now on.
WATCH_PLACES = """() => {
  window.places = [];
  const look = () => {
    const [row, button] = [".st-key-finetune-row", ".st-key-resume button"].map(
      selector => document.querySelector(selector)?.getBoundingClientRect()
    );
    const place = button && `${Math.round(button.left - row.left)} ${Math.round(button.top - row.top)}`;
    if (place && !places.includes(place)) places.push(place);
    requestAnimationFrame(look);
  };
  look();
}"""

NAME = "The longest name that a model may have 1"
TRAINING = 3 * WAIT  # a training is a process of low priority: on a busy machine it begins late


@pytest.fixture
def root(runs: Path) -> Iterator[Path]:
    """Where the server keeps its runs, empty again after each test and each try of it."""
    expect.set_options(timeout=TRAINING)
    yield runs
    expect.set_options(timeout=WAIT)
    for run in run_folder.runs(runs):
        run.stop()
    for run in run_folder.runs(runs):
        deadline = time.monotonic() + WAIT / 1000
        while run.alive() and time.monotonic() < deadline:
            time.sleep(0.1)
        run.delete()


def step(page: Page) -> int:
    """The training step in the status line."""
    text = page.get_by_text(re.compile(r"step [\d,]+ of")).first.inner_text()
    found = re.search(r"step ([\d,]+) of", text)
    assert found
    return int(found[1].replace(",", ""))


def test_train_stop_resume_slide_back_and_save(root: Path, app: str, new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.set_default_timeout(TRAINING)
    visit(page, f"{app}/finetune?from=scratch-dot")
    expect(page.get_by_text("anti-diagonal").first).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("spinbutton", name="Steps").fill("4000")
    page.get_by_role("spinbutton", name="Steps").press("Enter")
    settled(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Start", exact=True).click()

    # The curve moves, and its sentence is there from step 0 on.
    stop = page.get_by_role("button", name="■ Stop")
    expect(stop).to_be_visible()
    (run,) = run_folder.runs(root)
    expect(page.locator(".st-key-figure-loss svg.marks, .st-key-figure-loss canvas").first).to_be_visible()
    first = step(page)
    page.wait_for_function(BEYOND, arg=first)
    expect(page.get_by_text(re.compile(r"at step [1-9]")).first).to_be_visible()
    expect(page.get_by_text("Everyone's runs on this server")).to_have_count(0)  # on this computer all are mine

    # Stop and resume. The button is pressed as soon as it can be, while Streamlit still draws the page.
    page.evaluate(WATCH_PLACES)
    resume = page.get_by_role("button", name="Resume")
    stop.click()
    expect(resume).to_be_enabled()
    stopped = run.status()
    assert stopped.state == "stopped" and stopped.step >= 50
    resume.click()
    expect(stop).to_be_enabled()
    page.wait_for_function(BEYOND, arg=stopped.step)
    stop.click()
    expect(resume).to_be_enabled()
    assert run.status().state not in OPEN
    settled(page)
    assert len(page.evaluate("places")) == 1  # a moving button is easily missed

    # The score stands beside the alignment error, with a legend, and is still high enough to be projected.
    plot = page.locator(".st-key-figure-score svg .background").first

    def high() -> None:
        box = plot.bounding_box()
        assert box and box["height"] >= 150

    eventually(page, high)

    # Slide back to the beginning.
    page.get_by_role("slider").first.press("Home")
    expect(page.get_by_text("at step 0").first).to_be_visible()

    # Save; on one's own computer a refresh and another browser keep the right to touch it.
    page.get_by_role("button", name="Save under a name").click()
    page.get_by_role("textbox", name="Name", exact=True).fill("Backwards 1")
    page.get_by_role("button", name="Save", exact=True).click()  # straight after typing: no Enter, no waiting
    expect(page.get_by_text("Saved as Backwards 1. It is now offered on: Translate, Dot attention")).to_be_visible()
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_be_hidden()  # it would cover the sentence
    assert list(run_folder.saved(root)) == ["Backwards 1"]
    visit(page, page.url)
    expect(resume).to_be_enabled()
    other = new_page()
    visit(other, page.url)
    expect(other.get_by_text("stopped").first).to_be_visible()
    expect(other.get_by_role("button", name="Resume")).to_be_enabled()


def test_the_films_of_runs_laid_over_one_another_stand_at_the_same_step(root: Path, app: str, page: Page) -> None:
    first, second = (make(root, training={"seed": seed}) for seed in (1, 2))
    for run in (first, second):
        Worker(run).work()
    visit(page, f"{app}/finetune?run={first.id}&other-runs={second.id}&section=compare")

    def stand_at(step: int, films: int = 2) -> None:
        expect(page.get_by_role("heading", name=re.compile(rf"at step {step}$"))).to_have_count(films)

    stand_at(40)
    page.get_by_role("slider").press("Home")
    stand_at(0)
    page.get_by_role("slider").press("ArrowRight")
    stand_at(20)
    page.get_by_role("button", name="How it learned").click()
    stand_at(20, films=1)
    page.locator(".st-key-film-frame-2 button").click()
    stand_at(40, films=1)
    page.get_by_role("button", name="Compare with other runs").click()
    stand_at(40)


def test_each_result_begins_on_the_first_screen(root: Path, app: str, phone: Page) -> None:
    first, _second = (make(root, training={"seed": seed}) for seed in (1, 2))
    Worker(first).work()
    phone.set_viewport_size(SIZE)
    picture = visit(phone, f"{app}/finetune", ".panel .figure")
    expect(phone.get_by_role("button", name="Your runs (2)")).to_be_visible()  # beside the forecast, above the picture

    def high() -> None:
        box = picture.bounding_box()
        assert box and box["y"] <= 250

    eventually(phone, high)
    for section, shows in (("learning", "pinned"), ("before-after", "before-after"), ("compare", "other-runs")):
        phone.set_viewport_size(SIZE)
        visit(phone, f"{app}/finetune?run={first.id}&section={section}")
        result = phone.locator(f".st-key-{shows}")
        expect(result).to_be_visible()
        settled(phone)

        def early(result: Locator = result, section: str = section) -> None:
            box = result.bounding_box()
            assert box and box["y"] < 0.75 * phone.evaluate("innerHeight"), section

        eventually(phone, early)
        phone.set_viewport_size({"width": 390, "height": 844})
        eventually(phone, early)


@pytest.fixture
def run(root: Path, model_directory: Path) -> Run:
    """A run that is saved under the longest name."""
    pinned = ("The cat sees the house.", "Le chat voit la maison.")
    config = RunConfig(TrainingConfig(), pinned, began_with="en-fr, Dot", source="en", target="fr")
    made, _ = run_folder.create(root, config, [pinned], "somebody")
    shutil.copytree(model_directory / "en-fr" / "dot", made.best)
    made.write_status(Status("done"))
    made.save_as(NAME)
    return made


def test_a_saved_model_is_used_on_the_pages(run: Run, app: str, page: Page) -> None:
    visit(page, f"{app}/finetune?run={run.id}")
    page.get_by_role("link", name="Translate with it").click()
    panel = page.get_by_role("heading", name=f"Dot: {NAME}")
    expect(panel).to_be_visible()
    expect(page.get_by_role("textbox", name="Sentence to translate")).to_have_value("The cat sees the house.")
    settings = page.locator(".st-key-settings").get_by_test_id("stPopoverButton")
    expect(settings).to_contain_text(f"{NAME} (saved)")

    # A page that suits it keeps it; others use its languages.
    page.get_by_role("link", name="Dot attention").click()
    expect(page.get_by_role("heading", name="Is a plain product enough")).to_be_visible()
    settled(page)
    expect(settings).to_contain_text(f"{NAME} (saved)")
    page.get_by_role("link", name="Positions").click()
    expect(page.get_by_role("heading", name="How does it know the order")).to_be_visible()
    settled(page)
    expect(settings).to_contain_text("English to French")
    expect(page.get_by_role("textbox", name="Sentence to translate")).to_have_value("The boy is behind the girl.")
