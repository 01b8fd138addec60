"""Import a Marian model, such as those of OPUS-MT.

The model is a folder as published by Hugging Face (config.json, source.spm, target.spm, vocab.json, weights), or one
with Marian's own .npz. Needs the extra marian.
"""

import argparse
from pathlib import Path

from nmtcore.commands.shared import say
from nmtcore.marian.importing import import_model
from nmtcore.models.checkpoint import parameters


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("origin", metavar="FOLDER_OR_HUB_NAME", help="a folder, or a name on Hugging Face's hub")
    parser.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="the model folder to write, as my-models/en-de/opus: the folder above names the languages",
    )


def run(options: argparse.Namespace) -> int:
    model = import_model(options.origin, Path(options.out))
    c = model.config
    say(
        f"{options.out}: {c.encoder_layers} + {c.decoder_layers} layers of {c.heads} heads, {c.vocab_size:,} pieces, "
        f"{parameters(model):,} weights."
    )
    return 0
