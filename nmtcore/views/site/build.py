"""Write the static site: pages, scripts, initial pictures and models, as files that any file host can serve.

All paths are relative, so the site works at any address. Names of model files contain a hash, so a browser keeps them
until they change.
"""

import hashlib
import html
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nmtcore import limits
from nmtcore.analysis.aligning_head import aligning_head
from nmtcore.analysis.head_names import head_names
from nmtcore.analysis.position_ablation import random_order
from nmtcore.config import ARCHITECTURES, Architecture, DecodingConfig
from nmtcore.decoding.decode import translate
from nmtcore.errors import DataError
from nmtcore.models.checkpoint import CONFIG, VOCAB, WEIGHTS, Checkpoint, load
from nmtcore.text.languages import Language, language
from nmtcore.views import bundle
from nmtcore.views.heads.head import names_json
from nmtcore.views.html import to_html
from nmtcore.views.kit import outlines
from nmtcore.views.parameters import link_json
from nmtcore.views.site.messages import MESSAGES
from nmtcore.views.site.pages import BEAM, ORDERS, PAGES, SitePage

HERE = Path(__file__).parent
LIVE: tuple[Architecture, ...] = ("none", "additive", "dot", "transformer", "copying")  # that live/ can run
MOST_SHUFFLED = 60  # the most pieces of a sentence for which the site has other orders
MARKER = "service-worker.js"  # a folder with this file is a site, which may be overwritten
LARGEST = 25_000_000  # bytes in a file, the limit of common hosts

# Nothing from elsewhere, no inline script. Pictures set elements' styles, and save themselves from blobs.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "worker-src 'self'",
        "connect-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "base-uri 'none'",
        "form-action 'none'",
    )
)
LIMITS = {
    "characters": limits.MAX_CHARACTERS,
    "pieces": limits.MAX_PIECES,
    "budget": {
        "search_numbers": limits.SEARCH_NUMBERS,
        "candidates": limits.CANDIDATES,
        "record_bytes": limits.RECORD_BYTES,
        "shortest": limits.SHORTEST,
    },
}
NEEDS = (
    "Fine-tune, Architectures, Corpus, models of your own, guided tours, Project, Copy link (here, copy the address) "
    "and questions for the class need the app, which runs on your machine: README.md of Alignment Lab says how to "
    "start it."
)


def build(out: Path, models: Path, pairs: Sequence[str], say: Callable[[str], None] = lambda _: None) -> None:
    """Write the site into the folder `out`. models: the folder of models, `<pair>/<architecture>`.

    Raises DataError for a folder with other contents, a pair without models, or a file that is too large for hosts.
    """
    if out.exists() and any(out.iterdir()) and not (out / MARKER).is_file():
        raise DataError(f"{out} contains other files: name a new folder, or an empty one.")
    known = {path.parts[-3] for path in models.glob(f"*-*/*/{CONFIG}") if path.parent.name in LIVE}
    if missing := [pair for pair in pairs if pair not in known]:
        raise DataError(f"There is no model of the pair {missing[0]} in {models} that a browser can run.")
    out.mkdir(parents=True, exist_ok=True)
    (out / MARKER).touch()  # from here on the folder counts as a site, though incomplete
    for name in ("models", "views", "opening"):
        shutil.rmtree(out / name, ignore_errors=True)
        (out / name).mkdir(parents=True)
    declared = {pair: _pair(pair, models, out) for pair in pairs}
    openings: dict[str, dict[str, str]] = {page.name: {} for page in PAGES}
    own: dict[tuple[str, str], list[dict[str, str]]] = {}  # a page's own examples, by its name and the pair
    for pair in pairs:
        say(f"{pair}: initial pictures")
        for page, examples, data in _openings(pair, models):
            own[page.name, pair] = [{"name": name, "text": text} for name, text in examples]
            openings[page.name][pair] = _write_json(out, f"opening/{page.name}.{pair}", data)
    for view in {view for page in PAGES for view in page.views}:
        (out / "views" / f"{view}.js").write_text(bundle.script_of(view), encoding="utf-8")
        (out / "views" / f"{view}.css").write_text(bundle.style_of(view), encoding="utf-8")
        # The page for a saved picture: as text, since it is not a page of the site.
        (out / "views" / f"{view}.txt").write_text(to_html(view, {}), encoding="utf-8")
    shutil.copyfile(outlines.FILE, out / "views" / outlines.FILE.name)
    for script in ("page", "worker"):
        (out / f"{script}.js").write_text(bundle.script(HERE / f"{script}.js"), encoding="utf-8")
    (out / "site.css").write_text(bundle.style(HERE / "site.css"), encoding="utf-8")
    for page in PAGES:
        there = {
            pair: entry | {"examples": [*own[page.name, pair], *entry["examples"]]}
            for pair, entry in declared.items()
            if pair in openings[page.name]
        }
        (out / f"{page.name}.html").write_text(_html(page, there, openings[page.name]), encoding="utf-8")
    (out / ".nojekyll").touch()  # makes GitHub Pages serve the files unchanged
    write_service_worker(out)
    if large := [path.name for path in out.rglob("*") if path.stat().st_size > LARGEST]:
        raise DataError(f"{', '.join(large)}: larger than the {LARGEST // 10**6} MB that common hosts accept.")


def _pair(pair: str, models: Path, out: Path) -> dict[str, Any]:
    """Copy the models of a language pair and return the pair's record for the pages."""
    source, target = map(language, pair.split("-"))
    there = [name for name in LIVE if (models / pair / name / CONFIG).is_file()]
    entries = {}
    for name in there:
        folder = models / pair / name
        weights, vocabulary = (folder / WEIGHTS).read_bytes(), (folder / VOCAB).read_bytes()
        entries[name] = {
            **model_entry(folder, name),
            "weights": {"file": _write(out, f"models/{pair}.{name}", ".safetensors", weights), "bytes": len(weights)},
            "vocabulary": {"file": _write(out, f"models/{pair}", ".model", vocabulary), "bytes": len(vocabulary)},
        }
    simplified = _write_json(out, "opening/simplified", simplified_characters()) if source.code == "zh" else ""
    return {
        **source_entry(source),
        "label": f"{source.name} to {target.name}",
        "sentences": list(source.sentences),
        "clauses": {"offered": list(source.clauses), "joint": source.clause_joint, "stop": source.full_stop},
        "examples": [{"name": name, "text": text} for name, text in source.examples.items()],
        "models": entries,
        "simplified": simplified,
    }


def source_entry(source: Language) -> dict[str, Any]:
    """What the worker needs to read a source text."""
    return {"source": {"code": source.code, "name": source.name, "scripts": list(source.scripts)}}


def model_entry(folder: Path, name: Architecture) -> dict[str, Any]:
    """A model's record for the worker, without its files."""
    settings = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    loaded = load(folder)
    return {
        "title": ARCHITECTURES[name].title,
        "hue": ARCHITECTURES[name].color,
        "head": aligning_head(loaded.config, loaded.meta),
        "names": names_json(head_names(loaded.meta)),
        "settings": {key: settings[key] for key in ("format", "class", "architecture", "config")},
    }


def _openings(pair: str, models: Path) -> Iterator[tuple[SitePage, list[tuple[str, str]], dict[str, Any]]]:
    """Each page that the pair has a model for, its own examples and its initial picture."""
    loaded: dict[Architecture, Checkpoint] = {}
    source = pair.split("-")[0]
    for page in PAGES:
        for name in page.models:
            if name not in loaded and (models / pair / name / CONFIG).is_file():
                loaded[name] = load(models / pair / name)
        chosen = {name: loaded[name] for name in page.models if name in loaded}
        first = chosen.get(page.models[0])
        own = [example for example in page.examples.get(source, ()) if first and _misleads(first, example[1])]
        texts = [*(text for _, text in own), *language(source).examples.values()]
        if chosen and texts:
            yield page, own, page.data(texts[min(page.first, len(texts) - 1)], chosen)


def _misleads(checkpoint: Checkpoint, text: str) -> bool:
    """Whether greedy search and the beam differ on a text."""
    source = checkpoint.read(text)
    return len({translate(checkpoint, source, DecodingConfig(width)).text for width in (1, BEAM)}) > 1


def shuffled_orders(page: SitePage) -> list[list[list[int]]]:
    """Permutations of 0, 1, 2, ... pieces for the buttons' seeds, since the browser lacks this random generator."""
    if not any(choice.parameter == "shuffle" for choice in page.choices):
        return []
    return [[list(random_order(count, int(seed))) for seed in ORDERS] for count in range(MOST_SHUFFLED + 1)]


def _html(page: SitePage, pairs: dict[str, dict[str, Any]], opening: dict[str, str]) -> str:
    settings = {
        "page": page.name,
        "view": page.view,
        "first": page.first,
        "models": page.models,
        "choose": page.choose,
        "link": link_json(page.uses, page.runs),
        "forget": page.forget,
        "choices": [asdict(choice) for choice in page.choices],
        "orders": shuffled_orders(page),
        "longer": page.longer,
        "panes": {pane.name: pane.to_json() for pane in page.panes},
        "pairs": pairs,
        "opening": opening,
        "beam": BEAM,
        "says": MESSAGES,
        "limits": LIMITS,
    }
    return (
        (HERE / "page.html")
        .read_text(encoding="utf-8")
        .format(
            policy=html.escape(POLICY, quote=True).replace("&#x27;", "'"),
            title=html.escape(page.title),
            about=html.escape(page.about),
            view=page.view,
            styles="".join(_style_link(view, page) for view in page.views),
            opening=next(iter(opening.values())),
            nav="".join(_nav_link(other, page) for other in PAGES),
            needs=html.escape(NEEDS),
            settings=json.dumps(settings, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        )
    )


def _style_link(view: str, page: SitePage) -> str:
    """The style of a picture. In the app each has its own root; here it lasts as long as the picture."""
    off = "" if view == page.view else ' media="not all"'
    return f'<link rel="stylesheet" href="views/{view}.css" data-view="{view}"{off}>\n'


def _nav_link(other: SitePage, page: SitePage) -> str:
    current = ' aria-current="page"' if other is page else ""
    return f'<a href="{other.name}.html"{current}>{html.escape(other.label)}</a>'


def _write(out: Path, name: str, suffix: str, content: bytes) -> str:
    """Write a file with a hash of its content in its name; return its path in the site."""
    path = f"{name}.{hashlib.sha256(content).hexdigest()[:12]}{suffix}"
    (out / path).write_bytes(content)
    return path


def _write_json(out: Path, name: str, data: Any) -> str:
    return _write(out, name, ".json", json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())


def simplified_characters() -> dict[str, dict[str, str]]:
    """OpenCC's tables from traditional to simplified characters; the first of several choices."""
    import opencc  # type: ignore[import-untyped]  # here, since only Mandarin needs its tables

    folder = Path(opencc.__file__).parent / "dictionary"

    def table(name: str) -> dict[str, str]:
        rows = (line.strip().split("\t") for line in (folder / name).read_text(encoding="utf-8").splitlines())
        return {row[0]: row[1].split(" ")[0] for row in rows if len(row) == 2}

    return {"phrases": table("TSPhrases.txt"), "characters": table("TSCharacters.txt")}


def write_service_worker(out: Path) -> None:
    """Write the service worker: the files that it caches, a hash of them as its version, and the names of models."""
    files = sorted(path for path in out.rglob("*") if path.is_file() and path.name != MARKER)
    kept = [path for path in files if path.suffix in (".html", ".js", ".css", ".json", ".txt")]
    written = {
        "VERSION": hashlib.sha256(b"".join(path.read_bytes() for path in kept)).hexdigest()[:12],
        "FILES": ["./", *(path.relative_to(out).as_posix() for path in kept)],
        "MODELS": [path.relative_to(out).as_posix() for path in files if path.parent.name == "models"],
    }
    script = (HERE / "service_worker.js").read_text(encoding="utf-8")
    for name, value in written.items():
        empty = json.dumps(type(value)())
        script = script.replace(f"const {name} = {empty}", f"const {name} = {json.dumps(value)}")
    (out / MARKER).write_text(script, encoding="utf-8")
