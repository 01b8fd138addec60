"""Model folders: a saved model comes back unchanged, and a bad file is named with its fault."""

import copy
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from nmtcore.config import DecodingConfig
from nmtcore.errors import CheckpointError
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import CARD, CONFIG, VOCAB, WEIGHTS, Checkpoint
from nmtcore.models.padded import pad
from nmtcore.text.vocabulary import EOS, SOS, Vocab
from tests.helpers import small, translate

META = {"source": "en", "target": "fr", "note": "é"}


@pytest.fixture
def folder(tmp_path: Path, vocab: Vocab) -> Path:
    checkpoint.save(tmp_path / "en-fr" / "dot", small("dot", vocab).model, vocab, META, "# A card\n")
    return tmp_path / "en-fr" / "dot"


def test_save_then_load_is_one_rounding_to_float16(small_checkpoint: Checkpoint, tmp_path: Path) -> None:
    first, second = tmp_path / "xx" / "one", tmp_path / "xx" / "two"
    checkpoint.save(first, small_checkpoint.model, small_checkpoint.vocab, META, "# A card\n")
    loaded = checkpoint.load(first)
    for name, tensor in checkpoint.own_weights(small_checkpoint.model).items():
        assert torch.equal(checkpoint.own_weights(loaded.model)[name], tensor.half().float()), name
    assert loaded.config == small_checkpoint.config and loaded.meta == META and loaded.name == "xx/one"
    assert not loaded.model.training and all(p.dtype == torch.float32 for p in loaded.model.parameters())

    checkpoint.save(second, loaded.model, loaded.vocab, META)
    again = checkpoint.load(second)
    source, inputs = pad([[5, 6, EOS], [7, EOS]]), pad([[SOS, 8, 9], [SOS]])
    with torch.no_grad():
        assert torch.equal(loaded.model(source, inputs), again.model(source, inputs))
    traces = [translate(c, "the small cat", DecodingConfig(beam=3, max_length=6)) for c in (loaded, again)]
    assert traces[0].ids == traces[1].ids and traces[0].log_probability == traces[1].log_probability
    assert {t.dtype for t in load_file(first / WEIGHTS).values()} == {torch.float16}


def test_int8_weights_are_within_half_a_scale_and_saved_twice_they_stay(
    small_checkpoint: Checkpoint, tmp_path: Path
) -> None:
    folder, second = tmp_path / "xx" / "int8", tmp_path / "xx" / "float16"
    model = copy.deepcopy(small_checkpoint.model)  # all tests share that one
    own = checkpoint.own_weights(model)
    with torch.no_grad():
        next(t for t in own.values() if t.dim() > 1)[1] = 0.0  # a row without a largest number
    checkpoint.save(folder, model, small_checkpoint.vocab, META, storage="int8")
    assert json.loads((folder / CONFIG).read_text())["format"] == 2
    stored = load_file(folder / WEIGHTS)
    loaded = checkpoint.load(folder)
    for name, tensor in checkpoint.own_weights(loaded.model).items():
        expected = own[name].detach()
        if tensor.dim() < 2:
            assert torch.equal(tensor, expected.half().float()), name
            continue
        for row, was in zip(tensor, expected.half().float(), strict=True):
            scale = max(was.abs().max().item() / 127, 6.1e-5)
            assert (row - was).abs().max() <= 0.51 * scale + 5e-4 * was.abs().max(), name
        assert stored[name].dtype == torch.int8 and stored[name].abs().max() <= 127
        assert stored[name + ".scale"].shape[0] == len(tensor)
    checkpoint.save(second, loaded.model, loaded.vocab, META)
    for name, tensor in checkpoint.own_weights(checkpoint.load(second).model).items():
        assert torch.equal(tensor, checkpoint.own_weights(loaded.model)[name]), name
    size = [sum(t.numel() * t.element_size() for t in load_file(f / WEIGHTS).values()) for f in (folder, second)]
    assert size[0] < 0.8 * size[1]


@pytest.mark.parametrize("damage", ["no scale", "another shape", "infinite"])
def test_int8_weights_without_a_right_scale_are_damaged(tmp_path: Path, vocab: Vocab, damage: str) -> None:
    folder = tmp_path / "en-fr" / "dot"
    checkpoint.save(folder, small("dot", vocab).model, vocab, META, storage="int8")
    weights = load_file(folder / WEIGHTS)
    if damage == "no scale":
        del weights["embed.weight.scale"]
    elif damage == "another shape":
        weights["embed.weight.scale"] = weights["embed.weight.scale"][:, 0].contiguous()
    else:
        weights["embed.weight.scale"][2] = math.inf
    save_file(weights, folder / WEIGHTS)
    with pytest.raises(CheckpointError, match=r"damaged: embed\.weight"):
        checkpoint.load(folder)


def test_what_a_folder_holds(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == sorted([CARD, CONFIG, VOCAB, WEIGHTS])
    data = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    assert (data["format"], data["class"], data["architecture"]) == (1, "RecurrentConfig", "dot")
    assert (folder / CARD).read_text() == "# A card\n"


def test_tied_weights_are_stored_once_and_stay_tied(tmp_path: Path, vocab: Vocab) -> None:
    checkpoint.save(tmp_path, small("transformer", vocab).model, vocab, {})
    names = set(load_file(tmp_path / WEIGHTS))
    assert len([name for name in names if "embed" in name]) == 1
    loaded: Any = checkpoint.load(tmp_path).model
    assert loaded.embed is loaded.embed_target is loaded.unembed


def config_with(**changes: Any) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        data = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        settings = changes.pop("settings", {})
        data |= changes
        data["config"] = {k: v for k, v in (data["config"] | settings).items() if v != "gone"}
        (folder / CONFIG).write_text(json.dumps(data), encoding="utf-8")

    return change


def weights_with(change: Callable[[dict[str, torch.Tensor]], None]) -> Callable[[Path], None]:
    def rewrite(folder: Path) -> None:
        weights = load_file(folder / WEIGHTS)
        change(weights)
        save_file(weights, folder / WEIGHTS)

    return rewrite


def poisoned(weights: dict[str, torch.Tensor]) -> None:
    weights["combine.weight"][2, 3] = math.nan


def reshaped(weights: dict[str, torch.Tensor]) -> None:
    weights["combine.weight"] = weights["combine.weight"][:-1].clone()


def written(name: str, content: bytes) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes(content) and None


def shortened(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:-40]) and None


def swapped_vocab(folder: Path) -> None:
    Vocab.train(["the cat sees a dog"] * 4, 30).save(folder / VOCAB)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / CONFIG).unlink(), "not a model folder: it has no config.json"),
        (lambda folder: (folder / WEIGHTS).unlink(), "model.safetensors is missing"),
        (lambda folder: (folder / VOCAB).unlink(), "vocab.model cannot be read"),
        (written(CONFIG, b"{"), "config.json is damaged: it is not JSON"),
        (written(CONFIG, b"\xff\xfe"), "config.json is damaged: it is not JSON"),
        (written(CONFIG, b"[" * 100_000), "config.json is damaged: it is not JSON"),
        (written(CONFIG, b"[]"), "config.json was not written by this program"),
        (written(CONFIG, b'{"model_type": "marian", "vocab_size": 3}'), "config.json was not written by this program"),
        (config_with(format=3), "format 3; this program reads formats up to 2. Use a newer version"),
        (
            config_with(**{"class": "MambaConfig"}),
            "names an architecture that this program does not have: 'MambaConfig'",
        ),
        (config_with(meta=[]), "config and meta must be objects"),
        (config_with(settings={"units": "many"}), "units must be of the type int"),
        (config_with(settings={"units": -2}), "wrong setting: units must be between"),
        (config_with(settings={"depth": 3}), "depth missing or unknown"),
        (config_with(settings={"units": "gone"}), "units missing or unknown"),
        (config_with(settings={"units": 20}), "model.safetensors does not fit config.json"),
        (config_with(settings={"vocab_size": 4_000}), "vocab.model has .* pieces, but config.json says 4000"),
        (written(WEIGHTS, b""), "model.safetensors is damaged"),
        (written(WEIGHTS, b"\x80\x04 a pickle" * 9), "model.safetensors is damaged"),
        (shortened(WEIGHTS), "model.safetensors is damaged"),
        (weights_with(poisoned), "combine.weight holds values that are not finite"),
        (weights_with(reshaped), "combine.weight is .* but must be"),
        (weights_with(lambda weights: weights.__delitem__("combine.weight")), "combine.weight missing or unknown"),
        (written(VOCAB, b"no model"), "vocab.model.* is damaged"),
        (shortened(VOCAB), "vocab.model"),
        (swapped_vocab, "vocab.model has .* pieces"),
    ],
)
def test_a_wrong_file_is_named(folder: Path, damage: Callable[[Path], None], message: str) -> None:
    damage(folder)
    with pytest.raises(CheckpointError, match=message) as caught:
        checkpoint.load(folder)
    assert "\n" not in str(caught.value)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="There is no model folder"):
        checkpoint.load(tmp_path / "nowhere")


def test_a_huge_model_in_a_small_file_costs_nothing(folder: Path) -> None:
    config_with(settings={"units": 8192, "encoder_layers": 64, "decoder_layers": 64})(folder)
    with pytest.raises(CheckpointError, match="does not fit"):
        checkpoint.load(folder)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e6])
def test_weights_that_float16_cannot_hold_are_not_saved(folder: Path, vocab: Vocab, value: float) -> None:
    before = (folder / WEIGHTS).read_bytes()
    model = small("dot", vocab).model
    with torch.no_grad():
        next(model.parameters()).view(-1)[0] = value
    with pytest.raises(CheckpointError, match="not finite in float16"):
        checkpoint.save(folder, model, vocab, {})
    assert (folder / WEIGHTS).read_bytes() == before
