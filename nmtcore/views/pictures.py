"""Pictures of records, one function each: `nmtcore.views.alignment(trace)`, `nmtcore.views.heads(trace)`, ...

A notebook shows the result of a function, and its `.save("picture.html")` writes one file. Options are keywords. What
a Trace lacks, such as a model's weights, comes from its model: the one given as `model`, otherwise the shipped one with
the trace's name.
"""

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nmtcore.analysis.aligning_head import aligning_head
from nmtcore.analysis.arithmetic import weights_of
from nmtcore.analysis.embeddings import Side, embedding_tables
from nmtcore.analysis.gates import recompute_gates
from nmtcore.analysis.head_parts import attention_inputs, recompute_head
from nmtcore.analysis.masks import padded_batch
from nmtcore.analysis.residual_stream import recompute_stream
from nmtcore.config import ARCHITECTURES, Architecture, DecodingConfig, RecurrentConfig, TransformerConfig
from nmtcore.decoding import decode
from nmtcore.decoding.by_name import load, translate
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import AttentionMap, Trace
from nmtcore.errors import CheckpointError, SettingError, TraceError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import EOS
from nmtcore.text.words import token_name
from nmtcore.views import PICTURES, picture_function
from nmtcore.views.alignment import data as panels
from nmtcore.views.alignment.data import Panel
from nmtcore.views.beam_tree import data as tree
from nmtcore.views.beam_tree.data import Line
from nmtcore.views.context_vector import data as vector
from nmtcore.views.embeddings import data as vectors
from nmtcore.views.heads import data as all_heads
from nmtcore.views.heads.head import Head
from nmtcore.views.mask_predict import data as rounds
from nmtcore.views.masks import data as batch
from nmtcore.views.notebook import Picture
from nmtcore.views.residual_stream import data as stream
from nmtcore.views.walkthrough import data as walk

Model = str | Path | Checkpoint
TOLERANCE = 0.01  # nats: log-probabilities of one model on two processors differ by less, of two models by more
SHARES = (0.5, 0.75)  # shares of a sentence's words, for two shorter ones: padding is visible but not most of the batch
MARKS = ("\u2581", "\u0120")  # sentencepiece's and GPT-2's: a word begins here
GOES_ON = "##"  # BERT's: a word goes on here


def show(model: Model, text: str, picture: str = "alignment", **options: Any) -> Picture:
    """Translate a sentence and draw it: `show("en-fr/transformer", "I am tired.", "heads")`.

    options: of the picture, and `beam`. Raises SettingError for an unknown picture.
    """
    names = [name for name in PICTURES if name not in ("compare", "matrix")]
    if picture not in names:
        raise SettingError(f"There is no picture {picture!r} of one decode. There are: {', '.join(names)}.")
    loaded = load(model)
    settings = {name: options.pop(name) for name in ("beam",) if name in options}
    record = translate(loaded, text, **settings)
    draw: Callable[..., Picture] = picture_function(picture)
    if "model" in inspect.signature(draw).parameters:
        options["model"] = loaded
    return draw(record, **options)


def alignment(
    trace: Trace | MaskPredictRecord,
    *,
    head: str = "",
    title: str = "",
    play: bool = True,
    marks: bool = False,
    height: int = 560,
) -> Picture:
    """Draw the cross attention of a decode as a matrix and as ribbons, or the context vector of a model without.

    head: layer and head, counted from 1, such as "cross.2.1"; by default the best-aligning head of a shipped model,
    otherwise the mean of the last layer. play: offer to play the decoding. marks: mark words with a probability below
    one half. Raises SettingError for a head that the model does not have.
    """
    return compare([trace], heads=[head], titles=[title] if title else None, play=play, marks=marks, height=height)


def compare(
    traces: Sequence[Trace | MaskPredictRecord],
    *,
    titles: Sequence[str] | None = None,
    heads: Sequence[str] | None = None,
    play: bool = True,
    marks: bool = False,
    height: int = 560,
) -> Picture:
    """Draw the alignments of one sentence by several models side by side, linked: a picked word is highlighted in all.

    titles, heads, play, marks: as in `alignment`, one for each trace. Raises TraceError for several sentences.
    """
    records = [_record(trace, "compare") for trace in traces]
    texts = list(dict.fromkeys(trace.source_text for trace in records))
    if len(texts) != 1:
        raise TraceError(f"compare() draws one sentence by several models; these are of {len(texts)} sentences.")
    names = list(titles) if titles is not None else [_title(trace) for trace in records]
    chosen = list(heads) if heads is not None else [""] * len(records)
    if not len(names) == len(chosen) == len(records):
        raise SettingError(f"compare() needs a title and a head for each trace: there are {len(records)}.")
    drawn = [_panel(trace, name, head) for trace, name, head in zip(records, names, chosen, strict=True)]
    record = panels.data(drawn, sentence=texts[0], play=play, marks=marks, height=height)
    return Picture("alignment", record)


def heads(
    trace: Trace, *, head: str = "", cell: bool = False, model: Model | None = None, height: int = 420
) -> Picture:
    """Draw every head of a Transformer, one of them enlarged, with statistics of each.

    head: kind, layer and head, counted from 1, such as "cross.2.1" or "encoder.1.mean"; by default the one that aligns
    best in the model's test. cell: add q, k and v of that head, for the arithmetic of one cell.
    """
    trace = _trace(trace, "heads")
    if ARCHITECTURES[trace.architecture].config is not TransformerConfig:
        raise TraceError(f"heads() draws the heads of a Transformer; {trace.model} is not one.")
    aligns = _aligning_head(trace, model) or (0, 0)
    chosen = _head(head or Head("cross", *aligns).code, trace)
    parts = None
    if cell and chosen.layer is not None and chosen.head is not None:
        loaded = _model_of(trace, model)
        inputs = attention_inputs(loaded, trace, chosen.kind)
        contribution = recompute_head(loaded, trace, chosen.kind, chosen.layer, chosen.head)
        parts = all_heads.CellParts(inputs, contribution)
    record = all_heads.data(
        trace,
        chosen=chosen,
        pane="cell" if parts else "grid",
        model=_title(trace),
        cell_parts=parts,
        height=height,
    )
    return Picture("heads", record)


def walkthrough(trace: Trace, *, model: Model | None = None) -> Picture:
    """Draw attention step by step: states, scores, softmax, context and the next word, with this decode's numbers."""
    trace = _trace(trace, "walkthrough")
    loaded = _model_of(trace, model)
    if not isinstance(loaded.config, RecurrentConfig):
        raise TraceError(f"walkthrough() draws a recurrent model with attention; {trace.model} is not one.")
    return Picture("walkthrough", walk.data(trace, loaded.config, weights_of(loaded), id="", question=""))


def beam_tree(
    trace: Trace,
    *,
    alpha: float = DecodingConfig.alpha,
    beta: float = DecodingConfig.beta,
    step: int = 0,
    greedy: bool = True,
    model: Model | None = None,
) -> Picture:
    """Draw the tree of a beam search, replayed step by step, with every candidate and why it was dropped.

    alpha, beta: penalties of length and coverage by which finished hypotheses are ranked; step: where it opens, 0 for
    the start; greedy: lay the path of greedy search over it. Raises SettingError for a penalty out of range.
    """
    trace = _trace(trace, "beam_tree")
    DecodingConfig(alpha=alpha, beta=beta)  # checks them
    loaded = _model_of(trace, model)
    lines = []
    if greedy and trace.decoding.beam > 1 and trace.intervention == NO_CHANGE:
        lines.append(Line("greedy", "greedy", decode.translate(loaded, loaded.read(trace.source_text))))
    width = trace.decoding.beam
    record = tree.data(
        trace,
        loaded.vocab,
        model=_title(trace),
        name=f"beam {width}" if width > 1 else "greedy",
        lines=lines,
        alpha=alpha,
        beta=beta,
    )
    if (alpha, beta, step) != (DecodingConfig.alpha, DecodingConfig.beta, 0):
        record["opens_with"] = {"alpha": alpha, "beta": beta, "step": step}
    return Picture("beam_tree", record)


def context_vector(trace: Trace, *, gates: bool = True, model: Model | None = None) -> Picture:
    """Draw the one vector between encoder and decoder of a model without attention, and the gates of each step."""
    trace = _trace(trace, "context_vector")
    loaded = _model_of(trace, model)
    if not isinstance(loaded.config, RecurrentConfig):
        raise TraceError(f"context_vector() draws a recurrent model; {trace.model} is not one.")
    gate_values = recompute_gates(loaded, trace) if gates else None
    return Picture("context_vector", vector.data(trace, loaded.config, model=_title(trace), gates=gate_values))


def layer(trace: Trace, *, piece: str = "", model: Model | None = None) -> Picture:
    """Draw one piece's path through the layers of a Transformer: norms, sub-layers, residuals, and the logit lens.

    piece: such as "s0" in the source or "t2" in the translation, counted from 0; by default the longest one.
    """
    trace = _trace(trace, "layer")
    loaded = _model_of(trace, model)
    if not isinstance(loaded.config, TransformerConfig):
        raise TraceError(f"layer() draws the layers of a Transformer; {trace.model} is not one.")
    pieces = {
        f"{side}{i}": name
        for side, names in zip("st", (trace.source, trace.target), strict=True)
        for i, name in enumerate(names)
    }
    longest = max((code for code in pieces if code[0] == "t"), key=lambda code: len(token_name(pieces[code])))
    if piece and piece not in pieces:
        raise SettingError(
            f"There is no piece {piece!r}: they are s0 to s{len(trace.source) - 1} and t0 to t{len(trace.target) - 1}."
        )
    encoder, decoder = recompute_stream(loaded, trace, "encoder"), recompute_stream(loaded, trace, "decoder")
    record = stream.data(encoder, decoder, trace, loaded.config, model=_title(trace), opens=piece or longest)
    return Picture("residual_stream", record)


def masks(trace: Trace, *others: str, model: Model | None = None) -> Picture:
    """Draw a padded batch and its masks: the sentence of a decode and others, translated greedily.

    others: sentences; by default the first words of this one.
    """
    trace = _trace(trace, "masks")
    loaded = _model_of(trace, model)
    words = trace.source_text.split()
    texts = others or tuple(" ".join(words[: max(1, int(share * len(words)))]) for share in SHARES)
    traces = [trace, *(decode.translate(loaded, loaded.read(text)) for text in texts)]
    targets = [one.ids if one.ids[-1] == EOS else (*one.ids, EOS) for one in traces]
    padded = padded_batch(loaded, [one.source_ids[:-1] for one in traces], targets)
    return Picture("masks", batch.data(padded, model=trace.model, sentences=[one.source_text for one in traces]))


def mask_predict(record: MaskPredictRecord, *, beside: Trace | None = None) -> Picture:
    """Draw the rounds of mask-predict; beside: an autoregressive decode."""
    if not isinstance(record, MaskPredictRecord):
        raise TraceError("mask_predict() draws the record of a model that writes all words at once.")
    other = _title(beside) if beside else ""
    return Picture("mask_predict", rounds.data(record, beside, title=_title(record), beside_title=other))


def embeddings(trace: Trace, *, model: Model | None = None) -> Picture:
    """Draw the pieces of a sentence and its translation as vectors: nearest neighbours, and their plane."""
    trace = _trace(trace, "embeddings")
    ids: dict[Side, Sequence[int]] = {"source": trace.source_ids, "target": trace.ids}
    lengths = [len(token_name(piece)) for piece in trace.source[:-1]] or [0]
    position = lengths.index(max(lengths))
    picked = vectors.PickedRow("source", ids["source"][position], position)
    return Picture("embeddings", vectors.data(embedding_tables(_model_of(trace, model)), ids, trace, picked=picked))


def matrix(
    weights: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    title: str = "attention",
    sentence: str = "",
    architecture: Architecture = "transformer",
    height: int = 560,
) -> Picture:
    """Draw attention from another program: weights from 0 to 1, rows attending to columns, as NumPy or PyTorch array.

    weights: (rows, columns); leading dimensions for layers and heads are averaged. rows, columns: words, or pieces with
    the marks of sentencepiece, GPT-2 or BERT. architecture: the one whose colour to use.
    """
    if hasattr(weights, "detach"):  # a tensor, which may be on a GPU, in bfloat16 and require a gradient
        weights = weights.detach().float().cpu()
    values = np.asarray(weights, np.float32)
    if not 2 <= values.ndim <= 4:
        raise TraceError(f"matrix() draws weights with 2 to 4 axes; these have {values.ndim}.")
    if not len(rows) or not len(columns):
        raise TraceError("matrix() needs at least one row and one column.")
    if architecture not in ARCHITECTURES:
        raise SettingError(f"There is no architecture {architecture!r}. There are: {', '.join(ARCHITECTURES)}.")
    while values.ndim < 4:
        values = values[None]
    queries, keys = _marked(rows), _marked(columns)
    attention = AttentionMap("cross", queries, keys, values)
    if (attention.weights > 1.001).any():
        raise TraceError(f"matrix() draws weights from 0 to 1; the largest here is {values.max():.3g}.")
    panel = Panel(title, architecture, keys, queries, attention, layer="mean", head="mean")
    return Picture("alignment", panels.data([panel], sentence=sentence or title, height=height))


def _marked(tokens: Sequence[str]) -> tuple[str, ...]:
    """Mark the start of each word as sentencepiece does, because the picture finds words by this mark."""
    marked = [str(token) for token in tokens]
    if any(token.startswith(MARKS) for token in marked):
        return tuple(MARKS[0] + token[1:] if token.startswith(MARKS[1]) else token for token in marked)
    return tuple(token[2:] if token.startswith(GOES_ON) else MARKS[0] + token for token in marked)


def _record(record: object, picture: str) -> Trace | MaskPredictRecord:
    if isinstance(record, Trace | MaskPredictRecord):
        return record
    raise TraceError(f"{picture}() draws what nmtcore.translate() returns; this is a {type(record).__name__}.")


def _trace(record: object, picture: str) -> Trace:
    if isinstance(record, MaskPredictRecord):
        raise TraceError(f"{picture}() draws a decode word by word; {record.model} writes all words at once.")
    trace = _record(record, picture)
    assert isinstance(trace, Trace)
    return trace


def _title(record: Trace | MaskPredictRecord) -> str:
    return ARCHITECTURES[record.architecture].title


def _panel(record: Trace | MaskPredictRecord, title: str, code: str) -> Panel:
    if isinstance(record, MaskPredictRecord):
        return Panel.of_rounds(title, record)
    cross = record.attention_of("cross")
    head = None
    if cross and code:
        chosen = _head(code, record)
        if chosen.kind != "cross" or chosen.layer is None or chosen.head is None:
            raise SettingError(f"An alignment is one head of cross attention, such as cross.1.1; {code} is not one.")
        head = chosen.layer, chosen.head
    elif cross and cross.heads * cross.layers > 1:
        head = _aligning_head(record, None)
    return Panel.of(title, record.architecture, record, head)


def _head(code: str, trace: Trace) -> Head:
    """The head with this code, such as "cross.2.1". Raises SettingError."""
    head = Head.read(code, trace) if isinstance(code, str) else None
    if head is None:
        raise SettingError(f"{trace.model} has no head {code!r}: name it as kind.layer.head, such as cross.1.1.")
    return head


def _aligning_head(trace: Trace, model: Model | None) -> tuple[int, int] | None:
    """The head of the trace's model that aligned best when evaluated; None without a model or an evaluation."""
    try:
        loaded = load(model if model is not None else trace.model)
    except CheckpointError:
        return None
    head = aligning_head(loaded.config, loaded.meta)
    cross = trace.attention_of("cross")
    fits = head and cross and head[0] < cross.layers and head[1] < cross.heads
    return head if fits else None


def _model_of(trace: Trace, model: Model | None) -> Checkpoint:
    """The model that made a trace: the given one, or the one with its name. Raises TraceError for another one."""
    try:
        loaded = load(trace.model if model is None else model)
    except CheckpointError as error:
        if model is not None:
            raise
        raise TraceError(f"This picture needs the model that made the trace: give it as model=... {error}") from error
    if trace.intervention == NO_CHANGE and not _wrote(loaded, trace):
        given = "ships under the name" if model is None else "is given as the model"
        raise TraceError(f"The model that {given} {loaded.name} did not make this trace: give it as model=...")
    return loaded


def _wrote(loaded: Checkpoint, trace: Trace) -> bool:
    """Whether a model gives the first tokens of a trace the recorded probabilities."""
    source = loaded.read(trace.source_text)
    if loaded.config.architecture != trace.architecture or source.cut(loaded.vocab).ids != trace.source_ids[:-1]:
        return False
    ids = trace.ids[:2]
    again = decode.translate(loaded, source, DecodingConfig(max_length=len(ids)), Intervention.prefix(ids))
    return [*again.ids] == [*ids] and bool(
        np.allclose(
            [step.log_probability for step in again.steps],
            [step.log_probability for step in trace.steps[: len(ids)]],
            atol=TOLERANCE,
        )
    )
