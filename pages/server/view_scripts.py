"""HTTP routes for the pictures' scripts: a browser fetches each once, from an address with a hash of its content."""

import gzip
from functools import cache

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from nmtcore.views.html import to_html
from nmtcore.views.kit import outlines
from pages.common import component

DAY, YEAR = 86_400, 31_536_000  # s


def routes() -> list[Route]:
    """The routes, for `st.App`."""
    # Also below a path: of a page, or of the app.
    sent = {
        component.SCRIPT_PATH: send_script,
        component.PAGE_PATH: send_page,
        component.OUTLINES_PATH: send_outlines,
    }
    return [Route(root + path, send) for root in ("/", "/{below:path}/") for path, send in sent.items()]


async def send_script(request: Request) -> Response:
    """The script of a view and its style, cacheable for a year: other content has another address.

    A page of another version of the app, behind the same proxy, gets this version's script, but uncacheable.
    """
    view = request.path_params["view"]
    if view not in component.script_names():
        return PlainTextResponse("There is no such picture here.\n", 404)
    same = request.query_params.get("v") == component.script_version(view)
    keep = f"public, max-age={YEAR}, immutable" if same else "no-store"
    headers = {"Cache-Control": keep, "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(component.served_script(view), headers=headers, media_type="text/javascript")
    headers["Content-Encoding"] = "gzip"
    return Response(compressed(view), headers=headers, media_type="text/javascript")


async def send_page(request: Request) -> Response:
    """The page of a picture without data, which "Save HTML" fills with the data on the screen."""
    view = request.path_params["view"]
    if view not in component.script_names() - component.PAGE_SCRIPTS.keys():
        return PlainTextResponse("There is no such picture here.\n", 404)
    return PlainTextResponse(to_html(view, {}), headers={"Cache-Control": "no-store"})


async def send_outlines(request: Request) -> Response:
    """The glyph outlines that replace letters in saved pictures."""
    return FileResponse(outlines.FILE, headers={"Cache-Control": f"public, max-age={DAY}"})


@cache
def compressed(view: str) -> bytes:
    """The script of a view, compressed once for everybody."""
    return gzip.compress(component.served_script(view).encode(), mtime=0)
