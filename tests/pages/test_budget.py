"""A beam that is too wide for a long text is narrowed on the page, which says so."""

import gc
from weakref import ref

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore import limits
from nmtcore.decoding.trace import Trace
from nmtcore.serving.service import Records
from pages.common import models
from tests.pages.helpers import component_data, opened, said

TEXT = "the small cat sees a big red house ."

pytestmark = pytest.mark.usefixtures("model_directory")


@pytest.mark.usefixtures("own_model_directory")
@pytest.mark.parametrize(("page", "picture"), [("translate", "alignment"), ("beam", "beam_tree")])
def test_a_beam_is_narrowed_with_a_sentence(page: str, picture: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SEARCH_NUMBERS", 500_000)
    at = opened(page, text=TEXT, beam="19", pair="en-fr")
    assert component_data(at, picture)
    (sentence,) = [line for line in said(at) if "too many for a beam of 19" in line]
    assert "Shorten the text for a wider beam." in sentence
    assert at.slider(key="beam").value == 19  # the request stays


def test_an_ordinary_question_gets_no_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    at = opened("translate", text=TEXT, beam="20", pair="en-fr")
    assert not any("beam of" in line for line in said(at))


@pytest.mark.parametrize(
    "page", ["transformer", "positions", "additive", "dot", "architectures", "no_attention", "beam"]
)
def test_an_open_page_keeps_no_record_alive(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit keeps what fragments are given, for every visitor: of a long text that would be tens of megabytes."""
    gc.freeze()  # what is there already is not looked through
    records = Records(10**9)
    monkeypatch.setattr(models.SERVICE, "records", records)
    at = opened(page, text="a small dog .", pair="en-fr", lookup="1")
    assert not at.exception
    alive = [ref(record) for record in records.values() if isinstance(record, Trace)]
    assert alive
    records.clear()
    AppTest.from_string("").run()  # Python's `__main__` is the page that ran last, whoever's
    gc.collect()
    assert not [found().model for found in alive if found()]  # type: ignore[union-attr]
