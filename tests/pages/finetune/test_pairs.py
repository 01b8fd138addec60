"""Fine-tune with people's own pairs: what is read, checked and trained."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.errors import DataError
from nmtcore.runs import run_folder
from nmtcore.runs.preparation import FEWEST, prepare_run, set_aside
from nmtcore.training.corpus import Pair
from pages.finetune.pairs import FILE, check
from pages.finetune.wording import PAIRS
from tests.pages.finetune.helpers import said


def own_pairs(page: AppTest, *rows: str, start: str = "scratch-dot") -> AppTest:
    """The page with pasted rows."""
    page.query_params["learn"], page.query_params["from"] = PAIRS, start
    page.run()
    return page.text_area(key="pasted").set_value("\n".join(rows)).run()


def test_pasted_pairs_are_checked_and_trained(page: AppTest, root: Path) -> None:
    rows = [f"the cat number {i}\tle chat numéro {i}" for i in range(40)]
    own_pairs(page, *rows, "no tab here", rows[0])
    assert "40 pairs can be used" in said(page)
    table = page.dataframe[0].value
    assert table["line"].tolist() == [41, 42]
    page.button(key="start").click().run()
    (run,) = run_folder.runs(root)
    assert len(run.pairs()) == 40 and not run.config().exercise


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (["a cat\tun chat", "no tab here"], "1 pair can be used. That is too few"),
        ([f"cat number {i}\tchat numéro {i}" for i in range(FEWEST - 1)], "19 pairs can be used. That is too few"),
        ([f"cat number {i}\tchat" for i in range(40)], "40 pairs can be used. That is too few"),
    ],
)
def test_too_few_pairs_are_not_started(page: AppTest, rows: list[str], sentence: str) -> None:
    at = own_pairs(page, *rows)
    assert sentence in said(at) and "give at least 20 pairs that have no sentence in common" in said(at)
    if len(rows) == 2:
        assert "1 row is left out (no tab between two sentences: 1)" in [expander.label for expander in at.expander]
    assert at.button(key="start").disabled


def test_the_fewest_pairs_are_enough_for_the_page_and_for_the_run(page: AppTest, root: Path) -> None:
    at = own_pairs(page, *(f"cat number {i}\tchat numéro {i}" for i in range(FEWEST)))
    assert "20 pairs can be used, 2 of them only for evaluation." in said(at)
    at.button(key="start").click().run()
    (run,) = run_folder.runs(root)
    prepared, _ = prepare_run(run.config(), [Pair(*pair) for pair in run.pairs()], run.folder / "start")
    assert len(prepared.unseen) == 2


def test_a_kept_file_goes_before_pasted_rows_and_can_be_left_out(page: AppTest) -> None:
    """As after a visit to another page, when the uploader forgets its file."""
    rows = [
        [f"the {kind} number {i}\tle {kind} numéro {i}" for i in range(count)] for kind, count in (("a", 30), ("b", 40))
    ]
    page.session_state[FILE] = ("mine.tsv", "\n".join(rows[0]).encode())
    own_pairs(page, *rows[1])
    assert "30 pairs can be used" in said(page) and "the pasted ones are not" in said(page)
    page.button(key="forget file").click().run()
    assert "40 pairs can be used" in said(page) and "pasted ones" not in said(page)
    assert "forget file" not in [button.key for button in page.button]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "It is empty"),
        (b" \n\n", "It is empty"),
        (b"one column\nanother\n", "no usable row"),
        ("a\tb\n".encode("utf-16"), "UTF-16"),
        ("a b c\td e f\n".encode("utf-16-le") * 20, "has NUL bytes, which no text file has"),
        (b"\x1f\x8b" + bytes(range(256)), "compressed"),
        (b"PK\x03\x04" + b"x" * 100, "compressed"),
        (bytes(range(256)) * 9, "has NUL bytes, which no text file has"),
        (b"a\tb\n" * 1_300_000, "5 MB"),
        (b"a\tb\n" * 100_002, "100,000 rows"),
        (("x" * 5000 + "\ty\n").encode(), "more than 1000 characters"),
        (("\ufdfa" * 800 + "\ty\n").encode(), "more than 1000 characters"),  # as a vocabulary reads them
        ("é\té\n".encode("latin-1") * 9, "UTF-8"),
    ],
)
def test_what_is_no_table_of_pairs_is_said(content: bytes, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence) as caught:
        check(content)
    assert "/tmp" not in str(caught.value)


def test_traditional_sources_are_read_as_simplified_ones() -> None:
    rows = "\n".join(["學生\tstudent", "学生\tstudent", "桌子\ttable"])
    found = check(rows.encode(), "zh", "en")
    assert found.pairs == (("学生", "student"), ("桌子", "table"))
    assert any("simplified" in note for note in found.notes)
    assert ("學生", "student") in check(rows.encode()).pairs, "of a language that nobody named"


def test_swapped_columns_and_untranslated_rows_are_noticed() -> None:
    rows = "".join(f"sentence {i}\t句子{i}\n" for i in range(30)).encode()
    assert any("swapped" in note for note in check(rows, "zh", "en").notes)
    assert check(rows, "en", "zh").notes == ()
    assert check(rows).notes == ()
    assert check(b"cat\tcat\ndog\tchien\n").notes == ("1 row has the same sentence on both sides.",)


def test_rows_of_too_many_pieces_are_left_out_for_a_model_that_goes_on(page: AppTest) -> None:
    long = [f"{'cat ' * 240} {i}\tchat {i}" for i in range(3)]
    rows = [*long, *(f"the cat number {i}\tle chat numéro {i}" for i in range(40))]
    at = own_pairs(page, *rows, start="model-en-fr-dot")
    assert "3 rows are left out" in said(at) and "more than 500 pieces" in said(at)
    at = page.text_area(key="pasted").set_value("\n".join(long * 10)).run()
    assert at.button(key="start").disabled


def test_how_pairs_were_read_is_said_and_too_few_of_them_are_shown(page: AppTest) -> None:
    at = own_pairs(page, "a cat\tun <b>chat\tCC-BY", "", "two dogs\tdeux chiens", "a cat\tun <b>chat\tagain", "no tab")
    assert "5 rows were read as UTF-8" in said(at) and "Anything after a second tab is ignored." in said(at)
    cells = [
        re.findall("<td[^>]*>(.*?)</td>", row) for row in re.findall("<tr>(.*?)</tr>", at.get("html")[-1].proto.body)
    ]
    assert [row for row in cells if row] == [["a cat", "un &lt;b&gt;chat"], ["two dogs", "deux chiens"]]
    (label,) = [expander.label for expander in at.expander if "left out" in expander.label]
    assert "3 rows are left out" in label
    for reason in ("no tab between two sentences: 1", "an empty side: 1", "given earlier: 1"):
        assert reason in label


def test_a_few_answers_for_many_sources_can_be_trained(page: AppTest) -> None:
    at = own_pairs(page, *(f"{i} plus {i // 2}\t{'odd' if (i + i // 2) % 2 else 'even'}" for i in range(60)))
    assert "60 pairs can be used, 6 of them only for evaluation." in said(at)
    assert not at.button(key="start").disabled


def test_what_a_vocabulary_of_the_pairs_will_lack_is_said(page: AppTest) -> None:
    rows = [f"the cat number {i}\tle chat {i}" for i in range(40)]
    assert "No piece is unknown: the vocabulary is learned from these pairs." in said(own_pairs(page, *rows))
    checked = check("\n".join(rows).encode())
    aside = set_aside(list(checked.pairs))[1][0]
    odd = [row.replace("\tle", "\tŵ le") if row.startswith(f"{aside.source}\t") else row for row in rows]
    assert check("\n".join(odd).encode()).unknown == ("ŵ",)
    at = page.text_area(key="pasted").set_value("\n".join(odd)).run()
    assert "1 character of those held out is unknown to it: ŵ" in said(at)
