"""Decoding with the full trace against Hugging Face and CTranslate2, in one run on one machine.

    pip install transformers ctranslate2
    python -m tests.benchmarks.decoding [--threads 2]

Same sizes for all three (3 + 3 layers, D 256, 4 heads, feed-forward 1024, 8,000 pieces, random weights), the same 20
source pieces, the same number of new pieces (`<eos>` is forbidden until then). All compute in float32. Ours have
weights that float16 holds exactly, as every saved model has, and "float32" is the same Transformer with weights that
it does not. Ours make the whole Trace: every candidate, all attention, the arithmetic. Hugging Face runs
`generate(output_attentions=True)`, CTranslate2 `translate_batch(return_attention=True)`. The best of several rounds
that take turns, so that a busy moment hits all.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from typing import Any

import torch

from nmtcore.config import DecodingConfig, ModelConfig, RecurrentConfig, TransformerConfig
from nmtcore.decoding.decode import translate
from nmtcore.intervention import Intervention
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.text.vocabulary import EOS
from tests.benchmarks.machine import processor

SIZE, WIDTH, LAYERS, HEADS, FEEDFORWARD = 8000, 256, 3, 4, 1024
SOURCE = [5 + 37 * i % 7000 for i in range(19)] + [EOS]
LENGTHS = (16, 32, 64)
BEAMS = (1, 5)
Run = Callable[[int, int], Any]  # beam, new pieces


class Numbers:
    """Stands in for a vocabulary: the text of a piece is its number."""

    def encode(self, text: str) -> list[int]:
        return [int(word) for word in text.split()]

    def pieces(self, text: str) -> list[str]:
        return text.split()

    def token(self, index: int) -> str:
        return str(index)

    def decode(self, ids: list[int]) -> str:
        return " ".join(map(str, ids))


def ours(config: ModelConfig, saved: bool = True) -> Run:
    """Decoding with the whole Trace by a model as `checkpoint.load` gives it; or with weights that no file has."""
    torch.manual_seed(1)
    model = checkpoint.build(config)
    for parameter in model.parameters() if saved else ():
        parameter.data = parameter.data.half().float()
    made = Checkpoint(accelerate(model.eval()), Numbers(), "benchmark", {})  # type: ignore[arg-type]
    text = " ".join(map(str, SOURCE[:-1]))
    change = Intervention(forbidden=((None, EOS),))

    def run(beam: int, new: int) -> Any:
        trace = translate(made, text, DecodingConfig(beam=beam, max_length=new), change)
        assert len(trace.target) == new
        return trace

    return run


def marian() -> Any:
    from transformers import MarianConfig, MarianMTModel  # type: ignore[import-untyped]

    torch.manual_seed(1)
    return MarianMTModel(
        MarianConfig(
            vocab_size=SIZE + 1,
            d_model=WIDTH,
            encoder_layers=LAYERS,
            decoder_layers=LAYERS,
            encoder_attention_heads=HEADS,
            decoder_attention_heads=HEADS,
            encoder_ffn_dim=FEEDFORWARD,
            decoder_ffn_dim=FEEDFORWARD,
            pad_token_id=SIZE,
            eos_token_id=EOS,
            decoder_start_token_id=SIZE,
            scale_embedding=True,
            attn_implementation="eager",  # the others do not return attention
        )
    ).eval()


def hugging_face(model: Any) -> Run:
    source = torch.tensor([SOURCE])

    def run(beam: int, new: int) -> Any:
        with torch.inference_mode():
            return model.generate(
                input_ids=source,
                attention_mask=torch.ones_like(source),
                num_beams=beam,
                do_sample=False,
                min_new_tokens=new,
                max_new_tokens=new,
                output_attentions=True,
                return_dict_in_generate=True,
            )

    return run


class NumberTokenizer:
    """What CTranslate2's converter asks of a tokenizer."""

    eos_token, unk_token = str(EOS), "1"

    def get_vocab(self) -> dict[str, int]:
        return {**{str(i): i for i in range(SIZE)}, "<pad>": SIZE}


def ctranslate2(model: Any, folder: str, threads: int) -> Run:
    import ctranslate2 as library
    from ctranslate2.converters import transformers as converters

    spec = converters._MODEL_LOADERS["MarianConfig"](model, NumberTokenizer())
    spec.validate()
    spec.save(folder)
    translator = library.Translator(folder, device="cpu", compute_type="float32", intra_threads=threads)
    source = [[str(i) for i in SOURCE]]

    def run(beam: int, new: int) -> Any:
        found = translator.translate_batch(
            source,
            beam_size=beam,
            min_decoding_length=new,
            max_decoding_length=new,
            return_attention=True,
            return_scores=True,
        )
        assert len(found[0].hypotheses[0]) >= new - 1
        return found

    return run


def seconds(runs: dict[str, Run], beam: int, new: int, rounds: int) -> dict[str, float]:
    """The best time of each, taking turns."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            began = time.perf_counter()
            run(beam, new)
            best[name] = min(best[name], time.perf_counter() - began)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description="Decoding speed: ms a new piece, the whole trace included.")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pieces", type=int, nargs="+", default=LENGTHS)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    theirs = marian()
    recurrent = {"embedding": 256, "units": 256}
    with tempfile.TemporaryDirectory() as folder:
        transformer = TransformerConfig(SIZE, WIDTH, FEEDFORWARD, HEADS, LAYERS, LAYERS)
        runs = {
            "Transformer": ours(transformer),
            "float32": ours(transformer, saved=False),
            "Hugging Face": hugging_face(theirs),
            "CTranslate2": ctranslate2(theirs, folder, options.threads),
            "additive": ours(RecurrentConfig(SIZE, attention="additive", **recurrent)),
            "dot": ours(RecurrentConfig(SIZE, attention="dot", **recurrent)),
            "none": ours(RecurrentConfig(SIZE, attention="none", **recurrent)),
        }
        for run in runs.values():
            run(1, 4)
        print(f"{processor()}, {options.threads} threads, torch {torch.__version__}; ms a new piece\n")
        pairs = [(peer, own) for own in ("Transformer", "float32") for peer in ("Hugging Face", "CTranslate2")]
        print("| beam | pieces |", " | ".join([*runs, *(f"{peer} / {own}" for peer, own in pairs)]), "|")
        print("|" + "---|" * (len(runs) + len(pairs) + 2))
        for beam in BEAMS:
            for new in options.pieces:
                found = seconds(runs, beam, new, options.rounds)
                each = " | ".join(f"{1000 * s / new:.2f}" for s in found.values())
                ratios = " | ".join(f"{found[peer] / found[own]:.1f}" for peer, own in pairs)
                print(f"| {beam} | {new} | {each} | {ratios} |", flush=True)


if __name__ == "__main__":
    main()
