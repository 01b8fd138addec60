"""python -m nmtcore view: one picture as one file, and a sentence for pictures that cannot be drawn."""

from pathlib import Path

import pytest

from tests.helpers import Run, refused

pytestmark = pytest.mark.usefixtures("short_translations")


@pytest.mark.parametrize(
    ("models", "options", "view"),
    [
        (["transformer"], ["--picture", "heads"], '"heads"'),
        (["dot"], [], '"panels"'),
        (["none", "dot"], [], '"Dot"'),
    ],
)
def test_a_picture_is_written(
    run: Run, model_folders: Path, tmp_path: Path, models: list[str], options: list[str], view: str
) -> None:
    out = tmp_path / "picture.html"
    given = [part for name in models for part in ("--model", model_folders / "en-fr" / name)]
    code, said, errors = run("view", *given, "the cat </script>", *options, "--out", out)
    page = out.read_text(encoding="utf-8")
    assert (code, errors) == (0, "") and str(out) in said
    assert view in page and page.count("</script>") == 2


def test_what_cannot_be_drawn(run: Run, model: Path, model_folders: Path, tmp_path: Path) -> None:
    out = tmp_path / "picture.html"
    one = ("view", "--model", model, "the cat")
    refused(run(*one, "--picture", "head", "--out", out), "There is no picture 'head' of one decode. There are: align")
    refused(
        run(*one, "--picture", "heads", "--out", out), "heads() draws the heads of a Transformer; en-fr/dot is not one"
    )
    refused(run(*one, "--out", tmp_path / "picture.svg"), "picture.svg must end in .html")
    refused(run("view", "--model", model, "", "--out", out), "nothing to translate")
    two = (*one, "--model", model_folders / "en-fr" / "none", "--out", out)
    refused(run(*two, "--picture", "beam_tree"), "beam_tree is a picture of one model")
    other = ("--model", model_folders / "zh-en" / "dot", "--out", out)
    refused(run(*one, *other), "Models of different languages cannot be compared; source: en for en-fr/dot, zh for")
    assert not out.exists()
