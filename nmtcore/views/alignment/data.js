// @ts-check
// Alignment panels as plain data, made in the browser: what alignment/data.py makes of a record on a server.

import { filledText } from "../kit/dom.js";
import { four } from "../kit/number.js";
import { idsOf } from "../live/recorder.js";
import { groupPieces, matrix, wordLabel, wordOf } from "../live/words.js";

const CANDIDATES = 6; // candidates per step: the written piece, and five others
const HALF = 0.5;

/**
 * @typedef {import("../live/recorder.js").Trace} Trace
 * @typedef {{title: string, hue: any, head: [number, number] | null, search?: string}} Shown how a model is shown: `head`, layer and head
 *   that align, counted from 0, or the mean over the heads of the last layer; search: address of its beam search
 */

/**
 * A decode: its cross attention, or the one vector of a model without attention.
 * @param {Trace} trace
 * @param {Shown} shown
 * @param {Record<string, any>} words the messages
 */
export function panel(trace, { title, hue, head, search }, words) {
  const cross = trace.attention.find(({ kind }) => kind === "cross") ?? null;
  const place = /** @type {[number, number | "mean"]} */ (head ?? [cross ? cross.layers - 1 : 0, "mean"]);
  const weights = cross && matrix(cross, ...place);
  const confidences = wordConfidences(trace);
  const summary = trace.inner.summary;
  return {
    ...waitingPanel({ title, hue }),
    source: trace.source,
    target: trace.target,
    source_words: wordOf(trace.source),
    target_words: wordOf(trace.target),
    weights: weights && weights.map((row) => Array.from(row, four)),
    played: true,
    vector: cross ? null : Array.from(summary.row(summary.rows - 1), four),
    translation: trace.text,
    parts: splitAtWords(trace.text, confidences),
    probabilities: confidences.map(({ probability }) => four(probability)),
    doubtful: confidences.flatMap(({ probability }, number) => (probability < HALF ? [number] : [])),
    generation: generation(trace).map(four),
    underlined: copiedWords(trace, confidences),
    search: search ?? null,
    caption: caption(trace, cross, place, words),
    candidates: trace.steps.map((step) => likeliest(step).map(({ token, log_probability: p, id }) => [token, four(Math.exp(p)), id])),
    taken: idsOf(trace),
  };
}

/** The place of a model that is still to come. @param {Pick<Shown, "title" | "hue">} shown */
export const waitingPanel = ({ title, hue }) => ({
  ...{ title, hue, source: [], target: [], source_words: [], target_words: [], weights: null, played: false },
  ...{ waits: true, vector: null, translation: "", parts: [], probabilities: [], doubtful: [], generation: [], underlined: [] },
  ...{ meaning: "note_copied", windows: [], kind: "cross", search: null, neighbors: null, caption: [] },
  ...{ candidates: [], taken: [] },
});

/** @param {Trace} trace @param {any} cross @param {[number, number | "mean"]} place @param {Record<string, any>} words */
function caption(trace, cross, [layer, head], words) {
  const items = [filledText(words.log_p, { value: trace.log_probability.toFixed(2).replace("-", "\u2212") })];
  if (cross && cross.layers * cross.heads > 1) {
    const name = head === "mean" ? words.mean_of_heads : words.layer_head;
    items.push(filledText(name, { layer: layer + 1, head: head === "mean" ? head : head + 1 }));
  }
  return trace.finished ? items : [...items, words.unfinished];
}

/** The top-k candidates of a step; the written piece takes the last place if it is not among them. @param {import("../live/recorder.js").Step} step */
function likeliest(step) {
  const likeliest = step.candidates.slice(0, CANDIDATES);
  return likeliest.some(({ id }) => id === step.id) ? likeliest : [...likeliest.slice(0, CANDIDATES - 1), step];
}

/**
 * Word-level confidence: the probability of each word of the translation, the product over its pieces.
 * @param {Trace} trace
 */
function wordConfidences({ target, steps }) {
  return groupPieces(target).map((pieces) => ({
    text: wordLabel(target, pieces),
    pieces,
    probability: Math.exp(pieces.reduce((sum, i) => sum + steps[i].log_probability, 0)),
  }));
}

/**
 * The text of a translation in parts, each with the number of its word; null for what lies between words.
 * @param {string} text
 * @param {{text: string}[]} words
 * @returns {[string, number | null][]}
 */
function splitAtWords(text, words) {
  /** @type {[string, number | null][]} */
  const parts = [];
  let end = 0;
  words.forEach((word, number) => {
    const start = text.indexOf(word.text, end);
    if (start < 0) return;
    if (start > end) parts.push([text.slice(end, start), null]);
    end = start + word.text.length;
    parts.push([text.slice(start, end), number]);
  });
  return end < text.length ? [...parts, [text.slice(end), null]] : parts;
}

/** g_j of every step; empty for a model without a pointer. @param {Trace} trace */
const generation = ({ inner }) => Array.from(inner.generate?.data ?? []);

/**
 * The numbers of the words whose pieces were all copied: the pointer gave each at least half of its probability.
 * @param {Trace} trace
 * @param {{pieces: number[]}[]} words
 */
function copiedWords(trace, words) {
  const g = generation(trace);
  if (!g.length) return [];
  const rows = matrix(trace.attention.find(({ kind }) => kind === "cross"), 0, 0);
  const copied = trace.steps.map(({ token, log_probability }, j) => {
    const pointed = trace.source.reduce((sum, piece, i) => sum + (piece === token ? rows[j][i] : 0), 0);
    return ((1 - g[j]) * pointed) / Math.exp(log_probability) >= HALF;
  });
  return words.flatMap(({ pieces }, number) =>
    trace.target[pieces[0]] !== "<eos>" && pieces.every((i) => copied[i]) ? [number] : [],
  );
}
