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
 * @property {number[][]} source_words the number of each piece's word; for padding, one each
 * @property {number[][]} input_words
 * @property {{sources: number[], inputs: number[]}} lengths of the rows before their padding
 * @property {Record<Kind, {layers: number, heads: number, scores: string}>} kinds
 */

/** @typedef {ReturnType<typeof maskedHead>} Head */

const FEW = 3; // places of padding with a column each: beyond that, one column stands for all

const PAD = "<pad>";

const decoded = new WeakMap(); // maps the sent text of a kind to its numbers

function numbers(/** @type {{scores: string}} */ sent) {
  if (!decoded.has(sent)) decoded.set(sent, new Float32Array(bytes(sent.scores)));
  return decoded.get(sent);
}

/**
 * Only the real queries: those of padding are computed too, but nothing reads them.
 * @param {Batch} batch
 * @param {Place} place
 */
export function maskedHead(batch, { kind, layer, head, row }) {
  const asking = kind === "encoder" ? side(batch, "source", row) : side(batch, "input", row);
  const asked = kind === "decoder" ? side(batch, "input", row) : side(batch, "source", row);
  const [queries, keys, real] = [asking.pieces.slice(0, asking.length), asked.pieces, asked.length];
  const groups = { queries: asking.words, keys: asked.words }; // pieces of one word have one number
  const matrix = (/** @type {(t: number, s: number) => number} */ value) =>
    queries.map((_, t) => keys.map((_, s) => value(t, s)));
  const padding = matrix((_, s) => Number(s < real));
  const future = matrix((t, s) => Number(kind !== "decoder" || s <= t));
  const allowed = matrix((t, s) => padding[t][s] * future[t][s]);

  const { heads } = batch.kinds[kind];
  const first = ((layer * heads + head) * sum(asking.lengths) + sum(asking.lengths.slice(0, row))) * keys.length;
  const all = numbers(batch.kinds[kind]);
  const scores = matrix((t, s) => all[first + t * keys.length + s]);
  const unmasked = scores.map((line) => softmax(line));
  const weights = scores.map((line, t) => softmax(line.map((score, s) => (allowed[t][s] ? score : -Infinity))));
  const [kept, sums] = [unmasked, weights].map((rows) =>
    rows.map((line, t) => sum(line.filter((_, s) => allowed[t][s]))),
  );
  return { queries, keys, groups, real, padding, future, allowed, scores, unmasked, weights, kept, sums };
}

// Row `row` of one side of the batch, and the lengths of all its rows.
function side(batch, name, row) {
  const lengths = batch.lengths[`${name}s`];
  return { pieces: batch[`${name}s`][row], words: batch[`${name}_words`][row], length: lengths[row], lengths };
}

/**
 * The same with one column for all padding, if there is much of it: masks are the same in all its places, and their
 * weights are added up. Their scores differ, but the mask makes each of them minus infinity.
 * @param {Head} head
 */
export function joinPadding(head) {
  const { keys, real } = head;
  const count = keys.length - real;
  if (count <= FEW) return { ...head, joined: 0 };
  /** @type {(rows: number[][], value: (line: number[]) => number) => number[][]} */
  const join = (rows, value) => rows.map((line) => [...line.slice(0, real), value(line.slice(real))]);
  const one = (/** @type {number[]} */ line) => line[0];
  return {
    ...head,
    joined: count,
    keys: [...keys.slice(0, real), paddingName(count)],
    padding: join(head.padding, one),
    future: join(head.future, one),
    allowed: join(head.allowed, one),
    scores: join(head.scores, () => NaN),
    unmasked: join(head.unmasked, sum),
    weights: join(head.weights, sum),
  };
}

export const paddingName = (/** @type {number} */ count) => (count > 1 ? `${PAD} × ${count}` : PAD);

const sum = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b, 0);
