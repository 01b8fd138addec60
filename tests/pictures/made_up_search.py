"""A search over made-up probabilities, with odd tokens."""

import math
import random
from collections.abc import Sequence

import numpy as np

from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import AttentionMap, BeamNode, Step, Trace
from nmtcore.text.vocabulary import EOS, SOS

TOKENS = ("▁la", "▁petite", "maison", "▁<b>rouge</b>", "▁", "'", "▁extraordinaire", "▁est", "▁a", ".", "▁vu", "ée")


class Words:
    """Enough of a vocabulary to write a result."""

    def decode(self, ids: Sequence[int]) -> str:
        return "".join(TOKENS[i - 4] for i in ids if i >= 4).replace("▁", " ").strip()

    def token(self, index: int) -> str:
        return "<eos>" if index == EOS else TOKENS[index - 4]


WORDS = Words()


def search(width: int, steps: int, seed: int = 3) -> Trace:
    """What beam search would record if each token's probability were drawn by lot; ends after `steps` at most."""
    lot = random.Random(seed)
    nodes = [BeamNode(0, -1, 0, "<sos>", SOS, 0.0, 0.0, 0.0, 1, "root")]
    alive, places = [nodes[0]], width
    for step in range(1, steps + 1):
        found: list[tuple[float, BeamNode, int, float]] = []
        for parent in alive:
            weights = [lot.expovariate(1) ** 3 for __ in range(10)]
            cover = parent.coverage * 0.8 - lot.random()
            for token, weight in zip(lot.sample(range(3, 3 + len(TOKENS)), 10), weights, strict=True):
                end = token == EOS
                share = weight / sum(weights) * (0.001 if end and step < steps - 9 else 1.0)
                chance = 0.0 if step == steps and end else math.log(share + 1e-9)
                found.append((parent.total + chance, parent, token, cover))
        found.sort(key=lambda one: -one[0])
        alive = []
        for rank, (total, parent, token, cover) in enumerate(found, 1):
            kept = rank <= places
            fate = "pruned" if not kept else "finished" if token == EOS else "kept"
            node = BeamNode(
                len(nodes), parent.id, step, WORDS.token(token), token, total - parent.total, total, cover, rank, fate
            )
            nodes.append(node)
            if fate == "kept":
                alive.append(node)
        places -= sum(node.fate == "finished" for node in nodes if node.step == step)
        if not alive:
            break
    # Nothing but the search is drawn: the result is a single piece.
    return Trace(
        model="en-fr/dot",
        architecture="dot",
        source_text="the little house",
        source=("<eos>",),
        target=("<eos>",),
        text="",
        log_probability=0.0,
        score=0.0,
        finished=True,
        seconds=0.01,
        decoding=DecodingConfig(beam=width),
        steps=(Step("<eos>", EOS, 0.0, ()),),
        attention=(AttentionMap("cross", ("<eos>",), ("<eos>",), np.ones((1, 1, 1, 1), np.float32)),),
        beam=tuple(nodes),
    )
