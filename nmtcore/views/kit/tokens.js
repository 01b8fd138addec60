// @ts-check
// From pieces to what is shown: axes of pieces or words, with or without <eos> and punctuation.

import { bare, CONTINUED, goesOnAt, pieceName } from "./piece.js";

const SPECIAL = /^<(pad|unk|sos|eos)>$/;
/** Whether a text is punctuation alone. @param {string} text */
export const isPunctuation = (text) => /^\p{P}+$/u.test(text);

/**
 * @typedef {object} Group what a row or a column shows
 * @property {number[]} indices
 * @property {string} label
 * @property {boolean} faint
 * @property {boolean} later still to come
 * @property {boolean} goesOn whether it is a piece that continues the word before it
 * @property {boolean} [waits] still to come and shown in grey
 * @property {number | null} [probability] of the word, if known
 * @property {boolean} [doubtful] whether to mark it as low
 * @typedef {{words: boolean, hide: boolean, rule?: "top" | "least", percent?: number}} Switches what the figures show
 * @typedef {Omit<import("./records.js").PanelRecord, "hue" | "weights"> & {hue: any, weights: ArrayLike<number>[] | null,
 *   as?: string, twin?: boolean, among?: string, unnormalized?: boolean, looks?: string | null}} Panel a model's column;
 *   hue: parsed when drawn; as: how it is drawn; twin: whether another draws the same matrix in another way; among:
 *   the kind of attention that it is of; unnormalized: whether its rows do not add up to 1, as for lengths in place of
 *   weights; looks: the sentence about a cell, if not how much a word looks at another
 */

// An axis is a list of groups, each with a label and its piece positions. Those with a piece from
// `until` on are still to come while a decode is played: they keep their place, invisible. words: the number of each
// piece's word, by the rule of the library.
export function makeAxis(pieces, words, view, until = Infinity) {
  /** @type {number[][]} */
  const spans = [];
  for (const i of pieces.keys()) {
    const last = spans.at(-1);
    if (view.words && last && words[last[0]] === words[i]) last.push(i);
    else spans.push([i]);
  }
  const groups = spans.map((indices) => {
    const whole = indices.filter((i) => pieces[i] !== CONTINUED);
    const text = whole.map((i) => bare(pieces[i])).join("");
    const faint = !text || (indices.length === 1 && SPECIAL.test(text));
    const label = text || pieceName(pieces[indices[0]]);
    return { indices, label, faint, later: indices.at(-1) >= until, goesOn: goesOnAt(pieces, indices[0], words) };
  });
  const kept = groups.filter((group) => !view.hide || !isHidden(group, pieces));
  return kept.length ? kept : groups; // a sentence of punctuation alone is kept
}

// Punctuation within a word, as in J'ai or 9:45, is part of it.
function isHidden({ indices, label }, pieces) {
  const closing = indices[0] === pieces.length - 1 && pieces[indices[0]] === "<eos>"; // not a typed "<eos>" within the sentence
  return closing || isPunctuation(label);
}

// Weights for the axes: summed over source pieces, averaged over target pieces, NaN where masked or still to come.
function makeWeights(panel, rows, columns, view) {
  return rows.map((row) => {
    if (row.later) return columns.map(() => NaN);
    const line = columns.map((column) => cell(panel, row, column));
    const total = line.reduce((sum, w) => sum + (w || 0), 0);
    return view.hide && total > 0 && !panel.unnormalized ? line.map((w) => w / total) : line;
  });
}

function cell(panel, row, column) {
  let sum = 0;
  let open = false;
  for (const t of row.indices) {
    for (const s of column.indices) {
      if (panel.kind === "decoder" && s > t) continue;
      open = true;
      sum += panel.weights[t][s];
    }
  }
  return open ? sum / row.indices.length : NaN;
}

// What one panel shows under the present switches, up to a step of decoding; drawn, linked and saved from this alone.
export function makeView(panel, view, step = null) {
  const until = step !== null && panel.played ? step : Infinity;
  const axis = makeAxis(panel.target, panel.target_words, view, until);
  const rows = axis.map((row) => ({ ...row, ...marksOf(panel, row) }));
  const columns = makeAxis(panel.source, panel.source_words, view, panel.kind === "decoder" ? until : Infinity);
  const weights = panel.weights ? makeWeights(panel, rows, columns, view) : null;
  const windows = panel.windows?.length ? rows.map((row) => windowOf(panel.windows, row, columns)) : [];
  return { panel, rows, columns, weights, windows, links: { rule: view.rule, percent: view.percent } };
}

// The first and last column that a row's pieces may see, by local attention; null for none, or a later row.
function windowOf(windows, row, columns) {
  if (row.later) return null;
  const [firsts, lasts] = [0, 1].map((end) => row.indices.map((t) => windows[t][end]));
  const [from, to] = [Math.min(...firsts), Math.max(...lasts)];
  const inside = columns.map((column) => column.indices.some((s) => s >= from && s <= to));
  return inside.includes(true) ? [inside.indexOf(true), inside.lastIndexOf(true)] : null;
}

// For the word of a row, or of its piece; a word still to come is not marked.
function marksOf({ target_words: wordOf, probabilities = [], doubtful = [], waits = false }, { indices, later }) {
  const word = wordOf?.[indices[0]];
  const probability = later ? null : (probabilities[word] ?? null);
  return { probability, doubtful: !later && doubtful.includes(word), waits: later && waits };
}

// Whether a side of the picture is in a script without spaces between words.
export const unspaced = ({ panel }) =>
  [...panel.source, ...panel.target].some((piece) => /\p{Script=Han}/u.test(piece));

export const groupOf = (axis, piece) => axis.findIndex((group) => group.indices.includes(piece));
