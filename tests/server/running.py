"""The app as a server in a process of its own."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from tests.helpers import PATIENCE
from tests.paths import ROOT


class Server:
    """Streamlit in a process of its own. workers: processes that decode, each with PyTorch and the models to load;
    as many as the machine has processors unless told."""

    def __init__(self, script: Path, workers: int = -1) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.settings = {"ALIGNMENT_LAB_WORKERS": str(workers)} if workers >= 0 else {}
        self.command = [
            *(sys.executable, "-m", "streamlit", "run", str(script)),
            *("--server.headless=true", f"--server.port={self.port}", "--server.fileWatcherType=none"),
            "--runner.postScriptGC=false",  # as in the app, whose own start-up says so
        ]

    def __enter__(self) -> str:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)} | self.settings
        self.process = subprocess.Popen(
            self.command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        address = f"http://127.0.0.1:{self.port}"
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                    return address
            except OSError:
                time.sleep(0.1)
        self.__exit__()
        raise RuntimeError(f"Streamlit did not start: {' '.join(self.command)}")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
