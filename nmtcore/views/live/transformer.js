// @ts-check
// The Transformer encoder-decoder (Vaswani et al. 2017), read beside nmtcore/models/transformer.py. One sentence at a
// time; all its positions at once in the encoder, one position of N hypotheses in the decoder, with a key-value cache.

import { ANY, headsOff, rowOf } from "./recurrent.js";
import { Tensor, add, dot, layerNorm, linear, relu, softmax, stack, weightedSum } from "./tensor.js";

const POSITIONS = 1024; // rows of the sinusoidal table

/** @typedef {import("./recurrent.js").Intervention} Intervention */
/** @typedef {import("./recurrent.js").Memory} Memory */
/** @typedef {import("./recurrent.js").StepOutput} StepOutput */
/** @typedef {Float32Array[]} Rows keys or values, one (D) a position */
/** @typedef {{k: Rows, v: Rows}} KeysValues */

/**
 * Multi-head attention of one query (D) to keys and values: head_i = softmax(q_i K_i^T / sqrt(d_k)) V_i, joined.
 * @param {Float32Array} q
 * @param {KeysValues} attended S positions
 * @param {number} H heads
 * @param {number[]} off heads whose output becomes zero
 * @param {number[] | null} [row] replaces the weights of every head
 * @param {number} [real] number of positions that are not padding, which come first
 */
function attend(q, { k, v }, H, off, row = null, real = k.length) {
  const [S, K] = [k.length, q.length / H];
  const [scores, weights] = [new Tensor([H, S]), new Tensor([H, S])];
  const joined = new Float32Array(q.length);
  for (let h = 0; h < H; h++) {
    const [from, to] = [h * K, (h + 1) * K];
    const part = q.subarray(from, to);
    for (let i = 0; i < S; i++) scores.row(h)[i] = dot(part, k[i].subarray(from, to)) / Math.sqrt(K);
    weights.row(h).set(row ?? softmax(scores.row(h).subarray(0, real)));
    if (off.includes(h)) continue;
    const values = v.map((value) => value.subarray(from, to));
    joined.set(weightedSum(weights.row(h), values, K), from);
  }
  return { scores, weights, joined };
}

/** Rows (S, D) with the heads first: (H, S, K). @param {Float32Array[]} rows @param {number} H */
function byHead(rows, H) {
  const K = rows[0].length / H;
  const heads = new Tensor([H, rows.length, K]);
  for (let h = 0; h < H; h++) {
    rows.forEach((row, i) => heads.data.set(row.subarray(h * K, (h + 1) * K), (h * rows.length + i) * K));
  }
  return heads;
}

/** @param {Tensor} x @param {number} part of three @param {number} D */
const third = (x, part, D) =>
  Array.from({ length: x.rows }, (_, n) => x.row(n).slice(part * D, (part + 1) * D));

export class Transformer {
  static family = "Transformer";
  /** @type {import("./recurrent.js").Runs} */
  static runs = {
    ...ANY("vocab_size", "width", "feedforward", "heads", "encoder_layers", "decoder_layers", "dropout"),
    ...ANY("max_positions", "max_relative_position", "tied", "scale_embedding"),
    norm: ["pre", "post"],
    positions: ["sinusoidal", "learned"],
    sinusoids: ["alternating"],
    activation: ["relu"],
    concatenate_positions: [false],
    output_bias: [false],
    tied_output: [false],
  };

  /** @param {Record<string, any>} config @param {Map<string, Tensor>} weights by their names in the state dict */
  constructor(config, weights) {
    this.config = config;
    this.weights = weights;
    if (!weights.has("embed.weight") || !weights.has("encoder.0.attention.project.weight")) throw new TypeError("weights");
    this.positions = weights.get("positions") ?? sinusoids(POSITIONS, config.width);
    this.maxLength = this.positions.rows;
    this.scale = config.scale_embedding ?? true ? Math.sqrt(config.width) : 1;
  }

  /** @param {string} name */
  weight(name) {
    return /** @type {Tensor} */ (this.weights.get(name));
  }

  /** @param {Tensor} x @param {string} name @param {number} [from] @param {number} [to] */
  linear(x, name, from, to) {
    return linear(x, this.weight(`${name}.weight`), this.weights.get(`${name}.bias`), from, to);
  }

  /** @param {Tensor} x @param {string} name */
  norm(x, name) {
    return layerNorm(x, this.weight(`${name}.weight`), this.weight(`${name}.bias`));
  }

  /**
   * Embeddings with positions: sqrt(D) e(token) + PE(position).
   * @param {number[]} tokens
   * @param {string} table
   * @param {number[] | null} places of the tokens; null adds no position
   */
  embed(tokens, table, places) {
    const x = this.weight(table).select(tokens).map((value) => value * this.scale);
    return places ? add(x, this.positions.select(places)) : x;
  }

  /**
   * The residual connection around a sub-layer: pre-norm x + F(LN(x)), post-norm LN(x + F(x)).
   * @param {Tensor} x
   * @param {string} name of its norm
   * @param {string} part of the layer, and `off`, the parts that are switched off
   * @param {string[]} off
   * @param {(x: Tensor) => Tensor} sublayer
   */
  residual(x, name, part, off, sublayer) {
    const norm = (/** @type {Tensor} */ x) => (off.includes("norm") ? x : this.norm(x, `${name}.norm`));
    const pre = this.config.norm === "pre";
    const out = sublayer(pre ? norm(x) : x);
    const added = off.includes(part) ? new Tensor(x.shape) : out;
    const total = off.includes("residual") ? added : add(x, added);
    return pre ? total : norm(total);
  }

  /** FFN(x) = max(0, x W1 + b1) W2 + b2. @param {Tensor} x @param {string} layer */
  feedForward(x, layer) {
    return this.linear(relu(this.linear(x, `${layer}.feedforward.inner`)), `${layer}.feedforward.outer`);
  }

  /**
   * @param {number[]} source ids that end with `<eos>`
   * @param {Intervention} [intervention]
   * @param {number} [real] how many of them are not padding
   * @returns {Memory}
   */
  encode(source, intervention = {}, real = source.length) {
    const { width: D, heads: H, encoder_layers: L } = this.config;
    const order = intervention.positions ?? "kept";
    const places = order === "kept" ? source.map((_, i) => i) : order === "dropped" ? null : order;
    let x = this.embed(source, "embed.weight", places); // (S, D)
    /** @type {Record<string, Tensor[]>} */
    const inner = { encoder_scores: [], encoder_query: [], encoder_key: [], encoder_value: [], cross_key: [], cross_value: [] };
    /** @type {Tensor[]} */
    const attention = [];
    for (let i = 0; i < L; i++) {
      const layer = `encoder.${i}`;
      const off = partsOff(intervention, "encoder", i);
      x = this.residual(x, `${layer}.sublayers.0`, "attention", off, (x) => {
        const qkv = this.linear(x, `${layer}.attention.project`); // (S, 3 D)
        const [q, k, v] = [0, 1, 2].map((part) => third(qkv, part, D));
        const attended = q.map((query) => attend(query, { k, v }, H, headsOff(intervention, "encoder", i), null, real));
        attention.push(turned(attended.map(({ weights }) => weights))); // (H, S, S)
        inner.encoder_scores.push(turned(attended.map(({ scores }) => scores)));
        inner.encoder_query.push(byHead(q, H));
        inner.encoder_key.push(byHead(k, H));
        inner.encoder_value.push(byHead(v, H));
        return this.linear(Tensor.of(attended.map(({ joined }) => joined)), `${layer}.attention.output`);
      });
      x = this.residual(x, `${layer}.sublayers.1`, "feedforward", off, (x) => this.feedForward(x, layer));
    }
    const states = this.weights.has("encoder_norm.weight") ? this.norm(x, "encoder_norm") : x;
    const prepared = Array.from({ length: this.config.decoder_layers }, (_, i) => {
      const kv = this.linear(states, `decoder.${i}.cross_attention.project`, D, 3 * D); // (S, 2 D)
      const [k, v] = [0, 1].map((part) => third(kv, part, D));
      inner.cross_key.push(byHead(k, H));
      inner.cross_value.push(byHead(v, H));
      return { k, v };
    });
    inner.states = [states];
    return /** @type {any} */ ({ states, length: source.length, real, ids: source, prepared, attention: { encoder: attention }, inner });
  }

  start() {
    return new TransformerState([Array.from({ length: this.config.decoder_layers }, () => ({ k: [], v: [] }))], 0);
  }

  /**
   * @param {number[]} tokens y_{j-1} of N rows
   * @param {TransformerState} state
   * @param {Memory} memory
   * @param {Intervention} [intervention]
   * @returns {StepOutput}
   */
  step(tokens, state, memory, intervention = {}) {
    const { width: D, heads: H, decoder_layers: L, tied } = this.config;
    const places = intervention.target_positions === "dropped" ? null : tokens.map(() => state.position);
    const row = rowOf(intervention, state.position);
    let x = this.embed(tokens, tied ? "embed.weight" : "embed_target.weight", places); // (N, D)
    const names = ["decoder_scores", "decoder_query", "decoder_key", "decoder_value", "cross_query", "cross_scores"];
    /** @type {Record<string, Tensor[][]>} */
    const inner = Object.fromEntries(names.map((name) => [name, tokens.map(() => [])]));
    /** @type {Record<string, Tensor[][]>} */
    const attention = { decoder: tokens.map(() => []), cross: tokens.map(() => []) };
    const cache = state.cache.map((layers) => layers.map(({ k, v }) => ({ k: [...k], v: [...v] })));
    const record = (/** @type {Record<string, Tensor[][]>} */ into, /** @type {string} */ name, /** @type {number} */ n, /** @type {Tensor} */ value) =>
      into[name][n].push(value);
    for (let i = 0; i < L; i++) {
      const layer = `decoder.${i}`;
      const off = partsOff(intervention, "decoder", i);
      x = this.residual(x, `${layer}.sublayers.0`, "attention", off, (x) => {
        const qkv = this.linear(x, `${layer}.self_attention.project`); // (N, 3 D)
        const [q, k, v] = [0, 1, 2].map((part) => third(qkv, part, D));
        const attended = q.map((query, n) => {
          cache[n][i].k.push(k[n]);
          cache[n][i].v.push(v[n]);
          const { scores, weights, joined } = attend(query, cache[n][i], H, headsOff(intervention, "decoder", i));
          record(attention, "decoder", n, new Tensor([H, 1, scores.width], weights.data));
          record(inner, "decoder_scores", n, new Tensor([H, 1, scores.width], scores.data));
          record(inner, "decoder_query", n, byHead([query], H));
          record(inner, "decoder_key", n, byHead([k[n]], H));
          record(inner, "decoder_value", n, byHead([v[n]], H));
          return joined;
        });
        return this.linear(Tensor.of(attended), `${layer}.self_attention.output`);
      });
      x = this.residual(x, `${layer}.sublayers.1`, "cross", off, (x) => {
        const q = this.linear(x, `${layer}.cross_attention.project`, 0, D); // (N, D)
        const attended = tokens.map((_, n) => {
          const { scores, weights, joined } = attend(q.row(n), /** @type {any} */ (memory.prepared)[i], H, headsOff(intervention, "cross", i), row, memory.real);
          record(attention, "cross", n, new Tensor([H, 1, memory.length], weights.data));
          record(inner, "cross_query", n, byHead([q.row(n)], H));
          record(inner, "cross_scores", n, new Tensor([H, 1, memory.length], scores.data));
          return joined;
        });
        return this.linear(Tensor.of(attended), `${layer}.cross_attention.output`);
      });
      x = this.residual(x, `${layer}.sublayers.2`, "feedforward", off, (x) => this.feedForward(x, layer));
    }
    const top = this.weights.has("decoder_norm.weight") ? this.norm(x, "decoder_norm") : x; // (N, D)
    inner.output = tokens.map((_, n) => [new Tensor([D], top.row(n).slice())]);
    const logits = linear(top, this.weight(tied ? "embed.weight" : "unembed.weight")); // (N, V)
    return { logits, state: new TransformerState(cache, state.position + 1), attention, inner };
  }
}

/** The decoder's state of N rows: a key-value cache of every layer, after t = `position` tokens. */
export class TransformerState {
  /**
   * @param {KeysValues[][]} cache by row and layer: hypotheses of a beam share the vectors of their common prefix
   * @param {number} position
   */
  constructor(cache, position) {
    this.cache = cache;
    this.position = position;
  }

  /** @param {number[]} indices the rows that continue */
  select(indices) {
    return new TransformerState(indices.map((n) => this.cache[n]), this.position);
  }
}

/** The parts of one layer that are switched off. */
const partsOff = (/** @type {Intervention} */ { parts_off = [] }, /** @type {string} */ stack, /** @type {number} */ layer) =>
  parts_off.filter(([s, i]) => s === stack && i === layer).map(([, , part]) => part);

/** S tensors (H, S) as one (H, S, S). @param {Tensor[]} queries */
function turned(queries) {
  const [H, S] = [queries[0].rows, queries[0].width];
  const heads = Array.from({ length: H }, (_, h) => Tensor.of(queries.map((weights) => weights.row(h))));
  return new Tensor([H, queries.length, S], stack(heads).data);
}

/**
 * Sinusoidal positional encodings, (length, D): sine and cosine of pos / 10000^(2i/D).
 * @param {number} length
 * @param {number} width
 */
export function sinusoids(length, width) {
  const table = new Tensor([length, width]);
  for (let position = 0; position < length; position++) {
    for (let d = 0; d < width; d += 2) {
      const angle = position / 10000 ** (d / width);
      table.row(position)[d] = Math.sin(angle);
      table.row(position)[d + 1] = Math.cos(angle);
    }
  }
  return table;
}
