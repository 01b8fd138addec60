"""What tests of the command line ask of a result."""

from collections.abc import Callable

Run = Callable[..., tuple[int, str, str]]  # arguments to exit code, standard output, standard error


def refused(result: tuple[int, str, str], message: str) -> None:
    code, out, err = result
    assert (code, out) == (2, "")
    assert message in err and err.count("\n") == 1 and err.startswith("python -m nmtcore"), err
