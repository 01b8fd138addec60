"""The app for a classroom: served to the network, with its address as text and as a QR code.

    python -m pages.server.classroom [--address NAME] [--port 8501]

is what `make classroom` runs. It prints the address that students type and what is exposed, and becomes the server. The
server's settings then mark it as a classroom's, and every page offers the same address in the sidebar, large enough for
a projector.
"""

import argparse
import contextlib
import html
import io
import ipaddress
import re
import socket
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

import segno
import streamlit as st
import streamlit.web.cli

from nmtcore.runs.queue import LIMIT
from nmtcore.runs.run_folder import runs_folder
from pages.common.i18n import _
from pages.server.limits import Limits

LOOPBACK = ("127.0.0.1", "localhost", "::1")  # addresses that only this computer can reach
ANYWHERE = "0.0.0.0"  # the address of a server that listens on all its networks
# A packet to one of these would leave by the network that people use; none is sent. The first is for documentation.
BEYOND = ("198.51.100.1", "192.168.255.254", "10.255.255.254", "172.31.255.254")
QUIET = 4  # modules of white around a QR code, as the standard asks
ORIGIN = re.compile(r"(https?://([a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?)(?:/|$)", re.ASCII)
NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?", re.ASCII)


class ClassroomError(ValueError):
    """Why the app cannot be opened to a classroom, in a plain sentence."""


def addresses(leaving: Callable[[str], str] | None = None, named: Callable[[], list[str]] | None = None) -> list[str]:
    """The machine's own IPv4 addresses that others may reach, the likeliest first; empty without a network.

    leaving: the own address from which a packet to another would leave, OSError if there is no route.
    named: the addresses that the machine's name resolves to, OSError if there are none.
    """
    candidates = []
    for there in BEYOND:
        with contextlib.suppress(OSError):
            candidates.append((leaving or _leaving)(there))
    with contextlib.suppress(OSError):
        candidates += (named or _named)()
    return [own for own in dict.fromkeys(candidates) if _reachable(own)]


def join_address(name: str, port: int) -> str:
    """The address that students type. Raises ClassroomError for an invalid host name."""
    if not NAME.fullmatch(name):
        raise ClassroomError(
            _("ADDRESS must be a name or a number such as 192.168.1.5, without http:// and port; it is {name}.").format(
                name=repr(name[:60])
            )
        )
    return f"http://{name}:{port}"


def qr_code(address: str) -> segno.QRCode:
    return segno.make(address, error="m", boost_error=False, micro=False)


def qr_image(address: str) -> str:
    """The QR code as an image source: an SVG in a data URI, black on white in every theme."""
    return qr_code(address).svg_data_uri(border=QUIET, dark="#000", light="#fff", omitsize=True)


def exposure_warnings() -> tuple[str, str]:
    """Warnings about what it means that the network can open the app."""
    return (
        _("Everyone on this network can open the app, type sentences and train models on this machine."),
        _("Nothing is encrypted: others on the network can read what is typed."),
    )


def reachable_notes(port: int) -> tuple[str, ...]:
    """What the network can now reach, and within which limits."""
    limits = Limits.of()
    return (
        _("Opened to every network of this machine: port {port}, and nothing else.").format(port=port),
        _("Its training runs and saved models lie in {folder}.").format(folder=runs_folder()),
        _(
            "One address may have at most {pages} pages open at a time and upload {megabytes} MB an hour; each browser "
            "may have {trainings} training runs waiting or running. docs/deploy.md has these settings."
        ).format(pages=limits.address_connections, megabytes=limits.upload_megabytes, trainings=LIMIT),
    )


def terminal_notice(name: str, port: int, others: list[str], colours: bool) -> str:
    """The text for the terminal: QR code, address, and what is exposed. colours: whether the terminal has them."""
    address = join_address(name, port)
    drawn = io.StringIO()
    qr_code(address).terminal(drawn, border=2, compact=True)
    lines = drawn.getvalue().splitlines()
    if colours:  # otherwise a light terminal would show it inverted
        lines = [f"\x1b[97;40m{line}\x1b[0m" for line in lines]
    words = [_("Students open {address}").format(address=address)]
    if others:
        words.append(
            _("If it does not open there: {addresses}, or make classroom ADDRESS=another.").format(
                addresses=", ".join(join_address(other, port) for other in others)
            )
        )
    words += [
        *reachable_notes(port),
        *exposure_warnings(),
        _("Ctrl-C ends it; make app opens the app on this machine only."),
    ]
    return "\n".join(["", *lines, "", *(textwrap.fill(sentence, 100) for sentence in words), ""])


def student_address() -> str | None:
    """The address that students type; None if the app is for this machine only.

    Behind a proxy it is the proxy's, by which this page was opened: the server's own would bypass it.
    """
    if Limits.of().proxies:
        return _for_others(page_address())
    if st.get_option("server.address") != ANYWHERE:
        return None
    name = st.get_option("browser.serverAddress")
    if name == "localhost":  # nobody has named it
        name = next(iter(addresses()), None)
    return join_address(name, st.get_option("server.port")) if name else None


def for_this_computer_only() -> bool:
    """Whether only this computer reaches the app: it listens to itself alone, behind no proxy."""
    opened = page_address()
    inside = st.get_option("server.address") in LOOPBACK and not Limits.of().proxies
    return inside and bool(opened) and _for_others(opened) is None


def page_address() -> str:
    """The address of the page in the browser that opened it; empty where no browser did."""
    return st.context.url or ""


def public_link(opened: str) -> str | None:
    """The address that opens this page on other devices; None if the app is for this machine only.

    opened: the page's address in the browser that asks.
    """
    origin = _for_others(opened) or student_address()
    parts = urlsplit(opened)
    return origin and urlunsplit((*urlsplit(origin)[:2], parts.path, parts.query, ""))


def join_button() -> None:
    """In a classroom, draw a button in every page's sidebar that shows the address in large type."""
    address = student_address()
    if address and st.button(_("Join from another device"), key="join", type="tertiary"):
        st.dialog(_("Join from another device"), width="large")(_join_poster)(address)


def poster(address: str, size: str) -> None:
    """Draw an address and its QR code, both large. size: of the letters."""
    code = html.escape(_("QR code of this address"))
    try:
        image = (
            f'<img src="{qr_image(address)}" alt="{code}" '
            'style="width: min(100%, 56vh); image-rendering: pixelated; margin-top: 0.6rem">'
        )
    except segno.DataOverflowError:
        image = html.escape(_("This link is too long for a QR code: shorten the sentence."))
    st.html(
        f'<div style="text-align: center"><div style="font-size: {size}; font-weight: 650; overflow-wrap: anywhere">'
        f"{html.escape(readable(address))}</div>{image}</div>"
    )


def readable(address: str) -> str:
    """An address as browsers show it: percent-encoded only where needed, not for letters beyond ASCII."""

    def shown(found: re.Match[str]) -> str:
        letters = unquote(found[0], errors="replace")
        return letters if letters.isprintable() and "\ufffd" not in letters else found[0]

    return re.sub("(?:%[89A-F][0-9A-F])+", shown, address)


def _join_poster(address: str) -> None:
    poster(address, "min(2.4rem, 6vw)")
    network, plain = exposure_warnings()
    st.text(network)
    if not address.startswith("https:"):  # a proxy may encrypt
        st.text(plain)


def _for_others(url: str) -> str | None:
    """The part of a page's address where the app is served; None if only this machine can reach it there."""
    match = ORIGIN.match(url)
    if match is None or match[2] == "localhost" or match[2].startswith("127.") or match[2] == "[::1]":
        return None
    return "/".join(filter(None, (match[1], str(st.get_option("server.baseUrlPath") or "").strip("/"))))


def _leaving(there: str) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((there, 9))  # chooses a route; a datagram socket sends nothing yet
        return str(probe.getsockname()[0])


def _named() -> list[str]:
    return [str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]


def _reachable(own: str) -> bool:
    address = ipaddress.ip_address(own)
    return not (address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast)


def _port(text: str) -> int:
    if text.isascii() and text.isdecimal() and 0 < int(text[:6]) < 65536:
        return int(text)
    says = _("PORT must be a number from 1 to 65535; it is {port}.")
    raise argparse.ArgumentTypeError(says.format(port=repr(text[:20])))


def main(arguments: list[str] | None = None) -> None:
    """Print the address and become the server. Ends with a sentence if there is no network."""
    parser = argparse.ArgumentParser(prog="make classroom", description=_("Serve the app to the local network."))
    parser.add_argument("--address", default="", help=_("the name or number that students type, if not the one found"))
    parser.add_argument("--port", type=_port, default=8501)
    options = parser.parse_args(arguments)
    own = addresses()
    name = options.address or next(iter(own), "")
    if not name:
        sys.exit(
            _(
                "Others cannot reach this machine over any network. Connect it to the classroom network, or name its "
                "address: make classroom ADDRESS=192.168.1.5"
            )
        )
    try:
        Limits.of()
    except ValueError as error:
        sys.exit(str(error))
    try:
        words = terminal_notice(name, options.port, [other for other in own if other != name], sys.stdout.isatty())
    except ClassroomError as error:
        sys.exit(str(error))
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal without block characters still shows the address
    print(words, flush=True)
    # The server listens on all networks and knows the name by which it is reached.
    listens = (f"--server.address={ANYWHERE}", f"--server.port={options.port}", f"--browser.serverAddress={name}")
    streamlit.web.cli.main(["run", str(Path(__file__).parents[2] / "app.py"), *listens])


if __name__ == "__main__":
    main()
