"""Record a finished search as a Trace: the tree of its candidates, and the arrays of its winner.

Keys of `Trace.inner`, first axis L layers after the steps T where there are steps:
  recurrent: states (1, S, D), summary (1, D), keys (1, S, D); query, state, context (T, 1, D), scores (T, 1, S) with
             -inf outside the window of local attention, output (T, 1, E); the same of a deep LSTM; of a copying model
             also generate (T, 1, 1), the probability g_j of writing from the vocabulary
  Transformer: states (1, S, D), encoder_query, encoder_key, encoder_value (L, H, S, K), encoder_scores (L, H, S, S),
             cross_key, cross_value (L, H, S, K); decoder_query, decoder_key, decoder_value, cross_query (T, L, H, K),
             decoder_scores (T, L, H, T) with -inf in the future, cross_scores (T, L, H, S), output (T, 1, D)
  convolutional: states (1, S, E), output (T, 1, E), and the cross_... arrays of a Transformer with H = 1 and K = E
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from nmtcore.config import DecodingConfig
from nmtcore.decoding.search import CANDIDATES, Search
from nmtcore.decoding.trace import Array, AttentionMap, BeamNode, Candidate, Fate, Step, Trace, path
from nmtcore.errors import CheckpointError, InterventionError
from nmtcore.intervention import AttentionKind, Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.seq2seq import Layers
from nmtcore.text.vocabulary import EOS, SOS, Vocab


@dataclass(frozen=True)
class StepRecord:
    """The small numbers of a SearchStep, read back from the device at once; indexed [sentence][slot][candidate]."""

    tokens: list[list[list[int]]]
    log_probabilities: list[list[list[float]]]
    totals: list[list[list[float]]]
    allowed: list[list[list[float]]]
    chosen: list[list[int]]
    coverage: list[list[float]]


def step_records(found: Search) -> list[StepRecord]:
    """Every step of a search as Python numbers."""
    return [
        StepRecord(
            r.tokens.tolist(),
            r.log_probabilities.tolist(),
            r.totals.tolist(),
            r.allowed.tolist(),
            r.chosen.tolist(),
            coverage,
        )
        for r, coverage in zip(found.steps, found.coverage.tolist(), strict=True)
    ]


def tree(records: Sequence[StepRecord], sentence: int, vocab: Vocab | None = None) -> tuple[list[BeamNode], list[int]]:
    """What search considered for one sentence, and the slot in which each node's parent stood.

    Of each hypothesis the ten likeliest candidates, those that were chosen, and one that was forced; ranks count the
    others too. Fates are kept, finished, pruned or forbidden; the winner is not yet named. Without a vocabulary the
    tokens stay empty.
    """
    nodes = [BeamNode(0, -1, 0, "<sos>", SOS, 0.0, 0.0, 0.0, 1, "root")]
    slots = [0]
    alive = {0: 0}  # slot -> id of the live node in it
    for j, r in enumerate(records, 1):
        chosen = {flat: slot for slot, flat in enumerate(r.chosen[sentence]) if flat >= 0}
        coverage, count = r.coverage[sentence], len(r.tokens[sentence][0])
        considered = []  # what a node needs, to be sorted: likeliest first
        for slot, parent in alive.items():
            row = (r.allowed[sentence][slot], r.totals[sentence][slot], r.log_probabilities[sentence][slot])
            for c, (token, allowed, total, likelihood) in enumerate(zip(r.tokens[sentence][slot], *row, strict=True)):
                if total > -math.inf:
                    considered.append((-allowed, slot * count + c, slot, parent, token, likelihood, total))
        considered.sort()
        forced = sum(worth < math.inf for worth, *_ in considered) <= len(alive)  # at most one of each hypothesis
        following = {}
        for rank, (worth, flat, slot, parent, token, likelihood, total) in enumerate(considered, 1):
            if flat % count >= CANDIDATES and flat not in chosen and not (forced and worth < math.inf):
                continue
            fate: Fate = "pruned"
            if worth == math.inf:
                rank, fate = 0, "forbidden"
            elif flat in chosen:
                fate = "finished" if token == EOS else "kept"
                if fate == "kept":
                    following[chosen[flat]] = len(nodes)
            name = vocab.token(token) if vocab else ""
            nodes.append(BeamNode(len(nodes), parent, j, name, token, likelihood, total, coverage[slot], rank, fate))
            slots.append(slot)
        alive = following
    return nodes, slots


def winner(nodes: Sequence[BeamNode], decoding: DecodingConfig) -> BeamNode:
    """The best finished hypothesis; where none finished, the best of those alive at the length limit."""
    ends = [n for n in nodes if n.fate == "finished"] or [
        n for n in nodes if n.fate == "kept" and n.step == nodes[-1].step
    ]
    if not ends and any(n.fate == "forbidden" for n in nodes):
        raise InterventionError("Every piece is forbidden at a step: allow one of them.")
    if not ends:
        raise CheckpointError("The model's probabilities are not numbers: train it again, with a lower learning rate.")
    return max(ends, key=lambda n: n.score(decoding.alpha, decoding.beta))


def best_ids(records: Sequence[StepRecord], sentence: int, decoding: DecodingConfig) -> list[int]:
    """The ids of the winning hypothesis of one sentence, with `<eos>` if it finished."""
    nodes, _ = tree(records, sentence)
    return [n.token_id for n in path(nodes, winner(nodes, decoding))]


# The axes of the arrays of `Trace.inner` that go over the source: in a batch they are as long as its longest sentence.
SOURCE_AXES = {
    **{name: (1,) for name in ("states", "keys")},
    **{name: (2,) for name in ("scores", "encoder_query", "encoder_key", "encoder_value", "cross_key", "cross_value")},
    **{"encoder_scores": (2, 3), "cross_scores": (3,)},
}


class Recorder:
    """Turns the finished search for one sentence of a batch into its Trace."""

    def __init__(
        self,
        found: Search,
        checkpoint: Checkpoint,
        text: str,
        source: tuple[str, ...],
        decoding: DecodingConfig,
        intervention: Intervention,
        sentence: int = 0,
        records: Sequence[StepRecord] | None = None,
    ) -> None:
        """sentence: its number in the batch; records: the steps of the search, up to where this sentence ends."""
        self.found, self.checkpoint, self.text, self.source = found, checkpoint, text, source
        self.decoding, self.intervention, self.sentence = decoding, intervention, sentence
        self.records = step_records(found) if records is None else records
        nodes, self.slots = tree(self.records, sentence, checkpoint.vocab)
        end = winner(nodes, decoding)
        nodes[end.id] = end = end._replace(fate="winner")
        chosen = path(nodes, end)
        for node, name in zip(chosen, checkpoint.vocab.tokens([n.token_id for n in chosen]), strict=True):
            nodes[node.id] = node._replace(token=name)  # bytes of a character by the character
        self.nodes, self.end = nodes, nodes[end.id]
        self.chosen = path(nodes, self.end)
        slots = [self.slots[n.id] for n in self.chosen]
        self.rows = [int(step.rows[sentence, slot]) for step, slot in zip(found.steps, slots, strict=False)]

    def trace(self, seconds: float) -> Trace:
        ids = [n.token_id for n in self.chosen]
        return Trace(
            model=self.checkpoint.name,
            architecture=self.checkpoint.model.config.architecture,
            source_text=self.text,
            source=self.source,
            target=tuple(n.token for n in self.chosen),
            text=self.checkpoint.vocab.decode(ids),
            log_probability=self.end.total,
            score=self.end.score(self.decoding.alpha, self.decoding.beta),
            finished=self.end.token_id == EOS,
            seconds=seconds,
            decoding=self.decoding,
            intervention=self.intervention,
            steps=tuple(self.step(n) for n in self.chosen),
            attention=tuple(self.maps()),
            beam=tuple(self.nodes),
            inner=self.inner(),
        )

    def step(self, node: BeamNode) -> Step:
        vocab, j = self.checkpoint.vocab, node.step - 1
        r, slot = self.records[j], self.slots[node.id]
        tokens = r.tokens[self.sentence][slot][:CANDIDATES]
        likelihoods = r.log_probabilities[self.sentence][slot][:CANDIDATES]
        candidates = tuple(
            Candidate(node.token if t == node.token_id else vocab.token(t), t, p)
            for t, p in zip(tokens, likelihoods, strict=True)
            if p > -math.inf
        )
        return Step(node.token, node.token_id, node.log_probability, candidates)

    def maps(self) -> list[AttentionMap]:
        """The attention of the chosen hypothesis with the names of its axes."""
        targets = tuple(n.token for n in self.chosen)
        inputs = ("<sos>", *targets)[: len(targets)]
        named: dict[AttentionKind, tuple[tuple[str, ...], tuple[str, ...]]] = {
            "encoder": (self.source, self.source),
            "decoder": (inputs, inputs),
            "cross": (targets, self.source),
        }
        steps = self.found.steps[: len(targets)]
        found = []
        for kind, (queries, keys) in named.items():
            if kind in self.found.memory.attention:
                weights = array(torch.stack([t[self.sentence] for t in self.found.memory.attention[kind]]))
            elif kind in steps[0].attention:
                rows = of_rows([r.attention[kind] for r in steps], self.rows, 0.0)  # (T, L, H, 1, S)
                weights = rows[:, :, :, 0].transpose(1, 2, 0, 3)
            else:
                continue
            found.append(AttentionMap(kind, queries, keys, weights[..., : len(queries), : len(keys)]))
        return found

    def inner(self) -> dict[str, Array]:
        """The arithmetic of the chosen hypothesis; see the top of this file for keys and shapes."""
        memory, steps = self.found.memory.inner, self.found.steps[: len(self.rows)]
        arrays = {name: array(torch.stack([t[self.sentence] for t in layers])) for name, layers in memory.items()}
        for name in steps[0].inner:
            values = of_rows([r.inner[name] for r in steps], self.rows, -math.inf)
            arrays[name] = values[:, :, :, 0] if values.ndim == 5 else values  # (T, L, D) or (T, L, H, 1, K)
        for name in SOURCE_AXES.keys() & arrays.keys() if self.batch > 1 else ():
            for axis in SOURCE_AXES[name]:
                arrays[name] = arrays[name].take(range(len(self.source)), axis)
        return arrays

    @property
    def batch(self) -> int:
        return len(self.found.memory.states)


def of_rows(steps: Sequence[Layers], rows: Sequence[int], fill: float) -> Array:
    """One row (T numbers) of what each of T steps recorded, (N, ..., S) a layer: (T, L, ..., S).

    What is shorter at earlier steps, as the decoder's attention to itself, is filled up.
    """
    first, last = steps[0], steps[-1]
    chosen = [t[row] for layers, row in zip(steps, rows, strict=True) for t in layers]
    if first[0].shape[1:] == last[0].shape[1:]:
        return array(torch.stack(chosen)).reshape(len(steps), len(first), *first[0].shape[1:])
    result = np.full((len(steps), len(first), *last[0].shape[1:]), fill, dtype=np.float32)
    read = array(torch.cat([t.flatten() for t in chosen]))  # at once: each question makes the CPU wait for a GPU
    ends = np.cumsum([t.numel() for t in chosen])[:-1]
    places = [(j, i) for j, layers in enumerate(steps) for i in range(len(layers))]
    for (j, i), t, values in zip(places, chosen, np.split(read, ends), strict=True):
        result[j, i, ..., : t.size(-1)] = values.reshape(t.shape)
    return result


def array(tensor: Tensor) -> Array:
    return tensor.float().cpu().numpy()
