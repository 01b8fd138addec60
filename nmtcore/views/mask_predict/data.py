"""Mask-predict as plain data: every round's words with their probabilities, next to a word-by-word decode."""

import math
from typing import Any

from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.figures.palette import HUES
from nmtcore.text.words import sentence_names
from nmtcore.views.mask_predict.messages import MESSAGES


def data(
    record: MaskPredictRecord,
    beside: Trace | None = None,
    *,
    title: str,
    beside_title: str = "",
    timed: bool = True,
) -> dict[str, Any]:
    """The rounds, one below another; beside: another model's decode of the same sentence, word by word.

    rounds: for each round a list of places, each with its word, its probability, the round that wrote it (from one),
    whether it differs from the round before and whether it is masked for the next round.
    lengths: those tried, with their mean log P, best first. timed: whether the picture says how long each
    took; not if others were decoded at the same time.
    """
    rounds, since = [], [1] * len(record.target)
    before = record.rounds[0]
    for number, places in enumerate(record.rounds, 1):
        names = sentence_names([place.token for place in places])
        new = [place.token != old.token for place, old in zip(places, before, strict=True)]
        before = places
        since = [number if place.written else earlier for place, earlier in zip(places, since, strict=True)]
        after = record.rounds[number] if number < len(record.rounds) else ()
        masked = [place.written for place in after] or [False] * len(places)
        rounds.append(
            [
                {"word": name, "p": math.exp(p.log_probability), "since": s, "new": n, "masked": m}
                for name, p, s, n, m in zip(names, places, since, new, masked, strict=True)
            ]
        )
    return {
        "title": title,
        "hue": HUES[record.architecture],
        "sentence": record.source_text,
        "text": record.text,
        "milliseconds": 1000 * record.seconds if timed else None,
        "rounds": rounds,
        "lengths": [[tried.length, tried.mean] for tried in record.lengths],
        "beside": None if beside is None else _word_by_word(beside, beside_title, timed),
        "words": MESSAGES,
    }


def _word_by_word(trace: Trace, title: str, timed: bool) -> dict[str, Any]:
    return {
        "title": title,
        "hue": HUES[trace.architecture],
        "text": trace.text,
        "milliseconds": 1000 * trace.seconds if timed else None,
        "steps": [
            {"word": name, "p": step.probability}
            for name, step in zip(sentence_names([step.token for step in trace.steps]), trace.steps, strict=True)
        ],
    }
