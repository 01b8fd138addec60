"""The scripts of pictures over HTTP: kept by a browser, tolerant of other addresses, and nothing else is served."""

import asyncio
import json
import re
from urllib.parse import urlsplit

import pytest
from starlette.applications import Starlette

from nmtcore.views import bundle
from pages.common import component
from pages.server.view_scripts import routes
from tests.server.asgi import ask


@pytest.fixture
def server() -> Starlette:
    return Starlette(routes=routes())


def get(server: Starlette, address: str, coding: str = "identity") -> tuple[int, dict[str, str], str]:
    """Status, headers and text of an answer."""
    return asyncio.run(ask(server, address, accept_encoding=coding))


def address(view: str) -> str:
    """What a page fetches, below its own path."""
    found = re.search(r'ADDRESS = "([^"]+)"', component.fetching_script(view))
    assert found
    return found[1]


@pytest.mark.parametrize("coding", ["gzip", "identity"])
@pytest.mark.parametrize("below", ["/", "/translate/", "/some/base/"])
def test_a_script_comes_whole_and_may_be_kept(server: Starlette, below: str, coding: str) -> None:
    status, headers, text = get(server, below + address("alignment"), coding)
    assert status == 200 and text.endswith(bundle.script_of("alignment"))
    assert json.dumps(bundle.style_of("alignment")) in text
    assert headers.get("content-encoding", "identity") == coding
    assert headers["content-type"].startswith("text/javascript")
    assert "immutable" in headers["cache-control"]


@pytest.mark.parametrize("path", ["kit.js", "nothing.js", "../bundle.js", "alignment.css", "alignment.js/x", ""])
def test_nothing_else_is_served(server: Starlette, path: str) -> None:
    assert get(server, f"/views/{path}")[0] == 404


def test_a_page_of_another_version_gets_the_script_but_not_to_keep(server: Starlette) -> None:
    status, headers, text = get(server, "/views/alignment.js?v=0123456789abcdef")
    assert status == 200 and text == component.served_script("alignment")
    assert headers["cache-control"] == "no-store"


def test_another_content_has_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    before = address("alignment")
    monkeypatch.setattr(bundle, "script_of", lambda view: "export default function () {}\n")
    script = address("alignment")
    monkeypatch.setattr(bundle, "style_of", lambda view: "p { color: red; }")
    both = address("alignment")
    assert len({urlsplit(one).path for one in (before, script, both)}) == 1 and len({before, script, both}) == 3


def test_every_view_can_be_fetched(server: Starlette) -> None:
    views = {"alignment", "beam_tree", "context_vector", "heads", "masks", "rotation", "walkthrough"}
    assert views | {"save_figure", "tour", "projection"} <= component.script_names()
    for name in component.script_names():
        assert get(server, f"/{address(name)}")[2] == component.served_script(name)


def test_a_page_to_save_is_the_picture_without_data(server: Starlette) -> None:
    status, headers, page = get(server, "/beam/views/heads.html")
    assert (status, headers["cache-control"]) == (200, "no-store")
    assert '<script type="application/json" id="data">{}</script>' in page and page.count("</script>") == 2
    assert headers["content-type"].startswith("text/plain"), "nobody can open a page without data here"
    for name in ("nothing", "tour", "..%2Fapp"):
        assert get(server, f"/views/{name}.html")[0] == 404
