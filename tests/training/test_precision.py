"""The precision of a training: by device and model, kept by a run that resumes elsewhere, refused without hardware."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from nmtcore.errors import CheckpointError, SettingError
from nmtcore.text.vocabulary import Vocab
from nmtcore.training import precision
from nmtcore.training.batches import TrainingData, fixed_batches
from nmtcore.training.config import TrainingConfig
from nmtcore.training.events import Done
from nmtcore.training.loop import fit
from nmtcore.training.parallel import Group
from nmtcore.training.precision import has_bfloat16_units, slowness, with_precision
from nmtcore.training.resume import saved_precision
from tests.helpers import PAIRS, small
from tests.paths import ROOT

CPU = torch.device("cpu")
AUTO = TrainingConfig(max_steps=3, validate_every=1, batch_tokens=40)
OLDER = {"ONEDNN_MAX_CPU_ISA": "AVX2", "ATEN_CPU_CAPABILITY": "avx2"}


@pytest.fixture(params=[False, True], ids=["without units", "with units"])
def units(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(precision, "has_bfloat16_units", lambda device: request.param)
    return bool(request.param)


@pytest.mark.parametrize("name", OLDER)
def test_a_processor_that_keeps_to_avx2_has_no_units(name: str) -> None:
    """Both libraries read their variable when they are loaded, hence the process."""
    code = "import torch; from nmtcore.training.precision import has_bfloat16_units as f; print(f(torch.device('cpu')))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {name: OLDER[name]}, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    ("capability", "expected"), [((7, 0), False), ((7, 5), False), ((8, 0), True), ((8, 9), True), ((12, 0), True)]
)
def test_cuda_has_them_from_capability_8(
    capability: tuple[int, int], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: capability)
    assert has_bfloat16_units(torch.device("cuda", 1)) is expected


@pytest.mark.parametrize(
    ("flags", "emulates", "expected"),
    [
        ({"avx512_bf16": True, "amx_bf16": False}, False, True),
        ({"avx512_bf16": False, "amx_bf16": True}, False, True),
        ({"avx512_f": True}, False, False),  # Skylake: oneDNN takes bfloat16, and emulates it
        ({"neon": True, "bf16": True}, False, False),  # ARM, where nothing was measured
        ({"avx512_bf16": True, "amx_bf16": True}, True, False),
    ],
)
def test_a_cpu_has_them_by_its_flags(
    flags: dict[str, bool], emulates: bool, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: flags)
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "AVX2" if emulates else "AVX512")
    monkeypatch.setattr(torch.ops.mkldnn, "_is_mkldnn_bf16_supported", lambda: True)
    assert has_bfloat16_units(CPU) is expected


def test_auto_is_bfloat16_where_it_pays(vocab: Vocab, units: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    model = small("transformer", vocab).model
    assert with_precision(AUTO, model).precision == "fp32"  # so small that it is slower with units too
    monkeypatch.setattr(precision, "SMALL", 1)
    assert with_precision(AUTO, model) == dataclasses.replace(AUTO, precision="bf16" if units else "fp32")


def test_what_is_asked_for_is_done(vocab: Vocab, units: bool) -> None:
    for architecture, asked in (("dot", "bf16"), ("deep-lstm", "fp32"), ("convolutional", "bf16")):
        config = dataclasses.replace(AUTO, precision=asked)
        assert with_precision(config, small(architecture, vocab).model) == config


def test_an_lstm_in_bfloat16_needs_units(vocab: Vocab, units: bool, tmp_path: Path) -> None:
    config = dataclasses.replace(AUTO, precision="bf16")
    model = small("deep-lstm", vocab).model
    if units:
        assert with_precision(config, model) == config
        return
    with pytest.raises(SettingError, match="no units for bfloat16, .* LSTM .*: give --precision auto"):
        with_precision(config, model)
    (tmp_path / "state.json").write_text(json.dumps({"identity": {"precision": "bf16"}}))
    for asked in (config, AUTO):
        with pytest.raises(SettingError, match="resume this run where it began, or begin a new one"):
            with_precision(asked, model, tmp_path)


def test_one_process_without_units_decides_for_all(vocab: Vocab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision, "SMALL", 1)
    monkeypatch.setattr(precision, "has_bfloat16_units", lambda device: True)
    monkeypatch.setattr(Group, "all", lambda self, mine: self.size == 1 and mine)
    model = small("transformer", vocab).model
    assert with_precision(AUTO, model, None, Group()).precision == "bf16"
    assert with_precision(AUTO, model, None, Group(1, 2)).precision == "fp32"


@pytest.mark.parametrize("began", ["fp32", "bf16"])
def test_a_run_that_goes_on_elsewhere_keeps_its_precision(
    vocab: Vocab, tmp_path: Path, began: str, units: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It began where auto chose `began`; where it resumes, auto would choose by `units`."""

    def train(config: TrainingConfig, resume: bool) -> object:
        data, validation = TrainingData(PAIRS, vocab, 40), fixed_batches(vocab, PAIRS, 40)
        return list(fit(small("dot", vocab).model, data, validation, config, state=tmp_path, resume=resume))[-1]

    monkeypatch.setattr(precision, "SMALL", 1)
    with monkeypatch.context() as first:
        first.setattr(precision, "has_bfloat16_units", lambda device: began == "bf16")
        assert isinstance(train(AUTO, False), Done)
    assert saved_precision(tmp_path) == began
    longer = dataclasses.replace(AUTO, max_steps=5)
    done = train(longer, True)
    assert isinstance(done, Done) and done.step == 5
    assert saved_precision(tmp_path) == began
    other = "fp32" if began == "bf16" else "bf16"
    with pytest.raises(CheckpointError, match=f"another precision: {began} there, {other} here"):
        train(dataclasses.replace(longer, precision=other), True)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"identity": 3}', '{"identity": {"precision": "int3"}}', "\udcff"])
def test_a_damaged_state_says_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "state.json").write_bytes(text.encode(errors="surrogateescape"))
    assert saved_precision(tmp_path) is None
    assert saved_precision(tmp_path / "none") is None


def test_a_warning_says_how_slow_it_is(units: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = {torch.bfloat16: 0.037, torch.float32: 0.0005}
    monkeypatch.setattr(precision, "_product_seconds", seconds.__getitem__)
    said = slowness("bf16", CPU)
    assert ("takes 74 times as long" in said) is not units and bool(said) is not units
    assert slowness("fp32", CPU) == slowness("bf16", torch.device("meta")) == ""
