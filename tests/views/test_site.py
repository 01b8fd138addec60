"""The static site: its files, its size, and its refusals."""

import json
import re
from pathlib import Path

import pytest

from nmtcore.__main__ import main
from nmtcore.errors import DataError
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.site.build import build
from nmtcore.views.site.pages import PAGES, SitePage
from pages.beam import contrasts
from pages.common.registry import entry
from tests.helpers import small

FIRST_PAGE = 600_000  # bytes until its picture is drawn


@pytest.fixture(scope="module")
def site(model_folders: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("hosted") / "site"
    build(out, model_folders, ["en-fr", "zh-en"])
    return out


def settings(site: Path, page: SitePage) -> dict[str, object]:
    text = (site / f"{page.name}.html").read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="settings">(.*?)</script>', text, re.DOTALL)
    assert found
    read: dict[str, object] = json.loads(found[1])
    return read


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_fetches_files_of_the_site_alone_and_few(site: Path, page: SitePage) -> None:
    text = (site / f"{page.name}.html").read_text(encoding="utf-8")
    links = [link for link in re.findall(r'(?:href|src)="([^"]+)"', text) if link != "data:,"]
    assert all((site / link).is_file() for link in links)
    assert all(lacks in text for lacks in ("Fine-tune", "Project", "Copy link", "questions for the class"))
    assert "'unsafe-eval'" not in text and "script-src 'self';" in text
    fetched = {link for link in links if not link.endswith(".html")}
    assert sum((site / link).stat().st_size for link in fetched) + len(text.encode()) <= FIRST_PAGE
    declared = settings(site, page)
    assert {file for file in declared["opening"].values()} <= {
        path.relative_to(site).as_posix() for path in site.rglob("*")
    }


def test_names_of_models_change_with_what_is_in_them(
    site: Path, model_folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nmtcore.views.site.build.PAGES", [page for page in PAGES if page.name == "dot"])
    again = tmp_path / "again"
    build(again, model_folders, ["en-fr"])
    models = {path.name for path in (again / "models").iterdir()}
    assert models == {path.name for path in (site / "models").iterdir() if path.name.startswith("en-fr")}
    changed = tmp_path / "changed"
    vocab = Vocab.load(model_folders / "en-fr" / "dot" / "vocab.model")
    for name in ("none", "additive", "dot", "transformer"):
        made: Checkpoint = small(name, vocab, seed=6)
        checkpoint.save(changed / "en-fr" / name, made.model, vocab, made.meta)
    build(again, changed, ["en-fr"])  # the site is rewritten: nothing of the old one stays
    others = {path.name for path in (again / "models").iterdir()}
    assert others & models == {name for name in models if name.endswith(".model")}


def test_other_files_are_not_written_over(
    tmp_path: Path, model_folders: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "essay.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(DataError, match="contains other files"):
        build(tmp_path, model_folders, ["en-fr"])
    for pairs, reason in (("en-de", "no model of the pair en-de"), ("../x", "no model of the pair")):
        code = main(["static", "--out", str(tmp_path / "new"), "--models", str(model_folders), "--pairs", pairs])
        assert code == 2 and reason in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["essay.txt"]


def test_beam_search_opens_with_the_model_and_a_sentence_of_the_app() -> None:
    (page,) = (page for page in PAGES if page.name == "beam")
    assert page.models == (contrasts.first_model("en-fr"),)
    for pair in ("en-fr", "zh-en"):
        known = {(one.name, one.text) for one in contrasts.contrast_sentences(f"{pair}/additive")}
        assert page.examples[pair[:2]] and set(page.examples[pair[:2]]) <= known


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_mean_the_same_as_in_the_app(page: SitePage) -> None:
    app = entry("translate" if page.name == "index" else page.name)
    declared = {parameter.name: parameter for parameter in app.state.parameters().values()}
    assert {"pair", "text", "beam"} <= set(declared)
    for use, parameter in (item for part in (page, *page.panes) for item in part.uses.items()):
        assert parameter.to_json() == declared[parameter.name].to_json(), use
    assert set(page.forget) <= set(declared)
    assert {"one": "model", "several": "models"}.get(page.choose, "pair") in declared
