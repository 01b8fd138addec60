// @ts-check
// All heads of a Transformer as plain data, made in the browser: what heads/data.py makes of records on a server.

import { filledText } from "../kit/dom.js";
import { inBase64 } from "../live/binary.js";
import { wordOf } from "../live/words.js";
import { caption, makeColumns } from "./statistics.js";

const KINDS = ["cross", "encoder", "decoder"]; // in the order of the switch

/**
 * @typedef {import("../live/recorder.js").Trace} Trace
 * @typedef {import("./statistics.js").Head} Head
 * @typedef {{sentence: string, texts: [string, [string, boolean][]][]}} Effect what switching heads off did
 */

/**
 * @param {Trace} trace
 * @param {{chosen: Head, opening: Head, off: Head[], after: Trace | null, run: string, vectors: boolean, effect: Effect,
 *   model: string, hue: string, panes: string[], pane: string, words: Record<string, any>}} shown
 */
export function headsData(trace, { chosen, opening, off, after, run, vectors, effect, model, hue, panes, pane, words }) {
  const maps = inOrder(trace);
  const columns = makeColumns(maps);
  const rows = maps.flatMap(({ kind, layers, heads }) =>
    grid(layers, heads).map(([layer, head]) => rowOf({ kind, layer, head }, columns, words)),
  );
  const single = chosen.layer !== null && chosen.head !== null;
  const seen = after && run === "after" ? after : trace;
  return {
    panels: [],
    heads: {
      maps: mapsOf(trace, model, words),
      after: after && mapsOf(after, model, words),
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
      changes: null,
      best: null,
      vectors: vectors && single ? { run: seen === trace ? "before" : "after", ...vectorsOf(seen, chosen) } : null,
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

/** A head as in the address, counted from one. @param {Head} head */
export const codeOf = ({ kind, layer, head }) => [kind, ...[layer, head].map((index) => (index === null ? "mean" : index + 1))].join(".");

/**
 * The head that a code names, or null where the model has none such.
 * @param {string} code
 * @param {Trace} trace
 * @returns {Head | null}
 */
export function readHead(code, { attention }) {
  const found = /^(cross|encoder|decoder)\.(\d{1,3}|mean)\.(\d{1,3}|mean)$/.exec(code);
  const map = found && attention.find(({ kind }) => kind === found[1]);
  if (!found || !map) return null;
  const [layer, head] = [found[2], found[3]].map((part) => (part === "mean" ? null : Number(part) - 1));
  const inside = (/** @type {number | null} */ index, /** @type {number} */ size) => index === null || (index >= 0 && index < size);
  return inside(layer, map.layers) && inside(head, map.heads) ? { kind: found[1], layer, head } : null;
}

/** @param {Trace} trace */
const inOrder = ({ attention }) => [...attention].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));

/** All layers and heads. @param {number} layers @param {number} heads */
const grid = (layers, heads) => Array.from({ length: layers * heads }, (_, i) => [Math.floor(i / heads), i % heads]);

/** @param {Trace} trace @param {string} model @param {Record<string, any>} words */
function mapsOf(trace, model, words) {
  const columns = makeColumns(inOrder(trace));
  return Object.fromEntries(
    inOrder(trace).map((map) => {
      const { kind, layers, heads, queries, keys, weights } = map;
      const [name, hint] = words.kinds[kind];
      const lines = [...Array(layers).keys(), null].map((layer) => [...Array(heads).keys(), null].map((head) => ({ kind, layer, head })));
      const titles = lines.map((line) => line.map((head) => titleOf(head, words)));
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
        roles: titles.map((line) => line.map(() => "")), // the names of heads come from a model's card, which is not here
        saved: titles.map((line) => line.map((head) => filledText(words.saved, { model, kind: name, head }))),
        captions: lines.map((line) => line.map((head) => caption(head, columns, words))),
      };
      return [kind, made];
    }),
  );
}

/** @param {Head} head @param {Record<string, any>} words */
function titleOf({ layer, head }, words) {
  const name = layer === null ? (head === null ? "title_mean_of_all" : "title_mean_of_layers") : head === null ? "title_mean_of_heads" : "title";
  return numbered(words[name], { layer, head });
}

/** @param {string} text @param {{layer: number | null, head: number | null}} head */
export const numbered = (text, { layer, head }) => filledText(text, { layer: (layer ?? 0) + 1, head: (head ?? 0) + 1 });

/** @param {Head} head @param {import("./statistics.js").Column[]} columns @param {Record<string, any>} words */
const rowOf = (head, columns, words) => ({
  ...head,
  name: codeOf(head),
  title: numbered(words.short_names[head.kind], head),
  switch: filledText(words.switch, { head: numbered(words.names[head.kind], head) }),
  statistics: columns.map((column) => Math.round(column.of(head) * 1e4) / 1e4),
});

/** q of every query, k and v of every key of one head. @param {Trace} trace @param {Head} place */
function vectorsOf({ inner }, { kind, layer, head }) {
  const own = kind === "cross" ? ["cross_query", "cross_key", "cross_value"] : ["query", "key", "value"].map((name) => `${kind}_${name}`);
  const [q, k, v] = own.map((name) => {
    const { shape, data } = inner[name];
    const width = shape[3];
    const steps = kind === "decoder" || name === "cross_query"; // (T, L, H, K), else (L, H, S, K)
    const count = steps ? shape[0] : shape[2];
    const found = new Float32Array(count * width);
    for (let i = 0; i < count; i++) {
      const at = steps ? (i * shape[1] + layer) * shape[2] + head : (layer * shape[1] + head) * shape[2] + i;
      found.set(data.subarray(at * width, (at + 1) * width), i * width);
    }
    return found;
  });
  const width = inner[own[0]].shape[3];
  return { name: codeOf({ kind, layer, head }), width, q: inBase64(q), k: inBase64(k), v: inBase64(v) };
}
