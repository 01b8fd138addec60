"""The browser's half of link state reads every declaration as the server does. Needs Node, which the app does not."""

from typing import Any

from nmtcore.views.kit.link_state import Choice, Codes, Number, Pattern, Whole
from pages.common.registry import PAGES
from tests.views.live.node import call

KINDS = (Whole, Number, Choice, Pattern, Codes)
VALUES = (
    *("", "0", "1", "2", "05", "-1", "5.5", ".5", "5.", ".", "1e-1", "64", "65", "999", "1000", "1e3", "٣", "x"),
    *(" 1", "1\n", "9" * 50, "nan", "hot", "2.1", "-3", "-1.s1", "t1", "<script>", "<b>", "1.1.1", "2.7"),
    *("1.t4", "0.t1s22", "1.", "t4", "3.6", "3.7", "3.s5.1f2e", "3.all.1f2e", "3.all.1F2E", "on.1-2~not.3.4", "on."),
    *("cross.1.2", "cross.mean.1_encoder.1.1", "cross.1", "_", "words.hide.top50", "plain", "top1000", "12-45", "1--2"),
    *("kept", "repetition", "Transformer", "transformer", "shown", "step", "all", "none", "grid", "chrF", "zh-en"),
)
ALL = [parameter for entry in PAGES for parameter in entry.state.parameters().values()]
DECLARED = list({(p.name, type(p)): p for p in ALL if isinstance(p, KINDS)}.values())


def as_in_the_browser(parameter: Any, text: str) -> Any:
    """The expected result of the browser's parser: a pattern's groups by name; of several codes, the valid ones."""
    if isinstance(parameter, Codes):
        return [code for code in text.split(parameter.separator) if Codes.parse(parameter, code) == (code,)]
    value = parameter.parse(text)
    if isinstance(parameter, Pattern) and value is not None:
        parts = parameter.parts(text)
        return {n: int(p) if p and p.isdecimal() else p for n, p in zip(parameter.groups, parts, strict=True)}
    return value


def test_both_halves_agree() -> None:
    calls = [[parameter.to_json(), text] for parameter in DECLARED for text in VALUES]
    read = iter(call("kit/link_state.js", "parse", calls))
    for parameter in DECLARED:
        expected = [as_in_the_browser(parameter, text) for text in VALUES]
        wrong = {text: (found, e) for text, found, e in zip(VALUES, read, expected, strict=False) if found != e}
        assert wrong == {}, parameter.name
