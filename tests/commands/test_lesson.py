"""Links as pictures and lessons as pages: a link's picture is drawn, and nothing is written for a broken one."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from nmtcore.errors import DataError, SettingError
from nmtcore.views.lesson.build import build
from nmtcore.views.linked import DRAWN, linked_picture
from pages.common.registry import PAGES
from tests.helpers import Run, refused

TEXT = "the+small+cat+sees+a+dog+."
DATA = re.compile(r'<figure data-view="(\w+)">.*?<script type="application/json">(.*?)</script>', re.DOTALL)
PICK = {"panel": 1, "target": 2, "word": None, "source": None}


@pytest.fixture(autouse=True)
def small_models(short_translations: None, model_folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALIGNMENT_LAB_PRETRAINED", str(model_folders))


@pytest.mark.parametrize(
    ("link", "view", "opens"),
    [
        ("http://a.b/?text={}&tour=2&pick=1.t2", "alignment", {"pick": PICK}),
        ("translate?text={}&models=dot%7Enone&pick-view=words.top30", "alignment", {"view": ["words", "top30"]}),
        ("https://a.b/c/index.html?text={}", "alignment", {"pick": None, "view": [], "step": None}),
        ("no_attention?text={}&decoder-step=2", "context_vector", {"step": 2}),
        ("additive?text={}&decoder-step=3.2&beam=2", "walkthrough", {"place": {"word": 3, "part": 2}}),
        ("dot?text={}&pair=en-fr", "walkthrough", {"place": None}),
        ("transformer?text={}&head=encoder.1.mean", "heads", {"head": {"kind": "encoder", "layer": 1, "head": "mean"}}),
        ("transformer?text={}&pane=cell&pick=0.t1s1&cell-by=norm", "heads", {"pane": "cell", "by": "norm"}),
        ("transformer?text={}&pane=layer&piece=s2", "residual_stream", {"piece": {"side": "s", "position": 2}}),
        ("transformer?text={}&pane=batch&batch-row=2", "masks", {"row": 2, "head": None}),
        ("positions?text={}&i=3&k=4", "rotation", {"i": 3, "position": None, "k": 4}),
        ("beam?text={}&alpha=1.5&dropped=all", "beam_tree", {"alpha": 1.5, "dropped": "all", "step": None}),
    ],
)  # fmt: skip
def test_a_link_becomes_the_picture_that_it_asks_for(link: str, view: str, opens: dict[str, Any]) -> None:
    drawn = linked_picture(link.format(TEXT))
    assert drawn.view == view
    assert drawn.data["opens_with"].items() >= opens.items()
    assert drawn.data.get("sentence", TEXT.replace("+", " ")) in (TEXT.replace("+", " "), drawn.data.get("mark"))


@pytest.mark.parametrize("link", ["positions?text=a", "transformer?text=a&pane=cell", "translate?text=a+dog"])
def test_a_live_picture_needs_one_model_that_a_browser_runs(tmp_path: Path, link: str) -> None:
    (tmp_path / "lesson.toml").write_text(
        f"""title = "a"
[[section]]
title = "b"
text = '![c]({link} "live")'
""",
        encoding="utf-8",
    )
    with pytest.raises(DataError, match="live"):
        build(tmp_path / "lesson.toml", tmp_path / "lesson.html")
    assert not (tmp_path / "lesson.html").exists()


def test_a_link_names_its_models_and_its_beam() -> None:
    pair = linked_picture(f"translate?text={TEXT}&models=dot%7Enone").data["panels"]
    assert [panel["title"] for panel in pair] == ["No attention", "Dot"], "in the order of the page"
    tree = linked_picture(f"beam?text={TEXT}&model=dot&beam=3").data
    assert tree["model"] == "Dot" and tree["name"] == "beam 3"
    cell = linked_picture(f"transformer?text={TEXT}&head=cross.2.1&pick=0.t1s1").data["heads"]
    assert cell["chosen"] == {"kind": "cross", "layer": 1, "head": 0} and cell["vectors"]["name"] == "cross.2.1"
    opening = linked_picture("zh-en/positions?pair=zh-en")
    assert opening.data["tokens"][-1] == "<eos>" and len(opening.data["tokens"]) > 2


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("heads?text=a", "no page 'heads' with a picture. There are: translate, no_attention, "),
        ("dot?pair=en-de", "no models of the pair 'en-de'. There are: en-fr, zh-en"),
        ("translate?models=dot%7Ebest", "no model 'best' of en-fr. There are: none, additive, "),
        ("beam?model=best", "There is no model folder en-fr/best. Models that are here: en-fr/additive"),
        ("dot?text=a+dog&beam=0", "beam goes from 1 to 20"),
        ("dot?text=", "nothing to translate"),
        ("dot?text=a+dog&decoder-step=999.2", "decoder-step=999, but the translation has"),
        ("dot?text=a+dog&decoder-step=two", "decoder-step cannot be 'two'"),
        ("dot?text=a+dog&bend=1.all.0000", "cannot show bend='1.all.0000' in a file. It can have: decoder-step."),
        ("transformer?text=a+dog&head=cross.9.1", "has no head 'cross.9.1'"),
        ("transformer?text=a+dog&off=cross.1.1", "cannot show off='cross.1.1'"),
        ("transformer?text=a+dog&pane=compare", "pane cannot be 'compare'"),
        ("transformer?text=a+dog&pane=layer&piece=s99", "There is no piece 's99'"),
        ("translate?text=a+dog&pick=0.t99", "pick=0.t99 names a piece that is not in this picture"),
        ("positions?text=a+dog&k=0", "k cannot be '0'"),
    ],
)
def test_a_broken_link_is_a_sentence_with_the_link(link: str, reason: str) -> None:
    with pytest.raises(SettingError) as caught:
        linked_picture(link)
    assert repr(link) in str(caught.value) and reason in str(caught.value)


def lesson(path: Path, text: str = "![A picture](dot?text=a+dog)", extra: str = "") -> Path:
    path.write_text(f"title = 'L'\n[[section]]\ntitle = 'S'\ntext = '''\n{text}\n'''\n{extra}", encoding="utf-8")
    return path


def test_a_lesson_is_one_page_with_its_records(run: Run, tmp_path: Path) -> None:
    text = (
        "# Head\n\na <b>tag</b> & **strong**, [a link](https://x.org), [a bad one](javascript:alert(1))\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n![The *dog*](dot?text=a+dog+%3C/script%3E+%3C!--)\n\n"
        "![Again](dot?text=the+cat)\n\n![Panels](translate?text=a+dog)"
    )
    extra = "[[section.question]]\nask = 'Why?'\nanswer = 'Because *it* is.'\n"
    out = tmp_path / "page.html"
    code, said, _ = run("lesson", lesson(tmp_path / "l.toml", text, extra), "--out", out)
    page = out.read_text(encoding="utf-8")
    assert code == 0 and str(out) in said
    drawn = DATA.findall(page)
    assert [view for view, _ in drawn] == ["walkthrough", "walkthrough", "alignment"]
    assert json.loads(drawn[0][1])["title"].endswith("a dog </script> <!--") and "<" not in drawn[0][1]
    assert page.count("</script>") == page.count("<script") == 3 + 1 + 2, "records, the host, a script a view"
    assert "&lt;b&gt;tag&lt;/b&gt;" in page and "<table>" in page and 'href="javascript' not in page
    assert "<figcaption>The <em>dog</em></figcaption>" in page and "<p><figure" not in page
    assert re.search(r"<summary>Answer</summary>\s*<p>Because <em>it</em> is.</p>", page)
    assert not re.findall(r'(?:src|href)="(?!#|data:,|https://x\.org)[^"]*"|@import', page), "nothing is fetched"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("title = ", "it is not TOML"),
        (b"\xff", "it is not in UTF-8"),
        ("title = 'L'", "the lesson has no section"),
        ("title = 'L'\nsection = []", "has no [[section]]"),
        ("title = 'L'\nlanguage = '<b>'\n[[section]]\ntitle = 'S'\ntext = ''", "language must be a code"),
        ("title = 3\n[[section]]\ntitle = 'S'\ntext = ''", "title of the lesson must be a text"),
        ("title = 'L'\n[[section]]\ntitle = 'S'\ntext = ''\nminute = 3", "section 1 has 'minute', which is not one of"),
        ("title = 'L'\n[[section]]\ntitle = 'S'\ntext = ''\nminutes = true", "minutes of section 1 must be a whole"),
        ("title = 'L'\nsection = ['S']", "section 1 must be a table"),
        (
            "title = 'L'\n[[section]]\ntitle = 'S'\ntext = ''\n[[section.question]]\nask = 'Why?'",
            "question 1 of section 1 has no answer",
        ),
        ("title = 'L'\n[[section]]\ntitle = 'S'\ntext = 'so ![](dot) it is'", "paragraph of its own"),
        ("title = 'L'\nabout = '![](dot)'\n[[section]]\ntitle = 'S'\ntext = ''", "paragraph of its own"),
        ("title = 'L'\n[[section]]\ntitle = 'S'\ntext = '![](dots)'", "The link 'dots': There is no page 'dots'"),
        ("title = 'L'\n[[section]]\ntitle = 'S'\ntext = '![](dot?pair=xx-yy)'", "no models of the pair 'xx-yy'"),
        (b"#" * 1_000_001, "larger than the 1000 kB"),
    ],
)
def test_a_wrong_lesson_is_a_sentence_and_leaves_what_was_there(
    run: Run, tmp_path: Path, content: str | bytes, reason: str
) -> None:
    path, out = tmp_path / "l.toml", tmp_path / "page.html"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    out.write_text("before", encoding="utf-8")
    code, said, errors = run("lesson", path, "--out", out)
    last = errors.splitlines()[-1]
    assert (code, said) == (2, "") and reason in last and f"{path}: " in last, errors
    assert out.read_text(encoding="utf-8") == "before" and len([*tmp_path.iterdir()]) == 2


def test_where_a_lesson_cannot_be_read_or_written(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = lesson(tmp_path / "l.toml")
    refused(run("lesson", tmp_path / "none.toml", "--out", tmp_path / "p.html"), "none.toml: No such file")
    refused(run("lesson", path, "--out", tmp_path / "p.pdf"), "p.pdf must end in .html")
    refused(run("lesson", path, "--out", tmp_path / "no" / "p.html"), "There is no folder")
    monkeypatch.setattr("nmtcore.views.lesson.build.LARGEST", 1000)
    with pytest.raises(DataError, match="take a picture out"):
        build(path, tmp_path / "p.html")
    assert [file.name for file in tmp_path.iterdir()] == ["l.toml"]


def test_every_page_of_a_link_is_a_page_of_the_app() -> None:
    assert set(DRAWN) < {page.name for page in PAGES}
