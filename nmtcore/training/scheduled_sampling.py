"""Scheduled sampling: in training, the decoder reads some of its own words, as it will when it translates."""

from dataclasses import replace

import torch

from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.training.batches import Batch


@torch.no_grad()
def with_sampled_inputs(model: Seq2Seq, batch: Batch, share: float) -> Batch:
    """Replace a share of the decoder's inputs by the model's own predictions (Bengio et al. 2015).

    It takes two passes (Mihaylova and Martins 2019): the first reads the true words and predicts every next word at
    once, so no architecture has to run step by step. `<sos>` stays, and so do the labels.
    """
    ids, mask = batch.inputs.ids, batch.inputs.mask  # (B, T)
    predicted = model(batch.source, batch.inputs).argmax(-1)  # (B, T), of y_1 .. y_T
    own = torch.cat((ids[:, :1], predicted[:, :-1]), 1)  # a prediction of y_{j-1} in place of y_{j-1}
    chosen = (torch.rand(ids.shape, device=ids.device) < share) & mask
    return replace(batch, inputs=replace(batch.inputs, ids=torch.where(chosen, own, ids)))
