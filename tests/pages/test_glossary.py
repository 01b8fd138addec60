"""The glossary: on the pages that use its terms, as a part of the row of links."""

from pathlib import Path

import pytest

from pages.common.page_links import glossary_terms
from tests.pages.helpers import opened


@pytest.mark.parametrize("page", ["additive", "beam"])
def test_the_terms_of_the_pictures_are_one_tap_away(model_directory: Path, page: str) -> None:
    at = opened(page, text="a red cat", beam="2")
    assert not at.exception, at.exception
    (found,) = [element.value for element in at.markdown if "Coverage penalty" in element.value]
    assert list(glossary_terms()) == ["piece", r"\<sos\>, \<eos\>", "log P", "entropy", "lp", "cp"]
    assert all(f"**{term}**: {meaning}" in found for term, meaning in glossary_terms().items())
