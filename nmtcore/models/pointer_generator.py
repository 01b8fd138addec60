"""Pointer-generator: generates from a vocabulary or copies from the source (Gulcehre et al. 2016; See et al. 2017)."""

from dataclasses import replace

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nmtcore.config import RecurrentConfig
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.padded import Padded
from nmtcore.models.recurrent import Recurrent
from nmtcore.models.seq2seq import Memory, State, StepOutput

LEAST = 1e-20  # added to a copy probability, so that its logarithm is finite


class PointerGenerator(Recurrent):
    """Pointer-generator: P(y_j) = g_j P_vocab(y_j) + (1 - g_j) sum of alpha_ij over the source positions i of y_j.

    The generation probability is g_j = sigmoid(w . [s_j; C_j; e(y_{j-1})]) (See et al. 2017, eq. 8 and 9). Both
    languages share a vocabulary, so that a copied piece is a piece like any other, `<eos>` included. Search and
    training get log P as logits. `memory.prepared[1]` holds the tensors for copying: the source ids (B, S), 1 where
    two positions hold the same piece (B, S, S), and 1 at the first position of each piece (B, S).
    """

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__(config)
        self.generate = nn.Linear(2 * config.units + config.embedding, 1)
        nn.init.xavier_uniform_(self.generate.weight)
        nn.init.zeros_(self.generate.bias)

    def encode(self, source: Padded, intervention: Intervention = NO_CHANGE) -> Memory:
        memory = super().encode(source, intervention)
        same = source.ids[:, :, None] == source.ids[:, None]  # (B, S, S): positions that hold the same piece
        first = ~same.tril(-1).any(-1)  # (B, S): the first of them
        held = (source.ids, same.to(memory.states.dtype), first.to(memory.states.dtype))
        return replace(memory, prepared=(*memory.prepared, held))

    def output(self, embedded: Tensor, states: Tensor, context: Tensor | None) -> Tensor:
        """h~_j and u_j, with g_j = sigmoid(u_j), in one tensor: (B, T, E + 1)."""
        assert context is not None
        u = self.generate(torch.cat((states, context, embedded), -1))  # (B, T, 1)
        predicts = super().output(embedded, states, context)  # (B, T, E)
        return torch.cat((predicts, u.to(predicts.dtype)), -1)

    def mixture(self, logits: Tensor, u: Tensor, copied: Tensor, ids: Tensor, first: Tensor) -> Tensor:
        """log P of N rows, (N, V), from the logits of P_vocab, (N, V), and u, (N, 1).

        copied: (N, S), for each source position the summed weights of all positions that hold its piece; ids: (N, S),
        the source pieces; first: (N, S), 1 at the first position of each. Pieces that the source lacks get g P_vocab.
        """
        u = u.float()
        written = F.logsigmoid(u) + logits.float().log_softmax(-1)  # (N, V): log g P_vocab
        before = written.gather(1, ids)  # (N, S)
        pointed = torch.log(torch.sigmoid(-u) * copied.float() + LEAST)
        return written.scatter_add(1, ids, (torch.logaddexp(before, pointed) - before) * first)

    @torch.no_grad()
    def step(self, tokens: Tensor, state: State, memory: Memory, intervention: Intervention = NO_CHANGE) -> StepOutput:
        out = super().step(tokens, state, memory, intervention)
        ids, same, first = memory.prepared[1]
        output = out.inner["output"][0]  # (B, E + 1)
        copied = (out.attention["cross"][0][:, 0] @ same)[:, 0]  # (B, S)
        inner = {**out.inner, "output": (output[:, :-1],), "generate": (torch.sigmoid(output[:, -1:]),)}
        log_p = self.mixture(out.logits, output[:, -1:], copied, ids, first)
        return StepOutput(log_p, out.state, out.attention, inner)

    def teacher_forced(self, source: Padded, inputs: Padded) -> tuple[Tensor, Tensor, Memory]:
        """Teacher forcing: `output` of every step (B, T, E + 1), copy probabilities (B, T, S), and the memory."""
        memory = self.encode(source)
        state, outputs, weights = self.start(memory), [], []
        for embedded in self.embed_inputs(inputs.ids).unbind(1):
            state, attended, output = self.advance(embedded[:, None], state, memory, NO_CHANGE)
            assert attended is not None
            outputs.append(output)
            weights.append(attended.weights)
        same = memory.prepared[1][1]
        return torch.cat(outputs, 1), torch.cat(weights, 1) @ same.to(weights[0].dtype), memory

    def forward(self, source: Padded, inputs: Padded) -> Tensor:
        B, T = inputs.ids.shape
        return self.logits(source, Padded.of(inputs.ids, torch.full((B,), T))).view(B, T, -1)

    def logits(self, source: Padded, inputs: Padded) -> Tensor:
        output, copied, memory = self.teacher_forced(source, inputs)
        ids, _, first = memory.prepared[1]
        T = inputs.ids.size(1)
        chosen = [inputs.tokens(t[:, None].expand(-1, T, -1)) for t in (ids, first)]  # (N, S) each
        output = inputs.tokens(output)  # (N, E + 1)
        return self.mixture(self.project(output), output[:, -1:], inputs.tokens(copied), *chosen)

    def project(self, output: Tensor) -> Tensor:
        """Logits of P_vocab, (..., V), from h~ (..., E), or from h~ followed by u (..., E + 1)."""
        return super().project(output[..., : self.config.embedding].contiguous())
