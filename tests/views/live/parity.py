"""Parity of the models in JavaScript with those in Python: python -m tests.views.live.parity [--sentences N | --turn N]

Every model that the static site ships translates sentences of our own corpus, greedily and with a beam of 5, in both
languages; words, log P, every attention weight and the search tree are compared. Needs Node. The suite compares 200
shorter ones, a tenth of them every day: the day's turn is in its output.
"""

import argparse
import base64
import dataclasses
import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import BeamNode, Trace
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.checkpoint import CONFIG, load
from nmtcore.models.fast import accelerate
from nmtcore.views.site.build import LIVE
from tests.helpers import translate
from tests.paths import PRETRAINED, ROOT
from tests.views.live.node import run

ANSWER = Path(__file__).with_name("answer.mjs")
MODELS = [
    f"{pair}/{name}" for pair in ("en-fr", "zh-en") for name in LIVE if (PRETRAINED / pair / name / CONFIG).is_file()
]
SENTENCES = 200  # of a pair
TURNS = 10  # of the suite, in which it compares as many
TOLERANCE = 1e-3  # of log P and of every weight
MOST = 40  # questions at a time: a record of a Transformer is megabytes
TIE = 2e-5  # of log P: two candidates closer than this may change places

Question = tuple[str, int, Intervention]  # text, beam width, change


def answer(model: str, cut: Sequence[str] = (), decode: Iterable[Question] = ()) -> dict[str, Any]:
    """The JavaScript's answers: the pieces of texts, and traces as `Trace.from_json` reads them."""
    questions = [{"text": text, "beam": beam, "intervention": change.to_json()} for text, beam, change in decode]
    asked = {"folder": str(ROOT / "pretrained" / model), "cut": list(cut), "decode": questions}
    found: dict[str, Any] = json.loads(run([ANSWER], asked))
    for trace in found["traces"]:
        trace["attention"] = [attention | {"weights": array(attention["weights"])} for attention in trace["attention"]]
        trace["inner"] = {name: array(packed) for name, packed in trace["inner"].items()}
    return found


def array(packed: dict[str, Any]) -> np.ndarray[Any, Any]:
    """An array of float32 from its shape and bytes."""
    return np.frombuffer(base64.b64decode(packed["bytes"]), "<f4").reshape(packed["shape"])


def sentences(pair: str, count: int) -> list[str]:
    """Sentences of our own corpus, spread evenly over it."""
    lines = (ROOT / "pretrained" / "corpus" / f"{pair}.more.tsv").read_text(encoding="utf-8").splitlines()
    texts = [line.split("\t")[1] for line in lines if line and not line.startswith("#")]
    return texts[:: max(1, len(texts) // count)][:count]


def slice_of(pair: str, turn: int) -> list[Question]:
    """Questions of one turn of the suite, each greedily and with a beam: short sentences, and some of middle length."""
    texts = sorted(sentences(pair, 1000), key=len)
    chosen = texts[:170] + texts[170:500:11]
    return [(text, beam, NO_CHANGE) for text in chosen[turn % TURNS :: TURNS] for beam in (1, 5)]


def compare(model: str, questions: Sequence[Question]) -> Iterator[str]:
    """Sentences about the differences."""
    checkpoint = load(ROOT / "pretrained" / model)
    checkpoint = dataclasses.replace(checkpoint, model=accelerate(checkpoint.model))
    for start in range(0, len(questions), MOST):
        some = questions[start : start + MOST]
        for (text, beam, change), found in zip(some, answer(model, decode=some)["traces"], strict=True):
            expected = translate(checkpoint, text, DecodingConfig(beam), change)
            for difference in differences(expected, Trace.from_json(found)):
                yield f"{model}, beam {beam}, {text!r}: {difference}"


def differences(expected: Trace, found: Trace) -> Iterator[str]:
    """The differences between two records of one decode."""
    if (expected.source, expected.source_ids) != (found.source, found.source_ids):
        yield f"cut as {found.source}, not {expected.source}"
    elif expected.text != found.text or expected.target != found.target:
        yield f"{found.text!r}, not {expected.text!r}"
    else:
        if not abs(expected.log_probability - found.log_probability) <= TOLERANCE:
            yield f"log P {found.log_probability}, not {expected.log_probability}"
        if [a.kind for a in expected.attention] != [a.kind for a in found.attention]:
            yield "other kinds of attention"
        for ours, theirs in zip(expected.attention, found.attention, strict=False):
            apart = np.abs(ours.weights - theirs.weights).max()
            if not apart <= TOLERANCE:
                yield f"{ours.kind} attention {apart:.1e} apart"
        yield from _inner(expected, found)
    yield from _trees(expected, found)


def _inner(expected: Trace, found: Trace) -> Iterator[str]:
    """Intermediate arrays: the same names, shapes and numbers, to the precision of the largest."""
    if set(expected.inner) != set(found.inner):
        yield f"other arrays: {sorted(set(expected.inner) ^ set(found.inner))}"
    for name in set(expected.inner) & set(found.inner):
        ours, theirs = expected.inner[name], found.inner[name]
        if ours.shape != theirs.shape:
            yield f"{name} of the shape {theirs.shape}, not {ours.shape}"
        elif not np.allclose(ours, theirs, rtol=0, atol=TOLERANCE * max(1, np.abs(ours[np.isfinite(ours)]).max())):
            yield f"{name} differs"


def _trees(expected: Trace, found: Trace) -> Iterator[str]:
    """The nodes of two trees, by their paths: fate and log P. Candidates of equal probability may change places."""
    ours, theirs = _by_path(expected), _by_path(found)
    either = theirs | ours
    for path in either:
        a, b = ours.get(path), theirs.get(path)
        if a and b and (a.fate == b.fate or _tied(path, either)) and abs(a.total - b.total) <= TOLERANCE:
            continue
        if not _tied(path, either) and not _below_a_tie(path, ours, theirs):
            yield f"the node {path} is {b and (b.fate, b.total)}, not {a and (a.fate, a.total)}"
            return


def _by_path(trace: Trace) -> dict[tuple[int, ...], BeamNode]:
    return {tuple(node.token_id for node in trace.path(node)): node for node in trace.beam}


def _tied(path: tuple[int, ...], either: dict[tuple[int, ...], BeamNode]) -> bool:
    """Whether another candidate of the same step is as likely; one of two such may be recorded in one tree alone."""
    node = either[path]
    return any(n.step == node.step and abs(n.total - node.total) < TIE for other, n in either.items() if other != path)


def _below_a_tie(path: tuple[int, ...], ours: dict[Any, BeamNode], theirs: dict[Any, BeamNode]) -> bool:
    """Whether a node grows from one that is kept in one tree alone."""
    above = (path[:length] for length in range(1, len(path)))
    return any((p in ours) != (p in theirs) or ours[p].fate != theirs[p].fate for p in above)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    some = parser.add_mutually_exclusive_group()
    some.add_argument("--sentences", type=int, default=SENTENCES, metavar="N", help="a pair and model (%(default)s)")
    some.add_argument("--turn", type=int, metavar="N", help="what the suite compared when it printed this")
    parser.add_argument("models", nargs="*", default=MODELS, metavar="MODEL", help="such as en-fr/dot (default: all)")
    options = parser.parse_args(arguments)
    if not shutil.which("node"):
        print("Node is not here: only it can run the models in JavaScript.", file=sys.stderr)
        return 2
    failed = 0
    for model in options.models:
        pair = model.partition("/")[0]
        all_of = [(text, beam, NO_CHANGE) for text in sentences(pair, options.sentences) for beam in (1, 5)]
        questions = all_of if options.turn is None else slice_of(pair, options.turn)
        found = list(compare(model, questions))
        failed += len(found)
        print(f"{model}: {len(questions)} translations, greedy and with a beam: {len(found)} differences", flush=True)
        for difference in found:
            print(f"  {difference}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
