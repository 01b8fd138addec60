"""Mask-predict decoding: predict all words at once, then mask the least certain ones and predict them again.

Ghazvininejad et al. 2019, section 3. Round 1 predicts every word of a translation of n words from the source alone;
round t + 1 masks the floor(n (T - t) / T) words with the lowest probabilities and predicts them again from the others.
A word that is not masked keeps its probability. Several of the likeliest lengths are decoded in parallel; the
translation with the highest mean log-probability per word wins (section 3.3).
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from nmtcore.config import DecodingConfig, MaskPredictDecoding
from nmtcore.decoding.trace import AttentionMap, Candidate, Step, Trace
from nmtcore.decoding.trace_json import six
from nmtcore.errors import CheckpointError
from nmtcore.intervention import Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.mask_predict import MaskPredict
from nmtcore.models.padded import Padded, pad
from nmtcore.models.seq2seq import Layers, Memory
from nmtcore.text.source import SourceText
from nmtcore.text.vocabulary import EOS, PAD, SOS

FORMAT = 1  # of the JSON
CANDIDATES = 10  # of every position of a forced translation


class Place(NamedTuple):
    """A word of the translation after a round; written: whether this round predicted it or kept an earlier one."""

    token: str
    id: int
    log_probability: float  # when it was predicted
    written: bool


class LengthTried(NamedTuple):
    """A length that was tried, log P(length | source), and the mean log-probability per word of its translation."""

    length: int
    log_probability: float
    mean: float
    text: str


@dataclass(frozen=True, eq=False)
class MaskPredictRecord:
    """The record of one mask-predict decode: every round, and the lengths that were tried, the chosen one first.

    rounds: those that predicted a word; a short translation may need fewer than were asked for.
    attention: cross attention of the last round; its queries are the positions of the translation.
    """

    model: str
    architecture: str
    source_text: str
    source: tuple[str, ...]  # with <eos>
    text: str
    seconds: float
    decoding: MaskPredictDecoding
    rounds: tuple[tuple[Place, ...], ...]
    lengths: tuple[LengthTried, ...]
    attention: AttentionMap

    @property
    def target(self) -> tuple[str, ...]:
        return tuple(place.token for place in self.rounds[-1])

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "model": self.model,
            "architecture": self.architecture,
            "source_text": self.source_text,
            "source": list(self.source),
            "text": self.text,
            "seconds": six(self.seconds),
            "decoding": {"rounds": self.decoding.rounds, "lengths": self.decoding.lengths},
            "rounds": [[[p.token, p.id, six(p.log_probability), p.written] for p in r] for r in self.rounds],
            "lengths": [[t.length, six(t.log_probability), six(t.mean), t.text] for t in self.lengths],
            "attention": self.attention.to_json(),
        }

    def dumps(self) -> str:
        """One line of JSON."""
        return json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":"))


class Round(NamedTuple):
    """One round of R translations: tensors (R, T), and attention, one (R, H, T, S) per layer."""

    ids: Tensor
    log_probabilities: Tensor
    written: Tensor
    attention: Layers


def masked_after(length: int, rounds: int, done: int) -> int:
    """The number of words masked after `done` of T rounds, of `length` words: floor(n (T - t) / T) (section 3.1)."""
    return length * (rounds - done) // rounds


@torch.inference_mode()
def write_rounds(model: MaskPredict, memory: Memory, lengths: Tensor, rounds: int) -> list[Round]:
    """Run all rounds for L lengths of each source; lengths: (B, L), R = B L rows.

    memory: the encoded B sources. The rounds end early when no row has a masked word left.
    """
    device = lengths.device
    rows = torch.arange(len(lengths), device=device).repeat_interleave(lengths.size(1))  # (R,)
    wide, each = memory.select(rows), lengths.reshape(-1)  # (R,)
    counts = each.tolist()
    real = torch.arange(max(counts), device=device) < each[:, None]  # (R, T)
    ids = torch.full(real.shape, PAD, device=device)
    likelihoods = torch.zeros(real.shape, device=device)
    masked, written = real, list[Round]()
    for t in range(rounds):
        if t:
            again = [masked_after(count, rounds, t) for count in counts]
            if not any(again):
                break
            # Padding counts as most certain; equally certain words are masked in reading order.
            rank = likelihoods.masked_fill(~real, 1.0).argsort(dim=1, stable=True).argsort(1)  # (R, T)
            masked = rank < torch.tensor(again, device=device)[:, None]
        seen = model.decode(Padded(ids.masked_fill(masked, model.mask_id), real, torch.tensor(counts)), wide)
        new = model.project(seen.states[masked]).float().log_softmax(-1)  # (N, V), only the masked words
        new[:, [PAD, SOS, EOS]] = -torch.inf  # the length determines the end
        best, word = new.max(-1)
        ids, likelihoods = ids.masked_scatter(masked, word), likelihoods.masked_scatter(masked, best)
        written.append(Round(ids, likelihoods, masked, seen.attention))
    return written


def likeliest_lengths(logits: Tensor, source_lengths: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The likeliest lengths and their log-probabilities, (B, L) each, from logits (B, longest) for 1 .. longest.

    No length exceeds the limit of a search, since a poorly trained model may predict any length.
    """
    lengths = torch.arange(1, logits.size(1) + 1, device=logits.device)
    likelihoods = logits.float().log_softmax(-1)
    limits = torch.tensor([DecodingConfig().limit(n) for n in source_lengths.tolist()], device=logits.device)
    beyond = lengths > limits[:, None]  # (B, longest)
    values, classes = likelihoods.masked_fill(beyond, -torch.inf).topk(min(count, logits.size(1)), dim=-1)
    return lengths[classes], values


@torch.inference_mode()
def _decoded(model: MaskPredict, source: Padded, decoding: MaskPredictDecoding) -> tuple[list[Round], Tensor, Tensor]:
    """Predict lengths and run all rounds: the rounds of B L rows, the lengths (B, L), and their log-probabilities."""
    memory = model.encode(source)
    lengths, likelihoods = likeliest_lengths(memory.inner["length"][0], source.lengths, decoding.lengths)
    return write_rounds(model, memory, lengths, decoding.rounds), lengths, likelihoods


def translate(
    checkpoint: Checkpoint, text: SourceText, decoding: MaskPredictDecoding | None = None
) -> MaskPredictRecord:
    """Translate one sentence with mask-predict and return its record.

    Raises TextError if the text exceeds the limits, CheckpointError for an autoregressive model.
    """
    decoding = decoding or MaskPredictDecoding()
    model = model_of(checkpoint)
    cut = text.subwords(checkpoint.vocab)
    source = (*cut.pieces, "<eos>")
    began = time.perf_counter()
    rounds, lengths, likelihoods = _decoded(model, pad([[*cut.ids, EOS]]).to(model.device), decoding)
    tried, log_p = lengths[0].tolist(), likelihoods[0].tolist()
    means = _means(rounds[-1], lengths)[0]
    seconds = time.perf_counter() - began
    vocab = checkpoint.vocab
    order = sorted(range(len(tried)), key=lambda i: -means[i])  # the chosen one first
    last = rounds[-1].ids.tolist()
    texts = [vocab.decode(row[:length]) for row, length in zip(last, tried, strict=True)]
    row, length = order[0], tried[order[0]]
    places = []
    for one in rounds:
        written = one.ids[row, :length].tolist()
        numbers = (one.log_probabilities[row, :length].tolist(), one.written[row, :length].tolist())
        places.append(tuple(map(Place, vocab.tokens(written), written, *numbers)))
    places = [
        one for one in places if any(place.written for place in one)
    ]  # longer translations may have had more rounds
    weights = torch.stack([layer[row, :, :length] for layer in rounds[len(places) - 1].attention])  # (L, H, T, S)
    target = tuple(place.token for place in places[-1])
    return MaskPredictRecord(
        model=checkpoint.name,
        architecture=model.config.architecture,
        source_text=text.text,
        source=source,
        text=texts[row],
        seconds=seconds,
        decoding=decoding,
        rounds=tuple(places),
        lengths=tuple(LengthTried(tried[i], log_p[i], means[i], texts[i]) for i in order),
        attention=AttentionMap("cross", target, source, weights.float().cpu().numpy()),
    )


def translate_ids(checkpoint: Checkpoint, sources: Sequence[Sequence[int]], decoding: MaskPredictDecoding) -> list[str]:
    """Translate many sentences, ids without `<eos>`, in one batch, with the same results as one at a time."""
    model, vocab = model_of(checkpoint), checkpoint.vocab
    rounds, lengths, _ = _decoded(model, pad([[*row, EOS] for row in sources]).to(model.device), decoding)
    means = _means(rounds[-1], lengths)
    last, tried = rounds[-1].ids.tolist(), lengths.tolist()
    translations = []
    for sentence, row in enumerate(means):
        best = max(range(len(row)), key=row.__getitem__)
        translations.append(vocab.decode(last[sentence * len(row) + best][: tried[sentence][best]]))
    return translations


def _means(last: Round, lengths: Tensor) -> list[list[float]]:
    """Mean log-probability per word, for each length of each sentence; padding has the log-probability 0."""
    means: list[list[float]] = (last.log_probabilities.sum(1).view(lengths.shape) / lengths).tolist()
    return means


@torch.inference_mode()
def force(checkpoint: Checkpoint, source: str, target: str) -> Trace:
    """Forced decoding in one round: the probability of each word of `target` when all words are masked.

    The Trace has no beam; the rows of its cross attention are positions, labelled by the words of `target`.
    """
    model, vocab = model_of(checkpoint), checkpoint.vocab
    ids, cut = vocab.encode(target), vocab.cut(source)
    began = time.perf_counter()
    memory = model.encode(pad([[*cut.ids, EOS]]).to(model.device))
    words = torch.full((1, max(1, len(ids))), model.mask_id, device=model.device)
    seen = model.decode(Padded.of(words, torch.tensor([words.size(1)])), memory)
    likelihoods = model.project(seen.states)[0].float().log_softmax(-1).cpu()  # (T, V)
    seconds = time.perf_counter() - began
    values, best = likelihoods.topk(min(CANDIDATES, likelihoods.size(1)))
    names = vocab.tokens(ids)
    steps = []
    for name, token, row, others, likely in zip(names, ids, likelihoods, best.tolist(), values.tolist(), strict=True):
        candidates = tuple(Candidate(vocab.token(t), t, p) for t, p in zip(others, likely, strict=True))
        steps.append(Step(name, token, float(row[token]), candidates))
    total = float(np.sum([step.log_probability for step in steps]))
    weights = torch.stack([layer[0, :, : len(ids)] for layer in seen.attention]).float().cpu().numpy()
    return Trace(
        model=checkpoint.name,
        architecture=model.config.architecture,
        source_text=source,
        source_ids=(*cut.ids, EOS),
        source=(*cut.pieces, "<eos>"),
        target=tuple(names),
        text=vocab.decode(ids),
        log_probability=total,
        score=total,
        finished=True,
        seconds=seconds,
        decoding=DecodingConfig(max_length=max(1, len(ids))),
        intervention=Intervention.prefix(tuple(ids)),
        steps=tuple(steps),
        attention=(AttentionMap("cross", tuple(names), (*cut.pieces, "<eos>"), weights),),
        beam=(),
        inner={},
    )


def model_of(checkpoint: Checkpoint) -> MaskPredict:
    """The model if it is non-autoregressive; else raises CheckpointError."""
    if not isinstance(checkpoint.model, MaskPredict):
        raise CheckpointError(f"{checkpoint.name} writes word by word: choose a model that writes all words at once.")
    return checkpoint.model
