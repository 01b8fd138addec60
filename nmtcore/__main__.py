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

INTERRUPTED, PIPE_CLOSED = 130, 141  # what a shell reports for a program that SIGINT or SIGPIPE ended


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())}\n")

    def convert_arg_line_to_args(self, arg_line: str) -> list[str]:
        """A line of a recipe: options as they are typed, and comments after `#`."""
        return shlex.split(arg_line, comments=True)


def is_closed_pipe(error: OSError) -> bool:
    """Whether nobody reads any more what was written. On Windows this can be an invalid argument, of no file."""
    unnamed = sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None
    return unnamed or isinstance(error, BrokenPipeError)


COMMANDS: dict[str, ModuleType] = {
    **{"train": train, "translate": translate, "evaluate": evaluate, "corpus": corpus, "view": view, "lesson": lesson},
    **{"distil": distil, "scores": scores, "runs": runs, "experiments": experiments, "import": import_model},
    "static": static,
}


def make_parser() -> Parser:
    """The parser of the whole command line. What a command says of itself is its module's docstring."""
    parser = Parser(
        prog="nmtcore" if Path(sys.argv[0]).stem == "nmtcore" else "python -m nmtcore",
        description="Neural machine translation with attention that can be read. `COMMAND --help` lists the options "
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
        sys.stdout.reconfigure(encoding="utf-8")  # whatever the terminal's language is
    parser = make_parser()
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        "".join(given).encode()
        options = parser.parse_args(given)
    except UnicodeEncodeError:
        parser.error("what was typed is not in UTF-8.")
    except (ValueError, RecursionError) as error:  # of the file that an @FILE names
        parser.error(f"a recipe must be a text in UTF-8, its quotes closed, that does not name itself: {error}.")
    options.arguments = given
    try:
        return int(options.run(options))
    except NmtError as error:
        message = str(error)
    except OSError as error:
        if is_closed_pipe(error):  # such as `| head`: whoever read this has enough
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
    gc.freeze()  # a full garbage collection takes a quarter of a second: not of what has been imported
    sys.exit(main())


if __name__ == "__main__":
    program()
