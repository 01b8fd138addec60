"""The command line: python -m nmtcore train | translate | evaluate | ... Errors are one line and exit code 2."""

import argparse
import errno
import gc
import io
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import NoReturn

import torch

from nmtcore.commands import (
    corpus,
    distil,
    evaluate,
    experiments,
    import_model,
    lesson,
    runs,
    scores,
    static,
    train,
    translate,
    view,
)
from nmtcore.errors import NmtError

INTERRUPTED, PIPE_CLOSED = 130, 141  # exit codes that a shell reports for SIGINT and SIGPIPE


class Parser(argparse.ArgumentParser):
    """Reports errors in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())}\n")

    def convert_arg_line_to_args(self, arg_line: str) -> list[str]:
        """Read a line of a recipe: options as typed, and comments after `#`."""
        return shlex.split(arg_line, comments=True)


def is_closed_pipe(error: OSError) -> bool:
    """Whether the reader of our output has gone. On Windows this can be an invalid argument, without a file."""
    unnamed = sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None
    return unnamed or isinstance(error, BrokenPipeError)


COMMANDS: dict[str, ModuleType] = {
    **{"train": train, "translate": translate, "evaluate": evaluate, "corpus": corpus, "view": view, "lesson": lesson},
    **{"distil": distil, "scores": scores, "runs": runs, "experiments": experiments, "import": import_model},
    "static": static,
}


def make_parser() -> Parser:
    """The parser of the whole command line. A command's help is the docstring of its module."""
    parser = Parser(
        prog="nmtcore" if Path(sys.argv[0]).stem == "nmtcore" else "python -m nmtcore",
        description="Neural machine translation with attention, written to be read. `COMMAND --help` lists the options "
        "of a command.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        first, _, rest = str(command.__doc__).partition("\n")
        said = f"{first[0].lower()}{first[1:].removesuffix('.')}"
        added = commands.add_parser(name, help=said, description=f"{first} {rest}", allow_abbrev=False)
        added.set_defaults(run=command.run, prog=added.prog)
        command.add(added)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # whatever the language of the terminal
    parser = make_parser()
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        "".join(given).encode()
        options = parser.parse_args(given)
    except UnicodeEncodeError:
        parser.error("the arguments are not in UTF-8.")
    except (ValueError, RecursionError) as error:  # from the file that an @FILE names
        parser.error(f"a recipe must be a UTF-8 text with closed quotes that does not include itself: {error}.")
    options.arguments = given
    try:
        return int(options.run(options))
    except NmtError as error:
        message = str(error)
    except OSError as error:
        if is_closed_pipe(error):  # as with `| head`, which has read enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that Python can flush at its end
            return PIPE_CLOSED
        message = f"{error.filename or 'A file'}: {error.strerror or error}."
    except (MemoryError, torch.OutOfMemoryError):
        message = "There is not enough memory: use smaller batches, a smaller beam or shorter sentences."
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return INTERRUPTED
    print(f"{options.prog}: {' '.join(message.split())}", file=sys.stderr)
    return 2


def program() -> NoReturn:
    """The command `nmtcore`."""
    gc.freeze()  # exempts all imports from garbage collection, which would take a quarter of a second
    sys.exit(main())


if __name__ == "__main__":
    program()
