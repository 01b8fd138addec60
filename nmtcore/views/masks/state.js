// @ts-check
// State of masks and batches: what the reader has chosen, in one object, with one parse and one serialise.

/**
 * named: the chosen head, from 0, null if nobody has chosen one; row: the sentence, from 0, or null.
 * @typedef {import("./arithmetic.js").Place} Place
 * @typedef {Omit<Place, "row">} Head
 * @typedef {{named: Head | null, row: number | null}} State
 */

/** @type {Head} at first: in the decoder both masks hide something */
const OPENING = { kind: "decoder", layer: 0, head: 0 };

/** @param {Record<string, any>} slice as the host has it @returns {State} */
export function parse({ head, row }) {
  const first = (/** @type {number | "mean"} */ part) => (part === "mean" ? 0 : part - 1); // of those that are averaged
  const named = head ? { kind: head.kind, layer: first(head.layer), head: first(head.head) } : null;
  return { named, row: row ? row - 1 : null };
}

/** The inverse of `parse`. @param {State} state */
export const serialise = ({ named, row }) => ({
  head: named && `${named.kind}.${named.layer + 1}.${named.head + 1}`,
  row: row === null ? null : row + 1,
});

/**
 * What is shown: layer and head within this kind's range.
 * @param {State} state
 * @param {Record<string, any>} data as `data` in masks/data.py made it
 * @returns {Place}
 */
export function shown({ named, row }, { kinds, opens }) {
  const { kind, layer, head } = named ?? OPENING;
  const { layers, heads } = kinds[kind];
  return { kind, layer: layer < layers ? layer : 0, head: head < heads ? head : 0, row: row ?? opens };
}
