"""Recurrent encoder-decoders (RNN, GRU, LSTM), without attention or with one of several score functions."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from nmtcore.config import RecurrentConfig
from nmtcore.errors import InterventionError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.attention import AttentionOutput, LocalWindow, padding_bias
from nmtcore.models.checks import check_recurrent
from nmtcore.models.dropout import apply_dropout
from nmtcore.models.padded import Padded, read_packed
from nmtcore.models.scores import SCORES
from nmtcore.models.seq2seq import Memory, Seq2Seq, State, StepOutput

# torch's GRU computes h = (1 - z) n + z h_prev, as Cho et al. 2014 do; other texts swap z and 1 - z.
GATES = {"rnn": 1, "gru": 3, "lstm": 4}  # torch stacks their matrices in one
NETWORKS: dict[str, type[nn.RNN] | type[nn.GRU] | type[nn.LSTM]] = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}


def open_forget_gates(network: nn.Module) -> None:
    """Set the forget gate bias to one (Gers et al. 2000; Jozefowicz et al. 2015): an LSTM first keeps its cell state.

    network: any module that contains LSTMs. torch stacks the input, forget, cell and output gates and adds two biases
    to each; only one of the two is set.
    """
    for name, parameter in network.named_parameters():
        if name.rpartition(".")[2].startswith("bias_ih"):
            units = parameter.numel() // GATES["lstm"]
            nn.init.ones_(parameter[units : 2 * units])


def initialise_recurrent(model: nn.Module, embedding: nn.Embedding, gates: int) -> None:
    """Xavier initialisation of a recurrent model, separately for each gate's matrix; biases are zero.

    gates: how many each cell in `model.encoder` and `model.decoder` has. Embeddings are normal with variance 1 / E.
    """
    for name, parameter in model.named_parameters():
        if parameter.dim() < 2:
            nn.init.zeros_(parameter)
        else:
            for matrix in parameter.chunk(gates if name.startswith(("encoder.", "decoder.")) else 1):
                nn.init.xavier_uniform_(matrix)
    nn.init.normal_(embedding.weight, std=embedding.embedding_dim**-0.5)
    if gates == GATES["lstm"]:
        open_forget_gates(model)


@dataclass(frozen=True)
class RecurrentState:
    """The decoder's state: s_j of every layer, (L, B, D), and in an LSTM the cell state, of the same shape.

    output: h~_j, (B, E), if it is fed to the next step (input feeding); h~_0 is zero.
    """

    hidden: Tensor
    cell: Tensor | None
    position: int
    output: Tensor | None = None

    def select(self, indices: Tensor) -> RecurrentState:
        cell = None if self.cell is None else self.cell.index_select(1, indices)
        output = None if self.output is None else self.output.index_select(0, indices)
        return RecurrentState(self.hidden.index_select(1, indices), cell, self.position, output)

    @property
    def top(self) -> Tensor:
        """The query of attention: s_j of the last layer, (B, D)."""
        return self.hidden[-1]


def step_output(
    logits: Tensor, following: RecurrentState, output: Tensor, attended: AttentionOutput | None
) -> StepOutput:
    """The output of a step: logits (B, V), the next state, h~_j (B, 1, E), and what attention computed, if any."""
    inner = {"state": (following.top,), "output": (output[:, 0],)}
    if attended is None:
        return StepOutput(logits, following, {}, inner)
    named = {"query": attended.query, "scores": attended.scores, "context": attended.output}  # (B, 1, ...) each
    inner |= {name: (tensor[:, 0],) for name, tensor in named.items()}
    return StepOutput(logits, following, {"cross": (attended.weights[:, None],)}, inner)


class Recurrent(Seq2Seq):
    """Recurrent encoder-decoder: Sutskever et al. 2014, Cho et al. 2014, Bahdanau et al. 2015, Luong et al. 2015.

    h = encoder(x); C = q(h_1 .. h_S); s_0 = tanh(W C); then s_j and y_j step by step.
    With a bidirectional encoder, C merges the last state of the forward direction with the first state of the backward
    direction and projects the result. C starts every decoder, with attention or without.
    """

    config: RecurrentConfig

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        self.config = config
        E, D = config.embedding, config.units
        network = NETWORKS[config.cell]
        self.embed = nn.Embedding(config.vocab_size, E)
        self.encoder = network(
            E,
            config.direction_units,
            config.encoder_layers,
            batch_first=True,
            bidirectional=config.bidirectional,
            dropout=config.dropout if config.encoder_layers > 1 else 0.0,
        )
        self.context = nn.Linear(D, D)
        states = 2 if config.cell == "lstm" else 1
        self.bridge = nn.Linear(D, states * config.decoder_layers * D)
        self.feeds_context = config.context in ("input", "every_step")
        self.decoder = network(
            E + D if self.feeds_context else E + E if config.input_feeding else E,
            D,
            config.decoder_layers,
            batch_first=True,
            dropout=config.dropout if config.decoder_layers > 1 else 0.0,
        )
        self.score = None if config.attention == "none" else SCORES[config.attention](D)
        local = config.locality != "global"
        self.window = LocalWindow(D, config.window, config.locality == "predictive") if local else None
        # Bahdanau and Cho predict from s_j, C_j and y_{j-1}; Luong from C_j and s_j; Sutskever from s_j.
        seen = {"input": D + D + E, "every_step": D + D + E, "output": D + D, "start": D}[config.context]
        self.combine = nn.Linear(seen, E)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        initialise_recurrent(self, self.embed, GATES[config.cell])

    def encode(self, source: Padded, intervention: Intervention = NO_CHANGE) -> Memory:
        self.check(intervention, source.ids.size(1))
        x = apply_dropout(self.embed(source.ids), self.config.dropout, self.training)  # (B, S, E)
        bias = padding_bias(source)
        if bias is None:
            states, last = self.encoder(x)
            final = last[0] if self.config.cell == "lstm" else last  # (layers * directions, B, D / 2 or D)
        else:
            states, final = read_packed(self.encoder, x, source.lengths)
        states = self.merge(states)  # (B, S, D)
        ends = self.merge(torch.cat((final[-2], final[-1]), -1)) if self.config.bidirectional else final[-1]
        context = torch.tanh(self.context(ends))  # (B, D)
        keys = self.score.prepare(states) if self.score else None  # (B, S, D)
        return Memory(
            states=states,
            mask=source.mask,
            bias=bias,
            prepared=() if keys is None else ((keys,),),
            context=context,
            inner={"states": (states,), "summary": (context,)} | ({} if keys is None else {"keys": (keys,)}),
        )

    def merge(self, states: Tensor) -> Tensor:
        """Merge the directions of a bidirectional encoder into one state (..., D): concatenated, summed or averaged."""
        if self.config.merge == "concat":
            return states
        forward, backward = states.chunk(2, -1)
        return (forward + backward) / (2 if self.config.merge == "mean" else 1)

    def start(self, memory: Memory) -> RecurrentState:
        assert memory.context is not None
        size = (len(memory.context), -1, self.config.decoder_layers, self.config.units)
        first = torch.tanh(self.bridge(memory.context)).view(size).permute(1, 2, 0, 3)  # (1 or 2, L, B, D)
        hidden = first[0].float().contiguous()
        cell = first[1].float().contiguous() if self.config.cell == "lstm" else None
        output = hidden.new_zeros(len(memory.context), self.config.embedding) if self.config.input_feeding else None
        return RecurrentState(hidden, cell, 0, output)

    def attend(
        self, queries: Tensor, memory: Memory, intervention: Intervention = NO_CHANGE, step: int = 0
    ) -> AttentionOutput:
        """Attention of T queries (B, T, D) to the source: scores beta_j, weights softmax(beta_j), C_j (B, T, D)."""
        assert self.score is not None
        keys = memory.prepared[0][0]  # (B, S, D)
        scores = self.score(queries, keys)  # (B, T, S)
        if memory.bias is not None:
            scores = scores + memory.bias[:, None]
        if self.window is not None:
            centers = self.window.centers(queries, memory.mask.sum(1), step)  # (B, T)
            scores = scores + self.window(centers, scores.size(2)).to(scores.dtype)
        weights = scores.softmax(-1)  # (B, T, S)
        row = intervention.row(step)
        if row is not None:
            weights = torch.tensor(row, device=weights.device, dtype=weights.dtype).expand_as(weights)
        context = weights @ memory.states.to(weights.dtype)  # (B, T, D)
        if intervention.off("cross", 0):
            context = torch.zeros_like(context)
        return AttentionOutput(context, weights, scores, queries, keys, memory.states)

    def embed_inputs(self, tokens: Tensor) -> Tensor:
        """Embeddings e(y_{j-1}) of the decoder's inputs (B, T), with dropout: (B, T, E)."""
        return apply_dropout(self.embed(tokens), self.config.dropout, self.training)

    def unroll(self, x: Tensor, state: RecurrentState) -> tuple[Tensor, RecurrentState]:
        """Run the decoder's network over T inputs (B, T, input size): top states (B, T, D) and the last state."""
        start = state.hidden if state.cell is None else (state.hidden, state.cell)
        states, last = self.decoder(x.to(state.hidden.dtype), start)
        hidden, cell = last if isinstance(last, tuple) else (last, None)
        return states, RecurrentState(hidden, cell, state.position + x.size(1))

    def output(self, embedded: Tensor, states: Tensor, context: Tensor | None) -> Tensor:
        """Attentional state h~_j = tanh(W_c [...]), (B, T, E), read by the output layer; context: C_j, (B, T, D)."""
        seen = [states]
        if self.config.context == "output":
            assert context is not None
            seen = [context, states]
        elif self.feeds_context:
            assert context is not None
            seen = [states, context, embedded]
        joined = apply_dropout(torch.cat(seen, -1), self.config.dropout, self.training)
        return torch.tanh(self.combine(joined))

    def advance(
        self, embedded: Tensor, state: RecurrentState, memory: Memory, intervention: Intervention = NO_CHANGE
    ) -> tuple[RecurrentState, AttentionOutput | None, Tensor]:
        """Decoder steps: from e(y_{j-1}), (B, T, E), to the next state, the attention and h~_j, (B, T, E).

        T is 1 if the context enters the next state, since step j then depends on step j - 1.
        """
        attended: AttentionOutput | None = None
        context: Tensor | None = None
        if self.config.context == "every_step":  # Cho: C, at every step
            assert memory.context is not None
            context = memory.context[:, None].expand(-1, embedded.size(1), -1)  # (B, T, D)
        if self.config.context == "input":  # Bahdanau: the query is s_{j-1}
            attended = self.attend(state.top[:, None], memory, intervention, state.position)
            context = attended.output
        x = torch.cat((embedded, context), -1) if self.feeds_context and context is not None else embedded
        if state.output is not None:  # input feeding: [e(y_{j-1}); h~_{j-1}]
            x = torch.cat((embedded, state.output[:, None].to(embedded.dtype)), -1)  # (B, 1, 2 E)
        states, following = self.unroll(x, state)  # (B, T, D)
        if self.config.context == "output":  # Luong: the query is s_j
            attended = self.attend(states, memory, intervention, state.position)
            context = attended.output
        output = self.output(embedded, states, context)  # (B, T, E)
        if self.config.input_feeding:
            following = replace(following, output=output[:, -1].to(state.hidden.dtype))
        return following, attended, output

    @torch.no_grad()
    def step(self, tokens: Tensor, state: State, memory: Memory, intervention: Intervention = NO_CHANGE) -> StepOutput:
        assert isinstance(state, RecurrentState)
        embedded = self.embed(tokens[:, None])  # (B, 1, E)
        following, attended, output = self.advance(embedded, state, memory, intervention)
        return step_output(self.project(output[:, 0]), following, output, attended)

    def decoder_output(self, source: Padded, inputs: Padded) -> Tensor:
        memory = self.encode(source)
        state = self.start(memory)
        embedded = self.embed_inputs(inputs.ids)  # (B, T, E)
        if not self.config.stepwise:  # no state depends on attention: all steps at once
            return self.advance(embedded, state, memory)[2]
        outputs = []
        for token in embedded.unbind(1):
            state, _, output = self.advance(token[:, None], state, memory)
            outputs.append(output)
        return torch.cat(outputs, 1)  # (B, T, E)

    @property
    def output_layer(self) -> tuple[Tensor, Tensor | None]:
        return self.embed.weight, self.bias

    def check(self, intervention: Intervention, source_length: int) -> None:
        if self.score is None and (intervention.attention or intervention.heads_off):
            raise InterventionError("This model has no attention to change.")
        check_recurrent(intervention, source_length)
