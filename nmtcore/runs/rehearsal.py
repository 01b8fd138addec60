"""Rehearsal against catastrophic forgetting: mix a model's earlier translations into fine-tuning.

Before training, the model translates sentences of ours and of the user. These translations are mixed into the new
pairs, except for a quarter of the sentences, on which BLEU against the earlier translations measures how much is kept
(Robins 1995; self-distillation as in Kim and Rush 2016).
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nmtcore.config import DecodingConfig
from nmtcore.decoding.batched import translate_all
from nmtcore.errors import DataError
from nmtcore.files import atomic_write
from nmtcore.limits import MAX_PIECES
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.text import languages
from nmtcore.text.source import read_source
from nmtcore.training.corpus import Pair

HELD_OUT = 4  # one sentence in this many is for evaluation, not for training
LEAST = 8  # sentences needed


@dataclass(frozen=True)
class Rehearsal:
    """A model's translations from before fine-tuning: some are mixed into training, some measure forgetting."""

    train: tuple[Pair, ...] = ()
    held_out: tuple[Pair, ...] = ()

    def mixed(self, share: float, new: int) -> list[Pair]:
        """The pairs to mix with `new` new ones, `share` for each; each is repeated equally often, or once more."""
        return [self.train[i % len(self.train)] for i in range(round(share * new))] if self.train else []


def sentences(language: str) -> list[str]:
    """Our own everyday sentences in a language; empty if we have none."""
    return [*languages.lines(language, "rehearsal.txt")]


def make_rehearsal(begun: Checkpoint, language: str, own: Sequence[str], new: Sequence[Pair], kept: Path) -> Rehearsal:
    """Translate our sentences in a language and a user's `own` ones with `begun`, greedily.

    new: the pairs to learn, whose sentences are not rehearsed. kept: the file for the translations, so that a resumed
    run rehearses the same ones. Raises DataError for too few sentences.
    """
    if kept.exists():
        rows = [line.partition("\t") for line in kept.read_text(encoding="utf-8").splitlines()]
        pairs = [Pair(source, target) for source, _, target in rows]
    else:
        known = [read_source(sentence, language).text for sentence in own]
        learned = {read_source(pair.source, language).text for pair in new}
        sources = [source for source in dict.fromkeys([*sentences(language), *known]) if source not in learned]
        sources = [source for source in sources if len(begun.vocab.encode(source)) <= MAX_PIECES]
        fast = dataclasses.replace(begun, model=accelerate(begun.model))
        outputs = translate_all(fast, [*map(fast.read, sources)], DecodingConfig()).texts
        plain = [Pair(s, " ".join(t.split())) for s, t in zip(sources, outputs, strict=True)]
        pairs = [pair for pair in plain if pair.target]
        if len(pairs) < LEAST:
            raise DataError(
                f"There are too few sentences to rehearse: give at least {LEAST} that the model can translate, "
                "or train without rehearsal."
            )
        atomic_write(kept, "".join(f"{source}\t{target}\n" for source, target in pairs).encode())
    held_out = pairs[HELD_OUT - 1 :: HELD_OUT]
    return Rehearsal(tuple(pair for i, pair in enumerate(pairs) if i % HELD_OUT != HELD_OUT - 1), tuple(held_out))
