// @ts-check
// State of the gates of a deep decoder: a step and a layer, in one object, with one parse and one serialise.

/** @typedef {{place: {word: number, part: number}, layer: number}} State place: the step; layer: from 0 */

/**
 * @param {Record<string, any>} slice as the host has it
 * @param {{T: number, layers: object[]}} record T target pieces
 * @returns {State}
 */
export function parse({ step, layer }, { T, layers }) {
  const place = { word: step && step <= T ? step - 1 : 0, part: 0 };
  return { place, layer: layer && layer <= layers.length ? layer - 1 : 0 };
}

/** The inverse of `parse`. @param {State} state */
export const serialise = ({ place, layer }) => ({ step: place.word + 1, layer: layer + 1 });
