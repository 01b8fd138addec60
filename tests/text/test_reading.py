"""Reading aids of a Mandarin sentence: pinyin of its pieces, words as a segmenter has them, short English meanings."""

import gzip
from pathlib import Path

import pytest

from nmtcore.text import glosses
from nmtcore.text.reading import gloss, read_words
from nmtcore.text.segmentation import segment, word_ends


def test_words_have_the_pinyin_of_each_piece_and_one_meaning() -> None:
    pieces = ["▁", "桌", "子", "上", "有", "一", "本", "书", "。"]
    found = [(word.pieces, word.pinyin, word.gloss) for word in read_words(pieces)]
    assert found[0] == (("桌", "子"), ("zhuō", "zi"), "table")
    assert found[-2:] == [(("书",), ("shū",), "book"), (("。",), ("",), "")]
    assert "".join(piece for texts, __, __ in found for piece in texts) == "桌子上有一本书。"


def test_a_character_is_read_as_in_its_word() -> None:
    """行 is háng in a bank and xíng in the sense of walking; a piece of several words has a blank between them."""
    assert [word.pinyin for word in read_words(["▁银行", "很", "大"])][0] == ("yínháng",)
    assert read_words(["▁我不知道"])[0].pinyin == ("wǒ bù zhīdào",)
    assert read_words(["▁步", "行"])[0].pinyin == ("bù", "xíng")


@pytest.mark.parametrize(
    ("piece", "pinyin"),
    [("哥哥", "gēge"), ("漂亮", "piàoliang"), ("衣服", "yīfu"), ("大夫", "dàifu"), ("教", "jiāo"), ("教室", "jiàoshì")],
)
def test_neutral_tones_are_written_as_people_say_them(piece: str, pinyin: str) -> None:
    assert read_words([f"▁{piece}"])[0].pinyin == (pinyin,)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("我不知道", "I + not + know"),
        ("不想", "not + want"),
        ("去过", "go + (ever)"),
        ("三本", "three + (measure)"),  # one word for the segmenter
        ("昨天下午", "yesterday + afternoon"),
        ("abc", ""),
        ("魑魅", ""),
        ("", ""),
    ],
)
def test_what_a_word_or_several_mean(text: str, meaning: str) -> None:
    assert gloss(text) == meaning


def test_words_of_a_text_are_all_of_it() -> None:
    text = "我知道他住在哪里，但是30号abc。"
    assert "".join(segment(text)) == text
    assert max(word_ends(text)) == len(text) and "哪里" in segment(text)
    assert read_words(["▁a", "b", "⋯", "<unk>", "你"])[-1].pinyin == ("nǐ",)


def test_the_glosses_are_made_of_a_word_list(tmp_path: Path) -> None:
    rows = [
        "书\tn\tabbr. for 书经\n",
        "呵护\tv\tto bless (sb); to cherish / to take care\n",
        "甲\tn\tvariant of 乙 / a shell that is much too long to say / armour\n",
        "乙\tn\tused in 乙肝\n",
    ]
    words, out = tmp_path / "words.tsv.gz", tmp_path / "out.tsv"
    words.write_bytes(gzip.compress("".join(rows).encode()))
    assert glosses.main(["--words", str(words), "--out", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    made = dict(line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    assert (made["呵护"], made["甲"], made["书"]) == ("bless", "armour", "book")
    assert "乙" not in made and made["老师"] == "teacher", "of our own glosses"
    assert "CC BY-SA 4.0" in text and "CC-CEDICT" in text
    assert glosses.main(["--words", str(tmp_path / "none"), "--out", str(out)]) == 2


def test_the_glosses_that_ship_are_short_and_small() -> None:
    assert glosses.FILE.stat().st_size < 400_000
    assert len(glosses.load_glosses()) > 10_000
    assert max(map(len, glosses.load_glosses().values())) <= glosses.LONGEST
