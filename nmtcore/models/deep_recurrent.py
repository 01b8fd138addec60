"""Deep LSTM encoder-decoder with residual connections: a small GNMT (Wu et al. 2016)."""

from typing import cast

import torch
from torch import Tensor, nn

from nmtcore.config import DeepRecurrentConfig
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.attention import AttentionOutput, padding_bias
from nmtcore.models.checks import check_recurrent
from nmtcore.models.dropout import apply_dropout
from nmtcore.models.padded import Padded, read_packed
from nmtcore.models.recurrent import GATES, RecurrentState, initialise_recurrent, step_output
from nmtcore.models.scores import Additive
from nmtcore.models.seq2seq import Memory, Seq2Seq, State, StepOutput

RESIDUAL_FROM = 2  # the third layer, counted from 0, is the first that adds its input to its output


class DeepRecurrent(Seq2Seq):
    """Stacked LSTMs with residual connections, x + LSTM(x), from the third layer on.

    The encoder's first layer is bidirectional, the others read forwards. Attention is additive; its query is the state
    of the decoder's first layer at the previous step, s^1_{j-1}, and every decoder layer reads the context C_j.
    """

    config: DeepRecurrentConfig

    def __init__(self, config: DeepRecurrentConfig) -> None:
        super().__init__()
        self.config = config
        E, D, L = config.embedding, config.units, config.decoder_layers
        self.embed = nn.Embedding(config.vocab_size, E)
        first = nn.LSTM(E, D // 2, batch_first=True, bidirectional=True)
        self.encoder = nn.ModuleList(
            [first, *(nn.LSTM(D, D, batch_first=True) for _ in range(config.encoder_layers - 1))]
        )
        self.score = Additive(D)
        self.bridge = nn.Linear(D, 2 * L * D)  # from the encoder's last state to the decoder's first one
        self.decoder = nn.ModuleList(nn.LSTM((D if i else E) + D, D, batch_first=True) for i in range(L))
        self.combine = nn.Linear(D, E)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        initialise_recurrent(self, self.embed, GATES["lstm"])

    def add_residual(self, layer: int, x: Tensor, states: Tensor) -> Tensor:
        """Residual connection x + LSTM(x), in the layers that have one; `states` is LSTM(x)."""
        return x + states if self.config.residual and layer >= RESIDUAL_FROM else states

    def encode(self, source: Padded, intervention: Intervention = NO_CHANGE) -> Memory:
        self.check(intervention, source.ids.size(1))
        bias = padding_bias(source)  # (B, S)
        x = self.embed(source.ids)  # (B, S, E)
        for i, layer in enumerate(self.encoder):
            x = apply_dropout(x, self.config.dropout, self.training)
            if i == 0 and bias is not None:  # the bidirectional layer
                states, _ = read_packed(cast(nn.LSTM, layer), x, source.lengths)
            else:
                states, _ = layer(x)  # (B, S, D)
            x = self.add_residual(i, x, states)
        last = x[:, -1] if bias is None else x[torch.arange(len(x), device=x.device), source.mask.sum(1) - 1]  # (B, D)
        keys = self.score.prepare(x)  # (B, S, D)
        return Memory(
            states=x,
            mask=source.mask,
            bias=bias,
            prepared=((keys,),),
            context=last,
            inner={"states": (x,), "summary": (last,), "keys": (keys,)},
        )

    def start(self, memory: Memory) -> RecurrentState:
        assert memory.context is not None
        size = (len(memory.context), 2, self.config.decoder_layers, self.config.units)
        hidden, cell = torch.tanh(self.bridge(memory.context)).view(size).permute(1, 2, 0, 3)  # (L, B, D) each
        return RecurrentState(hidden.float().contiguous(), cell.float().contiguous(), 0)

    def attend(self, query: Tensor, memory: Memory, row: Tensor | None = None) -> AttentionOutput:
        """Additive attention of one query (B, 1, D) to the source: C_j (B, 1, D), weights and scores (B, 1, S)."""
        keys = memory.prepared[0][0]  # (B, S, D)
        scores = self.score(query, keys)  # (B, 1, S)
        if memory.bias is not None:
            scores = scores + memory.bias[:, None]
        weights = scores.softmax(-1) if row is None else row.to(scores).expand_as(scores)
        return AttentionOutput(weights @ memory.states.to(weights.dtype), weights, scores, query, keys, memory.states)

    def unroll(self, layer: int, x: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Run one decoder layer over T inputs (B, T, input size): states (B, T, D), last s and c (B, D)."""
        states, (hidden, cell) = self.decoder[layer](x.to(hidden.dtype), (hidden[None], cell[None]))
        return states, hidden[0], cell[0]

    def decode(
        self, tokens: Tensor, state: RecurrentState, memory: Memory, intervention: Intervention = NO_CHANGE
    ) -> tuple[Tensor, RecurrentState, list[AttentionOutput]]:
        """Read T tokens (B, T): h~ (B, T, E), the state after the last token, and the attention of every step.

        Only the first layer runs step by step, since each of its inputs depends on a context.
        """
        rate = self.config.dropout
        assert state.cell is not None
        embedded = apply_dropout(self.embed(tokens), rate, self.training)  # (B, T, E)
        hidden, cell = state.hidden[0], state.cell[0]  # (B, D)
        first, seen = [], []
        for j, e in enumerate(embedded.unbind(1)):
            weights = intervention.row(state.position + j)
            row = None if weights is None else torch.tensor(weights, device=tokens.device)
            attended = self.attend(hidden[:, None], memory, row)
            if intervention.off("cross", 0):
                attended = attended._replace(output=torch.zeros_like(attended.output))
            s, hidden, cell = self.unroll(0, torch.cat((e[:, None], attended.output.to(e.dtype)), -1), hidden, cell)
            first.append(s)
            seen.append(attended)
        x = torch.cat(first, 1)  # (B, T, D)
        context = torch.cat([a.output for a in seen], 1).to(x.dtype)  # (B, T, D)
        hiddens, cells = [hidden], [cell]
        for i in range(1, len(self.decoder)):
            read = torch.cat((apply_dropout(x, rate, self.training), context), -1)  # (B, T, 2 D)
            states, hidden, cell = self.unroll(i, read, state.hidden[i], state.cell[i])
            x = self.add_residual(i, x, states)
            hiddens.append(hidden)
            cells.append(cell)
        top = self.combine(apply_dropout(x, rate, self.training))  # (B, T, E)
        following = RecurrentState(torch.stack(hiddens), torch.stack(cells), state.position + tokens.size(1))
        return top, following, seen

    @torch.no_grad()
    def step(self, tokens: Tensor, state: State, memory: Memory, intervention: Intervention = NO_CHANGE) -> StepOutput:
        assert isinstance(state, RecurrentState)
        output, following, (attended,) = self.decode(tokens[:, None], state, memory, intervention)
        return step_output(self.project(output[:, 0]), following, output, attended)

    def decoder_output(self, source: Padded, inputs: Padded) -> Tensor:
        memory = self.encode(source)
        return self.decode(inputs.ids, self.start(memory), memory)[0]

    @property
    def output_layer(self) -> tuple[Tensor, Tensor | None]:
        return self.embed.weight, self.bias

    def check(self, intervention: Intervention, source_length: int) -> None:
        check_recurrent(intervention, source_length)
