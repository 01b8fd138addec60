"""Beam against greedy on the Translate page: on demand, both searches of every model, with differences underlined."""

import html
import re
from dataclasses import replace
from pathlib import Path

from nmtcore.config import CORE, DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.figures.text import signed
from nmtcore.models import checkpoint
from pages.common.i18n import title
from pages.translate.greedy import comparison
from tests.helpers import translate
from tests.pages.helpers import cells, opened, press, said

TEXT = "the small cat sees a red house ."


def rows(table: str) -> list[list[str]]:
    """The cells of a table, with its underlines."""
    return [[re.sub(r"</?span[^>]*>", "", cell) for cell in row] for row in cells(table)]


def plain(cell: str) -> str:
    return html.unescape(re.sub(r"</?u>", "", cell))


def test_greedy_search_is_compared_only_when_asked(model_directory: Path) -> None:
    at = opened("translate", text=TEXT, beam="4")
    assert said(at) == [] and not [e for e in at.get("html") if "<table" in e.proto.body]
    press(at, "against greedy")
    assert at.query_params["greedy"] in ("shown", ["shown"])
    (table,) = [e.proto.body for e in at.get("html") if "<table" in e.proto.body]
    _head, *found = rows(table)
    for architecture in CORE:
        model = checkpoint.load(model_directory / "en-fr" / architecture)
        greedy, beam = (translate(model, TEXT, DecodingConfig(width)) for width in (1, 4))
        both = [("both", beam)] if greedy.ids == beam.ids else [("greedy", greedy), ("beam 4", beam)]
        for number, (search, trace) in enumerate(both):
            name, shown, log_p, text = found.pop(0)
            assert (name, shown) == ("" if number else title(architecture), search)
            assert log_p == signed(trace.log_probability) and plain(text).startswith(trace.text)
    assert found == []
    press(at, "against greedy")
    assert "greedy" not in at.query_params and not [e for e in at.get("html") if "<table" in e.proto.body]


def test_what_differs_is_underlined_and_nothing_is_markup(model_directory: Path) -> None:
    model = checkpoint.load(model_directory / "en-fr" / "dot")
    found = translate(model, TEXT, DecodingConfig(2))

    def wrote(text: str, finished: bool = True) -> Trace:
        steps = tuple(step._replace(id=sum(map(ord, text))) for step in found.steps)
        return replace(found, text=text, finished=finished, steps=steps)

    pairs = {
        "<A>": ("dot", wrote("un <b> chien"), wrote("un grand <b> chien")),
        "B": ("additive", wrote("la maison rouge"), wrote("la maison bleue", finished=False)),
        "C": ("none", wrote("oui"), wrote("oui")),
    }
    assert [[row[0], row[1], row[3]] for row in rows(comparison(pairs, 7))[1:]] == [
        ["&lt;A&gt;", "greedy", "un &lt;b&gt; chien"],
        ["", "beam 7", "un<u> grand</u> &lt;b&gt; chien"],
        ["B", "greedy", "la maison <u>rouge</u>"],
        ["", "beam 7", "la maison <u>bleue</u> (stopped at the length limit)"],
        ["C", "both", "oui"],
    ]
