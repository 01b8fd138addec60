"""`--help`: every option of every command is explained, and defaults are those of the chosen architecture."""

import argparse

import pytest

from nmtcore.__main__ import COMMANDS, make_parser
from nmtcore.commands import shared
from nmtcore.config import ARCHITECTURES, TransformerConfig
from tests.helpers import Run


def parser_of(command: str) -> argparse.ArgumentParser:
    (commands,) = (action for action in make_parser()._actions if isinstance(action, argparse._SubParsersAction))
    found: argparse.ArgumentParser = commands.choices[command]
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_says_what_it_does(command: str) -> None:
    parser = parser_of(command)
    assert parser.description
    for action in parser._actions:
        said = (action.help or "").split("(default")[0].replace("(%(default)s)", "").strip()
        assert said, action.option_strings or action.dest
    assert parser.format_help()  # a % that is not doubled would fail here


def test_a_comment_behind_a_field_is_its_help(run: Run) -> None:
    assert shared.comments(TransformerConfig)["tied"] == "one matrix for both embeddings and the output layer"
    code, out, _ = run("train", "--help")
    assert code == 0 and "one matrix for both embeddings and the output layer" in " ".join(out.split())


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("--width", "(default: 256)"),
        ("--encoder-layers", "3 for transformer, relative, mask-predict; 4 for convolutional, deep-lstm)"),
        ("--attention", "additive for additive, copying; dot for dot)"),
    ],
)
def test_defaults_are_those_of_each_architecture(option: str, expected: str) -> None:
    (found,) = [action for action in parser_of("train")._actions if option in action.option_strings]
    assert (found.help or "").endswith(expected)


def test_settings_are_grouped_by_the_architectures_that_have_them() -> None:
    groups = {group.title: group for group in parser_of("train")._action_groups}
    options = {title: {a.dest for a in group._group_actions} for title, group in groups.items()}
    assert {"encoder_layers", "decoder_layers", "dropout"} == options["model: all architectures"]
    assert options["model: deep-lstm"] == {"residual"} and "kernel" in options["model: convolutional"]
    last = [title for title in options if title and title.startswith("model: ")][1:]
    assert all(set(title[7:].split(", ")) <= {*ARCHITECTURES, "all architectures"} for title in last)
