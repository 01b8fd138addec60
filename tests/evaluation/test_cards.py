"""Model cards: what was measured, as text, recorded beside untouched weights."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from nmtcore.errors import CheckpointError
from nmtcore.evaluation import cards
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import CARD, CONFIG, WEIGHTS
from nmtcore.text.vocabulary import Vocab
from tests.helpers import small

SCORES = {
    **{
        "bleu": 41.26,
        "chrf": 60.1,
        "bleu_signature": "a|b",
        "chrf_signature": "c|d",
        "items": 1234,
        "references": 2000,
    },
    **{"reference_log_probability": -9.1, "reference_log_probability_per_piece": -1.1, "hardware": "a machine"},
    **{"sentences_per_second": 20.0, "tokens_per_second": 210.0, "file": "pairs.tsv", "split": "test"},
    **{"beam": 5, "alpha": 0.6, "beta": 0.0},
}

EXACT_READINGS = [
    {"layer": 1, "head": 0, "position": "output", "aer": 0.5},
    {"layer": 1, "head": 0, "position": "input", "aer": 0.3456},
    {"layer": None, "head": None, "position": "output", "aer": 0.75},
]


@pytest.fixture
def folder(tmp_path: Path, vocab: Vocab) -> Path:
    card = "# A card\n\n- Data: ours.\n\n## Limits\n\nMany.\n"
    checkpoint.save(tmp_path, small("dot", vocab).model, vocab, {"source": "en", "target": "fr"}, card)
    return tmp_path


def test_scores_are_recorded_beside_untouched_weights(folder: Path) -> None:
    weights = (folder / WEIGHTS).read_bytes()
    before = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    cards.record(folder, checkpoint.load(folder).meta, {"scores": SCORES})
    row = {"low": 1, "high": 5, "items": 100, **{k: 1.0 for k in ("bleu", "bleu_low", "bleu_high")}}
    row |= {k: 2.0 for k in ("chrf", "chrf_low", "chrf_high")}
    best = {"layer": 1, "head": 0, "position": "input", "aer": 0.2345, "eos": 0.01, "full_stop": 0.5}
    later = {
        "scores": SCORES | {"bleu": 50.0},
        "by_length": [row],
        "alignments": {"best": best, "pairs": 60, "readings": [best]},
        "exact_alignments": {"best": best | {"aer": 0.3456}, "pairs": 1000, "readings": EXACT_READINGS},
        "robustness": {
            "right": 0.5,
            "sentences": 100,
            "kinds": {"name": {"sentences": 10, "right": 0.3}},
            "failures": [["name", "I am Zoe.", "Je suis Zo."]],
        },
        "copying": {
            "right": 0.6,
            "sentences": 50,
            "kinds": {"price": {"sentences": 20, "right": 0.625}, "date": {"sentences": 30, "right": 1.0}},
            "failures": [["price", "It costs £3.", "Ça coûte 3."]],
        },
    }
    cards.record(folder, checkpoint.load(folder).meta, later)

    loaded = checkpoint.load(folder)
    assert loaded.meta == {"source": "en", "target": "fr", **later}
    after = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    assert {k: v for k, v in after.items() if k != "meta"} == {k: v for k, v in before.items() if k != "meta"}
    assert (folder / WEIGHTS).read_bytes() == weights
    card = (folder / CARD).read_text(encoding="utf-8")
    assert card.startswith("# A card\n\n- Data: ours.\n\n## Limits\n\nMany.\n\n## Scores\n")
    assert card.count("## Scores") == 1 and "BLEU 50.0 (`a|b`)" in card and "41.3" not in card
    assert "| 1-5 | 100 | 1.0 (1.0 to 1.0) |" in card and "name 30% of 10" in card
    assert "- name: `I am Zoe.` became `Je suis Zo.`" in card and "- price: `It costs £3.` became `Ça" in card
    assert "as they should: price 62% of 20, date 100% of 30." in card
    assert (
        "Alignment error rate 0.234 on 60 sentence pairs with links by hand, layer 2, head 1, at the decoder's input"
        in card
    )
    assert "Alignment error rate 0.346 on 1,000 sentence pairs with exact links, layer 2" in card
    assert "| layer | head | by hand, output | by hand, input | exact, output | exact, input |\n| ---" in card
    assert "| 2 | 1 |  | 0.234 | 0.500 | 0.346 |\n| all | all |  |  | 0.750 |  |\n" in card
    assert not list(folder.glob(".*"))


def test_scores_of_another_model_are_not_recorded(folder: Path) -> None:
    before = (folder / CONFIG).read_bytes()
    with pytest.raises(CheckpointError, match="has changed since"):
        cards.record(folder, {"source": "en", "target": "de"}, {"scores": SCORES})
    assert (folder / CONFIG).read_bytes() == before


def test_a_command_is_recorded_without_this_machines_folders() -> None:
    assert cards.typed_command(["train", "--pairs", "/somewhere/else/a b.tsv", "--out=/x/y"]) == (
        "python -m nmtcore train --pairs 'a b.tsv' --out=y"
    )
    inside = str(Path.cwd() / "pretrained" / "en-fr")
    assert cards.typed_command(["train", "--out", inside]).endswith("--out pretrained/en-fr")


def test_a_card_says_whether_the_library_was_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = tmp_path / "nmtcore"
    library.mkdir()
    for file in (library / "cards.py", tmp_path / "model"):
        file.write_text("a")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=us", "-c", "user.email=us@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*git, *command], check=True)
    monkeypatch.setattr(cards, "__file__", str(library / "cards.py"))
    (tmp_path / "model").write_text("a model that a training ships")
    assert re.fullmatch(r", with the library at commit [0-9a-f]+", cards.commit())
    (library / "cards.py").write_text("b")
    assert cards.commit().endswith(" and changes that were not committed")
    monkeypatch.setattr(cards, "__file__", "/cards.py")
    assert cards.commit() == ""


def test_a_card_shows_the_losses_with_and_without_residual_connections() -> None:
    losses = [[200, 6.25, 6.5], [1400, 4.0625, 5.75]]
    text = cards.scores({"depth": {"planned": 1400, "losses": losses}})
    assert "Validation loss of 1,400 updates" in text and "tests.benchmarks.depth" in text
    assert "| 200 | 6.250 | 6.500 |\n| 1,400 | 4.062 | 5.750 |\n" in text
    assert "residual" not in cards.scores({"by_rounds": []})
