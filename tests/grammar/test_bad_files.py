"""Files of a grammar that cannot be used: the command says it in one line with file and row, and ends with code 2."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from nmtcore.__main__ import main
from nmtcore.grammar.grammar import FOLDER, LANGUAGES


def refused(folder: Path, pair: str, file: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command says of a file; the folder holds a grammar."""
    assert main(["grammar", "--pair", pair, "--data", str(folder), "--count", "1"]) == 2
    out, error = capsys.readouterr()
    assert out == "" and error.count("\n") == 1 and error.startswith("python -m nmtcore grammar: ")
    assert f"{Path(pair) / file}" in error
    return error


@pytest.mark.parametrize(
    ("pair", "file", "row", "message"),
    [
        (
            "en-fr",
            "nouns.tsv",
            "dragon\t\tdragon\tm\t\tanimal\t\t\t\ta column more",
            "10 columns, but the header names 9",
        ),
        ("en-fr", "nouns2.tsv", "dragon\t\tdragon\tm\t\tbeast", "'beast' is no kind"),
        ("en-fr", "nouns3.tsv", "dragon\t\tdragon\tn\t\tanimal", "a noun needs its gender"),
        ("en-fr", "nouns4.tsv", "dragon\t\tdragon\tm\t\tanimal\tmany", "count holds m, s, p, nothing, not 'many'"),
        ("en-fr", "names2.tsv", "Zed\tZed\tman", "sex holds m, f, mf, nothing, not 'man'"),
        ("en-fr", "adjectives2.tsv", "scaly\técailleux\t\t\t\t\tbeast", "'beast' is no kind"),
        ("en-fr", "verbs2.tsv", "slay\tse\tperson\t:animal", "'se' is no verb"),
        ("en-fr", "verbs3.tsv", "slay\ttuer\tbeast\t:animal", "'beast' is no kind"),
        ("en-fr", "kinds.tsv", "dragon\tbeast", "the wider kind 'beast' must be named above"),
        ("en-fr", "conjugations.fr.tsv", "zigzaguer\tzigzague zigzagues", "present needs 6 forms"),
        ("en-fr", "rules.tsv", "Sentence\t5\tc:Dragon\t\t{c}\t{c}", "no category 'Dragon'"),
        ("en-fr", "rules.tsv", "Sentence\tnan\tc:Clause\t\t{c}\t{c}", "the weight 'nan' is not above zero"),
        ("en-fr", "rules.tsv", "Sentence\t5\tn:NP(beast)\t\t{n}\t{n}", "'beast' is no kind"),
        ("zh-en", "nouns.tsv", "dragon\t\t龙\t条\tanimal\t\t\tm\ta column more", "9 columns, but the header names 8"),
        ("zh-en", "nouns2.tsv", "dragon\t\t龙\t条\tbeast", "'beast' is no kind"),
        ("zh-en", "nouns3.tsv", "dragon\t\t龙\t条\tanimal\tmany", "count holds m, s, p, nothing, not 'many'"),
        ("zh-en", "nouns4.tsv", "dragon\t\t龙\t\tanimal", "zh_measure is empty"),
        ("zh-en", "adjectives.tsv", "scaly\t有鳞的\tbeast", "'beast' is no kind"),
        ("zh-en", "chinese_names.tsv", "given\t明\tMing\tx", "sex holds m, f, mf, not 'x'"),
        ("zh-en", "rules.tsv", "Sentence\t5\tc:Dragon\t\t{c}\t{c}", "no category 'Dragon'"),
        ("zh-en", "rules.tsv", "Sentence\t0\tc:Clause\t\t{c}\t{c}", "the weight '0' is not above zero"),
    ],
)
def test_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str], pair: str, file: str, row: str, message: str) -> None:
    shutil.copytree(FOLDER / pair, tmp_path / pair)
    text = (tmp_path / pair / file).read_text(encoding="utf-8").rstrip()
    (tmp_path / pair / file).write_text(f"{text}\n{row}\n", encoding="utf-8")
    error = refused(tmp_path, pair, file, capsys)
    assert message in error and f"{file}, row {text.count(chr(10)) + 2}: " in error


@pytest.mark.parametrize("pair", LANGUAGES)
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [("nouns.tsv", "kinds", "kind"), ("verbs.tsv", "frame", "frames"), ("rules.tsv", "parts", "Parts")],
)
def test_a_misspelt_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pair: str, file: str, old: str, new: str
) -> None:
    shutil.copytree(FOLDER / pair, tmp_path / pair)
    lines = (tmp_path / pair / file).read_text(encoding="utf-8").split("\n")
    at = next(i for i, line in enumerate(lines) if line.strip() and not line.startswith("#"))
    lines[at] = "\t".join(new if column == old else column for column in lines[at].split("\t"))
    (tmp_path / pair / file).write_text("\n".join(lines), encoding="utf-8")
    error = refused(tmp_path, pair, file, capsys)
    assert f"{file}, row {at + 1}: '{new}' is no column of this file; columns are " in error and f" {old}," in error


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "has no rule of the category Sentence"), (b"caf\xe9", "is not in UTF-8"), (None, "cannot be read: No such")],
)
def test_rules_that_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, message: str
) -> None:
    shutil.copytree(FOLDER / "zh-en", tmp_path / "zh-en")
    path = tmp_path / "zh-en" / "rules.tsv"
    path.unlink() if content is None else path.write_bytes(content)
    assert message in refused(tmp_path, "zh-en", "rules.tsv", capsys)
