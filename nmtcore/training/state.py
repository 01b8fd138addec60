"""The state of a training: weights, optimiser, counters and the best weights so far, and one update after another."""

import copy
import math
import time
from collections import deque
from collections.abc import Callable

import torch
from torch import Tensor

from nmtcore.config import is_autoregressive
from nmtcore.errors import OutOfMemory, SettingError
from nmtcore.models.checkpoint import own_weights
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.system.host_memory import give_back
from nmtcore.training.batches import Batch, Batches, TrainingData
from nmtcore.training.config import TrainingConfig
from nmtcore.training.events import Validation
from nmtcore.training.loss import mean_loss
from nmtcore.training.optimiser import make_optimiser
from nmtcore.training.parallel import ALONE, Gradient, Group
from nmtcore.training.prefetch import Prefetch
from nmtcore.training.schedule import learning_rate

GIVE_BACK_EVERY = 5  # updates, after which free memory is given back: a few hundredths of their time
Translate = Callable[[Seq2Seq], tuple[float, tuple[str, ...]]]  # BLEU and a few sample translations


class TrainingState:
    """The state of a training: all that changes from one update to the next."""

    def __init__(self, model: Seq2Seq, data: TrainingData, config: TrainingConfig, group: Group = ALONE) -> None:
        if config.scheduled_sampling and not is_autoregressive(model.config.architecture):
            raise SettingError(
                "A model that writes all words at once reads no words of its own in training: leave out "
                "scheduled_sampling."
            )
        self.model, self.data, self.config, self.group = model, data, config, group
        self.parameters = list(model.parameters())
        for parameter in self.parameters:  # a loaded model's may be laid out for steps; the optimiser's state is not
            parameter.data = parameter.data.contiguous()
        self.optimiser = make_optimiser(self.parameters, config)
        self.best_model = copy.deepcopy(model).requires_grad_(False)  # of the best validation so far
        self.recent: deque[dict[str, Tensor]] = deque(maxlen=config.average)
        self.step = self.epoch = self.position = 0  # updates; epochs done; batches of this epoch done
        self.validated = self.best_step = 0
        self.best_loss = math.inf
        self.seconds = 0.0
        self.gradient_norm = torch.zeros(())  # of the last update, before clipping; not yet moved to the CPU
        self.batches = data.epoch(0)
        self.loaded_epoch = 0  # whose batches these are
        self.prefetch = Prefetch(model.device)
        self.total = config.epochs * len(self.batches)
        if config.max_steps:
            self.total = min(self.total, config.max_steps)
        self.gradient = Gradient(model, config, group)
        torch.manual_seed(config.seed + group.rank)  # each process has its own dropout

    @property
    def epochs_done(self) -> float:
        """Epochs done, with the part of the present one."""
        return self.epoch + self.position / len(self.batches)

    def load_epoch(self) -> None:
        """Make the batches of the present epoch, if that has not been done."""
        if self.loaded_epoch != self.epoch:
            self.batches, self.loaded_epoch = self.data.epoch(self.epoch), self.epoch

    def update(self) -> tuple[Tensor, int]:
        """One update; the loss (not yet moved to the CPU) and the target tokens of its batch."""
        begun = time.perf_counter()
        if self.group.rank:
            self.group.receive()
        else:
            self.group.broadcast()
        self.load_epoch()
        batch = self.prefetch.take(self.batches, self.position)
        rate = learning_rate(self.step + 1, self.total, self.config, self.model.config)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.model.train()
        loss = self._gradient(batch)
        clip = self.config.clip or math.inf
        self.gradient_norm = torch.nn.utils.clip_grad_norm_(self.parameters, clip, foreach=True)
        self.optimiser.step()
        self.step += 1
        if self.step % GIVE_BACK_EVERY == 0:
            self._give_back_memory()
        self.position += 1
        if self.position == len(self.batches):
            self.epoch, self.position = self.epoch + 1, 0
        self.seconds += time.perf_counter() - begun
        return loss, batch.tokens

    def _give_back_memory(self) -> None:
        if self.model.device.type == "cpu":
            give_back()

    def _gradient(self, batch: Batch) -> Tensor:
        """The batch's loss, its gradient left with the parameters; in two halves where memory is short.

        Raises OutOfMemory. Processes of a group do not try again: the others wait for what this one cannot give.
        """
        sampling = self.config.scheduled_sampling * self.step / max(self.total, 1)  # none at first, then linearly more
        self.optimiser.zero_grad()
        try:
            return self.gradient(batch, sampling)
        except torch.OutOfMemoryError as error:
            if self.gradient.parts > 1 or self.group.size > 1:
                raise self._out_of_memory() from error
        self.optimiser.zero_grad()  # out here nothing holds what the first try had got hold of
        if self.model.device.type != "cpu":
            torch.get_device_module(self.model.device).empty_cache()
        self.gradient.parts = 2
        try:
            return self.gradient(batch, sampling)
        except torch.OutOfMemoryError as error:
            raise self._out_of_memory() from error

    def _out_of_memory(self) -> OutOfMemory:
        tokens = max(1, self.config.batch_tokens // (2 * self.gradient.parts))
        where = f"The memory of {self.model.device} is not enough for a batch"
        tried = ", not even for one half of it after the other" if self.gradient.parts > 1 else ""
        return OutOfMemory(f"{where}{tried}: start again with batches of {tokens:,} pieces.")

    def finished(self) -> bool:
        """Whether the training has had all its epochs or updates."""
        return self.epoch >= self.config.epochs or bool(0 < self.config.max_steps <= self.step)

    def validation_due(self) -> bool:
        """Whether to validate now: at most once a step, however often a training is stopped and resumed there."""
        if self.step == self.validated:
            return False
        if self.finished() or not self.config.validate_every:
            return self.finished() or self.position == 0
        return self.step % self.config.validate_every == 0

    def validate(self, batches: Batches, translate: Translate | None) -> Validation:
        """Validate the weights and, with checkpoint averaging, the mean of the last ones; keep the better."""
        begun = time.perf_counter()
        self._give_back_memory()  # what the last updates left, beside which batches and searches would come
        weights = snapshot(self.model)
        self.recent.append(weights)
        candidates = [weights]
        if len(self.recent) > 1:
            candidates.append({name: torch.stack([w[name] for w in self.recent]).mean(0) for name in weights})
        best = snapshot(self.best_model)
        if self.group.rank:
            losses = self.group.receive()
        else:
            losses = []
            for candidate in candidates:
                restore(self.best_model, candidate)
                losses.append(mean_loss(self.best_model, batches, self.config.precision))
            self.group.broadcast(*losses)
        loss = min(losses)
        restore(self.best_model, candidates[losses.index(loss)])
        bleu, samples = translate(self.best_model) if translate else (None, ())
        better = self.config.keep == "last" or loss < self.best_loss
        if better:
            self.best_loss, self.best_step = loss, self.step
        else:
            restore(self.best_model, best)
        self.validated = self.step
        self.seconds += time.perf_counter() - begun
        return Validation(self.step, self.epochs_done, loss, better, bleu, samples)

    def finish(self) -> None:
        """End in eval mode with the weights of the best validation."""
        restore(self.model, snapshot(self.best_model))
        self.model.eval()


def snapshot(model: Seq2Seq) -> dict[str, Tensor]:
    """A copy of every weight, each once."""
    return {name: tensor.detach().clone() for name, tensor in own_weights(model).items()}


@torch.no_grad()
def restore(model: Seq2Seq, weights: dict[str, Tensor]) -> None:
    """Put a snapshot back. Raises KeyError or RuntimeError when it is of another model."""
    for name, tensor in own_weights(model).items():
        tensor.copy_(weights[name])
