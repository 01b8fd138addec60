"""A beam that is too wide for a long text is narrowed on the page, which says so."""

from __future__ import annotations

import pytest

from nmtcore.decoding import budget
from tests.pages.helpers import component_data, opened, said

TEXT = "the small cat sees a big red house ."

pytestmark = pytest.mark.usefixtures("shelf")


@pytest.mark.usefixtures("own_shelf")
@pytest.mark.parametrize(("page", "picture"), [("translate", "alignment"), ("beam", "beam_tree")])
def test_a_beam_is_narrowed_with_a_sentence(page: str, picture: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "SEARCH", 500_000)
    at = opened(page, text=TEXT, beam="19", pair="en-fr")
    assert component_data(at, picture)
    (sentence,) = [line for line in said(at) if "too many for a beam of 19" in line]
    assert "Shorten the text for a wider beam." in sentence
    assert at.slider(key="beam").value == 19  # what was asked for stands


def test_an_ordinary_question_gets_no_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    at = opened("translate", text=TEXT, beam="20", pair="en-fr")
    assert not any("beam of" in line for line in said(at))
