// @ts-check
// The attention of all layers and heads, sent once: 16-bit numbers in base64, 65535 for a weight of one.

import { bytes } from "../kit/binary.js";

const decoded = new Map(); // base64 to numbers: a later run of the page sends the same maps again

function numbers(base64) {
  if (!decoded.has(base64)) {
    if (decoded.size > 6) decoded.clear();
    decoded.set(base64, { values: new Uint16Array(bytes(base64)), shown: new Map() });
  }
  return decoded.get(base64);
}

/**
 * T rows of S weights of one layer and head; null averages over all except those that are off.
 * @param {import("../kit/records.js").HeadMap} map
 * @param {number | null} layer
 * @param {number | null} head
 * @param {import("./state.js").Place[]} off
 * @returns {Float32Array[]}
 */
export function weightsOf(map, layer, head, off = []) {
  const { values, shown } = numbers(map.weights);
  const all = range(layer, map.layers).flatMap((l) => range(head, map.heads).map((h) => [l, h]));
  const counts = (/** @type {number[]} */ [l, h]) => !off.some((place) => place.layer === l && place.head === h);
  const on = layer === null || head === null ? all.filter(counts) : all;
  const key = on.join(" ");
  if (!shown.has(key)) shown.set(key, averaged(map, values, on));
  return shown.get(key);
}

const range = (index, size) => (index === null ? [...Array(size).keys()] : [index]);

function averaged({ queries, keys, heads }, values, places) {
  const [rows, width] = [queries.length, keys.length];
  const sum = new Float32Array(rows * width);
  for (const [l, h] of places) {
    const start = (l * heads + h) * sum.length;
    for (let i = 0; i < sum.length; i += 1) sum[i] += values[start + i];
  }
  const scale = 65535 * Math.max(1, places.length);
  for (let i = 0; i < sum.length; i += 1) sum[i] /= scale;
  return Array.from({ length: rows }, (_, t) => sum.subarray(t * width, (t + 1) * width));
}
