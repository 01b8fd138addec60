"""The one vector in a browser: a phone, and figures that are switched without the server."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import addressed, visit

QUESTION = "?text=the+small+cat+sees+a+<b>+red+house+.&beam=1"


@pytest.fixture
def app(app: str) -> str:
    return f"{app}/no_attention{QUESTION}"


def test_a_phone_has_room(phone: Page, app: str) -> None:
    visit(phone, app.replace("house", "house and a " * 12), ".context-vector .states")
    # Figures are drawn after their page, and may be wide until they know its width.
    phone.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollWidth <= 390")
    frame = phone.locator(".context-vector .frame").element_handle()
    phone.wait_for_function("frame => frame.scrollWidth > frame.clientWidth", arg=frame)
    phone.locator(".player input").focus()
    phone.keyboard.press("End")
    phone.wait_for_function("frame => frame.scrollLeft > 0", arg=frame)  # the step stays in sight


def test_another_measure_is_there_at_once(new_page: Callable[..., Page], app: str) -> None:
    first = new_page()
    visit(first, f"{app}&section=length")
    growth = {name: f".st-key-figure-growth-{name} svg.marks" for name in ("kept", "likelihood")}
    expect(first.locator(growth["kept"])).to_be_visible()
    expect(first.locator(growth["likelihood"])).to_be_hidden()
    first.locator(".switch").get_by_role("button", name="confidence").click()
    addressed(first, "measure=likelihood")
    second = new_page()
    visit(second, first.url)
    for page in (first, second):
        expect(page.locator(growth["likelihood"])).to_be_visible()
        expect(page.locator(growth["kept"])).to_be_hidden()
