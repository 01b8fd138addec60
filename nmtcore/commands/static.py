"""Write a site for any file host, whose models run in the browser.

It turns Alignment Lab into a folder of files. To view it here: python -m http.server --directory FOLDER
"""

import argparse
from pathlib import Path

from nmtcore.places import models_folder
from nmtcore.views.site.build import build


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="a new folder, or a site to replace")
    parser.add_argument(
        "--pairs", default="en-fr,zh-en", metavar="PAIRS", help="language pairs; the first one opens (%(default)s)"
    )
    parser.add_argument(
        "--models", type=Path, default=models_folder(), metavar="DIR", help="the folder of the models (%(default)s)"
    )


def run(options: argparse.Namespace) -> int:
    build(options.out, options.models, options.pairs.split(","), print)
    total = sum(path.stat().st_size for path in options.out.rglob("*") if path.is_file())
    print(f"{options.out}: {total / 1e6:.1f} MB")
    return 0
