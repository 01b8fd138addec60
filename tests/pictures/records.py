"""A record of every view, by small untrained models or by hand: unequal sizes, odd tokens, all optional parts.

They are kept in `records/`, since the last digits of a model's numbers differ between processors.
"""

import dataclasses
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np

from nmtcore.analysis import arithmetic
from nmtcore.analysis.embeddings import embedding_tables
from nmtcore.analysis.gates import gates_by_layer, recompute_gates
from nmtcore.analysis.head_names import HeadName
from nmtcore.analysis.head_parts import attention_inputs, recompute_head
from nmtcore.analysis.masks import padded_batch
from nmtcore.analysis.residual_stream import recompute_stream
from nmtcore.config import DecodingConfig, MaskPredictDecoding, RecurrentConfig
from nmtcore.decoding import mask_predict
from nmtcore.decoding.trace import AttentionMap, Trace
from nmtcore.decoding.trace_json import rounded
from nmtcore.intervention import Intervention, layer_switch
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.positions import sinusoids
from nmtcore.models.scores import SCORES
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.alignment import data as alignment
from nmtcore.views.beam_tree import data as beam_tree
from nmtcore.views.beam_tree.data import Line
from nmtcore.views.context_vector import data as context_vector
from nmtcore.views.embeddings import data as embeddings
from nmtcore.views.gates_by_layer import data as gates_picture
from nmtcore.views.heads import data as heads
from nmtcore.views.heads.head import Head
from nmtcore.views.mask_predict import data as mask_predict_picture
from nmtcore.views.masks import data as masks
from nmtcore.views.nearest import data as nearest
from nmtcore.views.residual_stream import data as residual_stream
from nmtcore.views.rotation import data as rotation
from nmtcore.views.walkthrough import data as walkthrough
from pages.attention.score_comparison import variance_growth
from pages.attention.wording import comparison_sentences
from pages.common.component import Slice
from pages.common.registry import entry
from pages.transformer.explorer import ACTS_UPON
from pages.transformer.state import HEADS, MASKS, TransformerState
from tests.helpers import SENTENCES, small, translate
from tests.pictures.made_up_search import WORDS, search

TEXT = "un chien"  # four pieces, one of which continues a word
RECORDS = Path(__file__).parent / "records"
NAMES = RECORDS.with_suffix(".json")  # for those who read no Python: docs/dev.html, Node
Record = dict[str, Any]


@cache
def vocab() -> Vocab:
    return Vocab.train(SENTENCES * 3, 90)


def model(architecture: str) -> Checkpoint:
    return small(architecture, vocab())


def decoded(architecture: str, text: str, length: int, change: Intervention | None = None) -> Trace:
    """A short translation, which took no time."""
    trace = translate(model(architecture), text, DecodingConfig(max_length=length), change or Intervention())
    return dataclasses.replace(trace, seconds=0.004)


def link(page: str, runs: tuple[str, ...] = (), /, **uses: str) -> Record:
    """What a page sends along with a picture: query parameters by use, named as in the address."""
    declared = {parameter.name: parameter for parameter in entry(page).state.parameters().values()}
    sent = {use: declared[name].to_json() for use, name in uses.items()}
    for use in runs:
        sent[use] |= {"runs": True, "now": None}
    return sent


def made_up_panels() -> Record:
    """A model without attention and three that look at odd pieces, whose matrices are written by hand."""
    source = ("▁the", "▁red", "▁ta", "ble", "▁<b>", "<eos>")
    targets = {
        "additive": ("▁la", "▁table", "▁rouge", "<eos>"),
        "dot": ("▁la", "▁t", "able", "▁<b>", "<eos>"),
        "transformer": ("▁une", "▁ta", "ble", "▁", "<eos>"),
    }
    paths = {"additive": (0, 2, 1, 5), "dot": (0, 2, 3, 4, 5), "transformer": (0, 2, 3, 4, 5)}
    vector = tuple(np.linspace(-1, 1, 8).tolist())
    panels = [alignment.Panel("No attention", "none", source, ("▁la", "<eos>"), vector=vector, translation="la")]
    for number, (name, pieces) in enumerate(targets.items()):
        weights = np.full((1, 2, len(pieces), len(source)), 0.03, np.float32)
        weights[:, :, range(len(pieces)), paths[name]] = 0.85 - 0.1 * number
        attention = AttentionMap("cross", pieces, source, weights)
        text = "".join(pieces[:-1]).replace("▁", " ").strip()
        panels.append(
            alignment.Panel(
                name.title(), name, source, pieces, attention, translation=text, log_probability=-1.25,
                neighbors="additive?text=x",
            )
        )  # fmt: skip
    sent = alignment.data(panels, sentence="the red table <b>", play=True, marks=True)
    return sent | {"link": link("translate", pick="pick", view="pick-view", step="pick-step")}


def causal_panel() -> Record:
    """Decoder self attention, in which a step sees no later one; one weight that may be seen is zero."""
    inputs = ("<sos>", "▁a", "b")
    weights = np.tril(np.ones((3, 3), np.float32))
    weights[2, 1] = 0
    attention = AttentionMap("decoder", inputs, inputs, (weights / weights.sum(1, keepdims=True))[None, None])
    sent = alignment.data([alignment.Panel("Heads", "transformer", inputs, inputs, attention)], play=True)
    return sent | {"link": link("translate", pick="pick", view="pick-view", step="pick-step")}


def two_that_differ() -> Record:
    """Two models, only one of which looks at the first word; a Chinese word, one in two pieces, punctuation."""
    source = ("▁did", "▁", "长颈鹿", "▁p", ".", "m", ".", "<eos>")
    rows = {
        "additive": (("▁avez", "▁vo", "us", "<eos>"), (0, 2, 3, 7)),
        "transformer": (("▁as", "▁vous", "<eos>"), (2, 2, 7)),
    }
    panels = []
    for name, (target, looks) in rows.items():
        weights = np.full((1, 1, len(target), len(source)), 0.02, np.float32)
        weights[0, 0, range(len(target)), looks] = 0.86
        attention = AttentionMap("cross", target, source, weights)
        panels.append(alignment.Panel(name.title(), cast(Any, name), source, target, attention))
    return alignment.data(panels) | {"link": link("translate", pick="pick", view="pick-view", step="pick-step")}


def copying_panel() -> Record:
    """A model that copies, with its probabilities of words, candidates and g."""
    return alignment.data(
        [alignment.Panel.of("Pointer-generator", "copying", decoded("copying", TEXT, 3))],
        sentence=TEXT, play=True, marks=True,
    )  # fmt: skip


def made_up_search() -> Record:
    lines = (Line("greedy", "greedy", search(1, 5, seed=8)),)
    sent = beam_tree.data(
        search(3, 5), cast(Vocab, WORDS), model="Dot", name="beam 3", lines=lines, whatifs=[("not.2.5", "not “maison”")]
    )
    runs = ("whatif", "compare", "vectors")
    uses = {"alpha": "alpha", "beta": "beta", "dropped": "dropped", "step": "search-step", "later": "later"}
    return sent | {"link": link("beam", runs, **uses, whatif="whatif", compare="compare", vectors="vectors")}


def one_vector() -> Record:
    trace = decoded("none", TEXT, 3, Intervention(forced=((0, 9), (1, 10), (2, 11))))
    config = cast(Any, model("none").config)
    sent = context_vector.data(trace, config, model="No attention", gates=recompute_gates(model("none"), trace))
    return sent | {"link": link("no_attention", ("vectors",), step="decoder-step", vectors="vectors")}


def words_as_vectors() -> Record:
    trace = decoded("transformer", TEXT, 3)
    tables = embedding_tables(model("transformer"))
    ids = {"source": [*trace.source_ids], "target": trace.ids}
    picked = embeddings.PickedRow("source", trace.source_ids[1], 1)
    sent = embeddings.data(tables, cast(Any, ids), trace, picked=picked)
    return sent | {"link": link("transformer", ("vectors",), vectors="vectors")}


def deep_gates() -> Record:
    trace = decoded("deep-lstm", TEXT, 3)
    config = cast(Any, model("deep-lstm").config)
    sent = gates_picture.data(trace, config, gates_by_layer(model("deep-lstm"), trace), model="Deep LSTM")
    return sent | {"link": link("no_attention", layer="lstm", step="lstm-step")}


def all_heads() -> Record:
    return _heads("grid")


def heads_table() -> Record:
    """The pane that compares the heads, with one of them off."""
    off = Head("cross", 0, 0)
    after = decoded("transformer", TEXT, 3, Intervention(heads_off=(("cross", 0, 0),)))
    changes = [round(0.1 * (n % 5) - 0.2, 1) for n in range(16)]
    return _heads("compare", off=(off,), after=after, run="before", changes=changes, effect=heads.Effect(-7.25))


def one_cell() -> Record:
    """The pane of the arithmetic of one cell."""
    loaded, trace = model("transformer"), decoded("transformer", TEXT, 3)
    parts = heads.CellParts(attention_inputs(loaded, trace, "cross"), recompute_head(loaded, trace, "cross", 1, 1))
    return _heads("cell", cell_parts=parts)


def _heads(pane: str, **settings: Any) -> Record:
    trace = decoded("transformer", TEXT, 3)
    sent = heads.data(
        trace, chosen=Head("cross", 1, 1), pane=pane, model="Transformer", note="First: {head}.", neighbors=True,
        best=Head("cross", 0, 1), names={("cross", 0, 1): HeadName("aligned", 0.9)}, **settings,
    )  # fmt: skip
    # An address without a pane asks for the grid; if there is none, the record says what is shown.
    return sent | {"link": Slice(TransformerState(), HEADS, ACTS_UPON).to_json()} if pane == "grid" else sent


def rounds() -> Record:
    record = mask_predict.translate(model("mask-predict"), model("mask-predict").read(TEXT), MaskPredictDecoding(3, 2))
    beside = decoded("transformer", TEXT, 3)
    record = dataclasses.replace(record, seconds=0.004)
    return mask_predict_picture.data(record, beside, title="Mask-predict", beside_title="Transformer")


def batch() -> Record:
    loaded = model("transformer")
    sentences = [TEXT, "a red", "a"]
    traces = [decoded("transformer", text, length) for text, length in zip(sentences, (3, 4, 2), strict=True)]
    found = padded_batch(loaded, [loaded.vocab.encode(text) for text in sentences], [trace.ids for trace in traces])
    sent = masks.data(found, model="Transformer", sentences=sentences)
    return sent | {"link": Slice(TransformerState(), MASKS).to_json()}


def nearest_pieces() -> Record:
    table = embedding_tables(model("transformer"))["source"]
    return nearest.data(table.nearest(table.rows[9], count=5), "#0072B2", title="Nearest pieces to a − b + c")


def stream() -> Record:
    change = Intervention(parts_off=(layer_switch("decoder.2.feedforward"),))
    loaded, trace = model("transformer"), decoded("transformer", TEXT, 3, change)
    encoder, decoder = recompute_stream(loaded, trace, "encoder"), recompute_stream(loaded, trace, "decoder")
    effect = [("Before", "un chat", "log P −1.00"), ("After, without a part", trace.text, "log P −2.00")]
    sent = residual_stream.data(
        encoder, decoder, trace, cast(Any, loaded.config), model="Transformer", opens="t1", effect=effect
    )
    return sent | {"link": link("transformer", ("vectors",), piece="piece", layer="layer", vectors="vectors")}


def turn() -> Record:
    table = np.asarray(sinusoids(12, 8), np.float64)
    sent = rotation.data(table, ("▁a", "▁big", "cat", "<eos>"), 4, title="Positional encodings as a turn")
    return sent | {"link": link("positions", i="i", position="position", k="k")}


def additive_steps() -> Record:
    return _walkthrough("additive")


def dot_steps() -> Record:
    """With the other scores that the page of dot products compares."""
    trace = decoded("dot", TEXT, 3)
    queries, states = trace.inner["query"][:, 0], trace.inner["states"][0]
    scores = SCORES["dot"].recompute(queries[0], states), SCORES["scaled_dot"].recompute(queries[0], states)
    columns = [
        {"head": name, "formula": "s · h", "note": "", "scores": rounded(np.stack([numbers] * len(queries)))}
        for name, numbers in zip(("dot", "scaled"), scores, strict=True)
    ]
    lab = {"columns": columns, "notes": ["A note."], "temperatures": [0.1, 10], "words": comparison_sentences()}
    return _walkthrough("dot", {**lab, "root": variance_growth(trace), "root_d": 18**0.5})


def _walkthrough(architecture: str, lab: Record | None = None) -> Record:
    trace, loaded = decoded(architecture, TEXT, 3), model(architecture)
    weights = {name: tensor.numpy() for name, tensor in loaded.model.state_dict().items()}
    config = cast(RecurrentConfig, loaded.config)
    sent = walkthrough.data(trace, config, cast(arithmetic.Weights, weights), id="1", question="1", lab=lab)
    uses = {"place": "decoder-step", "override": "bend", "vectors": "vectors"}
    uses |= {"temperature": "temperature"} if lab else {}
    return sent | {"link": link(architecture, ("override", "vectors"), **uses)}


MADE: dict[str, tuple[str, Callable[[], Record]]] = {
    "alignment": ("alignment", made_up_panels),
    "alignment-apart": ("alignment", two_that_differ),
    "alignment-causal": ("alignment", causal_panel),
    "alignment-copying": ("alignment", copying_panel),
    "beam_tree": ("beam_tree", made_up_search),
    "context_vector": ("context_vector", one_vector),
    "embeddings": ("embeddings", words_as_vectors),
    "gates_by_layer": ("gates_by_layer", deep_gates),
    "heads": ("heads", all_heads),
    "heads-table": ("heads", heads_table),
    "heads-cell": ("heads", one_cell),
    "mask_predict": ("mask_predict", rounds),
    "masks": ("masks", batch),
    "nearest": ("nearest", nearest_pieces),
    "residual_stream": ("residual_stream", stream),
    "rotation": ("rotation", turn),
    "walkthrough": ("walkthrough", additive_steps),
    "walkthrough-dot": ("walkthrough", dot_steps),
}


def make(name: str) -> Record:
    """The record of this name, as a browser gets it."""
    view, record = MADE[name]
    return json.loads(json.dumps({"view": view, "data": record()}))  # type: ignore[no-any-return]


def kept(name: str) -> Record:
    return json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def text_of(record: Record) -> str:
    """One line per field, so that a diff shows which have changed."""
    data = record["data"].items()
    fields = (f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in data)
    return f'{{"view": {json.dumps(record["view"])}, "data": {{\n' + ",\n".join(fields) + "\n}}\n"
