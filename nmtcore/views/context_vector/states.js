// @ts-check
// The record as the server sent it: h_1 .. h_S, C and s_1 .. s_T as rows of one block of numbers.

import { parse } from "../kit/color.js";
import { bytes } from "../kit/binary.js";
import { lowered } from "../kit/notation.js";
import { inputName, namedCandidates } from "../kit/piece.js";
import { makeAxis } from "../kit/tokens.js";

const FULL = 32767; // stands for 1

/**
 * @typedef {object} Sent what `data` in context_vector/data.py returns
 * @property {string} sentence
 * @property {string} hue
 * @property {number} size D
 * @property {string} cells (S + 1 + T, D), 16-bit numbers in base64
 * @property {string[]} source
 * @property {string[]} target
 * @property {number[]} source_words the number of each piece's word
 * @property {number[]} target_words
 * @property {boolean} bothWays whether the encoder reads both ways
 * @property {boolean} everyStep whether the decoder gets C at every step
 * @property {string} cell rnn, gru or lstm
 * @property {Gates | null} gates
 * @property {number[]} taken token ids
 * @property {number[]} probabilities
 * @property {[string, number, number][][]} candidates piece, probability and id, of each step
 * @property {Record<string, any>} words
 */

/**
 * @typedef {object} Gates of the decoder's last layer at every step
 * @property {number} layers of the decoder
 * @property {Record<string, number[]>} means over all units of each gate
 * @property {{name: string, values: number[][], norms: number[] | null}[]} rows the first numbers of each vector, a step
 */

/** @param {Sent} sent */
export function read(sent) {
  const axis = (pieces, words) => makeAxis(pieces, words, { words: false, hide: false });
  const [source, target] = [axis(sent.source, sent.source_words), axis(sent.target, sent.target_words)];
  const numbers = new Int16Array(bytes(sent.cells));
  const [S, T, D] = [source.length, target.length, sent.size];
  return {
    ...sent,
    id: `${sent.sentence} ${sent.cells}`, // of this translation by this model
    ...{ S, T, D, source, target },
    hue: parse(sent.hue),
    candidates: namedCandidates(sent.candidates),
    value: (column, component) => numbers[column * D + component] / FULL,
    row: (column, count = D) => Array.from(numbers.subarray(column * D, column * D + count), (n) => n / FULL),
    // Columns are counted from 0: the encoder's, then C's, then the decoder's.
    state: (column) => (column < S ? `h${lowered(column + 1)}` : column === S ? "C" : `s${lowered(column - S)}`),
    word: (column) => (column < S ? source[column] : column === S ? null : target[column - S - 1]),
    input: (step) => inputName(target, step),
  };
}
