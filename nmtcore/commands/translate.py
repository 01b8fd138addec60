"""Translate sentences: write one line for each line read.

An empty line is written for an empty line.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO

from nmtcore.commands import shared
from nmtcore.config import Decoding, DecodingConfig, MaskPredictDecoding
from nmtcore.decoding import decode, mask_predict
from nmtcore.decoding.batched import translate_all
from nmtcore.errors import SettingError, TextError
from nmtcore.intervention import LAYER_PARTS, NO_CHANGE, Intervention, layer_switch
from nmtcore.limits import MAX_CHARACTERS, MAX_PIECES
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.source import SourceText

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
    shared.add_rounds(parser)
    parser.add_argument(
        "--json",
        action=JsonAction,
        nargs="?",
        metavar="full",
        help="print the record of each decode, a Trace, as one line of JSON; full adds states and scores",
    )
    parser.add_argument(
        "--off",
        action="append",
        default=[],
        metavar="LAYER.PART",
        help="switch off a part of a Transformer's layer, such as encoder.2.feedforward, layers counted from one; "
        f"parts are {', '.join(LAYER_PARTS['decoder'])} (may be given several times)",
    )
    parser.add_argument(
        "--contains",
        action="append",
        default=[],
        metavar="WORDS",
        help="words that the translation must contain, also after an apostrophe or capitalised at the beginning "
        "(grid beam search; may be given several times)",
    )
    parser.add_argument(
        "--initials", default="", metavar="LETTERS", help="first letters of the translation's first words: an acrostic"
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
    searched = shared.choose_decoding(options)
    checkpoint = shared.load_model(options.model, shared.choose_device(options), searched)
    decoding = shared.choose_rounds(options, checkpoint, searched)
    intervention = Intervention(
        parts_off=tuple(dict.fromkeys(map(layer_switch, options.off))),
        contains=tuple(tuple(checkpoint.vocab.target.encode(words)) for words in options.contains),
        initials=options.initials,
    )
    if isinstance(decoding, MaskPredictDecoding) and (intervention != NO_CHANGE or searched != DecodingConfig()):
        raise SettingError(
            f"{checkpoint.name} writes all words at once: --rounds and --lengths say how; --beam, --alpha, --beta, "
            "--off, --contains and --initials are for models that write word by word."
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
                _check_encoding(text)
                source = checkpoint.read(text)
                ids = source.subwords(checkpoint.vocab).ids
                if options.text and not ids:
                    raise TextError("There is nothing to translate.")
            except TextError as error:
                where = "Text" if options.text else "Line"
                problem = TextError(str(error) if len(options.text) == 1 else f"{where} {number}: {error}")
                break
            texts.append(source if ids else None)
        for line in _translated(checkpoint, texts, decoding, options.json, intervention):
            print(line)
        sys.stdout.flush()
        if problem:
            raise problem
    return 0


def _translated(
    checkpoint: Checkpoint,
    texts: Sequence[SourceText | None],
    decoding: Decoding,
    json: str | None,
    intervention: Intervention = NO_CHANGE,
) -> Iterator[str]:
    """One line for each text, empty for None."""
    if json and isinstance(decoding, MaskPredictDecoding):
        for text in texts:
            yield mask_predict.translate(checkpoint, text, decoding).dumps() if text else ""
        return
    if json or intervention != NO_CHANGE:
        for text in texts:
            if text is None:
                yield ""
                continue
            assert isinstance(decoding, DecodingConfig)
            trace = decode.translate(checkpoint, text, decoding, intervention)
            yield trace.dumps(inner=json == "full") if json else text.with_emoji(trace.text)
        return
    translations = iter(translate_all(checkpoint, list(filter(None, texts)), decoding).texts)
    for text in texts:
        yield next(translations) if text else ""


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


def _check_encoding(text: str) -> None:
    """Raise TextError for surrogates: bytes that were not UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise TextError("The text is not in UTF-8: save or type it again with that encoding.") from error
