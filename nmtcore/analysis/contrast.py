"""Find sentences on which greedy and beam search differ: python -m nmtcore.analysis.contrast > FILE

Translates our own candidate sentences (nmtcore/text/languages) with every shipped model, greedily and with a beam, and
records those on which the two differ in a way worth showing. Run it again when models change.
"""

import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import torch

from nmtcore.analysis.sentence_scores import repetition
from nmtcore.config import ARCHITECTURES, DecodingConfig
from nmtcore.decoding.decode import translate
from nmtcore.decoding.trace import Trace
from nmtcore.decoding.trace_json import six
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import CONFIG, WEIGHTS, Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.places import pretrained_folder
from nmtcore.text import languages

ContrastKind = Literal["garden_path", "greedy_shorter", "repetition", "beam_shorter", "search_error", "length_penalty"]
WIDTH = 5
MOST = {"garden_path": 2}  # sentences of a kind per model; one for all other kinds
LONGEST = 15  # pieces in a translation, so that the whole tree can be seen at once
LEAST_MEAN = -0.9  # lowest mean log-probability per token of a translation worth showing
LEAST_GAIN: dict[ContrastKind, float] = {  # smallest gain or loss, in nats, that is worth showing
    "garden_path": 2.0,
    "greedy_shorter": 2.0,
    "repetition": 2.0,
    "beam_shorter": 2.0,
    "search_error": 0.1,
    "length_penalty": 0.0,
}
FEWER = 2  # smallest difference in words that counts as leaving something out


@dataclass(frozen=True)
class Contrast:
    """A sentence whose greedy and beam results differ.

    garden_path: greedy takes a token that costs it more later. greedy_shorter: greedy's result has fewer words.
    repetition: greedy repeats itself. beam_shorter: the beam's result has fewer words, since short outputs are more
    probable (length bias). search_error: beam search pruned greedy's result, although it is likelier. length_penalty:
    the beam finished both, and the winner depends on alpha. No kind says which result is correct.
    """

    kind: ContrastKind
    text: str
    gain: float  # log P of the beam's result minus that of greedy's
    mean: float  # log-probability per token of the beam's result: the model's confidence
    alpha: float = DecodingConfig.alpha  # a length penalty that shows the contrast


def find_contrast(model: Checkpoint, text: str) -> Contrast | None:
    """The contrast that `text` shows, or None."""
    source = model.read(text)
    greedy, beam = (translate(model, source, DecodingConfig(width)) for width in (1, WIDTH))
    if not (greedy.finished and beam.finished) or len(beam.target) > LONGEST:
        return None
    mean, gain = beam.log_probability / len(beam.target), beam.log_probability - greedy.log_probability
    kind = kind_of(greedy, beam)
    if kind is None or mean < LEAST_MEAN:
        return None
    return Contrast(kind, text, six(gain), six(mean), telling_alpha(greedy, beam))


def kind_of(greedy: Trace, beam: Trace) -> ContrastKind | None:
    """How the two results for a sentence differ, or None."""
    if beam.text != greedy.text:
        if beam.log_probability < greedy.log_probability:
            finished = [tuple(node.token_id for node in beam.path(end)) for end in beam.ranked(0.0, 0.0)]
            return "length_penalty" if greedy.ids in finished else "search_error"
        if repetition(greedy.text) and not repetition(beam.text):
            return "repetition"
        more = len(beam.text.split()) - len(greedy.text.split())
        return "greedy_shorter" if more >= FEWER else "beam_shorter" if more <= -FEWER else "garden_path"
    # Without a length penalty, with the default, and with twice the default.
    winners = {beam.ranked(alpha, 0.0)[0].id for alpha in (0.0, 0.6, 1.2)}
    return "length_penalty" if len(winners) > 1 else None


def telling_alpha(greedy: Trace, beam: Trace) -> float:
    """A length penalty at which greedy's result does not win; the default one if it never wins."""
    usual = DecodingConfig.alpha
    if greedy.text != beam.text:
        return usual
    winner = beam.ranked(usual, 0.0)[0].id
    return next((alpha for alpha in (1.2, 0.0) if beam.ranked(alpha, 0.0)[0].id != winner), usual)


def best(contrasts: Sequence[Contrast]) -> list[Contrast]:
    """A few contrasts of each kind: those that the model is surest of."""
    kept = []
    for kind in get_args(ContrastKind):
        telling = [c for c in contrasts if c.kind == kind and abs(c.gain) >= LEAST_GAIN[kind]]
        kept += sorted(telling, key=lambda c: -c.mean)[: MOST.get(kind, 1)]
    return kept


def search(directory: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """For each model in `directory`: its id, and a dict with its weights and its contrasts."""
    searching = [name for name, entry in ARCHITECTURES.items() if entry.autoregressive]
    folders = [path.parent for path in directory.glob(f"*-*/*/{CONFIG}") if path.parent.name in searching]
    for folder in sorted(folders, key=lambda f: (f.parent.name, list(ARCHITECTURES).index(f.name))):
        source = folder.parent.name.partition("-")[0]
        sentences = languages.lines(source, "contrast_candidates.txt")
        model = checkpoint.load(folder)
        model.model = accelerate(model.model)
        contrasts = [c for c in (find_contrast(model, text) for text in sentences) if c]
        weights = hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest()[:12]
        print(f"{folder}: {len(contrasts)} of {len(sentences)} sentences show a difference", file=sys.stderr)
        kept = {"weights": weights, "sentences": [vars(contrast) for contrast in best(contrasts)]}
        yield f"{folder.parent.name}/{folder.name}", kept


def main() -> None:
    """Find contrasts for all models and print them as JSON."""
    torch.set_num_threads(1)
    found = {"command": "make contrasts", "models": dict(search(pretrained_folder()))}
    print(json.dumps(found, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
