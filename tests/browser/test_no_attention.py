"""The one vector in a browser: a phone."""

from playwright.sync_api import Page

from tests.browser.conftest import visit


def test_a_phone_has_room(phone: Page, app: str) -> None:
    sentence = f"the small cat sees a <b> red {'house and a ' * 12}"
    visit(phone, f"{app}/no_attention?text={sentence}&beam=1", ".context-vector .states")
    # Figures are drawn after their page, and may be wide until they know its width.
    phone.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollWidth <= 390")
    frame = phone.locator(".context-vector .frame").element_handle()
    phone.wait_for_function("frame => frame.scrollWidth > frame.clientWidth", arg=frame)
    phone.locator(".player input").focus()
    phone.keyboard.press("End")
    phone.wait_for_function("frame => frame.scrollLeft > 0", arg=frame)  # the step stays in sight
