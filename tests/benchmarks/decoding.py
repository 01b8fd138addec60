"""Decoding with the full trace: all architectures side by side, and against Hugging Face and CTranslate2.

    pip install transformers ctranslate2
    python -m tests.benchmarks.decoding [--threads 2] [--own]

--own leaves out the other libraries. Same sizes for all three (3 + 3 layers, D 256, 4 heads, feed-forward 1024, 8,000
pieces, random weights), the same 20 source pieces, the same number of new pieces (`<eos>` is forbidden until then).
All compute in float32. Ours have weights that float16 holds exactly, as every saved model has, and "float32" is the
same Transformer with weights that it does not. Ours make the whole Trace: every candidate, all attention, the
arithmetic. Hugging Face runs `generate(output_attentions=True)`, CTranslate2 `translate_batch(return_attention=True)`.
The best of several rounds that take turns, so that a busy moment hits all. The time of each further architecture is
divided by that of the core model that is nearest to it in size, by the number of weights.

The last table is of sentences of 8, 16 and 32 pieces whose translations are as long: the Transformer word by word,
and all words at once, mask-predict with T rounds and five lengths side by side, each with its whole record.
"""

import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from timeit import timeit
from typing import Any

import torch

from nmtcore.analysis.costs import parameters
from nmtcore.config import (
    CORE,
    Architecture,
    DecodingConfig,
    MaskPredictDecoding,
    ModelConfig,
    model_config,
)
from nmtcore.decoding import mask_predict
from nmtcore.intervention import Intervention
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.models.mask_predict import MaskPredict
from nmtcore.text.vocabulary import EOS, Subwords
from tests.benchmarks.machine import machine, options, row
from tests.helpers import WORD_BY_WORD, translate

SIZE = 8000
SOURCE = [5 + 37 * i % 7000 for i in range(19)] + [EOS]
LENGTHS = (16, 32, 64)
BEAMS = (1, 5)
Run = Callable[[int, int], Any]  # beam, new pieces
SIZES: dict[Architecture, dict[str, Any]] = {  # where an architecture's own are others
    "convolutional": {"embedding": 256, "encoder_layers": 3, "decoder_layers": 3},
    "deep-lstm": {"embedding": 256},
}
AT_ONCE = (8, 16, 32)  # pieces
ROUNDS = (4, 10)


class Numbers:
    """Stands in for a vocabulary, and for the tokenizer of CTranslate2's converter: a piece is its number."""

    eos_token, unk_token = str(EOS), "1"

    def get_vocab(self) -> dict[str, int]:
        return {**{str(i): i for i in range(SIZE)}, "<pad>": SIZE}

    def cut(self, text: str) -> Subwords:
        return Subwords(tuple(map(int, text.split())), tuple(text.split()))

    def token(self, index: int) -> str:
        return str(index)

    def tokens(self, ids: list[int]) -> list[str]:
        return [str(index) for index in ids]

    def decode(self, ids: list[int]) -> str:
        return " ".join(map(str, ids))


def config_of(name: Architecture) -> ModelConfig:
    return model_config(name, SIZE, **SIZES.get(name, {}))


def made_of(config: ModelConfig, saved: bool = True, change: Callable[[Any], None] | None = None) -> Checkpoint:
    """A model as `checkpoint.load` gives it; or with weights that no file has. change: is done to it first."""
    torch.manual_seed(1)
    model = checkpoint.build(config)
    for parameter in model.parameters() if saved else ():
        parameter.data = parameter.data.half().float()
    if change is not None:
        with torch.no_grad():
            change(model)
    return Checkpoint(accelerate(model.eval()), Numbers(), "benchmark", {})  # type: ignore[arg-type]


def ours(config: ModelConfig, saved: bool = True, pieces: Sequence[int] = SOURCE) -> Run:
    """Decoding with the whole Trace."""
    made = made_of(config, saved)
    text = " ".join(map(str, pieces[:-1]))
    change = Intervention(forbidden=((None, EOS),))

    def run(beam: int, new: int) -> Any:
        trace = translate(made, text, DecodingConfig(beam=beam, max_length=new), change)
        assert len(trace.target) == new
        return trace

    return run


def rounds_of(config: ModelConfig, pieces: Sequence[int], rounds: int) -> Run:
    """Mask-predict with the whole record; its likeliest lengths are made to be those about that of the source."""

    def as_long(model: MaskPredict) -> None:
        lengths = torch.arange(1, model.config.longest + 1)
        model.length.weight.zero_()
        model.length.bias.copy_(-(lengths - len(pieces)).abs().float())

    made = made_of(config, change=as_long)
    text = " ".join(map(str, pieces[:-1]))

    def run(beam: int, new: int) -> Any:
        record = mask_predict.translate(made, made.read(text), MaskPredictDecoding(rounds))
        assert abs(len(record.target) - len(pieces)) <= 2
        return record

    return run


def nearest(name: Architecture) -> Architecture:
    """The core model whose number of weights is nearest to that of another; the later one of equals."""
    sizes = {other: parameters(config_of(other)) for other in (*CORE, name)}
    return min(reversed(CORE), key=lambda other: abs(sizes[other] - sizes[name]))


def marian() -> Any:
    from transformers import MarianConfig, MarianMTModel  # type: ignore[import-untyped]

    torch.manual_seed(1)
    own: Any = config_of("transformer")
    sizes = {"layers": own.encoder_layers, "attention_heads": own.heads, "ffn_dim": own.feedforward}
    return MarianMTModel(
        MarianConfig(
            vocab_size=SIZE + 1,
            d_model=own.width,
            **{f"{side}_{name}": value for side in ("encoder", "decoder") for name, value in sizes.items()},
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


def ctranslate2(model: Any, folder: str, threads: int) -> Run:
    import ctranslate2 as library
    from ctranslate2.converters import transformers as converters

    spec = converters._MODEL_LOADERS["MarianConfig"](model, Numbers())
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
            best[name] = min(best[name], timeit(partial(run, beam, new), number=1))
    return best


def table(runs: dict[str, Run], ratios: Sequence[tuple[str, str]], pieces: Sequence[int], rounds: int) -> None:
    """ms per new piece for each, and some ratios of times."""
    row("beam", "pieces", *runs, *(f"{one} / {other}" for one, other in ratios), head=True)
    for beam in BEAMS:
        for new in pieces:
            found = seconds(runs, beam, new, rounds)
            shares = (f"{found[one] / found[other]:.2f}" for one, other in ratios)
            row(beam, new, *(f"{1000 * s / new:.2f}" for s in found.values()), *shares)


def table_non_autoregressive(rounds: int) -> None:
    """ms per sentence: the Transformer word by word, and all words at once."""
    configs = {name: config_of(name) for name in ("transformer", "mask-predict")}
    print()
    row("words", "Transformer, greedy", "beam 5", *(f"mask-predict, T = {t}" for t in ROUNDS), head=True)
    for length in AT_ONCE:
        source = [*SOURCE[:-1], *SOURCE[:-1]][: length - 1] + [EOS]
        searched = {"word by word": ours(configs["transformer"], pieces=source)}
        in_rounds = {f"T = {t}": rounds_of(configs["mask-predict"], source, t) for t in ROUNDS}
        found = [seconds(searched, beam, length, rounds)["word by word"] for beam in BEAMS]
        found += seconds(in_rounds, 1, length, rounds).values()
        row(length, *(f"{1000 * s:.1f}" for s in found))


def main() -> None:
    chosen = options(__doc__, threads=2, rounds=5, pieces=LENGTHS, own=False)
    torch.set_num_threads(chosen.threads)
    runs = {name: ours(config_of(name)) for name in WORD_BY_WORD}
    ratios = [(name, nearest(name)) for name in runs if name not in CORE]
    with tempfile.TemporaryDirectory() as folder:
        if not chosen.own:
            runs["float32"] = ours(config_of("transformer"), saved=False)
            theirs = marian()
            others = {"Hugging Face": hugging_face(theirs), "CTranslate2": ctranslate2(theirs, folder, chosen.threads)}
            runs |= others
            ratios += [(peer, own) for own in ("transformer", "float32") for peer in others]
        for run in runs.values():
            run(1, 4)
        print(f"{machine()}; {chosen.threads} threads, torch {torch.__version__}; ms a new piece\n")
        table(runs, ratios, chosen.pieces, chosen.rounds)
        table_non_autoregressive(chosen.rounds)


if __name__ == "__main__":
    main()
