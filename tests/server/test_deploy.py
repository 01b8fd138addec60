"""The files in deploy/: the proxy accepts its configuration, and the settings that it and the document name exist."""

import dataclasses
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from nmtcore.runs import process, queue, ray_engine
from pages.server.limits import PREFIX, Limits
from pages.server.security_middleware import HOSTS_SETTING
from tests.paths import ROOT

DEPLOY = ROOT / "deploy"
OTHERS = {
    *(f"ALIGNMENT_LAB_{name}" for name in ("RUNS", "MODELS", "PRETRAINED", "TRAININGS", "WORKERS")),
    *(ray_engine.SETTING, process.NICENESS_SETTING, HOSTS_SETTING),
}


def test_haproxy_accepts_its_configuration(tmp_path: Path) -> None:
    haproxy = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
    if haproxy is None:
        pytest.skip("This needs HAProxy: apt-get install --no-install-recommends haproxy")
    command = [haproxy, "-c", "-f", str(DEPLOY / "haproxy.cfg")]
    for changes in ({}, {"LISTEN": "127.0.0.1:1", "COPY1": "10.0.0.5:8501", "ADMIN": str(tmp_path / "sock")}):
        done = subprocess.run(command, env={**os.environ, **changes}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    broken = subprocess.run(command, env={**os.environ, "COPY1": "no port"}, capture_output=True, check=False)
    assert broken.returncode != 0


def test_every_setting_is_documented_with_its_default_and_no_other() -> None:
    document = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(ALIGNMENT_LAB_\w+)` \| ([^|]+?) \|", document, re.MULTILINE))
    settings = {PREFIX + field.name.upper(): str(field.default) for field in dataclasses.fields(Limits)}
    assert settings.items() <= rows.items()
    assert rows["ALIGNMENT_LAB_TRAININGS"] == str(queue.LIMIT_OF_ALL)
    assert rows[process.NICENESS_SETTING] == str(process.NICENESS)
    named = set()
    for path in [*DEPLOY.rglob("*.yaml"), *DEPLOY.glob("*file"), DEPLOY / "haproxy.cfg"]:
        named |= set(re.findall(r"ALIGNMENT_LAB_[A-Z_]+", path.read_text(encoding="utf-8")))
    assert named | set(rows) <= settings.keys() | OTHERS


def test_the_image_holds_what_the_app_needs() -> None:
    copied = re.findall(r"^COPY (.+) \S+$", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    sources = {name for line in copied for name in line.split()}
    assert all((ROOT / name).exists() for name in sources)
    assert {"app.py", "nmtcore", "pages", "pretrained", "locale", ".streamlit", "requirements.txt"} <= sources


def left_out(path: Path) -> bool:
    """Whether the last line of Dockerfile.dockerignore that is about this path leaves it out, as Docker reads it."""
    place = path.relative_to(ROOT)
    lines = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    about = [line for line in lines if line == "*" or any(p.match(line.lstrip("!")) for p in (place, *place.parents))]
    return not about[-1].startswith("!")


def test_what_pages_read_is_copied_and_the_rest_left_out() -> None:
    for name in ("pages", "locale", "nmtcore/text/languages", "pretrained/corpus/en-fr.tsv"):
        assert (ROOT / name).exists() and not left_out(ROOT / name), name
    assert left_out(ROOT / "tests") and left_out(ROOT / "pretrained" / "recipes" / "en-fr-dot")
