// @ts-check
// State of the panels: what the reader has chosen in them, in one object, with one parse and one serialise.

import { readView, writePick, writeView } from "../kit/address.js";

/**
 * pick: pieces whose row, column or cell stays marked, or the whole word of a target piece; view: how the panels are drawn; step: the played step,
 * from 1, null for all of it; stepped: whether somebody has played, so that candidates have room below the figures;
 * hover: what is pointed at. The first three are in the address.
 * @typedef {{panel: number, target: number | null, source: number | null, word?: unknown}} Pick
 * @typedef {{panel: number, row: number, col: number, rows?: number[]}} Focus rows: those of a whole word, `row` the first
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

/** The inverse of `parse`. @param {State} state @param {boolean} plays */
export const serialise = ({ pick, view, step }, plays) => ({
  pick: writePick(pick),
  view: writeView(view),
  ...(plays ? { step } : {}),
});

export const same = (a, b) => (!a || !b ? !a && !b : a.panel === b.panel && a.row === b.row && a.col === b.col && !a.rows === !b.rows);

const tokens = (panel) => JSON.stringify([panel.source, panel.target]);

// Whether the panels have the same tokens as before, as far as those had arrived.
export const sameTokens = (before, after) =>
  before.length === after.length &&
  before.every((panel, i) => !panel.target.length || tokens(panel) === tokens(after[i]));

// A pick survives new data only if its tokens are the same, or have not arrived yet.
export function outlives(pick, before, after) {
  if (!after) return false;
  if (!after.target.length) return true;
  const inside = (pick.target ?? 0) < after.target.length && (pick.source ?? 0) < after.source.length;
  return inside && (!before?.target.length || tokens(before) === tokens(after));
}
