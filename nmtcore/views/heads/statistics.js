// @ts-check
// Head statistics, one number for each head and average: a mean over the rows.

import { bare } from "../kit/piece.js";
import { isPunctuation } from "../kit/tokens.js";
import { weightsOf } from "./maps.js";

/**
 * @typedef {import("../kit/records.js").HeadMap} HeadMap
 * @typedef {import("./state.js").Head} Head
 * @typedef {{id: string, places: number, of(head: Head): number | null}} Column null for a kind that lacks the statistic
 */

/** Each has the rows that have a choice: not the first of decoder self attention, where the mask leaves one key. */
const STATISTICS = [
  { id: "entropy", number: entropy, places: 2 },
  { id: "marker", number: shareOnMarker, places: 2 },
  { id: "punctuation", number: shareOnPunctuation, places: 2 },
  { id: "distance", number: meanDistance, places: 1 },
  { id: "diagonal", number: diagonality, places: 2 },
];

/**
 * The statistics of every head and average, computed on demand.
 * @param {Record<string, HeadMap>} maps
 * @param {Record<string, number[][]>} agreement of cross attention with other measures, known for the shown translation
 * @returns {Column[]}
 */
export function makeColumns(maps, agreement = {}) {
  const own = STATISTICS.map(({ id, number, places }) => ({
    id,
    places,
    of: ({ kind, layer, head }) => {
      const rows = weightsOf(maps[kind], layer, head);
      const counted = kind === "decoder" && rows.length > 1 ? rows.slice(1) : rows;
      return number(counted, { ...maps[kind], kind }, rows.length);
    },
  }));
  const known = Object.entries(agreement).map(([id, shares]) => ({
    id,
    places: 2,
    of: ({ kind, layer, head }) => (kind === "cross" ? shares.at(layer ?? -1).at(head ?? -1) : null),
  }));
  return [...own, ...known];
}

/** @typedef {Float32Array[]} Rows */

const mean = (/** @type {number[]} */ numbers) => numbers.reduce((a, b) => a + b, 0) / (numbers.length || 1);
const sum = (/** @type {Float32Array} */ row, /** @type {(i: number) => number} */ times) => row.reduce((total, weight, i) => total + weight * times(i), 0);

/** -sum_i alpha_i log2 alpha_i in bits. @param {Rows} rows */
function entropy(rows) {
  return mean(rows.map((row) => -sum(row, (i) => (row[i] > 0 ? Math.log2(row[i]) : 0))));
}

/**
 * The share on the token that stands for no word, the final `<eos>` or in decoder self attention the first `<sos>`. A head
 * with nothing to do attends to it: Clark et al. 2019, section 3.2; Vig and Belinkov 2019. In cross attention the row that
 * predicts `<eos>` is left out, since it attends there for a reason.
 * @param {Rows} rows
 * @param {HeadMap & {kind: string}} map
 */
function shareOnMarker(rows, { kind, queries, keys }) {
  const counted = kind === "cross" && rows.length > 1 && queries[queries.length - 1] === "<eos>" ? rows.slice(0, -1) : rows;
  const [at, marker] = kind === "decoder" ? [0, "<sos>"] : [keys.length - 1, "<eos>"];
  return keys[at] === marker ? mean(counted.map((row) => row[at])) : 0;
}

/** @param {Rows} rows @param {HeadMap & {kind: string}} map */
function shareOnPunctuation(rows, { keys }) {
  const marks = keys.map((key) => isPunctuation(bare(key)));
  return mean(rows.map((row) => sum(row, (i) => Number(marks[i]))));
}

/** sum_i alpha_i |i - j|, j carried over to the source in cross attention. @param {Rows} rows @param {HeadMap & {kind: string}} map @param {number} T */
function meanDistance(rows, { kind, keys }, T) {
  const step = kind === "cross" ? (keys.length - 1) / Math.max(1, T - 1) : 1;
  return mean(rows.map((row, n) => sum(row, (i) => Math.abs(i - (n + T - rows.length) * step))));
}

/** The correlation of query and key positions, weighted by attention. @param {Rows} rows */
function diagonality(rows) {
  const total = rows.reduce((all, row) => all + sum(row, () => 1), 0);
  const expected = (/** @type {(j: number, i: number) => number} */ f) => rows.reduce((all, row, j) => all + sum(row, (i) => f(j, i)), 0) / total;
  const [meanJ, meanI] = [expected((j) => j), expected((_, i) => i)];
  const covariance = expected((j, i) => (j - meanJ) * (i - meanI));
  const spread = Math.sqrt(expected((j) => (j - meanJ) ** 2) * expected((_, i) => (i - meanI) ** 2));
  return spread > 1e-6 ? covariance / spread : 0;
}
