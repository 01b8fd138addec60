"""Write a lesson as one HTML file with its pictures.

The file loads nothing else: it contains text in Markdown, pictures from links made by "Copy link", and questions with
folded answers. docs/lessons.md describes how to write a lesson.
"""

import argparse
from pathlib import Path

from nmtcore.commands.shared import output_file, say
from nmtcore.views.lesson.build import build


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", type=Path, metavar="LESSON.toml", help="as lessons/attention-in-45-minutes.toml")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.html", help="the page to write")


def run(options: argparse.Namespace) -> int:
    out = output_file(options.out, ".html", ".htm")
    size = build(options.lesson, out, say)
    print(f"{out}: {size / 1e6:.2f} MB")
    return 0
