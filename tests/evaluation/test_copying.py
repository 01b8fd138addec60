"""Names and numbers that a translation must have: the file, accepted forms, the shares; and our own files."""

from pathlib import Path

import pytest

from nmtcore.config import DecodingConfig
from nmtcore.errors import DataError
from nmtcore.evaluation.copying import KINDS, Copied, measure, read_copying
from nmtcore.models.checkpoint import Checkpoint
from tests.paths import EVALUATION


def copied(folder: Path, *wanted: str, kind: str = "name") -> Copied:
    path = folder / "c.tsv"
    path.write_text("\t".join([kind, "sentence", *wanted]), encoding="utf-8")
    return read_copying(path)[1][0]


@pytest.mark.parametrize(
    ("wanted", "right", "wrong"),
    [
        (["Adaeze"], ["C'est Adaeze.", "la voiture d’ADAEZE"], ["Adaez", "Adaezes", "Ada Eze", ""]),
        (["Nguyễn"], ["M. Nguyễn", "M. Nguye\u0302\u0303n"], ["M. Nguyên"]),
        (["12 450|12450"], ["12 450 livres", "12\u202f450", "12,450.", "12450"], ["112 450", "12 4500", "450 12"]),
        (["3,5"], ["3.5 km", "3,5"], ["35", "3 et 5"]),
        (["{7|sept} {h|heures} 30|7 30"], ["à 7h30", "sept heures 30", "7:30", "7 h 30."], ["7 heures", "17h30"]),
        (["1 mai", "2019"], ["le 1er mai 2019", "en 2019, le 1 mai"], ["le 1er mai", "le 11 mai 2019"]),
        (["May 21"], ["on May 21st", "May 21"], ["21 May"]),
        (["20 %|20 pour cent"], ["20%", "20 %", "20 pour cent"], ["20"]),
        (["35 €|€ 35"], ["35€", "€35", "35 €."], ["35 $", "135 €"]),
    ],
)
def test_what_is_accepted(tmp_path: Path, wanted: list[str], right: list[str], wrong: list[str]) -> None:
    found = copied(tmp_path, *wanted)
    assert [text for text in right if not found.accepts(text)] == []
    assert [text for text in wrong if found.accepts(text)] == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("name\tI am Zoe.", "line 2: there must be a kind, a sentence and what must occur in its translation"),
        ("name\tI am Zoe.\t ", "line 2: there must be"),
        ("number\tI am 7.\t7\t", "line 2: there must be"),
        ("animal\tI am a cat.\tchat", "line 2: unknown kind 'animal'; kinds are name, pinyin, number, date"),
        ("number\tI am 7.\t7||sept", "line 2: there is nothing between the bars in '7||sept'"),
        ("number\tI am 7.\t{7|sept", "line 2: the braces do not match"),
        ("# nothing", "c.tsv has no line"),
    ],
)
def test_wrong_files_are_named(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "c.tsv").write_text(f"# languages: en-fr\n{line}\n", encoding="utf-8")
    with pytest.raises(DataError, match=message.replace("|", r"\|")):
        read_copying(tmp_path / "c.tsv")


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
def test_our_files(pair: str) -> None:
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
