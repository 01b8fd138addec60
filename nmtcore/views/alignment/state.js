// @ts-check
// State of the panels: what the reader has chosen in them, in one object, with one parse and one serialise.

import { readView, writePick, writeView } from "../kit/address.js";

/**
 * pick: pieces whose row, column or cell stays marked; view: how the panels are drawn; step: of a decode that is played,
 * from 1, null for all of it; stepped: whether somebody has played, so that candidates have room below the figures;
 * hover: what the pointer is on. The first three are in the address.
 * @typedef {{panel: number, target: number | null, source: number | null}} Pick
 * @typedef {{panel: number, row: number, col: number}} Focus
 * @typedef {{pick: Pick | null, view: typeof import("../kit/address.js").VIEW, step: number | null, stepped: boolean, hover: Focus | null}} State
 */

/**
 * @param {Record<string, any>} slice as the host has it
 * @param {boolean} plays whether the panels have a player
 * @returns {State}
 */
export function parse(slice, plays) {
  const step = plays ? (slice.step ?? null) : null;
  return { pick: slice.pick ?? null, view: readView(slice.view ?? []), step, stepped: step !== null, hover: null };
}

/**
 * The inverse of `parse`.
 * @param {State} state
 * @param {boolean} plays
 */
export const serialise = ({ pick, view, step }, plays) => ({
  pick: writePick(pick),
  view: writeView(view),
  ...(plays ? { step } : {}),
});
