// @ts-check
// The record as the server sent it, with the lookups that parts of the picture share.

import { parse } from "../kit/color.js";
import { filledText } from "../kit/dom.js";
import { lowered, quote } from "../kit/notation.js";
import { namedCandidates, sentenceName } from "../kit/piece.js";
import { softmax } from "./softmax.js";
import { makeAxis } from "../kit/tokens.js";

// source and target stay pieces; labels, said and inputs are what people read, without sentencepiece's marks.
/**
 * @typedef {object} Sent what `data` in walkthrough/data.py returns; rows are target pieces (T), columns source pieces (S)
 * @property {string} id of this decode
 * @property {string} hue
 * @property {boolean} asksBefore whether the query is the state before the word
 * @property {string[]} source
 * @property {string[]} target
 * @property {number[]} source_words the number of each piece's word
 * @property {number[]} target_words
 * @property {number[][]} states (S, K), the first components
 * @property {number[][]} query (T, K)
 * @property {number[][]} scores (T, S)
 * @property {number[][]} weights (T, S)
 * @property {number[][]} context (T, K)
 * @property {number[][]} state (T, K), s of the word
 * @property {number[][]} output (T, K), h~ of the word, from which its probability is computed
 * @property {number[]} normalizers log of the sum over the vocabulary that the probability is divided by
 * @property {[string, number, number][][]} candidates piece, probability and id, of each step
 * @property {{step: number, at: number | null, code: string} | null} override the step whose attention was replaced
 * @property {any} words
 */

/** @param {Sent & Record<string, any>} sent */
export function read(sent) {
  const axis = (pieces, words) => makeAxis(pieces, words, { words: false, hide: false }).map(sentenceName);
  const labels = axis(sent.source, sent.source_words);
  const said = axis(sent.target, sent.target_words);
  const inputs = ["<sos>", ...said];
  const record = {
    ...sent,
    hue: parse(sent.hue),
    ...{ labels, said, inputs },
    candidates: namedCandidates(sent.candidates),
    // The softmax weights before they were replaced; null if they were not.
    own: (j) => (sent.override?.step === j ? softmax(sent.scores[j]) : null),
    symbol: (kind, j) => `${letter(kind)}<sub>${index(kind, j)}</sub>`,
    plain: (kind, j) => `${letter(kind)}${lowered(index(kind, j))}`,
    // The inputs of h~ besides the one at the picture's arrow.
    joined: (j) => (sent.asksBefore ? `+ C<sub>${j + 1}</sub>, e(y<sub>${j}</sub>)` : `+ s<sub>${j + 1}</sub>`),
    reader: (j) =>
      filledText(sent.asksBefore ? sent.words.reader_before : sent.words.reader, {
        ...{ j: j + 1, last: quote(inputs[j]) },
        query: `s${lowered(index("query", j))}`,
      }),
  };
  return record;

  // The decoder asks before its step (Bahdanau) or after it (Luong); C then goes into s, or with s into h~.
  function index(kind, j) {
    return kind === "query" && sent.asksBefore ? j : j + 1;
  }
  function letter(kind) {
    return { query: "s", state: "s", context: "C", output: "h\u0303" }[kind];
  }
}
