"""The shipped lesson builds from the shipped models, and its statements about them are true."""

from pathlib import Path

import nmtcore as nmt
from nmtcore.decoding.trace import Trace
from nmtcore.views.lesson.build import LARGEST, build
from nmtcore.views.lesson.read import read_lesson
from tests.paths import ROOT

LESSON = ROOT / "lessons" / "attention-in-45-minutes.toml"


def test_the_lesson_that_ships(tmp_path: Path) -> None:
    out = tmp_path / "lesson.html"
    drawn: list[str] = []
    assert build(LESSON, out, drawn.append) == out.stat().st_size <= LARGEST
    pages = [link.partition("?")[0] for link in drawn]
    assert list(dict.fromkeys(pages)) == [
        *("no_attention", "additive", "dot", "translate", "transformer", "positions", "beam")
    ]
    assert sum(section.minutes for section in read_lesson(LESSON).section) == 45


def test_what_the_lesson_says() -> None:
    def decoded(name: str, text: str = "She bought a beautiful red dress.", **settings: int) -> Trace:
        found = nmt.translate(f"en-fr/{name}", text, **settings)
        assert isinstance(found, Trace)
        return found

    none = decoded("none")
    assert none.text == "Elle a acheté une robe bleue."
    assert [(c.token, round(c.probability, 2)) for c in none.steps[5].candidates[:2]] == [
        ("▁bleu", 0.47),
        ("▁rouge", 0.33),
    ]
    war = "When I was a child, my grandmother told me stories about the war."
    lost = decoded("none", war).text
    assert lost.startswith("Lorsque j'étais enfant, mon grand-père") and "guerre" not in lost
    for name, weight, probability in (("additive", 0.88, 0.89), ("dot", 0.98, 0.91)):
        trace = decoded(name)
        cross = trace.attention_of("cross")
        assert cross and (trace.target[6], trace.source[4]) == ("▁rouge", "▁red")
        assert round(float(cross.weights[0, 0, 6, 4]), 2) == weight
        assert round(trace.steps[6].probability, 2) == probability
    sunrise = "She is used to getting up before sunrise."
    assert decoded("transformer", sunrise).text == "Elle se lève avant le lever du soleil."
    assert decoded("transformer", sunrise, beam=1).text == "Elle s'est habituée à se lever du soleil."
