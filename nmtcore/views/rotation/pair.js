// @ts-check
// The table of positions as the server sent it, and one pair of its dimensions: a point for every position.

import { bytes } from "../kit/binary.js";

/**
 * The table (positions, D).
 * @param {{values: string, width: number}} sent values: 32-bit floats in base64, row by row
 * @returns {(position: number, dimension: number) => number}
 */
export function readTable({ values, width }) {
  const numbers = new Float32Array(bytes(values));
  return (position, dimension) => numbers[position * width + dimension];
}

// place: {i, position, k}. at(p) is what the model adds at p; q is k further.
export function pairAt(data, table, { i, position, k }) {
  const rate = data.rates[i];
  const at = (p) => ({ sin: table(p, 2 * i), cos: table(p, 2 * i + 1) });
  const turned = ({ sin, cos }) => {
    const [c, s] = [Math.cos(k * rate), Math.sin(k * rate)];
    return { sin: c * sin + s * cos, cos: -s * sin + c * cos };
  };
  return { i, p: position, q: position + k, k, rate, angle: k * rate, at, turned, error: error() };

  // The largest difference, over all positions, between the turned point and the point k further.
  function error() {
    let most = 0;
    for (let p = 0; p + k < data.rows; p += 1) {
      const [here, there] = [turned(at(p)), at(p + k)];
      most = Math.max(most, Math.abs(here.sin - there.sin), Math.abs(here.cos - there.cos));
    }
    return most;
  }
}

export const nameOf = (data, p) => [p, data.tokens[p]].filter((part) => part !== undefined).join(" ");
