// @ts-check
// The record as the server sent it: for each side, s or t, the vectors of all layers and the logit lens, of all pieces.

import { bytes } from "../kit/binary.js";

const FULL = 32767; // stands for the largest number of a vector

/**
 * @typedef {object} Row a vector of all pieces
 * @property {string} name its key in `words.rows`
 * @property {string} values the first numbers of each piece's, 16 bits each in base64
 * @property {number[]} largest number of each piece's
 * @property {number[]} norms of whole vectors
 * @property {(number | null)[]} [shares] of the stream; null where only that is zero
 * @property {number[]} [active] units above zero
 * @property {number} [units]
 * @property {string} [part] that adds it
 * @property {string} [note] the message beside it
 * @property {string} [times] suffix of its name
 * @property {number} [says] the column of the lens that reads it
 * @typedef {{part: string, layer: number, says: [string, number, number][][]}} Stage piece, id and value of each piece
 * @typedef {object} Stack as `data` in residual_stream/data.py makes it
 * @property {"encoder" | "decoder"} stack
 * @property {string[]} names of the pieces of its sentence
 * @property {string[]} reads
 * @property {string[] | null} predicts
 * @property {string[]} switches
 * @property {Row[][]} layers
 * @property {Stage[]} lens
 * @property {number[]} columns of the lens that are drawn
 */

/** @param {Stack} sent */
export const readStack = (sent) => ({ ...sent, layers: sent.layers.map((rows) => rows.map(readRow)) });

// at(position): the row of one piece.
function readRow(row) {
  let numbers = null;
  return { ...row, at };

  function at(position) {
    numbers ??= new Int16Array(bytes(row.values));
    const count = numbers.length / row.norms.length;
    const own = numbers.subarray(position * count, (position + 1) * count);
    const { name, part, note, units, times = "" } = row;
    return {
      ...{ name, part, note, units, times },
      values: Array.from(own, (value) => (value / FULL) * row.largest[position]),
      norm: row.norms[position],
      share: row.shares && (row.shares[position] ?? Infinity),
      active: row.active?.[position],
    };
  }
}

// Of this translation by this model, with these parts off.
export function idOf({ model, sentence, off, effect, stacks }) {
  const ends = ["s", "t"].map((side) => stacks[side].layers.at(-1).at(-1).values);
  return JSON.stringify([model, sentence, off, effect, ends]);
}
