"""Small Marian models with random weights, made by transformers, and Marian's own files."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import sentencepiece
import torch

from tests.helpers import SENTENCES

END, UNKNOWN, PADDING = "</s>", "<unk>", "<pad>"


def pieces(sentences: Sequence[str], size: int) -> bytes:
    """A sentencepiece model as Marian trains them."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences * 3),
        model_writer=model,
        vocab_size=size,
        hard_vocab_limit=False,
        character_coverage=1.0,
        bos_id=-1,
        eos_id=0,
        unk_id=1,
        num_threads=1,
        minloglevel=2,
    )
    return model.getvalue()


def names(model: bytes) -> list[str]:
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    return [processor.id_to_piece(i) for i in range(len(processor))]


SOURCE, TARGET = pieces(SENTENCES[:2], 60), pieces(SENTENCES[2:4], 70)
JOINT = {piece: i for i, piece in enumerate(dict.fromkeys([END, UNKNOWN, *names(SOURCE), *names(TARGET), PADDING]))}
APART = [{piece: i for i, piece in enumerate([END, UNKNOWN, PADDING, *names(one)[2:]])} for one in (SOURCE, TARGET)]


def write_texts(folder: Path, apart: bool) -> None:
    """The sentencepiece models, the lists of pieces and a card."""
    folder.mkdir(exist_ok=True)
    (folder / "source.spm").write_bytes(SOURCE)
    (folder / "target.spm").write_bytes(TARGET)
    for name, ids in zip(("vocab.json", "target_vocab.json"), APART if apart else [JOINT], strict=False):
        (folder / name).write_text(json.dumps(ids), encoding="utf-8")
    (folder / "README.md").write_text("---\nlanguage: en\nlicense: cc-by-4.0\n---\n\n# A model\n", encoding="utf-8")


def hugging_face(folder: Path, apart: bool = False, **settings: Any) -> Any:
    """A folder as transformers saves it, and its model. apart: whether source and target have their own vocabulary."""
    from transformers import MarianConfig, MarianMTModel

    write_texts(folder, apart)
    source, target = APART if apart else (JOINT, JOINT)
    sizes = {"encoder_layers": 1, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4}
    config = MarianConfig(
        vocab_size=len(source),
        decoder_vocab_size=len(target),
        **{
            **{"d_model": 32, "encoder_ffn_dim": 24, "decoder_ffn_dim": 24, "max_position_embeddings": 64},
            **{"share_encoder_decoder_embeddings": not apart, "scale_embedding": True, "forced_eos_token_id": None},
            **{"pad_token_id": target[PADDING], "decoder_start_token_id": target[PADDING], "eos_token_id": 0},
            **{"activation_function": "swish", "attn_implementation": "eager"},
            **sizes,
            **settings,
        },
    )
    config.separate_vocabs = apart
    torch.manual_seed(4)
    model = MarianMTModel(config).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "embed_positions" not in name:
                parameter.copy_((torch.randn(parameter.shape) * 0.3 + parameter.mean()).half())
        bias = torch.randn(model.final_logits_bias.shape)
        bias[0, 0] += 9  # so that translations end
        model.final_logits_bias.copy_(bias.half())
    model.save_pretrained(folder)
    return model


def marian(folder: Path, **said: Any) -> dict[str, np.ndarray[Any, Any]]:
    """A folder of Marian itself, with one table for all; returns its arrays."""
    import yaml

    write_texts(folder, apart=False)
    (folder / "vocab.json").unlink()
    ids = {piece: i for piece, i in JOINT.items() if piece != PADDING}
    (folder / "opus.vocab.yml").write_text(yaml.safe_dump(ids, allow_unicode=True), encoding="utf-8")
    random = np.random.default_rng(6)
    D, M, V = 32, 24, len(ids)
    arrays: dict[str, np.ndarray[Any, Any]] = {
        "Wemb": random.normal(size=(V, D)),
        "decoder_ff_logit_out_b": np.ones((1, V)),
    }
    for side, blocks in (("encoder", ("self",)), ("decoder", ("self", "context"))):
        for layer in ("l1", "l2"):
            for block in blocks:
                for letter in "qkvo":
                    arrays[f"{side}_{layer}_{block}_W{letter}"] = random.normal(size=(D, D)) / 5
                    arrays[f"{side}_{layer}_{block}_b{letter}"] = random.normal(size=(1, D))
                arrays[f"{side}_{layer}_{block}_Wo_ln_scale"] = random.normal(size=(1, D))
                arrays[f"{side}_{layer}_{block}_Wo_ln_bias"] = random.normal(size=(1, D))
            arrays[f"{side}_{layer}_ffn_W1"], arrays[f"{side}_{layer}_ffn_b1"] = (
                random.normal(size=(D, M)),
                np.ones((1, M)),
            )
            arrays[f"{side}_{layer}_ffn_W2"], arrays[f"{side}_{layer}_ffn_b2"] = (
                random.normal(size=(M, D)),
                np.ones((1, D)),
            )
            arrays[f"{side}_{layer}_ffn_ffn_ln_scale"] = random.normal(size=(1, D))
            arrays[f"{side}_{layer}_ffn_ffn_ln_bias"] = random.normal(size=(1, D))
    arrays = {name: array.astype(np.float16).astype(np.float32) for name, array in arrays.items()}
    settings = {
        **{"type": "transformer", "dim-emb": D, "transformer-dim-ffn": M, "transformer-heads": 4},
        **{"enc-depth": 2, "dec-depth": 2, "transformer-preprocess": "", "transformer-postprocess": "dan"},
        **{"transformer-ffn-activation": "relu", "tied-embeddings-all": True, **said},
    }
    inside = np.frombuffer(yaml.safe_dump(settings).encode() + b"\0", np.int8)
    np.savez(folder / "model.npz", **arrays, **{"special:model.yml": inside})
    return arrays
