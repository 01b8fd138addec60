"""A person's first hour, as a program: import everything, translate, train, stop, resume, open the app.

python tests/systems/session.py FOLDER, with `sitecustomize` of this folder on the path. Prints the results as JSON.
"""

import importlib
import json
import os
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path

from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.runs import queue
from nmtcore.runs.config import OPEN
from nmtcore.serving.pool import Pool
from nmtcore.serving.request import DecodeRequest, ModelKey, answer, load_model
from nmtcore.text.source import read_source
from pages.common.registry import PAGES
from tests.helpers import PATIENCE
from tests.paths import ROOT
from tests.runs.helpers import last_checkpoint, make, until

OF_CHILDREN = "torch torch.nn.parallel safetensors.torch sentencepiece sacrebleu filelock psutil"  # LIBRARIES of theirs


def import_all() -> list[str]:
    """Import every module but the scripts of pages, which are for Streamlit to run, and what needs Ray without it."""
    names = []
    scripts = [entry.script for entry in PAGES]
    modules = [path for folder in ("alignment_lab", "nmtcore", "pages") for path in ROOT.glob(f"{folder}/**/*.py")]
    for path in sorted([*modules, ROOT / "app.py"]):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if path not in scripts and ("ray_t" not in name or find_spec("ray")):
            importlib.import_module(name)
            names.append(name)
    return names


def translations(folder: Path) -> list[str]:
    """A sentence translated by a worker process, and here."""
    request = DecodeRequest(ModelKey(str(folder)), read_source("a red dog"), DecodingConfig(beam=3, max_length=7))
    pool = Pool(1)
    try:
        there = pool.submit(request).result(PATIENCE)
    finally:
        pool.close()
    here = answer(load_model(request.model), request)
    assert isinstance(here, Trace)
    return [there.text, here.text]


def training(root: Path) -> list[object]:
    """States and steps of a training that is stopped and resumed, and whether it can be deleted."""
    run = make(root, training={"max_steps": 150})
    queue.start_queued(root)
    until(lambda: last_checkpoint(run) >= 10)
    run.stop()
    until(lambda: not run.alive())
    found: list[object] = [run.status().state, 10 <= last_checkpoint(run) < 150]
    queue.resume(run)
    until(lambda: run.status().state not in OPEN and not run.alive())
    found += [run.status().state, run.status().step]
    run.delete()
    return [*found, run.folder.exists()]


def first_page() -> dict[str, object]:
    """The app's first page for a visitor."""
    from streamlit.testing.v1 import AppTest

    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE).run()
    return {
        "errors": [str(found.value) for found in (*at.exception, *at.error)],
        "pictures": sum(found.proto.component_name == "alignment" for found in at.get("bidi_component")),
        "title": at.title[0].value if at.title else "",
    }


def main(models: Path, runs: Path) -> None:
    os.environ["LIBRARIES"] = OF_CHILDREN
    ours = r"(nmtcore|pages|app)\b"
    warnings.filterwarnings("error", category=EncodingWarning, module=ours)  # no text in the language of the system
    found = {
        "platform": sys.platform,
        "modules": import_all(),
        "translations": translations(models / "en-fr" / "dot"),
        "training": training(runs),
        "page": first_page(),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(os.environ["ALIGNMENT_LAB_PRETRAINED"]), Path(sys.argv[1]))
