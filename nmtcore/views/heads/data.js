// @ts-check
// All heads of a Transformer as plain data, made in the browser: what heads/data.py makes of records on a server.

import { inBase64 } from "../kit/binary.js";
import { four } from "../kit/number.js";
import { wordDiff } from "../live/diff.js";
import { Tensor, columns as columnsOf } from "../live/tensor.js";
import { wordOf } from "../live/words.js";
import { codeOf, codeParts, isThere } from "./state.js";

const KINDS = ["cross", "encoder", "decoder"]; // in the order of the switch

/**
 * @typedef {import("../live/recorder.js").Trace} Trace
 * @typedef {import("./state.js").Head} Head
 * @typedef {import("./describe.js").Names} Names
 * @typedef {{queries: Tensor, keys: Tensor, arriving: Tensor, output: Tensor}} CellParts x_i, x_j, f(x_j) and the head's part of the output
 */

/**
 * @param {Trace} trace
 * @param {{chosen: Head, opening: Head, off: Head[], after: Trace | null, run: string, rescored: number | null,
 *   model: string, hue: string, panes: string[], pane: string, note: string, words: Record<string, any>, names: Names,
 *   changes: number[] | null, cell: CellParts | null}} shown
 */
export function headsData(trace, { chosen, opening, off, after, run, rescored, model, hue, panes, pane, note, words, names, changes, cell }) {
  const seen = after && run === "after" ? after : trace;
  return {
    panels: [],
    heads: {
      model,
      maps: mapsOf(trace),
      after: after && mapsOf(after),
      names,
      agreement: {},
      run,
      neighbors: null,
      hue,
      chosen,
      opening: codeOf(opening),
      off: off.map(codeOf),
      pane,
      panes,
      note,
      changes: changes && changes.map(four),
      best: null,
      vectors: cell && { run: seen === trace ? "before" : "after", ...vectorsOf(seen, chosen, cell) },
      effect: {
        off: off.map(codeOf),
        old: { parts: [[trace.text, false]], log_probability: trace.log_probability },
        rescored,
        new: after && after.text !== trace.text ? { parts: wordDiff(trace.text, after.text)[1], log_probability: after.log_probability } : null,
        why: "",
      },
    },
    words,
    sentence: trace.source_text,
    height: 260,
    compact: false,
    play: true,
  };
}

/**
 * The head that a code names, or null if the model has no such head.
 * @param {string} code
 * @param {Trace} trace
 * @returns {Head | null}
 */
export function readHead(code, { attention }) {
  const maps = Object.fromEntries(attention.map((map) => [map.kind, map]));
  const named = /^(cross|encoder|decoder)(\.(\d{1,3}|mean)){2}$/.test(code) ? codeParts(code) : null;
  return named && isThere(named, { maps }) ? named : null;
}

/** @param {Trace} trace */
const inOrder = ({ attention }) => [...attention].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));

/** @param {Trace} trace */
const mapsOf = (trace) =>
  Object.fromEntries(
    inOrder(trace).map(({ kind, layers, heads, queries, keys, weights }) => {
      const packed = Uint16Array.from(weights.data, (weight) => Math.round(Math.min(1, weight) * 65535));
      const words = { query_words: wordOf(queries), key_words: wordOf(keys) };
      return [kind, { layers, heads, queries, keys, ...words, weights: inBase64(packed) }];
    }),
  );

/**
 * q of every query, k and v of every key of one head.
 * @param {Trace} trace
 * @param {Head} place
 * @param {CellParts} cell
 */
function vectorsOf({ inner }, place, cell) {
  const [q, k, v] = headVectors(inner, place);
  const width = q.width;
  const vectors = { q, k, v, xi: cell.queries, xj: cell.keys, f: cell.arriving };
  const packed = Object.entries(vectors).map(([letter, rows]) => [letter, inBase64(first(rows, width).data)]);
  const lengths = (/** @type {Tensor} */ rows) => Array.from({ length: rows.rows }, (_, i) => Math.round(Math.hypot(...rows.row(i)) * 1e5) / 1e5);
  return { name: codeOf(place), width, norms: lengths(cell.arriving), totals: lengths(cell.output), ...Object.fromEntries(packed) };
}

/** The first numbers of each row. @param {Tensor} rows @param {number} count */
const first = (rows, count) => (rows.width === count ? rows : columnsOf(rows, 0, count));

/**
 * q of every query, k and v of every key of one head, each (T or S, K).
 * @param {Record<string, Tensor>} inner
 * @param {Head} place of a single head
 */
export function headVectors(inner, { kind, layer, head }) {
  return ["query", "key", "value"].map((part) => {
    const { shape, data } = inner[`${kind}_${part}`];
    const width = shape[3];
    const steps = kind === "decoder" || `${kind}_${part}` === "cross_query"; // (T, L, H, K), else (L, H, S, K)
    const count = steps ? shape[0] : shape[2];
    const rows = new Tensor([count, width]);
    for (let i = 0; i < count; i++) {
      const at = steps ? (i * shape[1] + layer) * shape[2] + head : (layer * shape[1] + head) * shape[2] + i;
      rows.row(i).set(data.subarray(at * width, (at + 1) * width));
    }
    return rows;
  });
}
