"""Translate sentences: write one line for each line read.

An empty line is written for an empty line.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO

from nmtcore.commands import shared
from nmtcore.config import Decoding, DecodingConfig, MaskPredictDecoding
from nmtcore.decoding import decode, mask_predict
from nmtcore.decoding.batched import translate_all
from nmtcore.errors import SettingError, TextError
from nmtcore.limits import MAX_CHARACTERS, MAX_PIECES
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.source import SourceText

SURROGATE = re.compile("[\ud800-\udfff]")
TOGETHER = 64  # lines translated as one batch, if that many are available


class JsonAction(argparse.Action):
    """`--json` may be followed by `full`; anything else after it is a text."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, value: Any, option: str | None = None) -> None:
        namespace.json = "full" if value == "full" else "plain"
        if value not in (None, "full"):
            namespace.text = [*namespace.text, value]


def add(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"A line has at most {MAX_CHARACTERS:,} characters and {MAX_PIECES} pieces."
    parser.add_argument(
        "--model",
        required=True,
        metavar="DIR",
        help="the folder of a model, or the name of one that ships, such as en-fr/transformer",
    )
    shared.add_decoding(parser)
    parser.add_argument(
        "--json",
        action=JsonAction,
        nargs="?",
        metavar="full",
        help="print the record of each decode, a Trace, as one line of JSON; full adds states and scores",
    )
    shared.add_device(parser)
    parser.add_argument(
        "text",
        nargs="*",
        action="extend",
        default=[],
        metavar="TEXT",
        help="sentences (default: the lines of standard input)",
    )


def run(options: argparse.Namespace) -> int:
    checkpoint = shared.load_model(options.model, shared.choose_device(options))
    decoding = shared.choose_decoding(options, checkpoint)
    if isinstance(decoding, MaskPredictDecoding) and shared.choose_search(options) != DecodingConfig():
        raise SettingError(
            f"{checkpoint.name} writes all words at once: --rounds says how; --beam, --alpha and --beta are for models "
            "that write word by word."
        )
    if options.text:
        batches: Iterable[Sequence[str]] = [options.text]
    elif sys.stdin is None:
        raise TextError("There is no standard input: give the sentence as an argument.")
    else:
        if sys.stdin.isatty():
            shared.say("Type a sentence and press Enter; Ctrl-D ends.")
        batches = _arriving(sys.stdin.buffer)
    number = 0
    for batch in batches:
        texts: list[SourceText | None] = []
        problem = None
        for text in batch:
            number += 1
            try:
                if SURROGATE.search(text):  # bytes that were not UTF-8
                    raise TextError("The text is not in UTF-8: save or type it again with that encoding.")
                source = checkpoint.read(text)
                ids = source.subwords(checkpoint.vocab).ids
                if options.text and not ids:
                    raise TextError("There is nothing to translate.")
            except TextError as error:
                where = "Text" if options.text else "Line"
                problem = TextError(str(error) if len(options.text) == 1 else f"{where} {number}: {error}")
                break
            texts.append(source if ids else None)
        for line in _translated(checkpoint, texts, decoding, options.json):
            print(line)
        sys.stdout.flush()
        if problem:
            raise problem
    return 0


def _translated(
    checkpoint: Checkpoint, texts: Sequence[SourceText | None], decoding: Decoding, json: str | None
) -> Iterator[str]:
    """One line for each text, empty for None."""
    if not json:
        translations = iter(translate_all(checkpoint, list(filter(None, texts)), decoding).texts)
        for text in texts:
            yield next(translations) if text else ""
        return
    for text in texts:
        if text is None:
            yield ""
        elif isinstance(decoding, MaskPredictDecoding):
            yield mask_predict.translate(checkpoint, text, decoding).dumps()
        else:
            yield decode.translate(checkpoint, text, decoding).dumps(inner=json == "full")


def _arriving(stream: BinaryIO) -> Iterator[list[str]]:
    """Lines as they arrive: as many as are available, but never waiting for more than one."""
    rest = b""
    number = 0
    while True:
        block = stream.read1(1 << 16)  # type: ignore[attr-defined]
        *lines, rest = (rest + block).split(b"\n")
        if not block and rest:
            lines.append(rest)
        for first in range(0, len(lines), TOGETHER):
            some = lines[first : first + TOGETHER]
            yield [_decoded(line, number + i) for i, line in enumerate(some, 1)]
            number += len(some)
        if not block:
            return


def _decoded(line: bytes, number: int) -> str:
    """Decode a line from UTF-8; bytes in another encoding become surrogates."""
    return line.removeprefix(b"\xef\xbb\xbf" if number == 1 else b"").decode("utf-8", "surrogateescape").rstrip("\r")
