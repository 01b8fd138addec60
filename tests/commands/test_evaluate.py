"""python -m nmtcore evaluate: the scores of a model, and what it refuses."""

import json
from pathlib import Path

import pytest

from nmtcore.config import ARCHITECTURES
from tests.helpers import WORD_BY_WORD, Run, refused
from tests.paths import EVALUATION

pytestmark = pytest.mark.usefixtures("short_translations")


def test_scores_of_pairs(run: Run, model: Path, pairs: Path) -> None:
    code, out, err = run("evaluate", "--model", model, "--pairs", pairs, "--beam", 2, "--json")
    assert code == 0 and err == "Dropped 1 row without a tab between two sentences (line 38).\n"
    (line,) = out.splitlines()
    found = json.loads(line)
    assert (found["model"], found["items"], found["references"], found["beam"]) == ("en-fr/dot", 36, 37, 2)
    assert 0 <= found["bleu"] <= 100 and 0 <= found["chrf"] <= 100 and "nrefs:var" in found["bleu_signature"]
    assert found["reference_log_probability"] < found["reference_log_probability_per_piece"] < 0
    assert found["sentences_per_second"] > 0 and found["tokens_per_second"] > 0
    first = json.loads(run("evaluate", "--model", model, "--pairs", pairs, "--limit", 2, "--json")[1])
    assert (first["items"], first["references"]) == (2, 3)

    code, out, _ = run("evaluate", "--model", model, "--pairs", pairs, "--beam", 2)
    assert f"BLEU {found['bleu']:.1f}" in out and "36 sentences with 37 references" in out


def test_several_models_are_a_line_each_and_columns_are_swapped(run: Run, model_folders: Path, pairs: Path) -> None:
    folders = [model_folders / "en-fr" / name for name in WORD_BY_WORD]
    code, out, _ = run("evaluate", "--model", *folders, "--pairs", pairs, "--swap", "--json")
    found = [json.loads(line) for line in out.splitlines()]
    assert code == 0 and [row["architecture"] for row in found] == list(WORD_BY_WORD)
    assert all((row["items"], row["references"]) == (37, 37) for row in found)


def test_alignments_and_robustness(
    run: Run, model_folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.tsv").write_text("# languages: en-fr\nthe cat .\tle chat .\t0-0 1-1 2-2\t\n", encoding="utf-8")
    (tmp_path / "r.tsv").write_text("# languages: en-fr\nname\tthe cat\t*\n", encoding="utf-8")
    (tmp_path / "c.tsv").write_text("# languages: en-fr\nname\tSee Zubeida.\tZubeida\n", encoding="utf-8")
    monkeypatch.setattr("nmtcore.commands.evaluate.SHIPPED", model_folders)
    files = ["--robustness", tmp_path / "r.tsv", "--copying", tmp_path / "c.tsv", "--alignments", tmp_path / "a.tsv"]
    arguments = ["evaluate", *files]
    code, out, err = run(*arguments, "--json")
    assert (code, err) == (0, "")
    found = {data["architecture"]: data for data in map(json.loads, out.splitlines())}
    assert set(found) == set(WORD_BY_WORD)
    assert found["none"]["alignments"] is None and found["dot"]["alignments"]["pairs"] == 1
    assert len(found["transformer"]["alignments"]["readings"]) == 20
    assert all(data["robustness"]["right"] == 1 for data in found.values())
    assert all(data["copying"]["names"] == 0 and "numbers" not in data["copying"] for data in found.values())
    code, out, _ = run(*arguments)
    assert "No attention, so no alignments" in out and "layer 1, head 2, at the input" in out
    assert out.count("- Names and numbers that stand in the translation as they should: name 0% of 1.\n") == len(found)
    exact = "# languages: en-fr\n# links: exact\n" + 3 * "the cat .\tle chat .\t0-0 1-1\n"
    (tmp_path / "e.tsv").write_text(exact, encoding="utf-8")
    (tmp_path / "n.jsonl").write_text(json.dumps({"source": ["cats"], "target": ["chats"], "sure": [[0, 0]]}) + "\n")
    arguments[6:6] = [tmp_path / "e.tsv", tmp_path / "n.jsonl"]
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    attending = sum(ARCHITECTURES[name].attention for name in WORD_BY_WORD)
    assert (
        "on 1 sentence pairs with links by hand" in out
        and out.count("on 3 sentence pairs with exact links") == attending
    )
    assert out.count("on 1 sentence pairs of news with links of content words by hand") == attending
    refused(run(*arguments, "--model", model_folders / "zh-en" / "dot"), "translates zh-en; the file is for en-fr")
    arguments[6] = EVALUATION / "alignments.zh-en.tsv"
    refused(run(*arguments), "are for different languages: en-fr and zh-en")


def test_too_long_pairs_are_left_out_and_counted(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "p.tsv").write_text(f"the cat\tle chat\na dog\t{'le ' * 310}\n", encoding="utf-8")
    code, out, err = run("evaluate", "--model", model, "--pairs", tmp_path / "p.tsv", "--json")
    assert code == 0 and json.loads(out)["items"] == 1
    assert err == "Left out 1 of 2 sentences: too long for the model.\n"


def test_wrong_demands(run: Run, model: Path, pairs: Path) -> None:
    refused(run("evaluate", "--model", model), "There is nothing to evaluate on")
    refused(run("evaluate", "--model", model, "--alignments", pairs, "--limit", 3), "need --pairs")
    refused(run("evaluate", "--model", model, "--pairs", pairs.parent / "nowhere"), "cannot be read")
    assert "name its folder with --model" in run("evaluate", "--pairs", pairs)[2]
    refused(run("evaluate", "--model", model, "--pairs", pairs, "--limit", 0), "limit must be between")
    unknown_split = run("evaluate", "--model", model, "--pairs", pairs, "--split", "test")[2]
    assert "does not say how its data were split" in unknown_split
