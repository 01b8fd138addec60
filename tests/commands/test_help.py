"""`--help`: every option of every command says what it does, and the defaults of the architecture that one chooses."""

import argparse
from types import ModuleType

import pytest

from nmtcore.__main__ import Parser
from nmtcore.commands import (
    corpus,
    distil,
    evaluate,
    experiments,
    import_model,
    lesson,
    runs,
    scores,
    shared,
    static,
    train,
    translate,
    view,
)
from nmtcore.config import ARCHITECTURES, TransformerConfig
from tests.commands.helpers import Run


def parsers(command: ModuleType) -> dict[str, argparse.ArgumentParser]:
    commands = Parser(prog="python -m nmtcore").add_subparsers()
    command.add(commands)
    return dict(commands.choices)


@pytest.mark.parametrize(
    "command",
    [corpus, distil, evaluate, experiments, import_model, lesson, runs, scores, static, train, translate, view],
)
def test_every_option_says_what_it_does(command: ModuleType) -> None:
    for name, parser in parsers(command).items():
        assert parser.description, name
        for action in parser._actions:
            said = (action.help or "").split("(default")[0].replace("(%(default)s)", "").strip()
            assert said, f"{name} {action.option_strings or action.dest}"
        assert parser.format_help()  # a % that is not doubled would fail here


def test_a_comment_behind_a_field_is_its_help(run: Run) -> None:
    assert shared.comments(TransformerConfig)["tied"] == "one matrix for both embeddings and the output layer"
    code, out, _ = run("train", "--help")
    assert code == 0 and "one matrix for both embeddings and the output layer" in " ".join(out.split())


@pytest.mark.parametrize(
    ("name", "option", "expected"),
    [
        ("train", "--width", "(default: 256)"),
        ("train", "--encoder-layers", "3 for transformer, relative, mask-predict; 4 for convolutional, deep-lstm)"),
        ("train", "--attention", "additive for additive, copying; dot for dot)"),
    ],
)
def test_defaults_are_those_of_each_architecture(name: str, option: str, expected: str) -> None:
    parser = parsers(train)[name]
    (found,) = [action for action in parser._actions if option in action.option_strings]
    assert (found.help or "").endswith(expected)


def test_settings_are_grouped_by_the_architectures_that_have_them() -> None:
    groups = {group.title: group for group in parsers(train)["train"]._action_groups}
    options = {title: {a.dest for a in group._group_actions} for title, group in groups.items()}
    assert {"encoder_layers", "decoder_layers", "dropout"} == options["model: all architectures"]
    assert options["model: deep-lstm"] == {"residual"} and "kernel" in options["model: convolutional"]
    last = [title for title in options if title and title.startswith("model: ")][1:]
    assert all(set(title[7:].split(", ")) <= {*ARCHITECTURES, "all architectures"} for title in last)
