"""How many translations change with the arithmetic: packed float16 weights, and products in bfloat16.

    python -m tests.benchmarks.precision [--model pretrained/en-fr/transformer]

Both are compared with float32 weights and products, on the sentences of nmtcore/text/languages and of
tests/evaluation/robustness.*.tsv.
"""

import dataclasses

import torch

from nmtcore.config import DecodingConfig
from nmtcore.decoding.batched import translate_all
from nmtcore.evaluation.challenge_set import read_challenges
from nmtcore.models import checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.text import languages
from tests.benchmarks.machine import machine, options, row
from tests.paths import ROOT


def sentences(language: str) -> list[str]:
    """Our own, those of the tests among them."""
    found = list(languages.lines(language, "contrast_candidates.txt"))
    for path in (ROOT / "tests" / "evaluation").glob(f"robustness.{language}-*.tsv"):
        found += [challenge.source for challenge in read_challenges(path)[1]]
    return list(dict.fromkeys(found))


def main() -> None:
    plain = checkpoint.load(options(__doc__, model=ROOT / "pretrained" / "en-fr" / "transformer").model)
    packed = dataclasses.replace(plain, model=accelerate(plain.model))
    texts = sentences(str(plain.meta["source"]))
    print(f"{machine()}; {plain.name}, {len(texts)} sentences\n")
    row("search", "packed, changed", "bfloat16 products, changed", head=True)
    for width in (1, 5):
        decoding = DecodingConfig(width)
        exact = translate_all(plain, [*map(plain.read, texts)], decoding).texts
        half = translate_all(packed, [*map(packed.read, texts)], decoding).texts
        with torch.autocast("cpu", torch.bfloat16):
            coarse = translate_all(plain, [*map(plain.read, texts)], decoding).texts
        changed = [sum(a != b for a, b in zip(exact, other, strict=True)) for other in (half, coarse)]
        row("greedy" if width == 1 else f"beam {width}", *(f"{n} ({n / len(texts):.1%})" for n in changed))


if __name__ == "__main__":
    main()
