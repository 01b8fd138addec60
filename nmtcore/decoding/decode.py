"""Translate a sentence and record the decode as a Trace: tokenise, search, record every step."""

import time
from collections.abc import Sequence

from nmtcore.config import DecodingConfig
from nmtcore.decoding import mask_predict
from nmtcore.decoding.grid_beam import grid_beam_search
from nmtcore.decoding.recorder import record_trace
from nmtcore.decoding.requirement import requirement_of
from nmtcore.decoding.search import beam_search
from nmtcore.decoding.trace import Trace
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.limits import within_budget
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.mask_predict import MaskPredict
from nmtcore.models.padded import pad
from nmtcore.text.source import SourceText
from nmtcore.text.vocabulary import EOS, Subwords


def translate(
    checkpoint: Checkpoint,
    source: SourceText,
    decoding: DecodingConfig | None = None,
    intervention: Intervention = NO_CHANGE,
) -> Trace:
    """Translate one sentence and return its Trace. A beam of width 1 is greedy search.

    A beam that is too wide for a long text is narrowed (`within_budget`); the Trace holds the width that was used.
    Raises TextError if the text exceeds the limits, InterventionError for a change that does not fit this model,
    sentence or search.
    """
    cut = source.subwords(checkpoint.vocab)
    banks = 1 + (sum(map(len, intervention.contains)) or len(intervention.initials))
    decoding = within_budget(decoding or DecodingConfig(), len(cut.ids) + 1, checkpoint.config, banks)
    return translate_subwords(checkpoint, source.text, cut, decoding, intervention)


def force(checkpoint: Checkpoint, source: str, target: str) -> Trace:
    """Forced decoding: the Trace of a model that is made to write `target`. Texts may have any length.

    For a non-autoregressive model it records one round in which all words are masked.
    """
    if isinstance(checkpoint.model, MaskPredict):
        return mask_predict.force(checkpoint, source, target)
    vocab = checkpoint.vocab
    ids = (*vocab.target.encode(target), EOS)
    decoding = DecodingConfig(max_length=len(ids))
    return translate_subwords(checkpoint, source, vocab.cut(source), decoding, Intervention.prefix(ids))


def translate_subwords(
    checkpoint: Checkpoint,
    text: str,
    cut: Subwords,
    decoding: DecodingConfig | None = None,
    intervention: Intervention = NO_CHANGE,
) -> Trace:
    """Translate a text that is already split into S subwords, without `<eos>`, and return its Trace."""
    decoding = decoding or DecodingConfig()
    source = pad([[*cut.ids, EOS]]).to(checkpoint.model.device)
    began = time.perf_counter()
    required = requirement_of(intervention, checkpoint.vocab)
    search = (
        beam_search(checkpoint.model, source, decoding, intervention)
        if required is None
        else grid_beam_search(checkpoint.model, source, decoding, required, intervention)
    )
    seconds = time.perf_counter() - began
    return record_trace(search, checkpoint, text, cut, decoding, intervention, seconds)


def translate_batch(
    checkpoint: Checkpoint, sources: Sequence[SourceText], decoding: DecodingConfig | None = None
) -> list[Trace]:
    """Translate several sentences in one batch and return their Traces, equal to those of single decodes.

    Each Trace has the seconds of the whole batch. A sentence for which `translate` would narrow the beam is decoded
    alone. Raises TextError if any sentence exceeds the limits.
    """
    decoding = decoding or DecodingConfig()
    cuts = [source.subwords(checkpoint.vocab) for source in sources]
    fits = [within_budget(decoding, len(cut.ids) + 1, checkpoint.config) == decoding for cut in cuts]
    if not all(fits):
        others = [source for source, fit in zip(sources, fits, strict=True) if fit]
        batch = iter(translate_batch(checkpoint, others, decoding) if others else ())
        return [
            next(batch) if fit else translate(checkpoint, source, decoding)
            for source, fit in zip(sources, fits, strict=True)
        ]
    padded = pad([[*cut.ids, EOS] for cut in cuts]).to(checkpoint.model.device)
    began = time.perf_counter()
    search = beam_search(checkpoint.model, padded, decoding)
    seconds = time.perf_counter() - began
    # The search runs to the limit of the longest sentence; each record ends at its own sentence's limit.
    return [
        record_trace(search, checkpoint, source.text, cut, decoding, NO_CHANGE, seconds, b)
        for b, (source, cut) in enumerate(zip(sources, cuts, strict=True))
    ]
