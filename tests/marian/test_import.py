"""Importing: Marian's own files, pickles, the card; and what is refused, in one sentence, with nothing written."""

import json
import os
import pickle
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from nmtcore.__main__ import main
from nmtcore.errors import SettingError
from nmtcore.marian import npz
from nmtcore.marian.importing import import_model
from nmtcore.models import checkpoint
from nmtcore.models.padded import pad
from nmtcore.runs import run_folder
from nmtcore.runs.worker import Worker
from nmtcore.text.vocabulary import EOS, SOS
from nmtcore.training.corpus import read_pairs
from tests.helpers import translate
from tests.marian import foreign
from tests.runs.helpers import config


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hub") / "theirs"
    foreign.hugging_face(folder)
    return folder


@pytest.fixture
def theirs(original: Path, tmp_path: Path) -> Path:
    """A folder that a test may damage."""
    return Path(shutil.copytree(original, tmp_path / "theirs"))


def test_marians_own_files_give_what_their_arithmetic_says(tmp_path: Path) -> None:
    """The same weights in transformers, with Marian's positions, as its source computes them."""
    arrays = foreign.marian(tmp_path / "raw")
    model = foreign.hugging_face(
        tmp_path / "same",
        encoder_layers=2,
        activation_function="relu",
    )
    names = {"self_attn": "self", "encoder_attn": "context"}
    state = model.state_dict()
    with torch.no_grad():
        for name, tensor in state.items():
            parts = name.split(".")
            if "layers" not in parts:
                continue
            side, layer, *block, part, kind = parts[1], parts[3], *parts[4:]
            prefix = f"{side}_l{int(layer) + 1}_"
            if part.endswith("_proj"):
                key = f"{prefix}{names[block[0]]}_{'W' if kind == 'weight' else 'b'}{part[0]}"
            elif part in ("fc1", "fc2"):
                key = f"{prefix}ffn_{'W' if kind == 'weight' else 'b'}{part[2]}"
            else:
                of = {"self_attn_layer_norm": "self_Wo", "encoder_attn_layer_norm": "context_Wo"}.get(part, "ffn_ffn")
                key = f"{prefix}{of}_ln_{'scale' if kind == 'weight' else 'bias'}"
            array = torch.from_numpy(arrays[key])
            tensor.copy_(array.T if part.endswith(("_proj", "fc1", "fc2")) and kind == "weight" else array.flatten())
        last = len(arrays["Wemb"])  # transformers appends a row for padding
        state["model.shared.weight"][:last] = torch.from_numpy(arrays["Wemb"])
        state["model.shared.weight"][last:] = 0
        state["final_logits_bias"][0, :last] = torch.from_numpy(arrays["decoder_ff_logit_out_b"])[0]
        angles = np.arange(64)[:, None] * np.exp(np.arange(16) * -(np.log(10000.0) / 15))
        positions = torch.from_numpy(np.hstack((np.sin(angles), np.cos(angles)))).float()
        model.model.encoder.embed_positions.weight.copy_(positions)
        model.model.decoder.embed_positions.weight.copy_(positions)
    model.load_state_dict(state)
    import_model(str(tmp_path / "raw"), tmp_path / "en-fr" / "ours")
    ours = checkpoint.load(tmp_path / "en-fr" / "ours")
    rows = npz.foreign_model(tmp_path / "raw").rows.source
    source = [*ours.vocab.encode("the small cat sees a house ."), EOS]
    target = ours.vocab.target.encode("le chat")
    start = foreign.JOINT[foreign.PADDING]
    with torch.no_grad():
        expected = model(
            input_ids=torch.tensor([[rows[i] for i in source]]),
            decoder_input_ids=torch.tensor([[start, *(rows[i] for i in target)]]),
        ).logits[0]
        logits = ours.model(pad([source]), pad([[SOS, *target]]))[0]
    known = [i for i, row in enumerate(rows) if row is not None]
    torch.testing.assert_close(logits[:, known], expected[:, [rows[i] for i in known]], atol=1e-4, rtol=1e-5)
    assert logits[:, SOS].max() < -9000  # Marian itself has no row for it


def test_a_pickle_gives_the_same_weights(theirs: Path, tmp_path: Path) -> None:
    import_model(str(theirs), tmp_path / "en-fr" / "one")
    weights = load_file(theirs / "model.safetensors")
    (theirs / "model.safetensors").unlink()
    weights["model.decoder.embed_tokens.weight"] = weights["model.shared.weight"]  # one storage under two names
    torch.save(weights, theirs / "pytorch_model.bin", _use_new_zipfile_serialization=False)  # as most were
    import_model(str(theirs), tmp_path / "en-fr" / "two")
    one, two = (load_file(tmp_path / "en-fr" / name / "model.safetensors") for name in ("one", "two"))
    assert one.keys() == two.keys() and all(torch.equal(one[name], two[name]) for name in one)


def test_card_and_config_say_where_a_model_is_from(theirs: Path, tmp_path: Path) -> None:
    out = tmp_path / "my-models" / "en-fr" / "opus"
    assert main(["import", str(theirs), "--out", str(out)]) == 0
    meta = json.loads((out / "config.json").read_text(encoding="utf-8"))["meta"]
    assert (meta["source"], meta["target"], meta["name"]) == ("en", "fr", "en-fr/opus")
    assert meta["imported"] == {"from": str(theirs), "licence": "cc-by-4.0"}
    card = (out / "card.md").read_text(encoding="utf-8")
    assert "Licence: cc-by-4.0" in card and str(theirs) in card and "# A model" in card
    assert sorted(path.name for path in out.parent.iterdir()) == ["opus"]
    trace = translate(checkpoint.load(out), "the red house")
    assert trace.source[-1] == "<eos>" and len(trace.source) > 1


def test_a_language_is_chosen_by_its_piece(original: Path, tmp_path: Path) -> None:
    ids = foreign.JOINT | {">>fra<<": len(foreign.JOINT)}
    folder = tmp_path / "many"
    foreign.hugging_face(folder)
    (folder / "vocab.json").write_text(json.dumps(ids), encoding="utf-8")
    weights = load_file(folder / "model.safetensors")
    weights["model.shared.weight"] = torch.cat((weights["model.shared.weight"], torch.full((1, 32), 0.5)))
    weights["final_logits_bias"] = torch.cat((weights["final_logits_bias"], torch.zeros(1, 1)), 1)
    save_file(weights, folder / "model.safetensors")
    import_model(str(folder), tmp_path / "en-fr" / "many")
    loaded = checkpoint.load(tmp_path / "en-fr" / "many")
    chosen, *rest = loaded.vocab.encode(">>fra<< the cat")
    assert loaded.model.embed.weight[chosen].unique().tolist() == [0.5]  # type: ignore[union-attr, operator]
    assert rest == loaded.vocab.encode("the cat")


@pytest.mark.parametrize("apart", [False, True])
def test_an_imported_model_is_trained_further_and_keeps_its_licence(
    tmp_path: Path, pairs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, apart: bool
) -> None:
    """The loss begins below that of a model that knows nothing, although some pieces have a logit of -10,000."""
    monkeypatch.chdir(tmp_path)
    foreign.hugging_face(tmp_path / "theirs", apart)
    start, out = tmp_path / "en-fr" / "opus", tmp_path / "en-fr" / "mine"
    import_model(str(tmp_path / "theirs"), start)
    command = ["train", "--pairs", str(pairs), "--warm-start", str(start), "--out", str(out), "--warmup", "1"]
    assert main([*command, "--epochs", "6", "--batch-rows", "8", "--precision", "fp32"]) == 0
    said = capsys.readouterr().err
    validated = [float(loss) for loss in re.findall(r"validation loss ([\d.]+)", said)]
    assert validated == sorted(validated, reverse=True) and len(validated) >= 6
    first = float(re.findall(r": loss ([\d.]+)", said)[0])
    assert first < validated[0] + 5, "smoothing gives no share to what is never written"
    meta = checkpoint.read_config(out)[1]
    assert meta["imported"] == {"from": str(tmp_path / "theirs"), "licence": "cc-by-4.0"}
    card = (out / "card.md").read_text(encoding="utf-8")
    assert f"Licence of these weights: that of the weights they began with, from {tmp_path / 'theirs'}: cc-by" in card
    trained, begun = checkpoint.load(out), checkpoint.load(start)
    assert trained.vocab == begun.vocab and trained.config.output_bias
    assert translate(trained, "the red cat").source[-1] == "<eos>"


def test_a_run_of_fine_tune_goes_on_from_an_imported_model(original: Path, tmp_path: Path, pairs: Path) -> None:
    import_model(str(original), tmp_path / "en-fr" / "opus")
    changes = {"exercise": "", "architecture": "", "settings": {}, "source": "en", "target": "fr", "rehearsal": 0.0}
    training = {"max_steps": 24, "learning_rate": 0.001, "batch_tokens": 400, "label_smoothing": 0.1}
    settings = config(**changes, training=training)
    run, _ = run_folder.create(tmp_path / "runs", settings, read_pairs(pairs)[0], "me", tmp_path / "en-fr" / "opus")
    Worker(run).work()
    assert run.status().state == "done", run.status().message
    validated = [event["loss"] for event in run.events() if event["event"] == "validation"]
    assert validated == sorted(validated, reverse=True) and len(validated) > 1
    assert checkpoint.read_config(run.best)[1]["imported"] == {"from": str(original), "licence": "cc-by-4.0"}
    assert "cc-by-4.0" in (run.best / "card.md").read_text(encoding="utf-8")
    assert translate(checkpoint.load(run.best), "the red cat").source[-1] == "<eos>"


class Runs:
    """Unpickled, it makes a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return os.mkdir, (str(self.path),)


def change_config(folder: Path, **values: Any) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | values), encoding="utf-8")


def pickle_with_code(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    with open(folder / "pytorch_model.bin", "wb") as file:
        pickle.dump({"model.shared.weight": Runs(folder / "ran")}, file)


def another_shape(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["model.encoder.layers.0.fc1.weight"] = torch.zeros(7, 32)
    save_file(weights, folder / "model.safetensors")


def not_finite(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["model.encoder.layers.0.fc1.bias"][2] = 1e5  # in float16
    save_file(weights, folder / "model.safetensors")


def large(folder: Path) -> None:
    with open(folder / "model.safetensors", "wb") as file:
        file.truncate(2_000_000_000)


def without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def replaced(name: str, content: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / name).write_text(content, encoding="utf-8")

    return change


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (without("config.json"), "config.json is missing"),
        (without("target.spm"), "target.spm is missing"),
        (without("vocab.json"), "vocab.json is missing"),
        (without("model.safetensors"), "model.safetensors is missing"),
        (replaced("config.json", "[1"), "config.json is damaged"),
        (replaced("source.spm", "no model"), "source.spm is damaged"),
        (replaced("model.safetensors", "no weights"), "model.safetensors is damaged"),
        (replaced("vocab.json", '{"</s>": 0, "<unk>": 1, "a": 1}'), "vocab.json is damaged: two pieces"),
        (replaced("vocab.json", '{"</s>": 0, "<unk>": 1, "a": 900}'), "vocab.json has 3 pieces, but the model has 36"),
        (
            replaced("vocab.json", r'{"</s>": 0, "<unk>": 1, "\ud800": 2}'),
            "vocab.json has a piece that this program cannot",
        ),
        (replaced("vocab.json", r'{"</s>": 0, "<unk>": 1, "a\u0000": 2}'), "vocab.json has a piece that this program"),
        (replaced("vocab.json", '{"a": 0}'), "vocab.json is no vocabulary of Marian"),
        (lambda folder: change_config(folder, model_type="t5"), "config.json is of the family 't5'"),
        (lambda folder: change_config(folder, normalize_before=True), "config.json says normalize_before True"),
        (lambda folder: change_config(folder, activation_function="gelu"), "config.json says activation_function gelu"),
        (lambda folder: change_config(folder, activation_function=["relu"]), "config.json says activation_function ["),
        (lambda folder: change_config(folder, dropout="much"), "config.json is damaged: dropout must be a number"),
        (lambda folder: change_config(folder, decoder_ffn_dim=25), "config.json has other ffn_dim"),
        (lambda folder: change_config(folder, d_model=64), "model.safetensors does not fit its settings"),
        (lambda folder: change_config(folder, encoder_layers=2), "model.safetensors does not fit its settings"),
        (lambda folder: change_config(folder, encoder_attention_heads=5, decoder_attention_heads=5), "width must be"),
        (lambda folder: change_config(folder, decoder_start_token_id=900), "config.json is damaged"),
        (lambda folder: change_config(folder, decoder_start_token_id=True), "config.json is damaged"),
        (
            lambda folder: change_config(folder, eos_token_id=5),
            "config.json says eos_token_id 5, but in vocab.json the piece </s> has the number 0",
        ),
        (
            another_shape,
            "model.safetensors does not fit its configuration: encoder.0.feedforward.inner.weight is (7, 32)",
        ),
        (not_finite, "model.safetensors is damaged: encoder.0.feedforward.inner.bias holds a value that is not finite"),
        (large, "model.safetensors is too large: it has 2,000 MB"),
        (pickle_with_code, "pytorch_model.bin is refused: it is a pickle that holds more than weights"),
    ],
)
def test_a_faulty_folder_is_one_sentence(
    theirs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Callable[[Path], None], says: str
) -> None:
    change(theirs)
    refused(theirs, tmp_path, capsys, says)
    assert not (theirs / "ran").exists()


def refused(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], says: str) -> None:
    assert main(["import", str(folder), "--out", str(tmp_path / "en-fr" / "ours")]) == 2
    out, err = capsys.readouterr()
    assert not out and says in err and err.count("\n") == 1
    assert not list((tmp_path).glob("en-fr/*"))


def objects(folder: Path) -> None:
    with np.load(folder / "model.npz") as file:
        arrays = dict(file)
    np.savez(folder / "model.npz", **arrays | {"Wemb": np.array([Runs(folder / "ran")], dtype=object)})


def compressed_and_damaged(folder: Path) -> None:
    with np.load(folder / "model.npz") as file:
        np.savez_compressed(folder / "model.npz", **file)
    content = bytearray((folder / "model.npz").read_bytes())
    start = content.index(b"encoder_l1_ffn_W1.npy") + 60
    content[start : start + 40] = b"\xff" * 40
    (folder / "model.npz").write_bytes(content)


def three_axes(folder: Path) -> None:
    with np.load(folder / "model.npz") as file:
        np.savez(folder / "model.npz", **{**file, "encoder_l1_ffn_W1": np.zeros((2, 32, 24))})


def whole_numbers(folder: Path) -> None:
    with np.load(folder / "model.npz") as file:
        np.savez(folder / "model.npz", **{**file, "encoder_l1_ffn_W1": np.zeros((24, 32), np.int8)})


def no_table(folder: Path) -> None:
    with np.load(folder / "model.npz") as file:
        np.savez(folder / "model.npz", **{name: file[name] for name in file.files if name != "Wemb"})


def no_settings(folder: Path) -> None:
    np.savez(folder / "model.npz", Wemb=np.zeros((3, 4)))


@pytest.mark.parametrize(
    ("said", "change", "says"),
    [
        ({"type": "amun"}, None, "model.npz says type 'amun', which cannot be imported; supported are"),
        ({"transformer-preprocess": "n"}, None, "model.npz says transformer-preprocess 'n'"),
        ({"enc-depth": 3}, None, "model.npz does not fit its settings: encoder_l3_self_Wq is missing"),
        ({"dim-emb": 16}, None, "model.npz does not fit its settings"),
        ({}, objects, "model.npz is refused: Wemb is damaged, or pickled objects"),
        ({}, compressed_and_damaged, "model.npz is refused: encoder_l1_ffn_W1 is damaged"),
        ({}, three_axes, "model.npz does not fit its configuration: encoder.0.feedforward.inner.weight is (2, 24, 32)"),
        ({}, whole_numbers, "model.npz is not supported: encoder_l1_ffn_W1 holds int8, not floating-point numbers"),
        ({}, no_table, "model.npz does not fit its settings: it has no embeddings"),
        ({}, no_settings, "model.npz is no model of Marian"),
        ({}, replaced("model.npz", "no archive"), "model.npz is no archive"),
        ({}, replaced("opus.vocab.yml", "- a\n- b"), "opus.vocab.yml is damaged"),
        ({}, replaced("second.npz", ""), "has 2 models of Marian"),
    ],
)
def test_faulty_files_of_marian_are_one_sentence(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    said: dict[str, Any],
    change: Callable[[Path], None] | None,
    says: str,
) -> None:
    foreign.marian(tmp_path / "raw", **said)
    if change:
        change(tmp_path / "raw")
    refused(tmp_path / "raw", tmp_path, capsys, says)
    assert not (tmp_path / "raw" / "ran").exists()


def test_what_is_there_is_not_overwritten(theirs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "en-fr" / "ours"
    out.mkdir(parents=True)
    (out / "notes.txt").write_text("mine", encoding="utf-8")
    assert main(["import", str(theirs), "--out", str(out)]) == 2
    assert "is there already" in capsys.readouterr().err and [path.name for path in out.iterdir()] == ["notes.txt"]


def test_languages_are_asked_for(theirs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", str(theirs), "--out", str(tmp_path / "opus")]) == 2
    assert "names no two languages: use a folder such as en-de" in capsys.readouterr().err
    with pytest.raises(SettingError, match=r"'\.\./en-de' names no two languages"):
        import_model(str(theirs), tmp_path / "opus", ("../en", "de"))
    import_model(str(theirs), tmp_path / "opus", ("en", "de"))
    assert checkpoint.read_config(tmp_path / "opus")[1]["target"] == "de"


def test_without_a_network_the_hub_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(*_: object) -> None:
        raise type("ConnectError", (Exception,), {})("Name or service not known")  # of no class of huggingface_hub's

    monkeypatch.setattr("huggingface_hub.HfApi.model_info", unreachable)
    monkeypatch.chdir(tmp_path)
    refused(Path("Helsinki-NLP/opus-mt-en-fr"), tmp_path, capsys, "does not give a model of that name: Name or service")


def test_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(tmp_path / "nowhere" / "at" / "all", tmp_path, capsys, "There is no folder")
