"""Head ablation: score the same output without each head of a layer, to measure how much the head contributes."""

import torch

from nmtcore.analysis.residual_stream import run_trace
from nmtcore.decoding.trace import Array, Trace
from nmtcore.errors import InterventionError
from nmtcore.intervention import AttentionKind, Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.transformer import Transformer


@torch.inference_mode()
def without_each_head(checkpoint: Checkpoint, trace: Trace, kind: AttentionKind, layer: int) -> Array:
    """log P(y | x) for the output of `trace` without each head of one layer, (H,); `trace` has no Intervention.

    Each takes one teacher-forced pass (Voita et al. 2019 and Michel et al. 2019 measure whole test sets). Raises
    InterventionError for a model that is not a Transformer.
    """
    model = checkpoint.model
    if not isinstance(model, Transformer):
        raise InterventionError("Only a Transformer has heads to switch off one by one: choose another model.")
    labels = torch.tensor(trace.ids, device=model.device)[:, None]  # (T, 1)
    totals = []
    for head in range(model.config.heads):
        run = run_trace(checkpoint, trace, Intervention(heads_off=((kind, layer, head),)))
        logits = model.project(model.decoder_norm(run["decoder"].layers[-1][-1].x[0]))  # (T, V)
        totals.append((logits.gather(1, labels)[:, 0] - logits.logsumexp(1)).sum())
    result: Array = torch.stack(totals).cpu().numpy()
    return result
