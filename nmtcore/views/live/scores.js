// @ts-check
// Attention score functions a(s, h): how well a decoder state s matches an encoder state h, as nmtcore/models/scores.py
// has them. `prepare` computes once per sentence what depends only on h, (S, D); `scores` of queries (N, D) are (N, S).

import { Tensor, dot, linear } from "./tensor.js";

/** @typedef {Map<string, Tensor>} Weights */
/**
 * products: the terms whose sum is a score: left (N, D) times right (S, D), or v (D) times tanh(left + right).
 * @typedef {{
 *   prepare(states: Tensor, weights: Weights): Tensor, scores(query: Tensor, keys: Tensor, weights: Weights): Tensor,
 *   products(query: Tensor, keys: Tensor, weights: Weights): [Tensor, Tensor, Float32Array | null],
 * }} Score
 */

/** @type {Score} s . h */
const Dot = {
  prepare: (states) => states,
  scores: (query, keys) => linear(query, keys),
  products: (query, keys) => [query, keys, null],
};

/** @type {Score} s . h / sqrt(D) */
const ScaledDot = { ...Dot, scores: (query, keys) => linear(query, keys).map((score) => score / Math.sqrt(query.width)) };

/** @type {Score} s W h */
const General = { ...Dot, prepare: (states, weights) => linear(states, weights.get("score.W.weight")) };

/** @type {Score} v . tanh(W s + U h) */
const Additive = {
  prepare: (states, weights) => linear(states, weights.get("score.U.weight")),
  scores: (query, keys, weights) => {
    const [left, v] = [linear(query, weights.get("score.W.weight")), weights.get("score.v.weight").data];
    const scores = new Tensor([query.rows, keys.rows]);
    for (let n = 0; n < query.rows; n++) {
      const s = left.row(n);
      for (let i = 0; i < keys.rows; i++) scores.row(n)[i] = dot(v, keys.row(i).map((h, d) => Math.tanh(s[d] + h)));
    }
    return scores;
  },
  products: (query, keys, weights) => [linear(query, weights.get("score.W.weight")), keys, weights.get("score.v.weight").data],
};

/** @type {Score} s . h / (|s| |h|) */
const Cosine = {
  prepare: normalized,
  scores: (query, keys) => linear(normalized(query), keys),
  products: (query, keys) => [normalized(query), keys, null],
};

/** @param {Tensor} x rows of length one */
function normalized(x) {
  return Tensor.of(
    Array.from({ length: x.rows }, (_, n) => {
      const length = Math.max(Math.sqrt(dot(x.row(n), x.row(n))), 1e-12);
      return x.row(n).map((value) => value / length);
    }),
  );
}

/** @type {Record<string, Score>} */
export const SCORES = { dot: Dot, scaled_dot: ScaledDot, general: General, cosine: Cosine, additive: Additive, concat: Additive };
