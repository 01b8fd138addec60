"""Criteria for a right translation, names and numbers that it must have, the shares; and our own files."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nmtcore.config import DecodingConfig
from nmtcore.errors import DataError
from nmtcore.evaluation import challenge_set
from nmtcore.evaluation.challenge_set import (
    KINDS,
    Copied,
    Judged,
    measure,
    normalise,
    read_challenges,
    read_copying,
)
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from tests.paths import EVALUATION, PRETRAINED

Read = Callable[[Path], tuple[str, list[Any]]]


def test_case_punctuation_and_spaces_make_no_difference() -> None:
    assert normalise("L’été,  VAS-TU bien ?") == ["l", "été", "vas", "tu", "bien"] == normalise("l'été vas tu bien")


@pytest.mark.parametrize(
    ("read", "judges", "right", "wrong"),
    [
        (read_challenges, ["Il dort."], ["il dort", "Il dort !"], ["il dorme", "il dort bien", "dort", ""]),
        (
            read_challenges,
            ["{Tu|Vous} {es|êtes} {très |}grand{s|}."],
            ["tu es grand", "Vous êtes très grands"],
            ["tu très es grand"],
        ),
        (
            read_challenges,
            ["{Puis-je|Est-ce que je peux} {l'|}ouvrir ?"],
            ["puis-je ouvrir", "est-ce que je peux l'ouvrir?"],
            ["puis je"],
        ),
        (read_challenges, ["Elle part.", "Elle s'en va."], ["elle part", "elle s'en va"], ["elle va"]),
        (
            read_challenges,
            ["Quand * pain * samedi *"],
            ["Quand il a du pain le samedi.", "quand pain samedi soir"],
            ["quand samedi pain"],
        ),
        (read_challenges, ["* chat"], ["chat", "le petit chat"], ["chats", "grandchat"]),
        (read_copying, ["Adaeze"], ["C'est Adaeze.", "la voiture d’ADAEZE"], ["Adaez", "Adaezes", "Ada Eze", ""]),
        (read_copying, ["Nguyễn"], ["M. Nguyễn", "M. Nguye\u0302\u0303n"], ["M. Nguyên"]),
        (
            read_copying,
            ["12 450|12450"],
            ["12 450 livres", "12\u202f450", "12,450.", "12450"],
            ["112 450", "12 4500", "450 12"],
        ),
        (read_copying, ["3,5"], ["3.5 km", "3,5"], ["35", "3 et 5"]),
        (
            read_copying,
            ["{7|sept} {h|heures} 30|7 30"],
            ["à 7h30", "sept heures 30", "7:30", "7 h 30."],
            ["7 heures", "17h30"],
        ),
        (read_copying, ["1 mai", "2019"], ["le 1er mai 2019", "en 2019, le 1 mai"], ["le 1er mai", "le 11 mai 2019"]),
        (read_copying, ["May 21"], ["on May 21st", "May 21"], ["21 May"]),
        (read_copying, ["20 %|20 pour cent"], ["20%", "20 %", "20 pour cent"], ["20"]),
        (read_copying, ["35 €|€ 35"], ["35€", "€35", "35 €."], ["35 $", "135 €"]),
    ],
)
def test_what_is_accepted(tmp_path: Path, read: Read, judges: list[str], right: list[str], wrong: list[str]) -> None:
    (tmp_path / "r.tsv").write_text("\t".join(["name", "sentence", *judges]), encoding="utf-8")
    found: Judged = read(tmp_path / "r.tsv")[1][0]
    assert [text for text in right if not found.accepts(text)] == []
    assert [text for text in wrong if found.accepts(text)] == []


@pytest.mark.parametrize(
    ("read", "line", "message"),
    [
        (read_challenges, "name\tsentence", "line 2: there must be a kind, a sentence and a translation"),
        (read_challenges, "name\tsentence\t ", "must be a kind"),
        (read_challenges, "name\tsentence\t{a|b", "the braces do not match"),
        (read_challenges, "name\tsentence\ta}", "the braces do not match"),
        (
            read_challenges,
            "name\tsentence\t" + "{a|b}" * 14,
            "the choices make 16,384 translations; the limit is 10,000",
        ),
        (read_challenges, "# nothing", "no line with a kind"),
        (
            read_copying,
            "name\tI am Zoe.",
            "line 2: there must be a kind, a sentence and what must occur in its translation",
        ),
        (read_copying, "name\tI am Zoe.\t ", "line 2: there must be"),
        (read_copying, "number\tI am 7.\t7\t", "line 2: there must be"),
        (
            read_copying,
            "animal\tI am a cat.\tchat",
            "line 2: unknown kind 'animal'; kinds are name, pinyin, number, date",
        ),
        (read_copying, "number\tI am 7.\t7||sept", "line 2: there is nothing between the bars in '7||sept'"),
        (read_copying, "number\tI am 7.\t{7|sept", "line 2: the braces do not match"),
        (read_copying, "# nothing", "r.tsv has no line"),
    ],
)
def test_wrong_files_are_named(tmp_path: Path, read: Read, line: str, message: str) -> None:
    (tmp_path / "r.tsv").write_text(f"# languages: en-fr\n{line}\n", encoding="utf-8")
    with pytest.raises(DataError, match=re.escape(message)):
        read(tmp_path / "r.tsv")


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


def test_the_shares_of_names_and_of_numbers(small_checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts = {"name": [1, 0, 0], "pinyin": [1], "date": [1], "price": [1, 0]}
    sentences = [
        Copied(kind, f"a {i}", (frozenset({str(v)}),)) for kind in verdicts for i, v in enumerate(verdicts[kind])
    ]
    monkeypatch.setattr(Copied, "accepts", lambda self, translation: self.wanted == (frozenset({"1"}),))
    found = measure(small_checkpoint, sentences, DecodingConfig(max_length=3))
    assert (found["names"], found["numbers"]) == (0.5, pytest.approx(2 / 3, abs=1e-4))
    assert found["kinds"]["price"] == {"sentences": 2, "right": 0.5} and found["sentences"] == 7
    assert "numbers" not in measure(small_checkpoint, sentences[:4], DecodingConfig(max_length=3))
    assert set(found["kinds"]) < set(KINDS)


@pytest.mark.parametrize("pair", ["en-fr", "zh-en"])
def test_our_names_and_numbers(pair: str) -> None:
    languages, found = read_copying(EVALUATION / f"copying.{pair}.tsv")
    assert languages == pair and len(found) == 280 == len({row.source for row in found})
    counts = {kind: sum(row.kind == kind for row in found) for kind in KINDS}
    assert counts["name"] + counts["pinyin"] == 120
    assert all(counts[kind] == 40 for kind in ("number", "date", "time", "price"))
    assert not any(row.accepts("") or (row.kind == "time" and row.accepts("à 25 h 61, at 25:61")) for row in found)


@pytest.mark.parametrize(
    ("pair", "source", "right", "wrong"),
    [
        ("en-fr", "The stadium has 48,000 seats.", "Le stade a 48\u202f000 places.", "Le stade a 4 800 places."),
        ("en-fr", "Our team won 4 to 1.", "Notre équipe a gagné quatre à un.", "Notre équipe a gagné 1 à 4."),
        ("en-fr", "The bridge was built in 1889.", "Le pont fut construit en 1889.", "Le pont date de 189."),
        ("en-fr", "They got married on August 30th.", "Mariés le trente août.", "Mariés le 3 août."),
        ("en-fr", "Dinner is at half past seven.", "Le dîner est à 19h30.", "Le dîner est à 7 h."),
        ("en-fr", "It's a quarter to nine.", "Il est neuf heures moins le quart.", "Il est neuf heures et quart."),
        ("en-fr", "The house is worth 300,000 euros.", "trois cent mille euros", "trois mille euros"),
        ("en-fr", "The taxi cost $27.50.", "Le taxi a coûté 27,50 dollars.", "Le taxi a coûté 27,50 euros."),
        ("zh-en", "吕晓东为什么不高兴？", "Why is Lv Xiao-dong unhappy?", "Why is Li Xiaodong unhappy?"),
        ("zh-en", "这座桥长一千二百五十米。", "It is 1,250 metres long.", "It is 1,205 metres long."),
        ("zh-en", "她生于1996年5月2日。", "She was born on the 2nd of May, 1996.", "She was born on May 21, 1996."),
        ("zh-en", "现在差一刻九点。", "It's a quarter to nine.", "It's a quarter past nine."),
        ("zh-en", "商店下午五点关门。", "The shop closes at 5 p.m.", "The shop closes at 3 p.m."),
        ("zh-en", "这本书46.80元。", "This book is 46.8 yuan.", "This book is 468 yuan."),
        ("zh-en", "这部手机3999元。", "It costs ¥3,999.", "It costs $3,999."),
    ],
)
def test_what_our_files_accept(pair: str, source: str, right: str, wrong: str) -> None:
    (row,) = [row for row in read_copying(EVALUATION / f"copying.{pair}.tsv")[1] if row.source == source]
    assert row.accepts(right) and not row.accepts(wrong)
