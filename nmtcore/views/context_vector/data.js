// @ts-check
// The context vector as plain data, made in the browser: what context_vector/data.py makes of a record on a server, and
// the gates of nmtcore/analysis/gates.py, recomputed from the weights and the written tokens.

import { inBase64 } from "../kit/binary.js";
import { decodeRecord, decoderInputs } from "../live/recorder.js";
import { Tensor, concat, linear, sigmoid } from "../live/tensor.js";

const FULL = 32767; // the 16-bit number that stands for 1
const SHOWN = 16; // numbers of each vector in the strips of the gates

/** @typedef {import("../live/recorder.js").Trace} Trace */

/**
 * @param {Trace} trace
 * @param {import("../live/checkpoint.js").Checkpoint} checkpoint
 * @param {{model: string, hue: string, words: Record<string, any>}} shown
 */
export function contextVectorData(trace, checkpoint, { model, hue, words }) {
  const { inner } = trace;
  const { config } = checkpoint;
  const cells = [...inner.states.data, ...inner.summary.data, ...inner.state.data]; // (S + 1 + T) times D
  return {
    model,
    sentence: trace.source_text,
    hue,
    size: config.units,
    cells: inBase64(Int16Array.from(cells, (value) => Math.round(Math.max(-1, Math.min(1, value)) * FULL))),
    ...decodeRecord(trace),
    bothWays: config.bidirectional,
    everyStep: config.context === "every_step",
    cell: config.cell,
    gates: config.cell === "gru" ? gates(trace, checkpoint) : null,
    words,
  };
}

/**
 * The gates of a GRU at every step: r, z and the proposal n; s_j = (1 - z) n + z s_{j-1}.
 * @param {Trace} trace
 * @param {import("../live/checkpoint.js").Checkpoint} checkpoint
 */
function gates(trace, { model, config }) {
  const [T, D, L] = [trace.target.length, config.units, config.decoder_layers];
  const context = new Tensor([1, D], trace.inner.summary.data);
  const written = decoderInputs(trace.steps);
  const embedded = model.weight("embed.weight").select(written); // (T, E)
  let x = config.context === "every_step" ? concat(embedded, context.select(written.map(() => 0))) : embedded;
  const hidden = /** @type {any} */ (model).start({ context }).hidden; // s_0 of every layer
  /** @type {Record<string, Float32Array[]>} */
  let rows = {};
  for (let l = 0; l < L; l++) {
    rows = { before: [], r: [], z: [], proposal: [], after: [] };
    const given = linear(x, model.weight(`decoder.weight_ih_l${l}`), model.weight(`decoder.bias_ih_l${l}`)); // (T, 3 D)
    let s = hidden[l]; // (1, D)
    for (let t = 0; t < T; t++) {
      const own = linear(s, model.weight(`decoder.weight_hh_l${l}`), model.weight(`decoder.bias_hh_l${l}`)).data;
      const read = given.row(t);
      const r = Float32Array.from({ length: D }, (_, d) => sigmoid(read[d] + own[d]));
      const z = Float32Array.from({ length: D }, (_, d) => sigmoid(read[D + d] + own[D + d]));
      const n = Float32Array.from({ length: D }, (_, d) => Math.tanh(read[2 * D + d] + r[d] * own[2 * D + d]));
      const after = n.map((value, d) => (1 - z[d]) * value + z[d] * s.data[d]);
      for (const [name, value] of Object.entries({ before: s.data, r, z, proposal: n, after })) rows[name].push(value);
      s = new Tensor([1, D], after);
    }
    x = Tensor.of(rows.after);
  }
  const mean = (/** @type {Float32Array} */ values) => rounded(values.reduce((a, b) => a + b, 0) / D, 4);
  const norm = (/** @type {Float32Array} */ values) => rounded(Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)), 3);
  return {
    layers: L,
    means: { r: rows.r.map(mean), z: rows.z.map(mean) },
    rows: Object.entries(rows).map(([name, values]) => ({
      name,
      values: values.map((row) => Array.from(row.subarray(0, SHOWN), (value) => rounded(value, 4))),
      norms: name === "r" || name === "z" ? null : values.map(norm),
    })),
  };
}

const rounded = (/** @type {number} */ value, /** @type {number} */ digits) => Number(value.toFixed(digits));
