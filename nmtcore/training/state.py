"""The state of a training run (weights, optimiser, counters, the best weights so far) and its updates."""

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
from nmtcore.training.batches import Batch, Batches, Prefetch, TrainingData
from nmtcore.training.config import TrainingConfig
from nmtcore.training.events import Validation
from nmtcore.training.loss import mean_loss
from nmtcore.training.optimiser import learning_rate, make_optimiser
from nmtcore.training.parallel import ALONE, Gradient, Group

GIVE_BACK_EVERY = 5  # updates between returns of free memory, which take a few hundredths of the updates' time
Translate = Callable[[Seq2Seq], tuple[float, tuple[str, ...]]]  # BLEU and a few sample translations


class TrainingState:
    """The state of a training run: everything that changes from one update to the next."""

    def __init__(self, model: Seq2Seq, data: TrainingData, config: TrainingConfig, group: Group = ALONE) -> None:
        if config.scheduled_sampling and not is_autoregressive(model.config.architecture):
            raise SettingError(
                "A model that writes all words at once reads none of its own words in training: leave out "
                "scheduled_sampling."
            )
        self.model, self.data, self.config, self.group = model, data, config, group
        self.parameters = list(model.parameters())
        for parameter in self.parameters:  # a loaded model's may be laid out for decoding, unlike the optimiser's state
            parameter.data = parameter.data.contiguous()
        self.optimiser = make_optimiser(self.parameters, config)
        self.best_model = copy.deepcopy(model).requires_grad_(False)  # the best validation so far
        self.recent: deque[dict[str, Tensor]] = deque(maxlen=config.average)
        self.step = self.epoch = self.position = 0  # updates; epochs done; batches of this epoch done
        self.validated = self.best_step = 0
        self.best_loss = math.inf
        self.seconds = 0.0
        self.gradient_norm = torch.zeros(())  # of the last update, before clipping; not yet moved to the CPU
        self.batches = data.epoch(0)
        self.loaded_epoch = 0  # the epoch of `self.batches`
        self.prefetch = Prefetch(model.device)
        self.total = config.epochs * len(self.batches)
        if config.max_steps:
            self.total = min(self.total, config.max_steps)
        self.gradient = Gradient(model, config, group)
        torch.manual_seed(config.seed + group.rank)  # each process has its own dropout

    @property
    def epochs_done(self) -> float:
        """Epochs done, including the fraction of the current one."""
        return self.epoch + self.position / len(self.batches)

    def load_epoch(self) -> None:
        """Make the batches of the current epoch, unless they exist."""
        if self.loaded_epoch != self.epoch:
            self.batches, self.loaded_epoch = self.data.epoch(self.epoch), self.epoch

    def update(self) -> tuple[Tensor, int]:
        """Make one update; return the loss (not yet moved to the CPU) and the number of target tokens in its batch."""
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
        """Compute the gradient and return the loss; switch to two half batches if memory runs out.

        Raises OutOfMemory. In a group there is no second try, since the other processes would wait forever.
        """
        sampling = self.config.scheduled_sampling * self.step / max(self.total, 1)  # grows linearly from zero
        while True:
            self.optimiser.zero_grad()
            try:
                return self.gradient(batch, sampling)
            except torch.OutOfMemoryError as error:
                if self.gradient.parts > 1 or self.group.size > 1:
                    raise self._out_of_memory() from error
            if self.model.device.type != "cpu":  # after the `except` block nothing holds the memory of the first try
                torch.get_device_module(self.model.device).empty_cache()
            self.gradient.parts = 2

    def _out_of_memory(self) -> OutOfMemory:
        tokens = max(1, self.config.batch_tokens // (2 * self.gradient.parts))
        where = f"The memory of {self.model.device} is not enough for a batch"
        tried = ", not even for one half of it after the other" if self.gradient.parts > 1 else ""
        return OutOfMemory(f"{where}{tried}: start again with batches of {tokens:,} pieces.")

    def finished(self) -> bool:
        """Whether all epochs or updates are done."""
        return self.epoch >= self.config.epochs or bool(0 < self.config.max_steps <= self.step)

    def validation_due(self) -> bool:
        """Whether to validate now; a step is never validated twice, even if the run stops and resumes there."""
        if self.step == self.validated:
            return False
        if self.finished() or not self.config.validate_every:
            return self.finished() or self.position == 0
        return self.step % self.config.validate_every == 0

    def validate(self, batches: Batches, translate: Translate | None) -> Validation:
        """Validate the weights and, with checkpoint averaging, the mean of the last ones; keep the better ones."""
        begun = time.perf_counter()
        self._give_back_memory()  # make room for validation batches and searches
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
        """End in eval mode, with the weights of the best validation."""
        restore(self.model, snapshot(self.best_model))
        self.model.eval()


def snapshot(model: Seq2Seq) -> dict[str, Tensor]:
    """A copy of every weight; tied weights are copied once."""
    return {name: tensor.detach().clone() for name, tensor in own_weights(model).items()}


@torch.no_grad()
def restore(model: Seq2Seq, weights: dict[str, Tensor]) -> None:
    """Put a snapshot back. Raises KeyError or RuntimeError if it belongs to another model."""
    for name, tensor in own_weights(model).items():
        tensor.copy_(weights[name])
