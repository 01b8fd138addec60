// @ts-check
// All heads of a Transformer as plain data, made in the browser: what heads/data.py makes of records on a server.

import { filledText } from "../kit/dom.js";
import { inBase64 } from "../kit/binary.js";
import { four } from "../kit/number.js";
import { Tensor, columns as columnsOf } from "../live/tensor.js";
import { wordOf } from "../live/words.js";
import { codeOf, codeParts, isThere } from "./state.js";
import { caption, makeColumns } from "./statistics.js";

const KINDS = ["cross", "encoder", "decoder"]; // in the order of the switch

/**
 * @typedef {import("../live/recorder.js").Trace} Trace
 * @typedef {import("./statistics.js").Head} Head
 * @typedef {Record<string, [string, string]>} Names the roles of heads, by code, with their shares
 * @typedef {{queries: Tensor, keys: Tensor, arriving: Tensor, output: Tensor}} CellParts x_i, x_j, f(x_j) and the head's part of the output
 * @typedef {{sentence: string, texts: [string, [string, boolean][]][]}} Effect what switching heads off did
 */

/**
 * @param {Trace} trace
 * @param {{chosen: Head, opening: Head, off: Head[], after: Trace | null, run: string, vectors: boolean, effect: Effect,
 *   model: string, hue: string, panes: string[], pane: string, words: Record<string, any>, names: Names,
 *   changes: number[] | null, cell: CellParts | null}} shown
 */
export function headsData(trace, { chosen, opening, off, after, run, vectors, effect, model, hue, panes, pane, words, names, changes, cell }) {
  const maps = inOrder(trace);
  const columns = makeColumns(maps);
  const rows = maps.flatMap(({ kind, layers, heads }) =>
    grid(layers, heads).map(([layer, head]) => rowOf({ kind, layer, head }, columns, words, names)),
  );
  const single = chosen.layer !== null && chosen.head !== null;
  const seen = after && run === "after" ? after : trace;
  return {
    panels: [],
    heads: {
      maps: mapsOf(trace, model, words, names),
      after: after && mapsOf(after, model, words, names),
      run,
      neighbors: null,
      hue,
      chosen,
      opening: codeOf(opening),
      off: off.map(codeOf),
      pane,
      panes,
      height: 260,
      columns: columns.map(({ id, places }) => ({ id, name: words.statistics[id][0], hint: words.statistics[id][1], places })),
      rows,
      changes: changes && changes.map(four),
      best: null,
      vectors: vectors && single ? { run: seen === trace ? "before" : "after", ...vectorsOf(seen, chosen, cell) } : null,
      effect: {
        off: off.map(codeOf).join("_"),
        sentence: effect.sentence,
        why: "",
        texts: effect.texts.map(([label, parts]) => ({ label, parts })),
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

/** All layers and heads. @param {number} layers @param {number} heads */
const grid = (layers, heads) => Array.from({ length: layers * heads }, (_, i) => [Math.floor(i / heads), i % heads]);

/** @param {Trace} trace @param {string} model @param {Record<string, any>} words @param {Names} names */
function mapsOf(trace, model, words, names) {
  const columns = makeColumns(inOrder(trace));
  return Object.fromEntries(
    inOrder(trace).map((map) => {
      const { kind, layers, heads, queries, keys, weights } = map;
      const [name, hint] = words.kinds[kind];
      const lines = [...Array(layers).keys(), null].map((layer) => [...Array(heads).keys(), null].map((head) => ({ kind, layer, head })));
      const titles = lines.map((line) => line.map((head) => titleOf(head, words, names)));
      const packed = Uint16Array.from(weights.data, (weight) => Math.round(Math.min(1, weight) * 65535));
      const made = {
        name,
        hint,
        layers,
        heads,
        queries,
        keys,
        query_words: wordOf(queries),
        key_words: wordOf(keys),
        weights: inBase64(packed),
        titles,
        roles: lines.map((line) => line.map((head) => roleOf(head, words, names))),
        saved: titles.map((line) => line.map((head) => filledText(words.saved, { model, kind: name, head }))),
        captions: lines.map((line) => line.map((head) => caption(head, columns, words))),
      };
      return [kind, made];
    }),
  );
}

/** @param {Head} place @param {Record<string, any>} words @param {Names} names */
function titleOf(place, words, names) {
  const { layer, head } = place;
  const name = layer === null ? (head === null ? "title_mean_of_all" : "title_mean_of_layers") : head === null ? "title_mean_of_heads" : "title";
  const title = numbered(words[name], { layer, head });
  const [role, share] = names[codeOf(place)] ?? [];
  return role ? filledText(words.named, { head: title, name: words.roles[role][0], share }) : title;
}

/** What a head looks at, in one word. @param {Head} head @param {Record<string, any>} words @param {Names} names */
const roleOf = (head, words, names) => words.roles[names[codeOf(head)]?.[0]]?.[1] ?? "";

/** @param {string} text @param {{layer: number | null, head: number | null}} head */
export const numbered = (text, { layer, head }) => filledText(text, { layer: (layer ?? 0) + 1, head: (head ?? 0) + 1 });

/** @param {Head} head @param {import("./statistics.js").Column[]} columns @param {Record<string, any>} words @param {Names} names */
const rowOf = (head, columns, words, names) => ({
  ...head,
  name: codeOf(head),
  title: [numbered(words.short_names[head.kind], head), roleOf(head, words, names)].filter(Boolean).join(" · "),
  switch: filledText(words.switch, { head: numbered(words.names[head.kind], head) }),
  statistics: columns.map((column) => four(column.of(head))),
});

/**
 * q of every query, k and v of every key of one head.
 * @param {Trace} trace
 * @param {Head} place
 * @param {CellParts | null} cell
 */
function vectorsOf({ inner }, place, cell) {
  const [q, k, v] = headVectors(inner, place);
  const width = q.width;
  const vectors = { q, k, v, ...(cell && { xi: cell.queries, xj: cell.keys, f: cell.arriving }) };
  const packed = Object.entries(vectors).map(([letter, rows]) => [letter, inBase64(first(rows, width).data)]);
  const lengths = (/** @type {Tensor} */ rows) => Array.from({ length: rows.rows }, (_, i) => Math.round(Math.hypot(...rows.row(i)) * 1e5) / 1e5);
  const whole = cell && { whole: cell.arriving.width, norms: lengths(cell.arriving), totals: lengths(cell.output) };
  return { name: codeOf(place), width, ...whole, ...Object.fromEntries(packed) };
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
