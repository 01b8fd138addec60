"""Head ablation: score the same output without each head of a layer, to measure how much the head contributes."""

import torch
from torch import Tensor

from nmtcore.decoding.trace import Array, Trace
from nmtcore.errors import InterventionError
from nmtcore.intervention import AttentionKind, Intervention
from nmtcore.models.attention import causal_bias
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.transformer import Transformer
from nmtcore.text.vocabulary import SOS


@torch.inference_mode()
def without_each_head(checkpoint: Checkpoint, trace: Trace, kind: AttentionKind, layer: int) -> Array:
    """log P(y | x) for the output of `trace` without each head of one layer, (H,); `trace` has no Intervention.

    It takes one teacher-forced pass (Voita et al. 2019 and Michel et al. 2019 measure whole test sets): layers below
    are computed once, those above for all heads as one batch. Raises InterventionError for a model that is not a
    Transformer.
    """
    model = checkpoint.model
    if not isinstance(model, Transformer):
        raise InterventionError("Only a Transformer has heads to switch off one by one: choose another model.")
    heads = range(model.config.heads)
    source = torch.tensor([trace.source_ids], device=model.device)  # (1, S)
    inputs = torch.tensor([[SOS, *trace.ids[:-1]]], device=model.device)  # (1, T)
    x = model.embed_positions(source, model.embed)  # (1, S, D)
    between = model.distances(source.size(1), source.size(1))  # (S, S)
    for i, encoder_layer in enumerate(model.encoder):
        if (kind, layer) == ("encoder", i):
            x = torch.cat([encoder_layer(x, None, (h,), distances=between).x for h in heads])  # (H, S, D)
        else:
            x = encoder_layer(x, None, distances=between).x
    states = model.encoder_norm(x)
    future = causal_bias(inputs.size(1), model.device)
    before = model.distances(inputs.size(1), inputs.size(1))  # (T, T)
    y = model.embed_positions(inputs, model.embed_target).expand(len(states), -1, -1)  # (1 or H, T, D)
    for i, decoder_layer in enumerate(model.decoder):
        cross = decoder_layer.cross_attention.keys_values(states)
        if kind != "encoder" and layer == i:
            interventions = [Intervention(heads_off=((kind, i, h),)) for h in heads]
            y = torch.cat(
                [
                    decoder_layer(y, cross, future, None, intervention, distances=before).x
                    for intervention in interventions
                ]
            )
            states = states.expand(len(y), -1, -1)
        else:
            y = decoder_layer(y, cross, future, None, distances=before).x
    labels = torch.tensor(trace.ids, device=model.device)[:, None]  # (T, 1)
    totals = torch.stack([_total(model.project(output), labels) for output in model.decoder_norm(y)])
    result: Array = totals.cpu().numpy()
    return result


def _total(logits: Tensor, labels: Tensor) -> Tensor:
    """sum_j log P(y_j | y_<j, x) from logits (T, V)."""
    return (logits.gather(1, labels)[:, 0] - logits.logsumexp(1)).sum()
