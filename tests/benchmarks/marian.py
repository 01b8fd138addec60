"""Seconds and memory of importing a Marian model of OPUS-MT's size: python -m tests.benchmarks.marian FOLDER.

The model, made by transformers with random weights, and what was imported stay in the folder, to look at pages with.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import torch
from sentencepiece import sentencepiece_model_pb2

from tests.benchmarks.machine import machine
from tests.marian.foreign import END, PADDING, UNKNOWN
from tests.paths import PRETRAINED

PIECES = 60_000
SECONDS, BYTES = 20, 1_500_000_000  # at most


def make(folder: Path) -> None:
    """6 + 6 layers of 16 heads, 512 wide, 60,000 pieces: those of a vocabulary that ships, then invented words."""
    from transformers import MarianConfig, MarianMTModel

    folder.mkdir(parents=True)
    model = sentencepiece_model_pb2.ModelProto()
    model.ParseFromString((PRETRAINED / "en-fr" / "dot" / "vocab.model").read_bytes())
    known = [(piece.piece, piece.score) for piece in model.pieces if piece.type == 1]
    del model.pieces[:]
    for name, kind in ((END, 3), (UNKNOWN, 2)):
        model.pieces.add(piece=name, type=kind)
    invented = [(f"\u2581w{i}", -15.0) for i in range(PIECES - len(known) - 3)]
    for name, score in known + invented:
        model.pieces.add(piece=name, score=score, type=1)
    model.trainer_spec.byte_fallback = False
    for side in ("source", "target"):
        (folder / f"{side}.spm").write_bytes(model.SerializeToString())
    ids = {piece.piece: i for i, piece in enumerate(model.pieces)} | {PADDING: PIECES - 1}
    (folder / "vocab.json").write_text(json.dumps(ids), encoding="utf-8")
    (folder / "README.md").write_text("---\nlicense: apache-2.0\n---\nRandom weights.\n", encoding="utf-8")
    torch.manual_seed(1)
    config = MarianConfig(
        vocab_size=PIECES,
        d_model=512,
        encoder_layers=6,
        decoder_layers=6,
        encoder_attention_heads=16,
        decoder_attention_heads=16,
        encoder_ffn_dim=2048,
        decoder_ffn_dim=2048,
        scale_embedding=True,
        activation_function="swish",
        pad_token_id=PIECES - 1,
        decoder_start_token_id=PIECES - 1,
        eos_token_id=0,
        init_std=0.04,
    )
    made = MarianMTModel(config)
    made.final_logits_bias[0, 0] += 5.0  # so that translations end
    made.final_logits_bias[0, len(known) + 2 :] -= 10.0  # and have words that can be read
    made.save_pretrained(folder)


def measured(folder: Path, out: Path) -> tuple[float, int]:
    """Seconds of an import, and the most memory of any process of it, in bytes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    shutil.rmtree(out, ignore_errors=True)
    began = time.perf_counter()
    command = [sys.executable, "-m", "nmtcore", "import", str(folder), "--out", str(out)]
    process = subprocess.Popen(command)
    _pid, status, used = os.wait4(process.pid, 0)
    assert status == 0, before
    return time.perf_counter() - began, used.ru_maxrss * 1024


def main(folder: Path) -> int:
    safe, pickled = folder / "safetensors", folder / "pickle"
    if not safe.exists():
        make(safe)
    if not pickled.exists():
        from safetensors.torch import load_file

        shutil.copytree(safe, pickled, ignore=shutil.ignore_patterns("*.safetensors"))
        torch.save(load_file(safe / "model.safetensors"), pickled / "pytorch_model.bin")
    worst = 0
    print(machine())
    for origin in (safe, pickled):
        seconds, size = measured(origin, folder / "models" / "en-fr" / origin.name)
        print(f"{origin.name}: {seconds:.1f} s (at most {SECONDS}), {size / 1e6:,.0f} MB (at most {BYTES / 1e6:,.0f})")
        worst |= seconds > SECONDS or size > BYTES
    return int(worst)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
