// @ts-check
// Words: pieces grouped into words, as in nmtcore/text/words.py. Words are separated by spaces; the punctuation at
// either end of one is a word of its own. In a script without spaces the browser's segmenter decides where words end; the
// library uses jieba there, whose dictionary is as large as a model, and the two may differ.

import { SPACE, CONTINUED, bare } from "../kit/piece.js";
import { Tensor } from "./tensor.js";
import { SPECIAL } from "./vocabulary.js";

const BLANK = "␣"; // shown for a space that stands alone
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;

/** Whether a text has a character of a script without spaces, or of its punctuation. @param {string} text */
const isWide = (text) => WIDE.test(text);

/** Whether a text is punctuation alone. @param {string} text */
export const isPunctuation = (text) => /^\p{P}+$/u.test(text);

/**
 * The positions of each word's pieces, in order, every piece in one word. `<eos>` is a word.
 * @param {string[]} pieces
 * @returns {number[][]}
 */
export function groupPieces(pieces) {
  const characters = wholeCharacters(pieces);
  return chunks(pieces, characters).flatMap((chunk) => {
    const [start, end] = core(chunk.map((i) => bare(characters[i])));
    return [chunk.slice(0, start), chunk.slice(start, end), chunk.slice(end)].filter((part) => part.length);
  });
}

/** The number of the word that each piece belongs to. @param {string[]} pieces */
export const wordOf = (pieces) => groupPieces(pieces).flatMap((group, number) => group.map(() => number));

/** A word as it is shown. @param {string[]} pieces @param {number[]} group */
export const wordLabel = (pieces, group) =>
  group.filter((i) => pieces[i] !== CONTINUED).map((i) => bare(pieces[i])).join("") || BLANK;

/**
 * One layer and head of an attention map as rows, averaged over what is "mean".
 * @param {import("./recorder.js").AttentionMap} map
 * @param {number | "mean"} layer
 * @param {number | "mean"} head
 */
export function matrix({ weights, layers, heads, queries, keys }, layer, head) {
  const [T, S] = [queries.length, keys.length];
  const chosen = (/** @type {number | "mean"} */ index, /** @type {number} */ size) =>
    index === "mean" ? Array.from({ length: size }, (_, i) => i) : [index];
  const mean = new Tensor([T, S], new Float32Array(T * S));
  const places = chosen(layer, layers).flatMap((l) => chosen(head, heads).map((h) => (l * heads + h) * T * S));
  for (const at of places) for (let i = 0; i < T * S; i++) mean.data[i] += weights.data[at + i] / places.length;
  return Array.from({ length: T }, (_, t) => mean.row(t));
}

/** The pieces, with those of a character's further bytes replaced by that character. @param {string[]} pieces */
function wholeCharacters(pieces) {
  /** @type {string[]} */
  const whole = [];
  for (const piece of pieces) whole.push(piece === CONTINUED && whole.length ? bare(whole[whole.length - 1]) : piece);
  return whole;
}

/** The parts between spaces, or from a segmenter in a script without spaces; a special piece is a part by itself. @param {string[]} pieces @param {string[]} characters */
function chunks(pieces, characters) {
  /** @type {number[][]} */
  const words = [];
  const within = withinWords(pieces);
  const apart = characters.map((piece) => SPECIAL.includes(piece) || isWide(piece));
  characters.forEach((piece, i) => {
    const before = i ? characters[i - 1] : SPACE;
    const alone = pieces[i] !== CONTINUED && (apart[i] || (i > 0 && apart[i - 1])) && !within.has(i);
    if (i === 0 || piece.startsWith(SPACE) || (alone && before !== SPACE)) words.push([]);
    words[words.length - 1].push(i);
  });
  return words;
}

/** The pieces, in a script without spaces, that continue a word begun by the piece before them. @param {string[]} pieces */
function withinWords(pieces) {
  const within = new Set();
  /** @type {number[]} */
  let run = [];
  [...pieces, SPACE].forEach((piece, i) => {
    if (piece === CONTINUED) return;
    if (run.length && (piece.startsWith(SPACE) || SPECIAL.includes(piece) || !isWide(piece))) {
      for (const place of goingOn(run.map((k) => bare(pieces[k])), run)) within.add(place);
      run = [];
    }
    if (isWide(piece)) run.push(i);
  });
  return within;
}

/** Among consecutive pieces, the places of those that do not begin a word. @param {string[]} texts @param {number[]} places */
function goingOn(texts, places) {
  if (texts.length < 2) return [];
  const starts = new Set([...segments(texts.join(""))].map(({ index }) => index));
  let at = 0;
  return places.filter((_, k) => {
    const start = at;
    at += texts[k].length;
    return start > 0 && !starts.has(start);
  });
}

const segments = (/** @type {string} */ text) => new Intl.Segmenter("zh", { granularity: "word" }).segment(text);

/** Where the punctuation at the beginning of a chunk ends, and where that at its end begins. @param {string[]} parts */
function core(parts) {
  const inner = (/** @type {string} */ part) => Boolean(part) && !isPunctuation(part);
  const first = parts.findIndex(inner);
  if (first < 0) return [0, parts.length];
  return [parts.slice(0, first).some(Boolean) ? first : 0, parts.findLastIndex(inner) + 1];
}
