"""Corpus: a file is translated by another process, listed worst first, filtered; corrections become pairs."""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.analysis.sentence_scores import SentenceRow, SentenceScore
from nmtcore.errors import BusyError, DataError
from nmtcore.limits import FILE_MEGABYTES
from nmtcore.training.corpus import Pair, SplitConfig, split_pairs
from pages.common.form import PASTED_PAIRS
from pages.common.pairs_file import GivenFile, read_content
from pages.corpus import job, pairs, table
from pages.corpus.job import Job, Order
from pages.corpus.pairs import FILE
from pages.corpus.state import CorpusState
from tests.helpers import PATIENCE
from tests.pages.helpers import opened, page_at, said
from tests.runs.helpers import until

PAIRS = [Pair("the small cat", "le petit chat"), Pair("a red house .", "une maison rouge ."), Pair("a", "un")]


@pytest.fixture(autouse=True)
def no_jobs(model_directory: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(job, "_jobs", type(job._jobs)())
    yield
    for one in job._jobs.values():
        one.forget()


def started(pairs: Sequence[Pair], *folders: Path, beam: int = 1) -> Job:
    order = Order(tuple(map(str, folders)), tuple(pairs), beam)
    job.start(order)
    one = job.known(order)
    assert one is not None
    return one


def test_another_process_translates_and_its_rows_are_read_as_they_come(model_directory: Path) -> None:
    one = started(PAIRS, *(model_directory / "en-fr" / name for name in ("dot", "none")), beam=2)
    one.process.wait(PATIENCE)
    assert not one.problem
    rows = one.rows()
    assert sorted(row.source for row in rows) == sorted(pair.source for pair in PAIRS)
    assert [list(row.scores) for row in rows] == [["en-fr/dot", "en-fr/none"]] * 3
    with open(one.out, "ab") as file:
        file.write(b'{"half')
    assert one.rows() == rows


def test_why_a_process_ended_is_said_in_its_own_sentence(tmp_path: Path) -> None:
    one = started(PAIRS, tmp_path / "no-model")
    one.process.wait(PATIENCE)
    assert "no-model" in one.problem and not one.rows()


def test_few_files_are_translated_at_a_time_and_old_ones_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "COMMAND", (sys.executable, "-c", "import time; time.sleep(600)"))
    jobs = [started(PAIRS, beam=beam) for beam in range(job.AT_ONCE)]
    with pytest.raises(BusyError):
        started(PAIRS, beam=10)
    for beam in range(10, 10 + job.KEPT):
        for one in jobs:
            one.stop()
        jobs.append(started(PAIRS, beam=beam))
    assert job.known(Order((), tuple(PAIRS), 0)) is None and not Path(jobs[0].folder.name).exists()
    assert len(job._jobs) == job.KEPT


def done(rows: list[SentenceRow], total: int, going_on: bool = False) -> Any:
    """A job that has written these rows in 40 seconds."""
    began = time.monotonic() - 40
    return SimpleNamespace(
        going_on=going_on,
        problem="",
        total=total,
        began=began,
        rows=lambda: rows,
        share=lambda _: 0.25,
        stop=None,
    )


def row(number: int, source: str, *chrf: float) -> SentenceRow:
    scores = {
        name: SentenceScore(f"{source} fr", value, 0.5, 0.1, 0.0, 0.9) for name, value in zip("ab", chrf, strict=False)
    }
    return SentenceRow(number, source, "oui", len(source.split()), scores)


@pytest.fixture
def two_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [row(1, "the small cat", 60.0, 10.0), row(2, "a red house here", 20.0, 90.0)]
    monkeypatch.setattr(job, "known", lambda order: done(rows, 2))


def sources(at: AppTest) -> list[str]:
    assert not at.exception, at.exception
    (frame,) = at.get("arrow_data_frame") or at.dataframe
    return list(frame.value["source"])


def test_progress_says_how_long_it_will_take_and_a_stop_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    translation = done([row(1, "the small cat", 60.0)], 3, going_on=True)
    monkeypatch.setattr(job, "known", lambda order: translation)
    at = opened("corpus")
    assert [bar.proto.text for bar in at.get("progress")] == ["1 of 3 sentences · about 2 min left"]
    translation.going_on = False
    at = opened("corpus")
    assert "Stopped: 1 of 3 sentences are translated, the shorter ones." in said(at)
    assert sources(at) == ["the small cat"]


def test_the_page_opens_with_an_example_that_one_click_translates(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Order] = []
    monkeypatch.setattr(job, "start", asked.append)
    at = opened("corpus")
    (button,) = [button for button in at.button if button.proto.type == "primary"]
    assert button.label == "Open an example" and not button.disabled
    shown = at.dataframe[0].value
    assert len(set(shown["source"])) == len(shown) == 24 and all(shown["reference"])
    button.click().run()
    (order,) = asked
    assert [Path(folder).name for folder in order.folders] == ["transformer"] and len(order.pairs) == 24


def test_more_sentences_are_chosen_and_a_file_goes_before_them() -> None:
    at = page_at("corpus", pairs="own")
    assert at.run().button(key="start corpus").label == "Translate 200 sentences"
    at.session_state[FILE] = GivenFile("mine.tsv", b"a cat\tun chat\na dog\tun chien\n")
    assert at.run().button(key="start corpus").label == "Translate 2 sentences"
    at.session_state[FILE] = GivenFile("mine.tsv", b"no tab\n")
    assert any("no usable row" in note for note in said(at.run())) and at.button(key="start corpus").disabled


def test_the_test_split_of_a_model_is_opened_where_its_file_is(
    own_model_directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairs, "writable_folder", lambda: tmp_path)
    rows = [Pair(f"cat {i}", f"chat {i}") for i in range(60)]
    config = own_model_directory / "en-fr" / "transformer" / "config.json"
    content = json.loads(config.read_text())
    split = SplitConfig(validation=3, test=4)
    content["meta"] |= {"data": {"file": "mine.tsv", "pairs": 60}, "split": asdict(split)}
    config.write_text(json.dumps(content))
    at = opened("corpus", pairs="test")
    assert any("comes from mine.tsv, which is not included" in note for note in said(at))
    assert at.button(key="start corpus").disabled
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "mine.tsv"
    file.write_text("".join(f"{pair.source}\t{pair.target}\n" for pair in rows))
    shown = at.run().dataframe[0].value
    assert list(map(tuple, shown.to_numpy())) == split_pairs(rows, split).test and len(shown) == 4
    file.write_text("a cat\tun chat\n")
    assert any("was trained on 60 pairs; mine.tsv has 1" in note for note in said(at.run()))


@pytest.mark.parametrize("name", ["", "../mine.tsv", "/etc/passwd"])
def test_what_a_model_says_of_its_data_is_never_a_path(own_model_directory: Path, name: str) -> None:
    config = own_model_directory / "en-fr" / "dot" / "config.json"
    content = json.loads(config.read_text())
    content["meta"] |= {"data": {"file": name}}
    config.write_text(json.dumps(content))
    with pytest.raises(DataError, match="does not record which file"):
        pairs.held_out_pairs("en-fr/dot")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, ["a red house here", "the small cat"]),
        ({"second": "dot", "sort": "difference"}, ["a red house here", "the small cat"]),
        ({"sort": "length"}, ["a red house here", "the small cat"]),
        ({"word": "CAT"}, ["the small cat"]),
        ({"shortest": "4"}, ["a red house here"]),
        ({"longest": "3"}, ["the small cat"]),
    ],
)
def test_worst_first_and_filtered(two_rows: None, query: dict[str, str], expected: list[str]) -> None:
    rows = {"second": "dot"} | query
    assert sources(opened("corpus", **rows)) == expected


def test_a_file_that_the_box_would_not_take_is_refused() -> None:
    """The server accepts larger files, for models, and a browser may send anything to this box."""
    with pytest.raises(DataError, match="more than 5 MB"):
        read_content(b"a\tb\n" * (FILE_MEGABYTES * 250_000 + 1))


def test_a_row_opens_on_translate_with_both_models() -> None:
    state = CorpusState.parse({"pair": "en-fr", "first": "dot", "second": "none"}).changed(beam=3)
    address = table.translate_address(state, "a & b")
    assert address.startswith("./?") and "text=a+%26+b" in address and "models=dot~none" in address.replace("%7E", "~")


def test_corrections_become_pairs_for_fine_tune(two_rows: None, monkeypatch: pytest.MonkeyPatch) -> None:
    opens: list[dict[str, str]] = []
    monkeypatch.setattr(table.st, "switch_page", lambda page, query_params: opens.append(query_params))
    at = page_at("corpus", second="dot")
    at.session_state[table.CORRECTIONS] = {"the small cat": "le petit chat"}
    at.run()
    assert not at.exception
    at.button(key="to fine-tune").click()
    at.run()
    assert at.session_state[PASTED_PAIRS] == "the small cat\tle petit chat\n"
    assert opens == [{"learn": "pairs", "from": "model-en-fr-transformer"}]
    assert opened("finetune", **opens[0]).selectbox(key="from").value == "model-en-fr-transformer"


def test_what_is_typed_into_the_table_is_kept_by_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    session: dict[str, Any] = {
        "corpus shown": ["one", "two"],
        "corpus table": {"edited_rows": {"1": {"correction": " deux "}, "0": {"correction": ""}}},
        table.CORRECTIONS: {"one": "un", "three": "trois"},
    }
    monkeypatch.setattr(table, "held", lambda key, default=None: session.get(key, default))
    monkeypatch.setattr(table, "hold", session.__setitem__)
    table._keep_corrections("correction")
    assert session[table.CORRECTIONS] == {"two": "deux", "three": "trois"}


def test_stopping_keeps_what_there_is(model_directory: Path) -> None:
    one = started([Pair(f"the cat {i}", "le chat") for i in range(1500)], model_directory / "en-fr" / "dot")
    until(lambda: one.rows() or not one.going_on)
    one.stop()
    assert not one.going_on and not one.problem
    assert len(one.rows()) > 0
    assert 0 < one.share(one.rows()) < 1
