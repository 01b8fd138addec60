"""Beam search as plain data: the recorded tree, other results laid over it, and the initial view.

Stepping, pointing and reranking for another alpha or beta happen in the browser; the step, alpha and beta are
in the page's address, written there by the picture. Only a what-if needs a model: the host runs for it.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.figures.palette import GREEDY, HUES, PRUNED
from nmtcore.messages import Messages
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.beam_tree.messages import MESSAGES
from nmtcore.views.beam_tree.record import BeamTreeRecord
from nmtcore.views.beam_tree.search import Line, to_data


@dataclass(frozen=True)
class View:
    """How the tree opens, as far as the address says: the penalties, the present step (0: the tree's choice), whether
    later steps are drawn as strongly, and the dropped candidates: `none`, of this `step`, or `all`."""

    alpha: float = DecodingConfig.alpha
    beta: float = DecodingConfig.beta
    step: int = 0
    whole: bool = False
    dropped: str = "step"


def data(
    trace: Trace,
    vocab: Vocab,
    *,
    model: str,
    name: str,
    lines: Sequence[Line] = (),
    whatifs: Sequence[tuple[str, str]] = (),
    view: View | None = None,
    branch: int = 0,
    messages: Messages = MESSAGES,
) -> dict[str, Any]:
    """The data of the search.

    model, name: titles of the model and of the winner's row.
    lines: greedy search's result, the result before the what-ifs, a candidate to compare.
    whatifs: codes and sentences of the active ones, each of which can be undone.
    branch: the first step that a what-if changes, shown when its result arrives; 0 for the start.
    """
    view = view or View()
    tree = to_data(trace, lines, vocab)
    stamp = [trace.model, trace.source_text, trace.decoding.beam, trace.intervention.to_json()]
    record: BeamTreeRecord = {
        **tree,
        "stamp": hashlib.sha256(json.dumps(stamp).encode()).hexdigest()[:12],
        "sentence": trace.source_text,
        "model": model,
        "name": name,
        "whatifs": [{"code": code, "text": text} for code, text in whatifs],
        "penalties": {"alpha": view.alpha, "beta": view.beta if tree["attention"] else 0.0},
        "defaults": {"alpha": View.alpha, "beta": View.beta},
        "step": view.step,
        "whole": view.whole,
        "mode": view.dropped,
        "branch": branch,
        "colors": {"hue": HUES[trace.architecture], "greedy": GREEDY, "pruned": PRUNED},
        "words": messages,
    }
    return dict(record)
