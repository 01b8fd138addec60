"""How long a notebook waits: `import nmtcore`, and from the import to the first picture, each in a new process.

python -m tests.benchmarks.first_picture
"""

import json
import statistics
import subprocess
import sys

from tests.benchmarks.machine import machine
from tests.paths import ROOT

RUNS = 5
CODE = """
import json, time
began = time.perf_counter()
import nmtcore as nmt
imported = time.perf_counter()
nmt.show("en-fr/dot", "She bought a red dress.")._repr_html_()
print(json.dumps([imported - began, time.perf_counter() - began]))
"""


def main() -> None:
    runs = [
        json.loads(subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)
        for _ in range(RUNS)
    ]
    print(machine())
    print()
    for name, seconds in zip(("import nmtcore", "import to first picture"), zip(*runs, strict=True), strict=True):
        print(f"- {name}: median {statistics.median(seconds):.2f} s, slowest {max(seconds):.2f} s of {RUNS}")


if __name__ == "__main__":
    main()
