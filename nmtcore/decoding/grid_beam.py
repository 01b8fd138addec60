"""Grid beam search: constrained decoding, in which translations must contain given words (Hokamp and Liu 2017)."""

import numpy as np
import torch
from torch import Tensor

from nmtcore.config import DecodingConfig
from nmtcore.decoding.requirement import Requirement, State
from nmtcore.decoding.search import (
    CANDIDATES,
    INFINITY,
    Coverage,
    Ids,
    Mask,
    Numbers,
    Search,
    SearchStep,
    check_intervention,
    top_candidates,
)
from nmtcore.errors import InterventionError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.padded import Padded
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.text.vocabulary import EOS, SOS

MOST_HYPOTHESES = 200  # hypotheses kept per step
States = list[State | None]  # one per slot; None if the slot is empty


@torch.inference_mode()
def grid_beam_search(
    model: Seq2Seq,
    source: Padded,
    decoding: DecodingConfig,
    required: Requirement,
    intervention: Intervention = NO_CHANGE,
) -> Search:
    """Beam search with one bank for each number of constraints met; every bank keeps its k best hypotheses.

    source: one sentence, (1, S). With C constraints there are C + 1 banks and k (C + 1) slots. Only a hypothesis in
    the last bank may end; it then keeps its slot, and search stops when k have finished or at the length limit. A
    token that the requirement forbids is recorded as forbidden; the probabilities stay the model's own. Raises
    InterventionError for a requirement that cannot be met within the limits.
    """
    check_intervention(model, source, decoding, intervention)
    banks, k = required.size + 1, decoding.beam
    width, limit = k * banks, min(decoding.limit(source.ids.size(1)), model.max_length)
    _check_size(required, k, limit)
    wide = model.encode(source, intervention).select(torch.zeros(width, dtype=torch.long, device=source.ids.device))
    state, coverage = model.start(wide), Coverage(1, width)
    tokens = torch.full((width,), SOS, device=source.ids.device)
    total = np.full(width, -INFINITY)
    total[0] = 0.0
    states: States = [required.start(), *[None] * (width - 1)]
    chosen, slots = np.full(width, -1), np.arange(width)  # the model computes one row per slot
    free, steps = k, []  # slots of the last bank without a finished hypothesis
    for position in range(limit):
        out = model.step(tokens, state, wide, intervention)
        coverage.add(out, wide, slots)
        ids, likelihoods, forbidden = _candidates(out.logits, position, intervention, k, required, states)
        totals = total[:, None] + likelihoods  # (k (C + 1), candidates)
        allowed = totals.copy() if forbidden is None else np.where(forbidden, -INFINITY, totals)
        after = _next_states(ids, allowed, required, states)
        chosen = _choose(allowed, after, required, k, free)
        if position == limit - 1:
            chosen[: k * required.size] = -1  # a hypothesis with constraints left can no longer meet them
        steps.append(
            SearchStep(
                ids[None],
                likelihoods[None],
                totals[None],
                allowed[None],
                chosen[None],
                slots[None],
                out.attention,
                out.inner,
            )
        )
        following = np.where(chosen >= 0, ids.ravel()[chosen], EOS)
        live = following != EOS
        free -= int(((chosen >= 0) & ~live).sum())
        if not live.any() or not free:
            break
        total = np.where(live, allowed.ravel()[chosen], -INFINITY)
        states = [after[flat] if alive else None for flat, alive in zip(chosen.tolist(), live, strict=True)]
        parents = torch.from_numpy(np.where(live, chosen // ids.shape[1], 0)).to(tokens.device)
        state = out.state.select(parents)
        coverage.select(parents)
        tokens = torch.from_numpy(following).to(tokens.device)
    if free == k and (chosen < 0).all():
        raise InterventionError(
            f"No translation within {limit} pieces contains everything that is required: ask for less, or search "
            "with a wider beam."
        )
    return Search(wide, tuple(steps), width, coverage.sums())


def _check_size(required: Requirement, k: int, limit: int) -> None:
    if required.size >= limit:
        raise InterventionError(
            f"The constraints have {required.size} parts, but a translation of this sentence may have {limit} pieces: "
            "ask for less."
        )
    if k * (required.size + 1) > MOST_HYPOTHESES:
        most = MOST_HYPOTHESES // (required.size + 1)
        raise InterventionError(
            f"The constraints have {required.size} parts, and search keeps {k} hypotheses for each number of them: "
            + (f"take a width of at most {most}, or ask for less." if most else "ask for less.")
        )


def _candidates(
    logits: Tensor, position: int, intervention: Intervention, k: int, required: Requirement, states: States
) -> tuple[Ids, Numbers, Mask | None]:
    """`top_candidates` with up to k more columns: the likeliest tokens that would meet another constraint.

    Unused columns of a row have the log-probability -inf. A constraint may need any token, so all logits are read
    back from a GPU in one transfer.
    """
    logits = logits.cpu()
    ids, likelihoods, forbidden = top_candidates(logits, position, intervention, max(CANDIDATES, k))
    more_ids = np.full((len(ids), k), EOS)
    more = np.full((len(ids), k), -INFINITY)
    all_likelihoods = logits.float().log_softmax(-1).numpy()
    for row, state in enumerate(states):
        if state is None:
            continue
        wanted = required.wanted(state)
        wanted = wanted[~np.isin(wanted, ids[row])]
        best = wanted[(-all_likelihoods[row, wanted]).argsort(kind="stable")[:k]]
        more_ids[row, : len(best)], more[row, : len(best)] = best, all_likelihoods[row, best]
    if forbidden is not None:
        never = [token for step, token in intervention.forbidden if step in (None, position)]
        forced = dict(intervention.forced).get(position)
        more_forbidden = np.isin(more_ids, never) if forced is None else more_ids != forced
        forbidden = np.concatenate((forbidden, more_forbidden), 1)
    return np.concatenate((ids, more_ids), 1), np.concatenate((likelihoods, more), 1), forbidden


def _next_states(ids: Ids, allowed: Numbers, required: Requirement, states: States) -> States:
    """The constraint state of each continuation, by slot; `allowed` becomes -inf where the requirement forbids one."""
    after: States = [None] * ids.size
    for row, column in zip(*np.nonzero(allowed > -INFINITY), strict=True):
        state = states[row]
        assert state is not None
        following = required.step(state, int(ids[row, column]))
        if following is not None and ids[row, column] == EOS and required.met(following) < required.size:
            following = None
        after[row * ids.shape[1] + column] = following
        if following is None:
            allowed[row, column] = -INFINITY
    return after


def _choose(allowed: Numbers, after: States, required: Requirement, k: int, free: int) -> Ids:
    """Choose the continuation of each slot: the k likeliest in each bank, `free` in the last one; -1 for none."""
    flat = allowed.ravel()
    chosen = np.full(len(allowed), -1)
    banks = np.array([-1 if state is None else required.met(state) for state in after])
    for bank in range(required.size + 1):
        rivals = np.flatnonzero(banks == bank)
        best = rivals[(-flat[rivals]).argsort(kind="stable")[: free if bank == required.size else k]]
        chosen[bank * k : bank * k + len(best)] = best
    return chosen
