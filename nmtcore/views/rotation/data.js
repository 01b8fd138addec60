// @ts-check
// Positional encodings as a rotation, made in the browser: what rotation/data.py makes on a server.

import { nameAt } from "../kit/piece.js";
import { inBase64 } from "../kit/binary.js";
import { sinusoids } from "../live/transformer.js";
import { wordOf } from "../live/words.js";

const OPENS = /** @type {Record<string, number>} */ ({ i: 8, position: 2, k: 3 });
const LEAST = 32; // positions that are drawn, or as many as the sentence has
const MAX_DISTANCE = 32; // distance k

/**
 * @param {string[]} pieces of the source with `<eos>`
 * @param {number} width D
 * @param {{title: string, hue: string, words: Record<string, any>}} shown
 */
export function rotationData(pieces, width, { title, hue, words }) {
  const positions = Math.max(LEAST, pieces.length);
  const table = sinusoids(positions + MAX_DISTANCE, width);
  const last = /** @type {Record<string, number>} */ ({ i: width / 2 - 1, position: positions - 1, k: MAX_DISTANCE });
  const groups = wordOf(pieces);
  return {
    values: inBase64(table.data),
    width,
    rows: table.rows,
    rates: Array.from({ length: width / 2 }, (_, pair) => 10000 ** ((-2 * pair) / width)),
    tokens: pieces.map((_, i) => nameAt(pieces, i, groups)),
    first: { i: 0, position: 0, k: 1 },
    opens: Object.fromEntries(Object.entries(OPENS).map(([name, value]) => [name, Math.min(value, last[name])])),
    last,
    hue,
    title,
    words,
  };
}
