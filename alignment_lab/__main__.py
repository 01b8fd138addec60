"""Serve the app with the shipped models: alignment-lab [--classroom] [--port 8501].

The app is `app.py` and the folders next to it: in a wheel those of this package, in a clone those of the repository.
"""

import argparse
import importlib.util
import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from nmtcore import __version__

PACKAGE = Path(__file__).parent
PORT = 8501  # if it is free


def app_folder() -> Path:
    """The folder of app.py."""
    return PACKAGE if (PACKAGE / "app.py").is_file() else PACKAGE.parent


def free_port(wanted: int = PORT) -> int:
    """The wanted port of this machine, or another one if somebody is listening on it."""
    for port in (wanted, 0):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            if os.name == "posix":  # otherwise a port just released counts as taken; on Windows this would share a port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise OSError("No port of this machine is free.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Become the server, which Ctrl-C ends."""
    parser = argparse.ArgumentParser(
        prog="alignment-lab",
        description="See how neural machine translation aligns words: serve the app and open it in the browser.",
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument("--port", type=int, metavar="N", help=f"default: {PORT}, or another one if that is taken")
    parser.add_argument("--no-browser", action="store_true", help="do not open the browser")
    parser.add_argument(
        "--classroom",
        action="store_true",
        help="serve the app to everyone on the local network and show its address, as text and as a QR code",
    )
    parser.add_argument("--address", default="", help="with --classroom: address for students, if not the one found")
    options = parser.parse_args(arguments)
    if options.port is not None and not 0 < options.port < 65536:
        parser.error(f"--port is a number from 1 to 65535; it is {options.port}.")
    if options.address and not options.classroom:
        parser.error("--address belongs to --classroom.")
    missing = [name for name in ("streamlit", "segno") if importlib.util.find_spec(name) is None]
    if missing:
        parser.exit(2, "The app needs more than the library: pip install 'alignment-lab[app]'\n")
    folder = app_folder()
    sys.path.insert(0, str(folder))  # `pages` is imported from there
    port = options.port or free_port()
    if options.classroom:
        from pages.server import classroom

        classroom.main(["--port", str(port), "--address", options.address])
        return 0
    import streamlit.web.cli

    streamlit.web.cli.main(
        [
            *("run", str(folder / "app.py"), "--server.address=127.0.0.1", f"--server.port={port}"),
            f"--server.headless={str(options.no_browser).lower()}",
        ]
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
