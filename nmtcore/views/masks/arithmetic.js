// @ts-check
// Masks and softmax of one head in one row of the batch.

import { bytes } from "../kit/binary.js";
import { softmax } from "../walkthrough/softmax.js";

/**
 * @typedef {"cross" | "encoder" | "decoder"} Kind
 * @typedef {{kind: Kind, layer: number, head: number, row: number}} Place of a head, and the sentence; all from 0
 * @typedef {object} Batch as `data` in data.py makes it
 * @property {string[][]} sources B rows of S pieces
 * @property {string[][]} inputs B rows of T pieces that the decoder reads
 * @property {{sources: number[], inputs: number[]}} lengths of the rows before their padding
 * @property {Record<Kind, {layers: number, heads: number, scores: string}>} kinds
 */

const decoded = new WeakMap(); // what was sent of a kind, to its numbers

function numbers(/** @type {{scores: string}} */ sent) {
  if (!decoded.has(sent)) decoded.set(sent, new Float32Array(bytes(sent.scores)));
  return decoded.get(sent);
}

/**
 * The masks are of all T queries, padding too; scores and weights of the real ones, which something reads.
 * @param {Batch} batch
 * @param {Place} place
 */
export function maskedHead(batch, { kind, layer, head, row }) {
  const [asking, asked] = [kind === "encoder" ? "sources" : "inputs", kind === "decoder" ? "inputs" : "sources"];
  const [queries, keys] = [batch[asking][row], batch[asked][row]];
  const matrix = (/** @type {(t: number, s: number) => number} */ value, count = queries.length) =>
    Array.from({ length: count }, (_, t) => keys.map((_, s) => value(t, s)));
  const padding = matrix((_, s) => Number(s < batch.lengths[asked][row]));
  const future = matrix((t, s) => Number(kind !== "decoder" || s <= t));
  const allowed = matrix((t, s) => padding[t][s] * future[t][s]);

  const lengths = batch.lengths[asking];
  const sum = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b, 0);
  const { heads } = batch.kinds[kind];
  const first = ((layer * heads + head) * sum(lengths) + sum(lengths.slice(0, row))) * keys.length;
  const all = numbers(batch.kinds[kind]);
  const scores = matrix((t, s) => all[first + t * keys.length + s], lengths[row]);
  const unmasked = scores.map((line) => softmax(line));
  const weights = scores.map((line, t) => softmax(line.map((score, s) => (allowed[t][s] ? score : -Infinity))));
  const [kept, sums] = [unmasked, weights].map((rows) =>
    rows.map((line, t) => sum(line.filter((_, s) => allowed[t][s]))),
  );
  return { queries, keys, padding, future, allowed, scores, unmasked, weights, kept, sums };
}
