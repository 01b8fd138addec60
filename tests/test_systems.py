"""Windows and macOS, as far as Linux can imitate them: without its own modules, calls and signals, by name."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

LIBRARIES = (
    *("torch", "torch.nn.parallel", "torch.distributed", "safetensors.torch", "sentencepiece", "sacrebleu", "numpy"),
    *("tqdm", "filelock", "psutil", "plotly.graph_objects", "plotly.io", "altair", "pandas", "cachetools", "segno"),
    *("opencc", "rjieba", "pypinyin", "streamlit", "streamlit.testing.v1", "streamlit.web.cli", "uvicorn.main"),
)


@pytest.mark.skipif(sys.platform != "linux", reason="the stand-in is made of Linux")
@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_all_goes_as_on_linux(system: str, model_folders: Path, tmp_path: Path) -> None:
    (tmp_path / "processes").mkdir()
    environment = os.environ | {
        "SYSTEM": system,
        "LIBRARIES": " ".join(LIBRARIES),
        "PROCESSES": str(tmp_path / "processes"),
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "tests" / "systems", ROOT))),
        "PYTHONWARNDEFAULTENCODING": "1",
        "ALIGNMENT_LAB_PRETRAINED": str(model_folders),
        "ALIGNMENT_LAB_RUNS": str(tmp_path / "runs"),
    }
    command = [sys.executable, str(ROOT / "tests" / "systems" / "session.py"), str(tmp_path / "runs")]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["platform"] == system
    modules = {"alignment_lab.__main__", "nmtcore.files", "nmtcore.runs.worker", "pages.server.start_up", "app"}
    assert modules <= {*found["modules"]}
    assert len({*found["translations"]}) == 1 and found["translations"][0]
    assert found["training"] == ["stopped", True, "done", 150, False]
    assert found["page"]["errors"] == [] and found["page"]["pictures"] >= 1
