"""Write a picture of a sentence as one HTML file.

The sentence is translated first; the file loads nothing else. docs/pictures.md shows the pictures.
"""

import argparse
from pathlib import Path

import torch

from nmtcore.commands.shared import check_languages, load_model, output_file
from nmtcore.decoding.by_name import translate
from nmtcore.errors import SettingError
from nmtcore.views import PICTURES
from nmtcore.views.pictures import compare, show


def add(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"Pictures: {', '.join(name for name in PICTURES if name != 'matrix')}."
    parser.add_argument(
        "--model",
        action="append",
        required=True,
        metavar="DIR",
        help="the folder of a model, or the name of one that ships, such as en-fr/transformer (several are compared)",
    )
    parser.add_argument("--picture", default="", metavar="NAME", help="which (alignment; compare of several models)")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.html", help="the page to write")
    parser.add_argument("text", metavar="TEXT", help="the sentence")


def run(options: argparse.Namespace) -> int:
    out = output_file(options.out, ".html", ".htm")
    name = options.picture or ("compare" if len(options.model) > 1 else "alignment")
    if len(options.model) > 1 and name != "compare":
        raise SettingError(f"{name} is a picture of one model: give one, or --picture compare.")
    models = [load_model(model, torch.device("cpu")) for model in options.model]
    check_languages(models, "source")
    if name == "compare":
        picture = compare([translate(model, options.text) for model in models])
    else:
        picture = show(models[0], options.text, name)
    picture.save(out)
    print(f"{out}: {out.stat().st_size / 1e3:.0f} kB")
    return 0
