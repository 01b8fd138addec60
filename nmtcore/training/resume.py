"""Resume a training run from its saved state as if it had never stopped."""

import dataclasses
import json
from pathlib import Path
from typing import Any, get_args

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from nmtcore.errors import CheckpointError
from nmtcore.files import is_ordinary, read_json, replace
from nmtcore.models.checkpoint import own_weights
from nmtcore.training.config import Precision
from nmtcore.training.state import TrainingState, restore

CHANGEABLE = {"epochs", "max_steps", "checkpoint_every", "keep"}  # settings that a resumed run may change
COUNTERS = ("step", "epoch", "position", "validated", "best_step", "best_loss", "seconds")


def save_state(state: TrainingState, folder: Path) -> None:
    """Write a checkpoint of the run. state.json is replaced last and names its tensor file, so the two always match."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {f"model.{name}": t for name, t in own_weights(state.model).items()}
    tensors |= {f"best.{name}": t for name, t in own_weights(state.best_model).items()}
    for i, weights in enumerate(state.recent):
        tensors |= {f"recent.{i}.{name}": t for name, t in weights.items()}
    for i, values in state.optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{i}.{name}": t for name, t in values.items()}
    tensors["random.cpu"] = torch.get_rng_state()
    device = state.model.device
    if device.type != "cpu":
        tensors[f"random.{device.type}"] = torch.get_device_module(device).get_rng_state(*_index(device))
    file = f"state-{state.step}.safetensors"
    save_file({name: t.detach().cpu().contiguous() for name, t in tensors.items()}, folder / f".{file}")
    replace(folder / f".{file}", folder / file)
    record = {"file": file, "identity": identity(state), **{n: getattr(state, n) for n in COUNTERS}}
    (folder / ".state.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    replace(folder / ".state.json", folder / "state.json")
    for old in folder.glob("state-*.safetensors"):
        if old.name != file:
            old.unlink()


def saved_precision(folder: Path) -> Precision | None:
    """The precision of the run saved in a folder; None if the state is damaged, which `load_state` reports."""
    try:
        precision = read_json(folder / "state.json")["identity"]["precision"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return precision if precision in get_args(Precision) else None


def load_state(state: TrainingState, folder: Path) -> None:
    """Continue exactly from a saved state. Raises CheckpointError."""
    path = folder / "state.json"
    try:
        record = read_json(path)
        theirs, file = record["identity"], folder / Path(record["file"]).name
        counters = {name: record[name] for name in COUNTERS}
    except FileNotFoundError as error:
        raise CheckpointError(f"There is no run to resume in {folder}: it has no state.json.") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(f"{path} is damaged: the run cannot be resumed.") from error
    for name, mine in identity(state).items():
        if theirs.get(name) != mine:
            raise CheckpointError(
                f"The run in {folder} had another {name}: {theirs.get(name)} there, {mine} here. "
                "Resume it with the settings and data that it began with."
            )
    try:
        if not is_ordinary(file):
            raise FileNotFoundError(file)
            # Clones: the optimiser's moments would otherwise be the mapped file, which Windows could not delete.
        tensors = {name: tensor.clone() for name, tensor in load_file(file).items()}
        restore(state.model, part(tensors, "model."))
        restore(state.best_model, part(tensors, "best."))
        state.recent.clear()
        while weights := part(tensors, f"recent.{len(state.recent)}."):
            state.recent.append({name: t.to(state.model.device) for name, t in weights.items()})
        parts = {i: part(tensors, f"optimiser.{i}.") for i in range(len(state.parameters))}
        moments = {i: values for i, values in parts.items() if values}
        state.optimiser.load_state_dict({**state.optimiser.state_dict(), "state": moments})
        torch.set_rng_state(tensors["random.cpu"].cpu())
        device = state.model.device
        if device.type != "cpu" and f"random.{device.type}" in tensors:
            random = tensors[f"random.{device.type}"].cpu()
            torch.get_device_module(device).set_rng_state(random, *_index(device))
        if state.group.rank:  # the saved state is that of process 0
            torch.manual_seed(int(tensors["random.cpu"].sum()) + state.group.rank)
    except (OSError, SafetensorError, KeyError, RuntimeError) as error:
        raise CheckpointError(f"{file} is missing or damaged: the run cannot be resumed.") from error
    for name, value in counters.items():
        setattr(state, name, value)
    state.load_epoch()


def _index(device: torch.device) -> tuple[torch.device, ...]:
    """The index of a device among those of its kind, for functions that need one; MPS has only one device."""
    return () if device.type == "mps" else (device,)


def identity(state: TrainingState) -> dict[str, Any]:
    """The settings and data that a resumed run must share with the original, to end as if it had never stopped."""
    settings = {k: v for k, v in dataclasses.asdict(state.config).items() if k not in CHANGEABLE}
    model = dataclasses.asdict(state.model.config)
    data = {
        "pairs and vocabulary": state.data.fingerprint(),
        "links between concatenated sentences": [list(link) for link in state.data.links],
    }
    augmentation = dataclasses.asdict(state.data.augmentation)
    return {"model class": type(state.model.config).__name__, **model, **settings, **augmentation, **data}


def part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """The tensors whose names begin with `prefix`, under their names without it."""
    return {name.removeprefix(prefix): t for name, t in tensors.items() if name.startswith(prefix)}
