"""The picture to which a link from "Copy link" leads: `linked_picture("transformer?text=I+see.&pane=layer")`.

A link is rejected with one sentence if a page could not show it as requested, because it names something unknown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from nmtcore.config import ARCHITECTURES, CORE, DEFAULT_BEAM, MAX_BEAM, is_autoregressive
from nmtcore.decoding.by_name import load, translate
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.errors import NmtError, SettingError
from nmtcore.limits import check_models
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.places import model_names, models_folder
from nmtcore.text.languages import language
from nmtcore.views import pictures
from nmtcore.views.kit.link_state import QUOTED, Choice, Codes, Flag, Parameter, Pattern, Whole
from nmtcore.views.notebook import Picture
from nmtcore.views.parameters import (
    ALIGNMENT,
    BEAM_TREE,
    CONTEXT_VECTOR,
    HEADS,
    MASKS,
    PICK,
    PLACE,
    RESIDUAL_STREAM,
    ROTATION,
    Uses,
)
from nmtcore.views.site.pages import linked_page, positions_opening

# Parameters of a page around its picture: a lesson has its own text and order.
AROUND = frozenset({"tour", "projection", "picture", "pin", "reading", "section", "split", "whole"})
PANES = ("grid", "head", "cell")  # panes of the Transformer page that a file of the heads can show
LAYER: Uses = {use: RESIDUAL_STREAM[use] for use in ("piece", "layer")}  # what is switched off needs the model


@dataclass(frozen=True)
class Asked:
    """A link's question: languages, sentence, beam width, and the texts of its parameters by name."""

    pair: str
    text: str
    beam: int
    texts: Mapping[str, str]

    def model(self, name: str) -> Checkpoint:
        """The model of the pair with this architecture. Raises CheckpointError, which lists the available ones."""
        return load(f"{self.pair}/{name}")

    def record(self, model: Checkpoint) -> Trace | MaskPredictRecord:
        """A model's decode of the sentence."""
        if is_autoregressive(model.config.architecture):
            return translate(model, self.text, beam=self.beam)
        return translate(model, self.text)


def linked_picture(link: str) -> Picture:
    """Translate and draw what a link asks for. Raises NmtError, with the link in its sentence."""
    try:
        return _drawn(link)
    except NmtError as error:
        raise SettingError(f"The link {link!r}: {error}") from error


def _drawn(link: str) -> Picture:
    page = linked_page(link)
    texts = dict(parse_qsl(urlsplit(link).query, keep_blank_values=True))
    texts = {name: text for name, text in texts.items() if name not in AROUND}
    pair = texts.pop("pair", "en-fr")
    pairs = sorted({name.partition("/")[0] for name in model_names(models_folder())})
    if pair not in pairs:
        raise SettingError(f"There are no models of the pair {pair!r}. There are: {', '.join(pairs)}.")
    beam = Whole("beam", DEFAULT_BEAM, 1, MAX_BEAM)
    width = beam.parse(texts.pop("beam", str(DEFAULT_BEAM)))
    if width is None:
        raise SettingError(f"beam goes from 1 to {MAX_BEAM}.")
    if "text" in texts:
        text = texts.pop("text")
    else:
        examples = list(language(pair.partition("-")[0]).examples.values())
        text = examples[min(page.first, len(examples) - 1)]
    asked = Asked(pair, text, width, texts)
    picture, uses, own = DRAWN[page.name_in_app](asked)
    data = {**picture.data, "opens_with": read_slice(uses, texts, own)}
    return Picture(picture.view, data, picture.height)


def read_slice(uses: Uses, texts: Mapping[str, str], also: frozenset[str] = frozenset()) -> dict[str, Any]:
    """A picture's part of the state, like `readSlice` in kit/link_state.js: a value or null by use.

    also: names that the page has read itself. Raises SettingError for parameters that the picture lacks or cannot read.
    """
    known = {parameter.name for parameter in uses.values()} | also
    if unknown := sorted(texts.keys() - known):
        there = f"It can have: {', '.join(sorted(known))}." if known else "It has no parameters."
        raise SettingError(f"This picture cannot show {unknown[0]}={texts[unknown[0]][:QUOTED]!r} in a file. {there}")
    return {use: _value(parameter, texts.get(parameter.name)) for use, parameter in uses.items()}


def _value(parameter: Parameter[Any], text: str | None) -> Any:
    if text is None:
        return [] if isinstance(parameter, Codes) else None
    value = parameter.parse(text)
    if value is None:
        raise SettingError(f"{parameter.name} cannot be {text[:QUOTED]!r}.")
    if isinstance(parameter, Pattern):
        parts = parameter.parts(text)
        return {name: _number(part) for name, part in zip(parameter.groups, parts, strict=True)}
    if isinstance(parameter, Flag):
        return text
    return list(value) if isinstance(parameter, Codes) else value


def _number(part: str | None) -> int | str | None:
    return int(part) if part is not None and part.isdecimal() else part


# A page's picture, the parameters that it reads, and the names read here.
Drawn = tuple[Picture, Uses, frozenset[str]]


def _word(asked: Asked, name: str, trace: Trace) -> None:
    """Raises SettingError if a link names a word that the translation does not have."""
    word = asked.texts.get(name, "1").partition(".")[0]
    if word.isdecimal() and int(word) > len(trace.target):
        raise SettingError(f"{name}={word}, but the translation has {len(trace.target)} pieces.")


def _picked(asked: Asked, targets: list[int], sources: list[int]) -> None:
    """Raise SettingError if the picked piece does not exist. targets, sources: numbers of pieces, by panel."""
    pick = _value(PICK, asked.texts.get("pick"))
    if pick is None:
        return
    panel = pick["panel"]
    if panel >= len(targets) or (pick["target"] or 0) >= targets[panel] or (pick["source"] or 0) >= sources[panel]:
        raise SettingError(f"pick={asked.texts['pick']} names a piece that is not in this picture.")


def _translate(asked: Asked) -> Drawn:
    root = models_folder()
    there = [name for name in ARCHITECTURES if f"{asked.pair}/{name}" in model_names(root)]
    codes = asked.texts["models"].split("~") if "models" in asked.texts else [n for n in CORE if n in there]
    if missing := [code for code in codes if code not in there]:
        raise SettingError(f"There is no model {missing[0]!r} of {asked.pair}. There are: {', '.join(there)}.")
    check_models(len(codes))
    records = [asked.record(asked.model(name)) for name in there if name in codes]
    _picked(asked, [len(r.target) for r in records], [len(r.source) for r in records])
    return pictures.compare(records, marks=True), ALIGNMENT, frozenset({"models"})


def _one(asked: Asked, name: str) -> tuple[Checkpoint, Trace]:
    model = asked.model(name)
    trace = asked.record(model)
    if not isinstance(trace, Trace):
        raise SettingError(f"{model.name} writes all words at once: this page has no picture of it.")
    return model, trace


def _no_attention(asked: Asked) -> Drawn:
    model, trace = _one(asked, "none")
    _word(asked, "decoder-step", trace)
    return pictures.context_vector(trace, model=model), CONTEXT_VECTOR, frozenset()


def _attention(name: str) -> Callable[[Asked], Drawn]:
    def drawn(asked: Asked) -> Drawn:
        model, trace = _one(asked, name)
        _word(asked, "decoder-step", trace)
        uses = {"place": PLACE}  # an override needs the model again
        return pictures.walkthrough(trace, model=model), uses, frozenset()

    return drawn


def _transformer(asked: Asked) -> Drawn:
    model, trace = _one(asked, "transformer")
    pane = asked.texts.get("pane", "grid")
    own = frozenset({"pane"})
    if pane == "layer":
        return pictures.layer(trace, piece=asked.texts.get("piece", ""), model=model), LAYER, own
    if pane == "batch":
        return pictures.masks(trace, model=model), MASKS, own
    uses = {use: parameter for use, parameter in HEADS.items() if use not in ("off", "run")}  # these need the model
    uses["pane"] = Choice("pane", PANES[0], PANES)
    picture = pictures.heads(
        trace, head=asked.texts.get("head", ""), cell="pick" in asked.texts or pane == "cell", model=model
    )
    chosen = picture.data["heads"]["maps"][picture.data["heads"]["chosen"]["kind"]]
    _picked(asked, [len(chosen["queries"])], [len(chosen["keys"])])
    return picture, uses, frozenset()


def _positions(asked: Asked) -> Drawn:
    model = asked.model("transformer")
    return Picture("rotation", positions_opening(model.read(asked.text), {"transformer": model})), ROTATION, frozenset()


def _beam(asked: Asked) -> Drawn:
    model, trace = _one(asked, asked.texts.get("model", "transformer"))
    uses = {use: parameter for use, parameter in BEAM_TREE.items() if use not in ("whatif", "compare")}
    return pictures.beam_tree(trace, model=model), uses, frozenset({"model"})


DRAWN: Mapping[str, Callable[[Asked], Drawn]] = {
    "translate": _translate,
    "no_attention": _no_attention,
    "additive": _attention("additive"),
    "dot": _attention("dot"),
    "transformer": _transformer,
    "positions": _positions,
    "beam": _beam,
}
