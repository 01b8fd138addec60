// @ts-check
// Recurrent encoder-decoders (RNN, GRU, LSTM), without attention or with one of the score functions; read beside
// nmtcore/models/recurrent.py. One sentence at a time, so a memory has no batch axis; N rows are hypotheses.

import { SCORES } from "./scores.js";
import { Tensor, add, columns, concat, linear, sigmoid, softmax, tanh, weightedSum } from "./tensor.js";

/**
 * What may be changed in one run: the fields of nmtcore/intervention.py that are not at their defaults.
 * @typedef {{
 *   heads_off?: [string, number, number][], parts_off?: [string, number, string][], attention?: [number, number[]][],
 *   positions?: "kept" | "dropped" | number[], target_positions?: "kept" | "dropped",
 *   forced?: [number, number][], forbidden?: [number | null, number][],
 * }} Intervention
 * The encoder's output: states (S, D), keys (S, D), the vector C (1, D), source ids; attention and inner by name, one
 * tensor a layer.
 * @typedef {{
 *   states: Tensor, length: number, real?: number, ids: number[], keys?: Tensor, context?: Tensor, prepared?: {k: Tensor, v: Tensor}[],
 *   attention: Record<string, Tensor[]>, inner: Record<string, Tensor[]>,
 * }} Memory
 * The settings of nmtcore/config/models.py that a model runs: their values, null for any. Others are refused.
 * @typedef {Record<string, any[] | null>} Runs
 * One decoder step of N rows: logits (N, V), the next state; attention and inner by name, one list of layers a row.
 * @typedef {{logits: Tensor, state: any, attention: Record<string, Tensor[][]>, inner: Record<string, Tensor[][]>}} StepOutput
 */

/** The row that replaces the model's own cross attention at a step, or nothing. */
export const rowOf = (/** @type {Intervention} */ intervention, /** @type {number} */ step) =>
  (intervention.attention ?? []).find(([at]) => at === step)?.[1] ?? null;

/** The heads of one layer that are switched off. */
export const headsOff = (/** @type {Intervention} */ { heads_off = [] }, /** @type {string} */ kind, /** @type {number} */ layer) =>
  heads_off.filter(([k, i]) => k === kind && i === layer).map(([, , head]) => head);

/** Rows of a tensor as values of one layer each, for `inner`: (N, D) to N lists of one (D). */
export const byRow = (/** @type {Tensor} */ x) =>
  Array.from({ length: x.rows }, (_, n) => [new Tensor([x.width], x.row(n).slice())]);

/** Settings that may have any value. @param {...string} names @returns {Runs} */
export const ANY = (...names) => Object.fromEntries(names.map((name) => [name, null]));

export class Recurrent {
  static family = "Recurrent";
  /** @type {Runs} */
  static runs = {
    ...ANY("vocab_size", "embedding", "units", "encoder_layers", "decoder_layers", "bidirectional", "dropout", "copying", "window"),
    cell: ["rnn", "lstm", "gru"],
    attention: ["none", ...Object.keys(SCORES)],
    context: ["input", "output", "start", "every_step"],
    input_feeding: [false],
    locality: ["global"],
    merge: ["concat"],
  };

  /** @param {Record<string, any>} config @param {Map<string, Tensor>} weights by their names in the state dict */
  constructor(config, weights) {
    this.config = config;
    this.weights = weights;
    this.maxLength = Infinity;
    this.feedsContext = ["input", "every_step"].includes(config.context);
    this.score = config.attention === "none" ? null : SCORES[config.attention];
    const needed = ["embed.weight", "context.weight", "bridge.weight", "combine.weight", "bias", "decoder.weight_ih_l0"];
    for (const name of needed) if (!weights.has(name)) throw new TypeError(name);
  }

  /** @param {string} name */
  weight(name) {
    return /** @type {Tensor} */ (this.weights.get(name));
  }

  /** @param {Tensor} x @param {string} name of the layer */
  linear(x, name) {
    return linear(x, this.weight(`${name}.weight`), this.weights.get(`${name}.bias`));
  }

  /** @param {number[]} source ids that end with `<eos>` @returns {Memory} */
  encode(source) {
    const { cell, encoder_layers: layers, bidirectional } = this.config;
    let x = this.weight("embed.weight").select(source); // (S, E)
    let ends = [];
    for (let l = 0; l < layers; l++) {
      const forward = unroll(cell, x, this.weights, `encoder`, `l${l}`);
      const backward = bidirectional ? unroll(cell, x, this.weights, `encoder`, `l${l}_reverse`, true) : null;
      x = backward ? concat(forward.states, backward.states) : forward.states; // (S, D)
      ends = [forward.last, ...(backward ? [backward.last] : [])];
    }
    const context = tanh(this.linear(concat(...ends), "context")); // (1, D)
    const keys = this.score?.prepare(x, this.weights);
    const inner = { states: [x], summary: [new Tensor([context.width], context.data)], ...(keys ? { keys: [keys] } : {}) };
    return { states: x, length: source.length, ids: source, keys, context, attention: {}, inner };
  }

  /** s_0 = tanh(W C), of every layer. @param {Memory} memory */
  start(memory) {
    const { cell, decoder_layers: L, units: D } = this.config;
    const first = tanh(this.linear(/** @type {Tensor} */ (memory.context), "bridge")); // (1, L D), twice that in an LSTM
    const layer = (/** @type {number} */ l) => columns(first, l * D, (l + 1) * D);
    const indices = Array.from({ length: L }, (_, l) => l);
    const cells = cell === "lstm" ? indices.map((l) => layer(L + l)) : null;
    return new RecurrentState(indices.map(layer), cells, 0);
  }

  /**
   * Attention of N queries: scores beta_j, weights softmax(beta_j), C_j.
   * @param {Tensor} queries (N, D)
   * @param {Memory} memory
   * @param {Intervention} intervention
   * @param {number} step
   */
  attend(queries, memory, intervention, step) {
    const states = Array.from({ length: memory.length }, (_, i) => memory.states.row(i));
    const scores = this.score.scores(queries, memory.keys, this.weights); // (N, S)
    const row = rowOf(intervention, step);
    const weights = new Tensor(scores.shape);
    const context = new Tensor([queries.rows, memory.states.width]);
    for (let n = 0; n < queries.rows; n++) {
      weights.row(n).set(row ?? softmax(scores.row(n)));
      if (!headsOff(intervention, "cross", 0).length) {
        context.row(n).set(weightedSum(weights.row(n), states, context.width)); // sum_i alpha_ij h_i
      }
    }
    return { scores, weights, context };
  }

  /**
   * @param {number[]} tokens y_{j-1} of N rows
   * @param {RecurrentState} state
   * @param {Memory} memory
   * @param {Intervention} [intervention]
   * @returns {StepOutput}
   */
  step(tokens, state, memory, intervention = {}) {
    const { context: way } = this.config;
    const embedded = this.weight("embed.weight").select(tokens); // (N, E)
    let attended = null;
    let query = state.top;
    let context = null;
    if (way === "every_step") context = memory.context.select(tokens.map(() => 0)); // Cho: C, at every step
    if (way === "input") attended = this.attend(query, memory, intervention, state.position); // Bahdanau: s_{j-1}
    context = attended?.context ?? context;
    const following = state.next(this.feedsContext ? concat(embedded, context) : embedded, this);
    if (way === "output") {
      query = following.top; // Luong: the query is s_j
      attended = this.attend(query, memory, intervention, state.position);
      context = attended.context;
    }
    const seen = { input: [following.top, context, embedded], every_step: [following.top, context, embedded],
      output: [context, following.top], start: [following.top] }[way];
    const output = tanh(this.linear(concat(...seen), "combine")); // h~_j, (N, E)
    const logits = linear(output, this.weight("embed.weight"), this.weight("bias")); // (N, V)
    const inner = { state: byRow(following.top), output: byRow(output) };
    if (!attended) return { logits, state: following, attention: {}, inner };
    const { scores, weights } = attended;
    const cross = byRow(weights).map(([w]) => [new Tensor([1, 1, w.width], w.data)]); // (H, 1, S)
    Object.assign(inner, { query: byRow(query), scores: byRow(scores), context: byRow(attended.context) });
    return this.finish({ logits, state: following, attention: { cross }, inner }, { seen: [following.top, context, embedded], memory, weights });
  }

  /** A hook for a variant's addition to a step. @returns {StepOutput} */
  finish(/** @type {StepOutput} */ out, /** @type {{seen: Tensor[], memory: Memory, weights: Tensor}} */ _values) {
    return out;
  }
}

/** The decoder's state of N rows: s_j of every layer (N, D), and in an LSTM the cell state. */
export class RecurrentState {
  /**
   * @param {Tensor[]} hidden
   * @param {Tensor[] | null} cell
   * @param {number} position
   */
  constructor(hidden, cell, position) {
    this.hidden = hidden;
    this.cell = cell;
    this.position = position;
  }

  /** The query of attention: s_j of the last layer. */
  get top() {
    return this.hidden[this.hidden.length - 1];
  }

  /** @param {number[]} indices the rows that continue */
  select(indices) {
    const chosen = (/** @type {Tensor} */ x) => x.select(indices);
    return new RecurrentState(this.hidden.map(chosen), this.cell && this.cell.map(chosen), this.position);
  }

  /** One step of every layer. @param {Tensor} x @param {Recurrent} model */
  next(x, model) {
    /** @type {Tensor[]} */
    const hidden = [];
    /** @type {Tensor[]} */
    const cell = [];
    for (let l = 0; l < this.hidden.length; l++) {
      const next = advance(model.config.cell, x, this.hidden[l], this.cell?.[l] ?? null, model.weights, "decoder", `l${l}`);
      hidden.push(next.hidden);
      if (next.cell) cell.push(next.cell);
      x = next.hidden;
    }
    return new RecurrentState(hidden, this.cell && cell, this.position + 1);
  }
}

/**
 * A layer over a whole sentence: its states (S, D) and the last of them (1, D).
 * @param {string} cell
 * @param {Tensor} x (S, E)
 * @param {Map<string, Tensor>} weights
 * @param {string} network
 * @param {string} suffix
 * @param {boolean} [reverse] from the last word to the first
 */
function unroll(cell, x, weights, network, suffix, reverse = false) {
  const D = weights.get(`${network}.weight_hh_${suffix}`).width;
  const states = new Tensor([x.rows, D]);
  let [hidden, memory] = [new Tensor([1, D]), cell === "lstm" ? new Tensor([1, D]) : null];
  const read = project(x, weights, network, "ih", suffix); // all words at once: they depend on no state
  for (let i = 0; i < x.rows; i++) {
    const at = reverse ? x.rows - 1 - i : i;
    ({ hidden, cell: memory } = gated(cell, new Tensor([1, read.width], read.row(at)), hidden, memory, weights, network, suffix));
    states.row(at).set(hidden.data);
  }
  return { states, last: hidden };
}

const project = (/** @type {Tensor} */ x, /** @type {Map<string, Tensor>} */ weights, /** @type {string} */ network, /** @type {"ih" | "hh"} */ side, /** @type {string} */ suffix) =>
  linear(x, weights.get(`${network}.weight_${side}_${suffix}`), weights.get(`${network}.bias_${side}_${suffix}`));

/** One step of N rows from x (N, E). */
const advance = (
  /** @type {string} */ cell,
  /** @type {Tensor} */ x,
  /** @type {Tensor} */ hidden,
  /** @type {Tensor | null} */ memory,
  /** @type {Map<string, Tensor>} */ weights,
  /** @type {string} */ network,
  /** @type {string} */ suffix,
) => gated(cell, project(x, weights, network, "ih", suffix), hidden, memory, weights, network, suffix);

/**
 * The gates, as PyTorch has them: r and z of a GRU, in which h = (1 - z) n + z h_prev; i, f, g and o of an LSTM.
 * @param {string} cell
 * @param {Tensor} read W x + b of every gate, (N, gates D)
 * @param {Tensor} hidden (N, D)
 * @param {Tensor | null} memory the cell state of an LSTM
 * @param {Map<string, Tensor>} weights
 * @param {string} network
 * @param {string} suffix
 * @returns {{hidden: Tensor, cell: Tensor | null}}
 */
function gated(cell, read, hidden, memory, weights, network, suffix) {
  const past = project(hidden, weights, network, "hh", suffix); // U h + b, (N, gates D)
  const [N, D] = [hidden.rows, hidden.width];
  if (cell === "rnn") return { hidden: tanh(add(read, past)), cell: null };
  const following = new Tensor([N, D]);
  const kept = memory && new Tensor([N, D]);
  for (let n = 0; n < N; n++) {
    const [x, h] = [read.row(n), past.row(n)];
    const gate = (/** @type {number} */ g, /** @type {number} */ d) => sigmoid(x[g * D + d] + h[g * D + d]);
    for (let d = 0; d < D; d++) {
      const at = n * D + d;
      if (memory && kept) {
        const proposal = Math.tanh(x[2 * D + d] + h[2 * D + d]);
        kept.data[at] = gate(1, d) * memory.data[at] + gate(0, d) * proposal; // c = f c_prev + i g
        following.data[at] = gate(3, d) * Math.tanh(kept.data[at]); // h = o tanh(c)
      } else {
        const [r, z] = [gate(0, d), gate(1, d)];
        const proposal = Math.tanh(x[2 * D + d] + r * h[2 * D + d]);
        following.data[at] = (1 - z) * proposal + z * hidden.data[at];
      }
    }
  }
  return { hidden: following, cell: kept };
}
