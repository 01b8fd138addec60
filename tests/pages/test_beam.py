"""The Beam search page with tiny models: it opens, answers "what if", and says in a sentence what it cannot do."""

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.config import CORE, DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import InterventionError
from nmtcore.intervention import Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.views.beam_tree.data import Line, data
from pages.beam import constraints, contrasts
from pages.beam.constraints import Constraint
from pages.beam.state import BeamState
from pages.common import opening
from tests.helpers import rounding, translate
from tests.pages.helpers import component_data, said

TEXT = "a red cat"
PAGE = f"beam?text={TEXT}&model=transformer"


def drawn(at: AppTest) -> dict[str, Any]:
    """The tree's data."""
    return component_data(at, "beam_tree")


def sentences(at: AppTest) -> str:
    return "\n".join(said(at))


def ways(data: dict[str, Any]) -> list[list[int]]:
    """For every candidate that search kept, the token ids that lead to it."""
    nodes = data["nodes"]
    found: list[list[int]] = []
    for parent, token in zip(nodes["parent"], nodes["token_id"], strict=True):
        found.append([] if parent < 0 else [*found[parent], token])
    return [way for way, fate in zip(found, nodes["fate"], strict=True) if fate in ("kept", "finished")]


def test_it_opens_with_a_whole_search_and_greedys_result(page: AppTest, model: Checkpoint) -> None:
    data = drawn(page.run())
    expected = translate(model, TEXT, DecodingConfig(5))
    assert (data["sentence"], data["width"], data["attention"]) == (TEXT, 5, True)
    assert data["nodes"]["token"] == [n.token for n in expected.beam]
    assert data["nodes"]["total"] == pytest.approx([n.total for n in expected.beam], rel=rounding(model.model))
    assert {e["text"] for e in data["ends"]} >= {expected.text}
    greedy = translate(model, TEXT, DecodingConfig(1))
    (line,) = data["lines"]
    assert (line["kind"], line["text"], line["nodes"]["token_id"]) == ("greedy", greedy.text, list(greedy.ids))
    assert line["nodes"]["total"][-1] == pytest.approx(greedy.log_probability, rel=rounding(model.model))
    assert sentences(page) == ""


@pytest.mark.parametrize("architecture", CORE)
def test_every_model_can_be_searched_and_only_attention_has_beta(page: AppTest, architecture: str) -> None:
    names = dict(zip(CORE, ("No attention", "Additive", "Dot", "Transformer"), strict=True))
    page.query_params["model"] = architecture
    page.query_params["beta"] = "0.4"
    data = drawn(page.run())
    assert data["model"] == names[architecture]
    assert data["attention"] is (architecture != "none")
    assert data["penalties"] == {"alpha": 0.6, "beta": 0.0 if architecture == "none" else 0.4}


def test_the_other_pair_has_its_own_models_and_sentence(page: AppTest) -> None:
    page.run()
    data = drawn(page.selectbox(key="pair").set_value("zh-en").run())
    assert data["sentence"] != TEXT and page.text_input(key="text").value == data["sentence"]
    assert any("\u4e00" <= c <= "\u9fff" for c in data["sentence"])


def test_greedy_alone_has_one_way_and_no_other_line(page: AppTest) -> None:
    page.query_params["beam"] = "1"
    data = drawn(page.run())
    assert (data["width"], data["lines"], len(data["ends"])) == (1, [], 1)


def test_decoding_on_from_a_node(page: AppTest, model: Checkpoint) -> None:
    plain = translate(model, TEXT, DecodingConfig(5))
    node = next(n for n in plain.beam if n.step == 2 and n.fate == "pruned")
    way = [n.token_id for n in plain.path(node)]
    page.query_params["whatif"] = f"on.{way[0]}-{way[1]}"
    data = drawn(page.run())
    assert {tuple(w[:2]) for w in ways(data)} <= {(), (way[0],), tuple(way)}
    assert [line["kind"] for line in data["lines"]] == ["greedy", "before"]
    assert data["lines"][1]["text"] == plain.text
    assert data["lines"][0]["nodes"]["token_id"][:2] == way
    assert (data["branch"], [w["code"] for w in data["whatifs"]]) == (2, [f"on.{way[0]}-{way[1]}"])
    assert data["whatifs"][0]["text"].startswith("decode on from “")


def test_a_forbidden_token_is_never_taken(page: AppTest, model: Checkpoint) -> None:
    plain = translate(model, TEXT, DecodingConfig(5))
    token = plain.ids[2]
    page.query_params["whatif"] = f"not.3.{token}"
    data = drawn(page.run())
    assert all(way[2] != token for way in ways(data) if len(way) > 2)
    assert data["branch"] == 3 and "at step 3" in data["whatifs"][0]["text"]
    forbidden = [i for i, fate in enumerate(data["nodes"]["fate"]) if fate == "forbidden"]
    assert {data["nodes"]["token_id"][i] for i in forbidden} == {token}


def test_comparing_decodes_the_candidate_beside_the_tree(page: AppTest, model: Checkpoint) -> None:
    plain = translate(model, TEXT, DecodingConfig(5))
    node = next(n for n in plain.beam if n.step == 1 and n.fate == "pruned")
    page.query_params["compare"] = str(node.token_id)
    data = drawn(page.run())
    candidate = data["lines"][-1]
    forced = translate(model, TEXT, DecodingConfig(5), Intervention.prefix([node.token_id]))
    assert (candidate["kind"], candidate["text"]) == ("candidate", forced.text)
    assert data["whatifs"] == []


def test_another_sentence_forgets_the_what_ifs(page: AppTest) -> None:
    page.query_params["whatif"] = "on.20"
    page.query_params["search-step"] = "2"
    assert len(drawn(page.run())["whatifs"]) == 1
    data = drawn(page.text_input(key="text").set_value("a big dog").run())
    assert data["whatifs"] == []
    assert not {"whatif", "search-step"} & page.query_params.keys()


@pytest.mark.parametrize("alpha", [0.0, 2.0])
def test_sentences_are_missed_in_the_translation_that_is_first_in_rank(
    page: AppTest, alpha: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def hears(_text: str, translation: str) -> tuple[str, ...]:
        asked.append(translation)
        return ("Some may be missing.",)

    monkeypatch.setattr(opening, "fewer_sentences", hears)
    page.query_params.update({"text": "A red cat. A dog. I see.", "alpha": str(alpha)})
    data = drawn(page.run())
    nodes = data["nodes"]
    score = {
        end["text"]: nodes["total"][end["id"]] / ((5 + nodes["step"][end["id"]]) / 6) ** alpha for end in data["ends"]
    }
    assert asked == [max(score, key=lambda text: score[text])]
    assert said(page).count("Some may be missing.") == 1


def test_a_typed_prefix_is_forced_until_the_box_is_empty(page: AppTest, model: Checkpoint) -> None:
    page.query_params["whatif"] = "not.3.20"
    page.run()
    page.text_input(key="prefix").set_value("le").run()
    data = drawn(page.text_input(key="prefix").set_value("le chien").run())
    way = tuple(model.vocab.encode("le chien"))
    assert data["whatifs"][0]["code"] == "not.3.20"
    assert data["whatifs"][1:] == [{"code": f"on.{constraints.ids(way)}", "text": "decode on from “le chien”"}]
    assert all(tuple(w[: len(way)]) == way[: len(w)] for w in ways(data))
    assert page.text_input(key="prefix").value == "le chien"
    data = drawn(page.text_input(key="prefix").set_value("").run())
    assert [w["code"] for w in data["whatifs"]] == ["not.3.20"]
    assert sentences(page) == ""


def test_the_box_holds_the_prefix_that_a_link_or_the_tree_asked_for(page: AppTest, model: Checkpoint) -> None:
    page.query_params["whatif"] = f"on.{constraints.ids(tuple(model.vocab.encode('le chien')))}"
    assert page.run().text_input(key="prefix").value == "le chien"
    page.text_input(key="prefix").set_value("<b>Ω</b>").run()
    assert page.text_input(key="prefix").value == "<b>Ω</b>"
    assert "write it differently." in sentences(page)
    assert "Until then this constraint holds: decode on from “le chien”." in sentences(page)
    assert len(drawn(page)["whatifs"]) == 1
    del page.query_params["whatif"]  # as the tree's button does
    assert page.run().text_input(key="prefix").value == ""
    assert (drawn(page)["whatifs"], sentences(page)) == ([], "")


def test_a_contrast_is_one_click(page: AppTest, own_model_directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [("garden_path", "a red house"), ("garden_path", "a red dog"), ("length_penalty", "a cat")]
    kept = {"en-fr/transformer": {"sentences": [{"kind": kind, "text": text, "mean": -0.1} for kind, text in found]}}
    kept["en-fr/transformer"]["sentences"][2]["alpha"] = 1.2
    monkeypatch.setattr(contrasts, "_read", lambda: kept)
    del page.query_params["text"], page.query_params["model"]
    assert drawn(page.run())["sentence"] == "a red house"
    labels = [option.split("**")[1] for option in page.menu_button(key="examples").options[:3]]
    assert labels == ["greedy is misled", "greedy is misled (2)", "the length penalty decides"]
    page.query_params["beta"] = "0.7"
    data = drawn(page.menu_button(key="examples").click_index(1).run())
    assert (data["sentence"], data["penalties"]) == ("a red dog", {"alpha": 0.6, "beta": 0})
    assert "beta" not in page.query_params
    data = drawn(page.menu_button(key="examples").click_index(2).run())
    assert (data["sentence"], data["penalties"]) == ("a cat", {"alpha": 1.2, "beta": 0}), "where its point is seen"
    assert "alpha" not in page.menu_button(key="examples").click_index(1).run().query_params


def test_the_kept_contrasts_can_be_offered() -> None:
    for model in contrasts._read():
        offered = contrasts.contrast_sentences(model)
        assert len({c.text for c in offered}) == len(offered)
        assert all(c.name and c.text for c in offered)


def made(model: Checkpoint, trace: Trace, *lines: Line) -> dict[str, Any]:
    return data(trace, model.vocab, model="Transformer", name="beam", lines=lines)


def test_a_long_search_stays_small(model: Checkpoint) -> None:
    text = "the small cat sees a big red house . " * 4
    trace = translate(model, text, DecodingConfig(10, max_length=60))
    sent = made(model, trace, Line("greedy", "greedy", translate(model, text, DecodingConfig(1))))
    assert len(sent["nodes"]["token"]) > 4000
    assert len(json.dumps(sent)) < 2_000_000


def test_a_line_is_the_result_for_its_penalties(model: Checkpoint) -> None:
    trace = translate(model, "the cat", DecodingConfig(10, max_length=12))
    for alpha in (0.0, 0.6, 3.0):
        path = trace.path(trace.ranked(alpha, 0.0)[0])
        (line,) = made(model, trace, Line("before", "before", trace, alpha, 0.0))["lines"]
        assert line["nodes"]["token_id"] == [n.token_id for n in path]
        assert line["text"] == model.vocab.decode([n.token_id for n in path])
    assert len({trace.ranked(alpha, 0.0)[0].id for alpha in (0.0, 3.0)}) == 2, "a sentence that tells them apart"


def test_the_winner_is_only_an_end_for_the_browser(model: Checkpoint) -> None:
    trace: Trace = translate(model, TEXT, DecodingConfig(5))
    sent = made(model, trace)
    assert "winner" not in sent["nodes"]["fate"]
    assert {e["id"] for e in sent["ends"]} == {n.id for n in trace.ranked(0.6, 0.0)}


def test_what_ifs_are_read_back_as_written() -> None:
    asked = (
        *(Constraint(prefix=(12, 45)), Constraint(step=3, token=88)),
        *(Constraint(phrase=(12, 45)), Constraint(letters="anne")),
    )
    state = BeamState().changed(**BeamState().constrained(asked))
    assert state.texts() == {"whatif": "on.12-45~not.3.88~has.12-45~letters.anne"}
    assert BeamState.parse(state.texts()).constraints == asked and BeamState().constraints == ()
    assert constraints.intervention(asked[1:]) == Intervention(
        contains=((12, 45),), initials="anne", forbidden=((2, 88),)
    )
    wrong = ["on.", "on.1-", "not.1", "not.1.2.3", "off.1", "on.1~", "on.99999999", "on.-1", "has.", "has.a"]
    for code in (*wrong, "letters.", "letters.A", "letters.1", "letters.а", "letters." + 21 * "a"):
        with pytest.raises(InterventionError, match="cannot be read"):
            constraints.read_code(code)


def test_another_search_leaves_behind_what_was_asked_of_the_one_before() -> None:
    asked = BeamState.parse({"whatif": "on.12", "compare": "3", "search-step": "4", "truth": "un chat", "alpha": "1"})
    gone = {
        "typed": ("search_step", "later", "whatifs", "candidate"),
        "beam": ("search_step", "later"),
        "whatifs": ("search_step", "later", "candidate"),
        "alpha": (),
    }
    values = {"typed": "a dog", "beam": 2, "whatifs": ("not.3.4",), "alpha": 0.5}
    assert {name: asked.changed(**{name: value}).stale(asked) for name, value in values.items()} == gone
    assert "truth" in asked.changed(choice="zh-en").stale(asked), "it is of the sentence in the other language"


def test_a_later_what_if_wins_over_what_it_contradicts() -> None:
    forced = Constraint(prefix=(12, 45, 7))
    assert constraints.intervention((forced, Constraint(step=2, token=45))) == Intervention(
        forced=((0, 12),), forbidden=((1, 45),)
    )
    assert constraints.intervention((Constraint(step=2, token=45), forced)) == Intervention.prefix((12, 45, 7))
    assert constraints.intervention((forced, Constraint(prefix=(9,)))) == Intervention.prefix((9,))
    assert constraints.intervention((forced, Constraint(step=2, token=46))) == Intervention(
        forced=Intervention.prefix((12, 45, 7)).forced, forbidden=((1, 46),)
    )
