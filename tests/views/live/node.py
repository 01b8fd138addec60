"""Functions of our JavaScript called under Node: JSON in, JSON out."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT

CALL = """
import { readFileSync } from "node:fs";
const { module, name, calls } = JSON.parse(readFileSync(0, "utf-8"));
const called = (await import(module))[name];
const tried = (args) => {
  try {
    return called(...args);
  } catch (error) {
    if (error.name !== "PlainError") throw error;
    return { refused: error.message };
  }
};
process.stdout.write(JSON.stringify(calls.map(tried)));
"""


def call(path: str, name: str, calls: list[list[Any]]) -> list[Any]:
    """The results of an exported function in a module of nmtcore/views, for each list of arguments, or its errors."""
    module = (ROOT / "nmtcore" / "views" / path).as_uri()
    found: list[Any] = json.loads(
        run(["--input-type=module", "-e", CALL], {"module": module, "name": name, "calls": calls})
    )
    return found


def run(arguments: list[str | Path], asked: Any = None) -> str:
    """A script's stdout; its input is JSON on stdin. Without Node, which the app does not need, the test is skipped."""
    node = shutil.which("node")
    if not node:
        pytest.skip("Only Node can run the JavaScript.")
    done = subprocess.run([node, *arguments], input=json.dumps(asked), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr or done.stdout
    return done.stdout
