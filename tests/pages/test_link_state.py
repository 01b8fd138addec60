"""Links: what each of a hundred must show, and its parameters in the address afterwards.

A link is as people copy it, `page?name=value&...`.
"""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.analysis.larger_models import LARGER
from nmtcore.limits import MAX_PIECES
from nmtcore.views.parameters import ALIGNMENT
from pages.attention.state import PLACE
from pages.beam.state import BeamState
from pages.common.alignment import PICK
from pages.common.question import Question
from pages.common.registry import PAGES, PageEntry
from pages.common.vectors import VECTORS
from pages.no_attention.length_effect import extra_clauses
from pages.no_attention.state import NoAttentionState
from pages.transformer.state import OFF
from tests.pages import helpers

OPENING = {"pair": "en-fr", "text": "She bought a beautiful red dress.", "beam": 5}
CHINESE = {"pair": "zh-en", "text": "桌子上有一本书。"}
CLAUSE = extra_clauses("en-fr")[3]
NOT_HERE = "is not here: English to French is shown."
PICTURES = {
    **dict.fromkeys(("translate", "architectures"), "alignment"),
    **dict.fromkeys(("additive", "dot"), "walkthrough"),
    "transformer": "heads",
    "beam": "beam_tree",
}
PENALTIES = {"picture.penalties": {"alpha": 0.6, "beta": 0.0}}

# The link, the contents of controls and picture, and the remarks, one per line ("": none about the link).
LINKS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("translate", OPENING, ""),
    ("translate?pair=zh-en", CHINESE, ""),
    ("translate?rounds=4&beam=2", {"beam": 2}, ""),
    ("translate?pair=en-fr&text=A dog.&beam=1", {"pair": "en-fr", "text": "A dog.", "beam": 1}, ""),
    ("translate?pair=zh-en&text=三本书。&beam=2", {"pair": "zh-en", "text": "三本书。", "beam": 2}, ""),
    ("translate?pair=fr-en", OPENING, NOT_HERE),
    ("translate?pair=saved.Nobody", OPENING, NOT_HERE),
    ("dot?pair=" + "x" * 4096, OPENING, f"{'x' * 40!r}, which {NOT_HERE}"),
    ("translate?beam=20", {**OPENING, "beam": 20}, ""),
    ("translate?beam=21", OPENING, "it goes from 1 to 20"),
    ("translate?beam=-1&pair=zh-en", {**CHINESE, "beam": 5}, "it goes from 1 to 20"),
    ("translate?text=" + "word " * 300, OPENING, "The sentence in the link is left out."),
    ("translate?pick=3.t5&pick-view=words.hide", {**OPENING, "?pick": "3.t5", "?pick-view": "words.hide"}, ""),
    ("translate?greedy=shown&pick-step=2&instead=1.0.9", {"?greedy": "shown", "?pick-step": "2", "?instead": "1.0.9"},
     ""),
    ("translate?answer=true&whatever=1&pick=0.s2", {**OPENING, "?pick": "0.s2"}, ""),
    ("translate?models=dot~transformer&split=shown&whole=shown",
     {**OPENING, "?models": "dot~transformer", "?split": "shown", "?whole": "shown"}, ""),
    ("dot?text=" + "word " * 900, OPENING, "is left out. This text has 4,499 characters; the limit is 2,000"),
    (f"beam?text={'word ' * (MAX_PIECES + 1)}", {"picture.width": 5}, f"splits the text into\nlimit is {MAX_PIECES}."),
    ("translate?models=saved.Nobody~dot", {"picture.panels.0.title": "Dot"}, "'saved.Nobody', which is not here"),
    (f"translate?models={'x' * 4096}", {"picture.panels.0.title": "No attention"}, f"{'x' * 40!r}, which is"),
    *((f"translate?instead={code}", {**OPENING, "picture.verdict": None}, "a piece that is not in this figure")
      for code in ("1.0.9999999", "7.0.3", "1.999.3")),
    ("architectures?left-model=<b>", {"picture.panels.0.title": "Additive"}, "'<b>', which is not here: Additive"),
    ("architectures?sees=99", {"?sees": "99"}, "does not have"),
    ("no_attention?pair=zh-en", CHINESE, ""),
    ("no_attention?decoder-step=6&section=length", {**OPENING, "?decoder-step": "6", "?section": "length"}, ""),
    ("no_attention?lstm=2&lstm-step=3", {"?lstm": "2", "?lstm-step": "3"}, ""),
    ("no_attention?clauses=" + CLAUSE, {"clauses": [CLAUSE]}, ""),
    ("no_attention?clauses=", {"clauses": []}, ""),
    ("no_attention?measure=repeated&beam=3", {"beam": 3, "?measure": "repeated"}, ""),
    ("no_attention?score=METEOR&vectors=s&lstm=9&decoder-step=<b>", {**OPENING, "?vectors": "s"},
     "not one of chrF, BLEU\nin neither these sentences nor the vocabulary\n"
     "The link asks for layer 9 of the LSTM, which it lacks: it was ignored.\nThe link asks for decoder-step '<b>'"),
    ("additive?decoder-step=2.4&lookup=2&tau=0.3",
     {**OPENING, "?decoder-step": "2.4", "picture.override": None, "?lookup": "2", "?tau": "0.3"}, ""),
    *((f"{page}?lookup=99&tau=5", {}, "lacks\ntau") for page in ("additive", "dot")),
    ("additive?bend=3.x5.1f2e", {"picture.override": None}, "bends the attention in a way that cannot be read"),
    ("additive?bend=3.s2.0000", {"picture.override": None, "?bend": None}, ""),
    ("additive?pair=zh-en&text=三本书。", {"pair": "zh-en", "text": "三本书。"}, ""),
    ("dot?temperature=0.5&decoder-step=2.3&lookup=2&tau=0",
     {"?temperature": "0.5", "?decoder-step": "2.3", "?lookup": "2", "?tau": "0"}, ""),
    ("dot?temperature=65", {}, "The link asks for the temperature 65;"),
    ("dot?temperature=hot&decoder-step=<b>&projection=<b>wall</b>", {},
     "the temperature hot;\nasks for decoder-step '<b>'\nprojection '<b>wall</b>', which is neither on nor beside"),
    ("positions?k=0&position=<b>&shuffle=9&order=first.2", {"shuffle": 2},
     "The link asks for k '0', which is not one of 1, 2, 3\nThe link asks for position '<b>'\n"
     "from 1 to 5, for orders A to E, or 0 for your own; it is '9'.\norder of the pieces cannot be read"),
    ("dot?general=shown&vectors=t0&word-a=a&word-b=do&word-c=cat", {"?general": "shown", "?word-c": "cat"}, ""),
    ("dot?bend=99.all.12345", {"picture.override": None}, "bends the attention in a way that cannot be read"),
    ("dot?pair=zh-en&beam=x", CHINESE, "it goes from 1 to 20"),
    ("transformer?head=cross.2.1", {"picture.heads.chosen": {"kind": "cross", "layer": 1, "head": 0}}, ""),
    ("transformer?head=decoder.mean.1", {"picture.heads.chosen": {"kind": "decoder", "layer": None, "head": 0}}, ""),
    ("transformer?head=cross.mean.mean", {"picture.heads.chosen": {"kind": "cross", "layer": None, "head": None}}, ""),
    ("transformer?head=cross.9.1", OPENING, "The link names the head cross.9.1, which this model does not have"),
    ("transformer?off=cross.1.1_encoder.2.2", {"picture.heads.off": ["cross.1.1", "encoder.2.2"]}, ""),
    ("transformer?off=cross.1.1&attention=before", {"picture.heads.run": "before", "?attention": "before"}, ""),
    ("transformer?off=cross.1.1&attention=both", {"picture.heads.run": "after"}, "asks for attention 'both'"),
    ("transformer?off=cross.1.1_nobody", {"picture.heads.off": ["cross.1.1"]}, "The link switches off nobody"),
    ("transformer?pane=compare", {"picture.heads.pane": "compare"}, ""),
    ("transformer?pane=cell&cell-by=norm", {"picture.heads.pane": "cell", "?cell-by": "norm"}, ""),
    ("transformer?pane=batch&batch-row=2", {"?batch-row": "2"}, ""),
    ("transformer?pane=cellar", {"picture.heads.pane": "grid"}, "asks for pane 'cellar'"),
    ("transformer?pane=layer&piece=t1&layer=2&parts-off=encoder.1.feedforward", {"?layer": "2"}, ""),
    ("transformer?pick=9.t1", OPENING, "The link picks a word that is not in this figure"),
    ("transformer?pick-step=999&pick-view=hide.plain", OPENING, "all steps are shown"),
    ("transformer?head=<b>&off=cross.1.1_cross.7.1&pick=0.t999&cell-by=colour",
     {"picture.heads.off": ["cross.1.1"], "picture.heads.chosen.kind": "cross"},
     "names the head <b>\nswitches off cross.7.1\npicks a word\nasks for cell-by 'colour'"),
    ("transformer?head=encoder.3.1&off=cross.mean.1&pick=7.t1&pick-step=-1&pane=../x", {"picture.heads.off": []},
     "names the head encoder.3.1\nswitches off cross.mean.1\npicks a word\nnames step -1\nasks for pane '../x'"),
    ("transformer?pane=layer&piece=t99&parts-off=encoder.3.norm_encoder.1.cross", {},
     "picks a piece that is not in these sentences\nswitches off encoder.3.norm\nswitches off encoder.1.cross"),
    ("transformer?pane=layer&piece=<b>&layer=9", {}, "picks a piece that is not in these\nasks for layer 9"),
    ("transformer?pane=batch&batch-row=4&head=cross.9.1", {}, "which has three\nhead"),
    ("transformer?pane=batch&batch-row=x", {}, "which has three"),
    ("positions", {**OPENING, "text": "The boy is behind the girl.", "shuffle": 2}, ""),
    ("positions?shuffle=4&i=3&position=5&k=7&section=waves",
     {"shuffle": 4, "?i": "3", "?position": "5", "?k": "7", "?section": "waves"}, ""),
    ("positions?shuffle=0&order=2.1&removed=both", {"?order": "2", "?removed": "both"}, ""),  # the same order
    ("beam?model=none&beam=3", {"model": "none", "picture.width": 3, "?model": "none"}, ""),
    ("beam?model=Winner", {}, "asks for the model 'Winner', which is not here"),
    ("beam?pair=zh-en&model=dot", {"pair": "zh-en", "model": "dot"}, ""),
    ("beam?alpha=1.25&beta=0.3&model=dot", {"picture.penalties": {"alpha": 1.25, "beta": 0.3}}, ""),
    ("beam?alpha=9&beta=<b>x</b>&beam=wide", {**PENALTIES, "picture.width": 5},
     "alpha must be between 0 and 5\nbeta must be a number from 0 to 5; it is '<b>x</b>'.\nbeam width 'wide'"),
    ("beam?alpha=nan&beta=1e9&search-step=-3", PENALTIES,
     "alpha must be between 0 and 5; it is nan.\nit is 1e+09.\nThe step must be a whole number"),
    ("beam?search-step=99999&alpha=-1", PENALTIES, "The link asks for step 99999, but this search has\nit is -1."),
    ("beam?whatif=on.999999&compare=9999999", {"picture.width": 5},
     "Token 999999 cannot be forced or forbidden: ids go from\nToken 9999999 cannot be forced"),
    ("beam?whatif=on.0", {"picture.width": 5}, "Token 0 cannot be forced or forbidden"),
    ("beam?whatif=not.999.20", {"picture.width": 5}, "Step 999 is beyond the length limit"),
    (f"beam?whatif=on.{'-'.join(['20'] * 150)}", {"picture.width": 5}, "is beyond the length limit"),
    ("beam?search-step=2&later=shown&dropped=all", {"?search-step": "2", "?later": "shown", "?dropped": "all"}, ""),
    ("beam?dropped=some", {}, "not none, step or all"),
    ("beam?whatif=not.1.20~on.x", {"picture.whatifs.0.code": "not.1.20"}, "a what-if that cannot be read, 'on.x'"),
    ("beam?compare=-", {}, "compares with a candidate that cannot be read"),
    ("beam?truth=le petit chat", {"truth": "le petit chat", "?truth": "le petit chat"}, ""),
    ("beam?widths=shown&beam=2", {"beam": 2, "?widths": "shown"}, ""),
    ("beam?model=dot&vectors=t.20", {"model": "dot", "?vectors": "t.20"}, ""),
    ("finetune?learn=copy", {"learn": "copy", "?learn": "copy"}, ""),
    ("finetune?learn=sort&from=scratch-dot", {"learn": "sort", "from": "scratch-dot"}, ""),
    ("finetune?from=gone", {"from": "scratch-additive"}, "'gone', which is not here: From scratch: Additive"),
    ("finetune?learn=teach&word=blick&french=blique", {"learn": "teach", "word": "blick", "french": "blique"}, ""),
    ("finetune?learn=flying&from=scratch-none", {"learn": "reverse", "from": "scratch-none"}, "for learn 'flying'"),
    ("finetune?run=ffffffffffff&section=compare", {"learn": "reverse"}, "There is no such run"),
    ("finetune?run=ffffffffffff&film-step=3&other-runs=eeeeeeeeeeee", {"learn": "reverse"}, "There is no such run"),
    ("finetune?experiment=warm-up", {"?experiment": "warm-up"}, ""),
    ("architectures?larger=shown&left-model=dot&right-model=none&section=length",
     {"?larger": "shown", "?right-model": "none", "?section": "length"}, ""),
    ("architectures?rounds=10&sees=2&non-autoregressive=mask-predict", {"?rounds": "10"}, ""),  # no such model
    ("architectures?pick=1.t0&pick-view=words.hide&pick-step=2", {"?pick": "1.t0", "?pick-step": "2"}, ""),
    ("corpus?first=dot&second=none&sort=difference&word=a", {"first": "dot", "second": "none", "?word": "a"}, ""),
    ("corpus?second=no-such&sort=difference", {"second": "", "first": "transformer"}, "the model 'no-such', which is"),
    ("corpus?shortest=3&longest=12", {"?shortest": "3", "?longest": "12"}, ""),
    ("corpus?sort=beauty&shortest=-1&pairs=all", {"first": "transformer"},
     "impossible number of words\nthe sets of sentences"),
    ("corpus?pairs=own", {"?pairs": "own"}, ""),
    ("architectures?sort=bleu&against=dot", {"?section": None}, ""),
    *((f"{page.name}?projection=on&pin=dot%3Fdecoder-step%3D2.3&picture=x&tour=3",
       {"?pin": "dot?decoder-step=2.3", "?tour": "3"}, "") for page in PAGES),
    *((f"{page}?vectors=s1&word-a=queen&word-b=woman&word-c=man", {"?vectors": "s1", "?word-b": "woman"}, "")
      for page in ("no_attention", "additive", "dot", "transformer", "beam")),
)  # fmt: skip


def opened(link: str) -> tuple[str, AppTest]:
    page, __, query = link.partition("?")
    at = helpers.opened(page, **dict(parse_qsl(query, keep_blank_values=True)))
    helpers.said(at)  # nothing like an error
    return page, at


def all_said(at: AppTest) -> str:
    return "\n".join(element.value for element in at.text)


def found(page: str, at: AppTest, name: str) -> Any:
    """The value of a control, a parameter in the address (`?name`), or a part of the picture's data."""
    if name.startswith("?"):
        value = at.query_params.get(name[1:])
        return value[-1] if isinstance(value, list) else value
    if name.startswith("picture."):
        data: Any = helpers.component_data(at, PICTURES[page])
        for part in name.split(".")[1:]:
            data = data[int(part) if part.isdecimal() else part]
        return data
    kinds = {"beam": at.slider, "clauses": at.pills, "score": at.segmented_control, "shuffle": at.segmented_control}
    kinds |= dict.fromkeys(("text", "truth", "word", "french"), at.text_input)
    return kinds.get(name, at.selectbox)(key=name).value


@pytest.mark.parametrize(("link", "expected", "said"), LINKS, ids=[link[:60] for link, __, __ in LINKS])
def test_a_link_shows_what_it_asks_for(
    model_directory: Path, monkeypatch: pytest.MonkeyPatch, link: str, expected: dict[str, Any], said: str
) -> None:
    monkeypatch.setattr("pages.architectures.cost_table.LARGER", LARGER[:1])  # counting all takes seconds
    page, at = opened(link)
    assert {name: found(page, at, name) for name in expected} == expected
    texts = all_said(at)
    assert all(sentence in texts for sentence in said.split("\n")), texts
    assert said or "link" not in texts


def test_what_is_said_of_a_link_outlives_a_run_and_goes_with_the_next_act(model_directory: Path) -> None:
    __, at = opened(f"translate?pair=no such&text={'word ' * 900}")
    for _run in range(2):  # the page runs until all models have answered
        assert "which is not here" in all_said(at) and "is left out" in all_said(at)
        assert 0 < len(at.text_input(key="text").value) < 100
        at.run()
    at.text_input(key="text").set_value("A dog.").run()
    assert "which is not here" not in all_said(at) and "left out" not in all_said(at)


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.name)
def test_a_link_of_kilobytes_breaks_no_page(model_directory: Path, entry: PageEntry) -> None:
    names = [*(parameter.name for parameter in entry.state.parameters().values()), "unknown"]
    helpers.said(helpers.opened(entry.name, **dict.fromkeys(names, "z9." * 1365)))


def test_the_links_try_every_parameter_of_every_page() -> None:
    asked: dict[str, set[str]] = {entry.name: set() for entry in PAGES}
    for link, __, __ in LINKS:
        page, __, query = link.partition("?")
        asked[page] |= {name for name, __ in parse_qsl(query, keep_blank_values=True)}
    shared = {parameter.name for parameter in Question.parameters().values()}
    for entry in PAGES:
        assert {parameter.name for parameter in entry.state.parameters().values()} - shared <= asked[entry.name], (
            entry.name
        )


def test_what_is_picked_stands_in_the_address_by_its_code(model_directory: Path) -> None:
    __, at = opened("beam?pair=zh-en&model=dot&beam=3")
    assert (found("beam", at, "?pair"), found("beam", at, "?beam"), found("beam", at, "model")) == ("zh-en", "3", "dot")
    at.selectbox(key="model").set_value("none").run()
    assert found("beam", at, "?model") == "none"
    at.selectbox(key="pair").set_value("en-fr").run()
    assert found("beam", at, "?pair") is None, "what stands at its default is left out"
    assert found("beam", at, "beam") == 3


@pytest.mark.parametrize(
    ("parameter", "good", "bad"),
    [
        (Question.parameters()["beam"], {"1": 1, "020": 20}, ["0", "21", "", "1.0", "٣", "9" * 4000]),
        (BeamState.parameters()["alpha"], {"0": 0.0, "5": 5.0, "1.25": 1.25}, ["-0.1", "5.01", "nan", "x", "1" * 50]),
        (PICK, {"1.t4": "1.t4", "0.t1s22": "0.t1s22", "12.s3": "12.s3", "1.t4w": "1.t4w"}, ["1.", "1.s2w", "1.t4 "]),
        (VECTORS, {"s0": "s0", "t.4711": "t.4711"}, ["t", "t.", "s1.2", "t1234", "x1", "t.12345678"]),
        (PLACE, {"3": "3", "3.6": "3.6"}, ["3.7", "3.", ".1", "-1", "3.2\n"]),
        (OFF, {"cross.1.2_encoder.mean.1": ("cross.1.2", "encoder.mean.1"), "": ()}, ["_", "cross.1.2_"]),
        (ALIGNMENT["view"], {"words.hide.top50": ("words", "hide", "top50")}, ["wordy", "top1000"]),
        (NoAttentionState.parameters()["measure"], {"kept": "kept", "repeated": "repeated"}, ["", "KEPT"]),
    ],
    ids=lambda value: getattr(value, "name", ""),
)  # fmt: skip
def test_values_are_read_or_refused_and_written_back(parameter: Any, good: dict[str, Any], bad: list[str]) -> None:
    for text, value in good.items():
        assert parameter.parse(text) == value
        assert parameter.parse(parameter.text(value)) == value
    assert [text for text in bad if parameter.parse(text) is not None] == []
