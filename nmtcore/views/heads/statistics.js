// @ts-check
// Head statistics, one number for each layer and head, with the means appended: nmtcore/analysis/head_statistics.py, and
// the columns and captions of heads/statistics.py, made in the browser.

import { bare } from "../kit/piece.js";
import { filledText } from "../kit/dom.js";
import { isPunctuation, matrix } from "../live/words.js";

/**
 * @typedef {import("../live/recorder.js").AttentionMap} AttentionMap
 * @typedef {{kind: string, layer: number | null, head: number | null}} Head an average if layer or head is null
 * @typedef {{id: string, places: number, of(head: Head): number | null}} Column
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
 * @param {AttentionMap[]} maps
 * @returns {Column[]}
 */
export function makeColumns(maps) {
  return STATISTICS.map(({ id, number, places }) => ({
    id,
    places,
    of: ({ kind, layer, head }) => {
      const map = maps.find((map) => map.kind === kind);
      const rows = matrix(map, layer ?? "mean", head ?? "mean");
      const counted = kind === "decoder" && rows.length > 1 ? rows.slice(1) : rows;
      return number(counted, map, rows.length);
    },
  }));
}

/** @param {Head} head @param {Column[]} columns @param {Record<string, any>} words */
export function caption(head, columns, words) {
  const of = (/** @type {string} */ id) => columns.find((column) => column.id === id).of(head);
  const marker = words.caption_marker[head.kind];
  const items = [
    filledText(words.caption_entropy, { value: of("entropy").toFixed(1) }),
    filledText(marker.replace("{share:.0%}", "{share}"), { share: `${Math.round(100 * of("marker"))}%` }),
  ];
  if (head.kind !== "cross") items.push(filledText(words.caption_distance[head.kind], { count: of("distance").toFixed(1) }));
  return items;
}

/** @typedef {Float32Array[]} Rows */

const mean = (/** @type {number[]} */ numbers) => numbers.reduce((a, b) => a + b, 0) / (numbers.length || 1);
const sum = (/** @type {Float32Array} */ row, /** @type {(i: number) => number} */ times) => row.reduce((total, weight, i) => total + weight * times(i), 0);

/** -sum_i alpha_i log2 alpha_i in bits. @param {Rows} rows */
function entropy(rows) {
  return mean(rows.map((row) => -sum(row, (i) => (row[i] > 0 ? Math.log2(row[i]) : 0))));
}

/** The share on the token that stands for no word. @param {Rows} rows @param {AttentionMap} map */
function shareOnMarker(rows, { kind, queries, keys }) {
  const counted = kind === "cross" && rows.length > 1 && queries[queries.length - 1] === "<eos>" ? rows.slice(0, -1) : rows;
  const [at, marker] = kind === "decoder" ? [0, "<sos>"] : [keys.length - 1, "<eos>"];
  return keys[at] === marker ? mean(counted.map((row) => row[at])) : 0;
}

/** @param {Rows} rows @param {AttentionMap} map */
function shareOnPunctuation(rows, { keys }) {
  const marks = keys.map((key) => isPunctuation(bare(key)));
  return mean(rows.map((row) => sum(row, (i) => Number(marks[i]))));
}

/** sum_i alpha_i |i - j|, j carried over to the source in cross attention. @param {Rows} rows @param {AttentionMap} map @param {number} T */
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
