"""Import a Marian model: from a folder, or from Hugging Face's hub, to a model folder of ours."""

import re
import secrets
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from nmtcore.errors import CheckpointError, SettingError
from nmtcore.files import replace
from nmtcore.marian import hugging_face, npz
from nmtcore.marian.files import read_text
from nmtcore.marian.layout import transformer_of
from nmtcore.models import checkpoint
from nmtcore.models.transformer import Transformer
from nmtcore.text.vocabulary import Vocab

HUB = re.compile(r"[\w.-]+/[\w.-]+")
WANTED = ("config.json", "*.spm", "vocab.json", "target_vocab.json", "README.md", "LICENSE*")
PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}")
MOST_CARD = 20_000  # characters of a README that are kept


def import_model(origin: str, out: Path, languages: tuple[str, str] | None = None) -> Transformer:
    """Import a model folder, or one of the hub by its name, and write it to `out`. Returns the model.

    languages: codes of source and target; if not given, those of the name of the folder that `out` is in, as en-de.
    Nothing is written if anything is wrong. Raises CheckpointError, which names the file, or SettingError.
    """
    if not all(find_spec(name) for name in ("google", "huggingface_hub", "yaml")):
        raise CheckpointError("To import a model, install what it needs: pip install 'alignment-lab[marian]'.")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise SettingError(f"{out} is there already: choose another place, or remove it.")
    pair = "-".join(languages) if languages else out.absolute().parent.name
    if not PAIR.fullmatch(pair):
        raise SettingError(f"{pair!r} names no two languages: use a folder such as en-de.")
    source, target = pair.split("-")
    folder = Path(origin) if Path(origin).exists() else _downloaded(origin)
    if not folder.is_dir():
        raise CheckpointError(f"{origin} is not a folder.")
    model, vocab = _read(folder)
    licence = _licence(folder)
    meta = {
        "name": f"{source}-{target}/{out.name}",
        "source": source,
        "target": target,
        "imported": {"from": origin, "licence": licence},
    }
    part = out.with_name(f".{out.name}.{secrets.token_hex(3)}")
    try:
        checkpoint.save(part, model, vocab, meta, _card(origin, folder, meta, model, licence))
        if out.exists():
            out.rmdir()
        replace(part, out)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return model


def _read(folder: Path) -> tuple[Transformer, Vocab]:
    """The model in a folder and its vocabulary; when this returns, the folder's files are closed."""
    raw = any(folder.glob("*.npz")) and not (folder / hugging_face.CONFIG).exists()
    try:
        foreign = (npz if raw else hugging_face).foreign_model(folder)
        return transformer_of(foreign), foreign.vocab
    except SettingError as error:
        raise CheckpointError(f"{folder} cannot be imported: {error}") from error


def _downloaded(name: str) -> Path:
    """The folder of a model of the hub. Raises CheckpointError."""
    if not HUB.fullmatch(name):
        raise CheckpointError(f"There is no folder {name}.")
    from huggingface_hub import HfApi, snapshot_download

    try:
        files = {one.rfilename for one in HfApi().model_info(name).siblings or ()}
        weights = hugging_face.WEIGHTS if hugging_face.WEIGHTS in files else hugging_face.PICKLE
        return Path(snapshot_download(name, allow_patterns=[*WANTED, weights]))
    except Exception as error:  # without a network that of its HTTP client, which is another one in each version
        why = str(error).partition("\n")[0]
        raise CheckpointError(
            f"There is no folder {name}, and the hub does not give a model of that name: {why}"
        ) from error


def _licence(folder: Path) -> str:
    """The licence that the model's files state, in the head of README.md or in the first line of LICENSE."""
    if (folder / "README.md").is_file():
        text = read_text(folder / "README.md")
        head = re.match(r"---\s*\n(.*?)\n---", text, re.DOTALL)
        if licence := re.search(r"^license:\s*[\"']?([\w .+-]+)", head[1] if head else "", re.MULTILINE):
            return licence[1].strip()
    for path in sorted(folder.glob("LICENSE*")):
        lines = [line.strip() for line in read_text(path).splitlines() if line.strip()]
        if lines:
            return lines[0][:200]
    return "not stated in its files"


def _card(origin: str, folder: Path, meta: dict[str, Any], model: Transformer, licence: str) -> str:
    """card.md: where the model is from, under which licence, what was changed, and what its own card says."""
    settings = ", ".join(f"{name} {value}" for name, value in vars(model.config).items())
    own = read_text(folder / "README.md")[:MOST_CARD] if (folder / "README.md").is_file() else ""
    size = checkpoint.parameters(model)
    text = f"""# {meta["source"]} to {meta["target"]}: imported

- Source: {origin}, a model of Marian, imported.
- Licence: {licence}.
- Changes: weights in float16, rows of the tables in our order of pieces; nothing else.
- Model: {settings}.
- Size: {size:,} weights, {2 * size / 1e6:.1f} MB in float16.
"""
    return text + (f"\n## Its own card\n\n{own.strip()}\n" if own else "")
