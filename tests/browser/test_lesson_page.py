"""A lesson in a browser without a network: each figure is drawn where its link says, and keys lead through it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from nmtcore.views.lesson.build import build

LESSON = """
title = "Lesson"
[[section]]
title = "One"
text = '''
![Second word](additive?text=the+cat+sees+a+dog&decoder-step=2.3)

![Fourth word](dot?text=the+cat+sees+a+dog&decoder-step=4.2)
'''
[[section.question]]
ask = "Why?"
answer = "Because."
[[section]]
title = "Two"
text = '''
![Panels](translate?text=the+cat&models=none%7Edot)
'''
"""


@pytest.fixture
def opened(
    page: Page, tmp_path: Path, model_folders: Path, monkeypatch: pytest.MonkeyPatch, short_translations: None
) -> Callable[[str], Page]:
    """opened(lesson) is a tab with it, from the disk and without a network."""
    monkeypatch.setenv("ALIGNMENT_LAB_PRETRAINED", str(model_folders))

    def show(lesson: str) -> Page:
        (tmp_path / "lesson.toml").write_text(lesson, encoding="utf-8")
        build(tmp_path / "lesson.toml", tmp_path / "lesson.html")
        page.context.set_offline(True)
        page.goto((tmp_path / "lesson.html").as_uri())
        return page

    return show


def test_a_lesson_opens_from_disk(opened: Callable[[str], Page]) -> None:
    page = opened(LESSON)
    first, second, panels = page.locator("figure").all()
    expect(first.locator(".player .where")).to_contain_text("Word 2 of")
    expect(second.locator(".player .where")).to_contain_text("Word 4 of")
    expect(panels.locator("svg [data-cell]").first).to_be_visible()
    first.get_by_role("button", name="Step forward").click()
    expect(first.locator(".player .where")).to_contain_text("step 4 of 6")
    expect(second.locator(".player .where")).to_contain_text("step 2 of 6")  # each has a state of its own
    expect(page.get_by_text("Because.")).to_be_hidden()
    page.get_by_role("heading", name="Lesson").click()
    page.keyboard.press("a")
    expect(page.get_by_text("Because.")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="One")).to_be_in_viewport()
    assert page.url.endswith("lesson.html"), "a file's pictures write no address"


LIVE = """
title = "Lesson"
[[section]]
title = "One"
text = '''
![Third word](dot?text=the+cat+sees+a+dog&decoder-step=3.2 "live")

![Mandarin](dot?pair=zh-en&text=我爱猫 "live")
'''
"""


def test_a_live_picture_translates_what_is_typed_from_disk(opened: Callable[[str], Page]) -> None:
    """Traditional characters are read as simplified ones there too."""
    page = opened(LIVE)
    figure, mandarin = page.locator("figure").all()
    expect(figure.locator(".player .where")).to_contain_text("Word 3 of")
    box = figure.get_by_role("textbox")
    box.fill("</script><b>a big dog")
    box.press("Enter")
    expect(figure.locator("output")).to_contain_text("Tags are read as ordinary text")
    expect(figure.locator(".player .where")).to_contain_text("Word 1 of")
    box.fill("  ")
    figure.get_by_role("button", name="Translate").click()
    expect(figure.locator("output")).to_contain_text("Type a sentence")
    mandarin.get_by_role("textbox").fill("我愛貓")
    mandarin.get_by_role("button", name="Translate").click()
    expect(mandarin.locator("output")).to_contain_text("我爱猫")
    assert page.url.endswith("lesson.html")
