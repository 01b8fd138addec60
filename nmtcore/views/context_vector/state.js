// @ts-check
// State of the one vector: what the reader has chosen in it, in one object, with one parse and one serialise.

/**
 * place: the step shown; source: the clicked piece, -1 for none; lacking: a step that was asked for but
 * does not exist.
 * @typedef {{place: {word: number, part: number}, source: number, lacking: number | null}} State
 */

/**
 * @param {Record<string, any>} slice as the host has it
 * @param {{T: number}} record T target pieces
 * @returns {State}
 */
export function parse({ step }, { T }) {
  const there = (step ?? 1) <= T;
  return { place: { word: there && step ? step - 1 : 0, part: 0 }, source: -1, lacking: there ? null : step };
}

/** The inverse of `parse`. @param {State} state */
export const serialise = ({ place }) => ({ step: place.word + 1 });
