"""Write a picture of a sentence as one HTML file.

The sentence is translated first; the file loads nothing else. docs/pictures.md shows the pictures.
"""

import argparse
from pathlib import Path

from nmtcore.commands.shared import add_device, check_languages, choose_device, load_model, output_file
from nmtcore.config import DEFAULT_BEAM, DecodingConfig, is_autoregressive
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
    parser.add_argument("--beam", type=int, metavar="N", help=f"beam width; 1 is greedy search ({DEFAULT_BEAM})")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.html", help="the page to write")
    add_device(parser)
    parser.add_argument("text", metavar="TEXT", help="the sentence")


def run(options: argparse.Namespace) -> int:
    out = output_file(options.out, ".html", ".htm")
    name = options.picture or ("compare" if len(options.model) > 1 else "alignment")
    if len(options.model) > 1 and name != "compare":
        raise SettingError(f"{name} is a picture of one model: give one, or --picture compare.")
    device = choose_device(options)
    settings = {} if options.beam is None else {"beam": options.beam}
    models = [load_model(model, device, DecodingConfig(**settings)) for model in options.model]
    check_languages(models, "source")
    if name == "compare":
        beams = [settings if is_autoregressive(model.config.architecture) else {} for model in models]
        traces = [translate(model, options.text, **given) for model, given in zip(models, beams, strict=True)]
        picture = compare(traces)
    else:
        picture = show(models[0], options.text, name, **settings)
    picture.save(out)
    print(f"{out}: {out.stat().st_size / 1e3:.0f} kB")
    return 0
