// @ts-check
// State of the stepper: what the reader has chosen in it, in one object, with one parse and one serialise.

import { PARTS, placeAt, placeFrom, writePlace } from "../kit/place.js";

export const OPENING = placeAt(PARTS - 1); // the first word with all its steps, so that the picture is not empty

/**
 * place: the word and its step; fresh: nobody has stepped yet, so that one step on is the first; source: the piece that
 * was clicked, hover: that is pointed at, -1 for none; temperature: of the softmax; lacking: a place that was asked for
 * but does not exist.
 * @typedef {{word: number, part: number}} Place
 * @typedef {{place: Place, fresh: boolean, source: number, hover: number, temperature: number, lacking: string | null}} State
 */

/**
 * @param {Record<string, any>} slice as the host has it
 * @param {Record<string, any>} record of record.js
 * @returns {State}
 */
export function parse({ place, temperature }, { target }) {
  const linked = placeFrom(place, target.length);
  const lacking = place && !linked ? [place.word, place.part].filter((number) => number !== null).join(".") : null;
  return { place: linked ?? OPENING, fresh: !linked, source: -1, hover: -1, temperature: temperature ?? 1, lacking };
}

/**
 * The inverse of `parse`, and the override that the record was made with.
 * @param {State} state
 * @param {Record<string, any>} record
 */
export const serialise = ({ place, fresh, temperature }, { override, mark, lab }) => ({
  place: fresh ? null : writePlace(place),
  override: override && `${override.code}.${mark}`,
  ...(lab ? { temperature: code(temperature) } : {}),
});

const code = (/** @type {number} */ tau) => (tau === 1 ? null : String(Number(tau.toPrecision(3))));
