"""The wheel in an empty environment: it brings the library, its models and the app, and both commands work."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from alignment_lab.__main__ import app_folder, free_port, main
from tests.helpers import PATIENCE
from tests.paths import ROOT

SENTENCE = "She bought a beautiful red dress."
LARGEST = 100_000_000  # bytes of the wheel
OF_EXTRAS = ("anywidget", "google.protobuf", "huggingface_hub", "ray", "segno", "streamlit", "yaml")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of a new environment with the wheel. pip finds its dependencies in the tests' environment."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    inside = {"base": str(folder), "platbase": str(folder)}
    packages, commands = (Path(sysconfig.get_path(name, "venv", inside)) for name in ("purelib", "scripts"))
    (packages / "tested.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "--python", commands / "python", "install", "--quiet", "--no-index"),
            f"{wheel}[app]",
        ],
        check=True,
        cwd=folder,
    )
    return commands


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who works in a folder of their own."""
    ours = {name for name in os.environ if name.startswith(("ALIGNMENT_LAB", "PYTHONPATH"))}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return kept | {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}


def test_the_wheel_has_models_and_app_and_little_else(wheel: Path) -> None:
    assert wheel.stat().st_size < LARGEST
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"alignment_lab", "nmtcore"}
    models = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "pretrained").glob("*-*/*/config.json")}
    assert {name[8:-18] for name in names if name.endswith("/model.safetensors")} == models
    app = ("app.py", "pages/common/look.css", ".streamlit/config.toml")
    assert {f"alignment_lab/{name}" for name in app} <= {*names}
    assert not [name for name in names if "__pycache__" in name]


def test_the_command_translates(installed: Path, elsewhere: dict[str, str], tmp_path: Path) -> None:
    command = [installed / "nmtcore", "translate", "--model", "en-fr/transformer", "--beam", "5", SENTENCE]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=tmp_path, env=elsewhere)
    assert (done.returncode, done.stdout) == (0, "Elle a acheté une belle robe rouge.\n"), done.stderr
    command[3] = "en-fr/nothing"
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=tmp_path, env=elsewhere)
    assert done.returncode == 2
    assert re.fullmatch(r"nmtcore translate: There is no model folder .*: en-fr/additive, .*\n", done.stderr)


def test_three_lines_draw_a_picture_without_an_extra(
    installed: Path, elsewhere: dict[str, str], tmp_path: Path
) -> None:
    hide = f"import sys; sys.modules |= dict.fromkeys({OF_EXTRAS})\n"
    code = f"import nmtcore as nmt\nmodel = nmt.load('en-fr/dot')\nnmt.show(model, '{SENTENCE}').save('picture.html')"
    subprocess.run([installed / "python", "-c", hide + code], check=True, cwd=tmp_path, env=elsewhere)
    page = (tmp_path / "picture.html").read_text(encoding="utf-8")
    assert '"translation": "Elle a acheté une belle robe rouge."' in page and page.count("</script>") == 2


def test_the_installed_library_is_its_own(installed: Path, elsewhere: dict[str, str], tmp_path: Path) -> None:
    code = (
        "import importlib.metadata, json, nmtcore, nmtcore.places as places\n"
        "from nmtcore.runs.run_folder import runs_folder\n"
        "print(json.dumps([nmtcore.__file__, importlib.metadata.version('alignment-lab'), nmtcore.__version__,"
        " str(runs_folder()), str(places.pretrained_folder())]))"
    )
    done = subprocess.run([installed / "python", "-c", code], stdout=subprocess.PIPE, cwd=tmp_path, env=elsewhere)
    file, version, own_version, runs, models = json.loads(done.stdout)
    assert Path(file).is_relative_to(installed.parent) and Path(models) == Path(file).parent / "pretrained"
    assert version == own_version
    assert Path(runs) == tmp_path / ".alignment-lab" / "runs", "not among the installed packages"


@pytest.fixture
def app(installed: Path, elsewhere: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """The address of the app, served by the command."""
    port = free_port(0)
    command = [installed / "alignment-lab", "--no-browser", "--port", str(port)]
    environment = elsewhere | {"ALIGNMENT_LAB_WORKERS": "0"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=environment) as server:
        assert server.stdout is not None
        for line in server.stdout:
            if "URL" in line:  # it has started
                break
        yield f"http://127.0.0.1:{port}"
        server.terminate()
        server.communicate(timeout=PATIENCE)


def test_the_command_serves_the_app(app: str) -> None:
    with urllib.request.urlopen(f"{app}/", timeout=PATIENCE) as answer:
        assert b"<title>" in answer.read()
    with urllib.request.urlopen(f"{app}/views/alignment.js", timeout=PATIENCE) as answer:  # a route of the app's own
        assert b"export default" in answer.read()


def test_the_first_page_opens(installed: Path, elsewhere: dict[str, str], tmp_path: Path) -> None:
    code = (
        "import sys; from alignment_lab.__main__ import app_folder; sys.path.insert(0, str(app_folder()))\n"
        "from streamlit.testing.v1 import AppTest\n"
        f"page = AppTest.from_file(str(app_folder() / 'pages/translate/page.py'), default_timeout={PATIENCE}).run()\n"
        "print([e.value for e in (*page.exception, *page.error)])\n"
        "print(*[e.proto.bytes.decode() for e in page.get('bidi_component')])"
    )
    command = [installed / "python", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=tmp_path, env=elsewhere)
    wrong, drawn = done.stdout.split("\n", 1)
    assert wrong == "[]", done.stderr
    assert f'"sentence":"{SENTENCE}"' in drawn and drawn.count('"translation":') == 4


def test_what_is_tested_is_in_the_ranges() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pins = {r.name: str(r.specifier)[2:] for r in map(Requirement, (x for x in lines if x and x[0] != "#"))}
    ranges = [*project["dependencies"], *project["optional-dependencies"]["app"]]
    needed = {requirement.name: requirement.specifier for requirement in map(Requirement, ranges)}
    assert needed.keys() == pins.keys()
    assert [name for name, specifier in needed.items() if pins[name] not in specifier] == []


def test_a_clone_serves_its_own_app() -> None:
    assert app_folder() == ROOT


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "70000"], "--port is a number from 1 to 65535; it is 70000."),
        (["--address", "192.0.2.1"], "--address belongs to --classroom."),
    ],
)
def test_bad_options_are_one_sentence(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2 and said in capsys.readouterr().err
