"""ASGI middleware: if a link opens projected, the page stays hidden until its picture fills the window.

The style that hides it comes with the document: styles sent by a run of the page arrive only seconds
after the first words.
"""

from urllib.parse import parse_qsl

from pages.common.screen import PROJECTION
from pages.server.security_middleware import Application, Message, Receive, Scope, Send

# Until pages/common/projection.js shows it, or for 5 s if no picture comes.
STYLE = (
    b'<style>:root:not([data-opened]) [data-testid="stApp"] { visibility: hidden; animation: opened 0s 5s forwards }'
    b"@keyframes opened { to { visibility: visible } }</style>"
)


class ProjectedOpening:
    """The middleware. It adds the style to documents that a link asks for with a projection."""

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or not _projection(scope):
            return await self.app(scope, receive, send)
        document = False

        async def styled(message: Message) -> None:
            nonlocal document
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                document = message["status"] == 200 and dict(headers).get(b"content-type", b"").startswith(b"text/html")
                message["headers"] = [
                    (name, str(int(value) + len(STYLE)).encode() if document and name == b"content-length" else value)
                    for name, value in headers
                ]
            elif document and not message.get("more_body"):
                message["body"] = message.get("body", b"") + STYLE
            await send(message)

        plain = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
        await self.app({**scope, "headers": plain}, receive, styled)


def _projection(scope: Scope) -> str | None:
    query = bytes(scope.get("query_string") or b"").decode("latin-1")
    return PROJECTION.parse(dict(parse_qsl(query)).get(PROJECTION.name, ""))
