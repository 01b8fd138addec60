// @ts-check
// Sentences of one padded batch, by teacher forcing: the scores of every head before any mask, at the positions of
// padding too, as in nmtcore/analysis/masks.py.

import { dot } from "./tensor.js";
import { PAD, SOS } from "./vocabulary.js";

/**
 * @typedef {{sources: number[][], inputs: number[][], lengths: {sources: number[], inputs: number[]},
 *   scores: Record<string, {layers: number, heads: number, scores: Float32Array}>}} PaddedBatch
 *   ids of each row, padded; scores (L, H, T_1 + ... + T_B, S), for the real queries of every row
 */

/**
 * @param {import("./transformer.js").Transformer} model
 * @param {number[][]} sources ids that end with `<eos>`
 * @param {number[][]} targets their translations, that end with it too
 * @returns {PaddedBatch}
 */
export function paddedBatch(model, sources, targets) {
  const read = targets.map((ids) => [SOS, ...ids.slice(0, -1)]);
  const lengths = { sources: sources.map(({ length }) => length), inputs: read.map(({ length }) => length) };
  const [padded, inputs] = [sources, read].map(pad);
  const records = padded.map((source, b) => {
    const memory = model.encode(source, {}, lengths.sources[b]);
    let state = model.start();
    const steps = inputs[b].map((token) => {
      const out = model.step([token], state, memory);
      state = out.state;
      return out.inner;
    });
    return { inner: memory.inner, steps };
  });
  const { encoder_layers, decoder_layers, heads: H } = model.config;
  const queries = { encoder: lengths.sources, decoder: lengths.inputs, cross: lengths.inputs };
  const scores = Object.entries(queries).map(([kind, counts]) => {
    const layers = kind === "encoder" ? encoder_layers : decoder_layers;
    const all = records.map(({ inner, steps }, b) => {
      const ofSteps = (/** @type {string} */ name) => (/** @type {number} */ l, /** @type {number} */ h, /** @type {number} */ t) => steps[t][name][0][l].data.subarray(...span(h, steps[t][name][0][l]));
      const ofMemory = (/** @type {string} */ name) => (/** @type {number} */ l, /** @type {number} */ h, /** @type {number} */ i) => inner[name][l].data.subarray(...span(h * inner[name][l].shape[1] + i, inner[name][l]));
      const q = kind === "encoder" ? ofMemory("encoder_query") : ofSteps(`${kind}_query`);
      const k = kind === "decoder" ? ofSteps("decoder_key") : ofMemory(`${kind}_key`);
      return { q, k, count: counts[b] };
    });
    const S = (kind === "decoder" ? inputs : padded)[0].length;
    const K = model.config.width / H;
    const total = counts.reduce((sum, count) => sum + count, 0);
    const numbers = new Float32Array(layers * H * total * S);
    let at = 0;
    for (let l = 0; l < layers; l++) {
      for (let h = 0; h < H; h++) {
        for (const { q, k, count } of all) {
          for (let t = 0; t < count; t++) for (let i = 0; i < S; i++) numbers[at++] = dot(q(l, h, t), k(l, h, i)) / Math.sqrt(K);
        }
      }
    }
    return [kind, { layers, heads: H, scores: numbers }];
  });
  return { sources: padded, inputs, lengths, scores: Object.fromEntries(scores) };
}

/** Where vector n of K numbers stands. @param {number} n @param {import("./tensor.js").Tensor} x @returns {[number, number]} */
function span(n, { shape }) {
  const K = shape[shape.length - 1];
  return [n * K, (n + 1) * K];
}

/** @param {number[][]} rows */
function pad(rows) {
  const longest = Math.max(...rows.map(({ length }) => length));
  return rows.map((row) => [...row, ...Array(longest - row.length).fill(PAD)]);
}
