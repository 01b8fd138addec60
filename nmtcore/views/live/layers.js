// @ts-check
// Forced decoding through all layers of a Transformer, with the input and output of each sub-layer, as nmtcore/analysis has
// in residual_stream.py, head_parts.py and head_ablation.py.

import { decoderInputs } from "./recorder.js";
import { largest } from "./search.js";
import { Tensor, add, dot, linear, logSoftmax, softmax } from "./tensor.js";
import { Transformer } from "./transformer.js";
import { PAD, SOS } from "./vocabulary.js";

const LIKELIEST = 5; // pieces that the logit lens names

/**
 * One sub-layer: rows of T tokens. `inner` is the input of its last matrix: Concat(heads), or the inner layer of a
 * feed-forward network.
 * @typedef {{layer: number, part: string, before: Tensor, read: Tensor, inner: Tensor, added: Tensor, total: Tensor, stream: Tensor}} Stage
 * @typedef {{start: Tensor, stages: Stage[]}} Layers
 * @typedef {import("./recorder.js").Trace} Trace
 * @typedef {import("./checkpoint.js").Checkpoint} Checkpoint
 */

/** A Transformer that records its sub-layers in `stages`, in the order of computation. */
class Recorded extends Transformer {
  /** @param {Transformer} model */
  constructor({ config, weights }) {
    super(config, weights);
    /** @type {Omit<Stage, "layer">[]} */
    this.stages = [];
    this.inner = new Tensor([0]);
  }

  /** @type {Transformer["linear"]} */
  linear(x, name, from, to) {
    if (name.endsWith(".output") || name.endsWith(".outer")) this.inner = x;
    return super.linear(x, name, from, to);
  }

  /** @type {Transformer["residual"]} */
  residual(x, name, part, off, sublayer) {
    let [read, added] = [x, x];
    const stream = super.residual(x, name, part, off, (y) => ((read = y), (added = sublayer(y))));
    if (off.includes(part)) added = new Tensor(x.shape);
    const total = off.includes("residual") ? added : add(x, added);
    this.stages.push({ part, before: x, read, inner: this.inner, added, total, stream });
    return stream;
  }
}

/**
 * The tokens of a trace through all layers of encoder and decoder, its intervention included.
 * @param {Transformer} model
 * @param {Trace} trace
 * @returns {{encoder: Layers, decoder: Layers}}
 */
export function runLayers(model, { source_ids, steps, intervention }) {
  const recorded = new Recorded(model);
  const memory = recorded.encode(source_ids, intervention);
  const encoder = numbered(recorded.stages, 2);
  const rows = decoderInputs(steps).reduce(
    ({ state, rows }, token) => {
      recorded.stages = [];
      return { state: recorded.step([token], state, memory, intervention).state, rows: [...rows, recorded.stages] };
    },
    { state: model.start(), rows: /** @type {Omit<Stage, "layer">[][]} */ ([]) },
  ).rows;
  const joined = rows[0].map(({ part }, n) => {
    const of = (/** @type {"before" | "read" | "inner" | "added" | "total" | "stream"} */ name) => Tensor.of(rows.map((stages) => stages[n][name].data));
    return { part, before: of("before"), read: of("read"), inner: of("inner"), added: of("added"), total: of("total"), stream: of("stream") };
  });
  const decoder = numbered(joined, 3);
  return { encoder: { start: encoder[0].before, stages: encoder }, decoder: { start: decoder[0].before, stages: decoder } };
}

/** @param {Omit<Stage, "layer">[]} stages @param {number} count of a layer */
const numbered = (stages, count) => stages.map((stage, n) => ({ ...stage, layer: Math.floor(n / count) }));

/**
 * Logit lens: the pieces that each stream would predict if it ended here, likeliest first; in the encoder, which has no
 * output layer, the nearest embeddings by cosine.
 * @param {Transformer} model
 * @param {Tensor} streams (N, D)
 * @param {"encoder" | "decoder"} stack
 * @returns {{id: number, value: number}[][]}
 */
export function logitLens(model, streams, stack) {
  const embedded = model.weight("embed.weight");
  const normed = stack === "decoder" && model.weights.has("decoder_norm.weight") ? model.norm(streams, "decoder_norm") : streams;
  const scores = linear(normed, stack === "decoder" && !model.config.tied ? model.weight("unembed.weight") : embedded); // (N, V)
  const lengths = stack === "encoder" ? Array.from({ length: embedded.rows }, (_, id) => length(embedded.row(id))) : [];
  return Array.from({ length: scores.rows }, (_, n) => {
    const size = length(streams.row(n));
    const values = stack === "decoder" ? softmax(scores.row(n)) : scores.row(n).map((score, id) => score / (size * lengths[id]));
    values[PAD] = values[SOS] = -Infinity; // never in a source, never chosen by search
    return largest(values, LIKELIEST).map((id) => ({ id, value: values[id] }));
  });
}

const length = (/** @type {Float32Array} */ row) => Math.max(1e-12, Math.sqrt(dot(row, row)));

/**
 * The output of a head in layer l: f(x_j) = v_j W^O of every key, (S, D), and their weighted sum, (T, D), this head's
 * part of Concat(...) W^O.
 * @param {Transformer} model
 * @param {Trace} trace
 * @param {{kind: string, layer: number, head: number}} head
 * @param {Tensor} values (S, K)
 */
export function headParts(model, { attention, intervention }, { kind, layer, head }, values) {
  const matrix = { encoder: `encoder.${layer}.attention`, decoder: `decoder.${layer}.self_attention`, cross: `decoder.${layer}.cross_attention` }[kind];
  const joining = model.weight(`${matrix}.output.weight`); // (D, D): of Concat(...) to the output
  const [K, S, D] = [values.width, values.rows, joining.rows];
  const off = (intervention.heads_off ?? []).some(([k, l, h]) => k === kind && l === layer && h === head);
  const arriving = new Tensor([S, D]);
  for (let j = 0; j < S && !off; j++) {
    for (let d = 0; d < D; d++) arriving.row(j)[d] = dot(values.row(j), joining.row(d).subarray(head * K, (head + 1) * K));
  }
  const map = /** @type {import("./recorder.js").AttentionMap} */ (attention.find((one) => one.kind === kind));
  const T = map.queries.length;
  const output = new Tensor([T, D]);
  for (let t = 0; t < T; t++) {
    for (let j = 0; j < S; j++) {
      const weight = map.weights.data[((layer * map.heads + head) * T + t) * S + j];
      for (let d = 0; d < D; d++) output.row(t)[d] += weight * arriving.row(j)[d];
    }
  }
  return { arriving, output };
}

/**
 * log P(y | x) of the output of a trace without one head after another, (L H) of one kind: each by teacher forcing.
 * @param {Checkpoint} checkpoint
 * @param {Trace} trace of an ordinary run
 * @param {string} kind
 * @returns {Generator<number>}
 */
export function* withoutEachHead(checkpoint, { source_ids, steps }, kind) {
  const model = /** @type {Transformer} */ (checkpoint.model);
  const { heads, encoder_layers, decoder_layers } = model.config;
  const memory = kind === "encoder" ? null : model.encode(source_ids);
  for (let n = 0; n < heads * (kind === "encoder" ? encoder_layers : decoder_layers); n++) {
    const change = { heads_off: /** @type {[string, number, number][]} */ ([[kind, Math.floor(n / heads), n % heads]]) };
    const read = memory ?? model.encode(source_ids, change);
    let [state, total] = [model.start(), 0];
    decoderInputs(steps).forEach((token, j) => {
      const out = model.step([token], state, read, change);
      state = out.state;
      total += logSoftmax(out.logits.row(0))[steps[j].id];
    });
    yield total;
  }
}
