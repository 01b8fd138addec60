"""A live picture in a lesson: a small model inside the page, so that a file on disk translates typed text."""

import base64
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from nmtcore.config import DEFAULT_BEAM
from nmtcore.errors import SettingError
from nmtcore.models.checkpoint import VOCAB, WEIGHTS
from nmtcore.places import models_folder
from nmtcore.text.languages import language
from nmtcore.views.site.build import LIMITS, LIVE, model_entry, simplified_characters, source_entry
from nmtcore.views.site.messages import MESSAGES
from nmtcore.views.site.pages import PAGES, linked_page


def live_question(link: str, data: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """The question to the worker, without the sentence; and the model's files in base64, by name.

    link: the picture's, which has been drawn with `data`. Raises SettingError if its page has no single model
    that a browser can run.
    """
    page = linked_page(link)
    asked = {name: values[-1] for name, values in parse_qs(urlsplit(link).query).items()}
    if page.choices or asked.get("pane", "grid") not in ("grid", "head"):  # the table of orders is the site's
        able = ", ".join(known.name_in_app for known in PAGES if not known.choices)
        raise SettingError(f"The link {link!r}: this picture cannot be live. These can: {able}.")
    named = asked.get("models", "") if page.choose == "several" else asked.get("model", "transformer")
    name = next((known for known in LIVE if known == named), None) if page.choose else page.models[0]
    if name is None:
        able = ", ".join(LIVE)
        raise SettingError(f"The link {link!r}: a live picture has one model of {able}; say which, as models=dot.")
    pair = asked.get("pair", "en-fr")
    folder = models_folder() / pair / name
    source, target = map(language, pair.split("-"))
    contents = {
        f"{pair}.{name}{suffix}": (folder / file).read_bytes() for file, suffix in ((WEIGHTS, ""), (VOCAB, ".vocab"))
    }
    weights, vocabulary = ({"file": file, "bytes": len(content)} for file, content in contents.items())
    simplified = f"{source.code}.simplified" if source.code == "zh" else ""
    if simplified:
        contents[simplified] = json.dumps(simplified_characters(), ensure_ascii=False).encode()
    entry = {**model_entry(folder, name), "weights": weights, "vocabulary": vocabulary}
    declared = {**source_entry(source), "label": f"{source.name} to {target.name}", "models": {name: entry}}
    question = {
        "pair": pair,
        "beam": int(asked.get("beam", DEFAULT_BEAM)),
        "models": [name],
        "asked": {},
        "words": data["words"],
        "fixed": {
            "formulas": data.get("formulas"),
            "code": data.get("numpy", {}).get("code"),
            "colors": data.get("colors"),
            "panes": ["grid", "head"],
            "own": {},
        },
        "settings": {
            "page": page.name,
            "pair": {**declared, "examples": [], "sentences": [], "simplified": simplified},
            "limits": LIMITS,
            "says": MESSAGES,
            "base": "",
        },
    }
    return question, {file: base64.b64encode(content).decode() for file, content in contents.items()}
