"""Finding sentences in which greedy and beam search differ."""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest

from nmtcore.analysis import contrast
from nmtcore.analysis.contrast import Contrast, best, kind_of, telling_alpha
from nmtcore.text import languages
from tests.helpers import WORD_BY_WORD
from tests.paths import ROOT


def test_the_surest_of_each_kind_are_kept_and_weak_ones_are_not() -> None:
    def one(kind: str, gain: float, mean: float) -> Contrast:
        return Contrast(kind, f"{kind} {gain} {mean}", gain, mean)

    found = [
        one("garden_path", 3.0, -0.5),
        one("garden_path", 9.0, -0.4),
        one("garden_path", 2.5, -0.1),
        one("garden_path", 0.1, -0.01),
        one("search_error", -0.5, -0.3),
        one("search_error", -0.01, -0.1),
        one("length_penalty", 0.0, -0.2),
    ]
    assert [c.text for c in best(found)] == [
        *("garden_path 2.5 -0.1", "garden_path 9.0 -0.4", "search_error -0.5 -0.3", "length_penalty 0.0 -0.2")
    ]


@dataclass
class Result:
    """The parts of a trace that decide its kind."""

    text: str
    log_probability: float
    winners: dict[float, int] = field(default_factory=dict)  # by alpha
    finished: str = ""  # the other finished hypotheses

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(map(ord, self.text))

    def ranked(self, alpha: float, beta: float) -> list[SimpleNamespace]:
        winner = SimpleNamespace(id=self.winners.get(alpha, 7), text=self.text)
        return [winner, SimpleNamespace(id=8, text=self.finished)]

    def path(self, end: SimpleNamespace) -> list[SimpleNamespace]:
        return [SimpleNamespace(token_id=ord(letter)) for letter in end.text]


@pytest.mark.parametrize(
    ("greedy", "beam", "kind"),
    [
        (Result("a b c", -3), Result("a b d", -2), "garden_path"),
        (Result("a b", -3), Result("a b c d", -2), "greedy_shorter"),
        (Result("a b c", -3), Result("a b c d", -2), "garden_path"),  # one word fewer is not an omission
        (Result("a b c d", -3), Result("a b", -2), "beam_shorter"),
        (Result("a b a b", -3), Result("a b", -2), "repetition"),
        (Result("a b a b", -3), Result("a b c a b", -2), "garden_path"),  # both repeat themselves
        (Result("a b c d", -2), Result("a b", -3), "search_error"),
        (Result("a b c d", -2), Result("a b", -3, finished="a b c"), "search_error"),
        (Result("a b c d", -2), Result("a b", -3, finished="a b c d"), "length_penalty"),  # kept to the end
        (Result("a b", -2), Result("a b", -2, {0.0: 1, 0.6: 1, 1.2: 4}), "length_penalty"),
        (Result("a b", -2), Result("a b", -2), None),
    ],
)
def test_every_kind(greedy: Result, beam: Result, kind: str | None) -> None:
    assert kind_of(greedy, beam) == kind


@pytest.mark.parametrize(
    ("winners", "alpha"), [({0.0: 1, 0.6: 1, 1.2: 4}, 1.2), ({0.0: 3, 0.6: 1, 1.2: 1}, 0.0), ({}, 0.6)]
)
def test_the_length_penalty_is_one_that_shows_it(winners: dict[float, int], alpha: float) -> None:
    beam = Result("a b", -2, winners)
    assert telling_alpha(Result("a b", -2), beam) == alpha
    assert telling_alpha(Result("a c", -2), beam) == 0.6, "it is seen as it is"


def test_every_model_is_searched_for_what_the_page_reads(model_folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    candidates = {"en": ("a red cat", "the big dog"), "zh": ("红色的房子",)}
    monkeypatch.setattr(languages, "lines", lambda code, name: candidates[code])
    monkeypatch.setattr(contrast, "LEAST_MEAN", -100.0)
    monkeypatch.setattr(contrast, "LONGEST", 1000)
    models = dict(contrast.search(model_folders))
    assert list(models) == [f"{pair}/{architecture}" for pair in ("en-fr", "zh-en") for architecture in WORD_BY_WORD]
    for name, found in models.items():
        weights = (model_folders / name / "model.safetensors").read_bytes()
        assert found["weights"] == hashlib.sha256(weights).hexdigest()[:12]
        assert all({"kind", "text", "mean"} <= set(sentence) for sentence in found["sentences"])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_candidates_are_sentences_and_stand_once(language: str) -> None:
    lines = languages.lines(language, "contrast_candidates.txt")
    assert len(lines) == len(set(lines)) > 55
    assert all(line == line.strip() and line[-1] in ".!?。！？" for line in lines)


def test_what_the_page_offers_was_found_with_the_weights_that_ship() -> None:
    """When models change, `make contrasts` has to be run again."""
    kept = json.loads((ROOT / "pages" / "beam" / "contrasts.json").read_text(encoding="utf-8"))["models"]
    shipped = {
        f"{path.parent.parent.name}/{path.parent.name}": path
        for path in ROOT.glob("pretrained/*/*/model.safetensors")
        if path.parent.name in WORD_BY_WORD
    }
    assert set(kept) == set(shipped)
    for name, path in shipped.items():
        assert kept[name]["weights"] == hashlib.sha256(path.read_bytes()).hexdigest()[:12], name
