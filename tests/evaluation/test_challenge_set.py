"""Criteria for a right translation, and our own file of sentences."""

from pathlib import Path

import pytest

from nmtcore.config import DecodingConfig
from nmtcore.errors import DataError
from nmtcore.evaluation import challenge_set
from nmtcore.evaluation.challenge_set import measure, normalise, read_challenges
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from tests.paths import EVALUATION, PRETRAINED


def challenge(tmp_path: Path, *columns: str) -> challenge_set.Challenge:
    path = tmp_path / "r.tsv"
    path.write_text("\t".join(["kind", "sentence", *columns]), encoding="utf-8")
    return read_challenges(path)[1][0]


def test_case_punctuation_and_spaces_make_no_difference() -> None:
    assert normalise("L’été,  VAS-TU bien ?") == ["l", "été", "vas", "tu", "bien"] == normalise("l'été vas tu bien")


@pytest.mark.parametrize(
    ("accepted", "right", "wrong"),
    [
        (["Il dort."], ["il dort", "Il dort !"], ["il dorme", "il dort bien", "dort", ""]),
        (["{Tu|Vous} {es|êtes} {très |}grand{s|}."], ["tu es grand", "Vous êtes très grands"], ["tu très es grand"]),
        (
            ["{Puis-je|Est-ce que je peux} {l'|}ouvrir ?"],
            ["puis-je ouvrir", "est-ce que je peux l'ouvrir?"],
            ["puis je"],
        ),
        (["Elle part.", "Elle s'en va."], ["elle part", "elle s'en va"], ["elle va"]),
        (
            ["Quand * pain * samedi *"],
            ["Quand il a du pain le samedi.", "quand pain samedi soir"],
            ["quand samedi pain"],
        ),
        (["* chat"], ["chat", "le petit chat"], ["chats", "grandchat"]),
    ],
)
def test_what_is_accepted(tmp_path: Path, accepted: list[str], right: list[str], wrong: list[str]) -> None:
    found = challenge(tmp_path, *accepted)
    assert [text for text in right if not found.accepts(text)] == []
    assert [text for text in wrong if found.accepts(text)] == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("name\tsentence", "line 1: there must be a kind, a sentence and a translation"),
        ("name\tsentence\t ", "must be a kind"),
        ("name\tsentence\t{a|b", "the braces do not match"),
        ("name\tsentence\ta}", "the braces do not match"),
        ("name\tsentence\t" + "{a|b}" * 14, "the choices make 16,384 translations; the limit is 10,000"),
        ("# nothing", "no line with a kind"),
    ],
)
def test_wrong_files_are_named(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "r.tsv").write_text(line, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_challenges(tmp_path / "r.tsv")


def test_the_share_that_is_right(small_checkpoint: Checkpoint, tmp_path: Path) -> None:
    decoding = DecodingConfig(max_length=4)
    path = tmp_path / "r.tsv"
    path.write_text("easy\tthe cat\t*\neasy\ta dog\t*\nhard\ta cat\tjamais dit\n", encoding="utf-8")
    _, challenges = read_challenges(path)
    found = measure(small_checkpoint, challenges, decoding)
    assert found["sentences"] == 3 and found["right"] == pytest.approx(2 / 3, abs=1e-4)
    assert found["kinds"] == {"easy": {"sentences": 2, "right": 1}, "hard": {"sentences": 1, "right": 0}}
    assert [t["right"] for t in found["translations"]] == [True, True, False]


def test_traditional_characters_are_read_as_simplified_ones(tmp_path: Path) -> None:
    model = checkpoint.load(PRETRAINED / "zh-en" / "dot")
    path = tmp_path / "r.tsv"
    path.write_text("same\t我們是學生。\t*\nsame\t我们是学生。\t*\n", encoding="utf-8")
    found = measure(model, read_challenges(path)[1], DecodingConfig())
    traditional, simplified = found["translations"]
    assert traditional["text"] == simplified["text"] != ""
    assert traditional["source"] == "我們是學生。", "as it was typed"


def test_our_sentences() -> None:
    languages, found = read_challenges(EVALUATION / "robustness.en-fr.tsv")
    assert languages == "en-fr" and len(found) == 300 == len({c.source for c in found})
    assert all(20 <= len(c.source.split()) <= 40 for c in found if c.kind == "long")
    assert all(c.source == c.source.lower() for c in found if c.kind == "lower case")
    assert all(c.source[-1].isalnum() for c in found if c.kind == "no full stop")
    assert not any(c.accepts(c.source) or c.accepts("") for c in found)
    by_source = {c.source: c for c in found}
    assert by_source["The train leaves at 7:45."].accepts("Le train part à sept heures quarante-cinq.")
    assert by_source["can you help my sister?"].accepts("Pouvez-vous aider ma sœur ?")
    assert by_source["He is the third son of the family."].accepts("C'est le troisième fils de la famille.")


def test_our_mandarin_sentences() -> None:
    languages, found = read_challenges(EVALUATION / "robustness.zh-en.tsv")
    assert languages == "zh-en" and len(found) == 150 == len({c.source for c in found})
    assert all(len(c.source) >= 19 for c in found if c.kind == "long")
    assert all(c.source[-1].isalpha() for c in found if c.kind == "no full stop")
    assert not any(c.accepts(c.source) or c.accepts("") for c in found)
    by_source = {c.source: c for c in found}
    assert by_source["火车七点半开。"].accepts("The train leaves at 7:30.")
    assert by_source["你会不会开车？"].accepts("Can you drive?")


def test_a_summary_keeps_one_failure_of_each_kind() -> None:
    rows = [("name", "a", "b", True), ("name", "c", "d", False), ("name", "e", "f", False), ("long", "g", "h", True)]
    translations = [{"kind": k, "source": s, "text": t, "right": r} for k, s, t, r in rows]
    found = challenge_set.summary({"right": 0.5, "kinds": {}, "translations": translations})
    assert found == {"right": 0.5, "kinds": {}, "failures": [["name", "c", "d"]]}
