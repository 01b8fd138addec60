"""The Python side of the stepper: the browser has every word that it uses, and no way to write markup."""

from __future__ import annotations

import re

from pages.common.scripts import joined
from pages.common.steps import OWN, SCRIPTS, words


def test_the_browser_gets_every_word_it_uses() -> None:
    script = joined(SCRIPTS)
    given = words()
    page = {"says", "legend", "lab"}  # from the page that draws it
    used = set(re.findall(r"data\.words\.(\w+)", script))
    assert used - page <= set(given)
    assert set(re.findall(r"words\.(\w+)", next(s.read_text("utf-8") for s in SCRIPTS if s.stem == "bend"))) - {
        "bend"
    } <= set(given["bend"])
    assert len(given["heads"]) == len(given["names"]) == 6


def test_tokens_can_only_become_text() -> None:
    script = joined(SCRIPTS)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", script)


def test_its_modules_are_short() -> None:
    for path in SCRIPTS[-len(OWN) :]:
        assert len(path.read_text("utf-8").splitlines()) < 400
