"""How long each model that ships takes for a sentence of about ten words, greedily and with its trace.

python -m tests.benchmarks.shipped [--threads 2]
"""

import argparse
import statistics
import time

import torch

from nmtcore.config import DecodingConfig, is_autoregressive
from nmtcore.decoding.decode import translate
from nmtcore.models import checkpoint
from nmtcore.models.fast import accelerate
from tests.benchmarks.machine import machine
from tests.paths import ROOT

AIM = 0.05  # seconds
ROUNDS = 40
SENTENCES = {  # by source language
    "en": (
        "My sister wants to buy two red apples this afternoon.",
        "The tired nurse forgot her keys in the kitchen today.",
    ),
    "zh": ("他昨天晚上和朋友一起去看电影。", "我今天早上在厨房里忘了钥匙。"),
}


def word_by_word(pair: str) -> list[str]:
    """The shipped models of a pair of languages that write word by word, as a search does."""
    folders = (ROOT / "pretrained" / pair).iterdir()
    return sorted(f"{pair}/{folder.name}" for folder in folders if is_autoregressive(folder.name))


def seconds(name: str, sentence: str) -> list[float]:
    """The times of `ROUNDS` translations by one model, after three that do not count."""
    model = checkpoint.load(f"pretrained/{name}")
    model.model = accelerate(model.model)
    times = []
    for _ in range(ROUNDS + 3):
        began = time.perf_counter()
        translate(model, sentence, DecodingConfig(beam=1))
        times.append(time.perf_counter() - began)
    return times[3:]


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Shipped models: ms for a sentence of about ten words, greedy, with its trace."
    )
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    print(f"{machine()}; {options.threads} threads, torch {torch.__version__}\n")
    print("| model | median, ms | slowest, ms |\n|---|---|---|")
    slowest = 0.0
    for pair in ("en-fr", "zh-en"):
        for name in word_by_word(pair):
            times = [s for sentence in SENTENCES[pair[:2]] for s in seconds(name, sentence)]
            slowest = max(slowest, statistics.median(times))
            print(f"| {name} | {1000 * statistics.median(times):.0f} | {1000 * max(times):.0f} |", flush=True)
    print(f"\nAim of {1000 * AIM:.0f} ms: {'met' if slowest <= AIM else 'missed'}")


if __name__ == "__main__":
    main()
