// @ts-check
// State of the tree: what the reader has chosen in it, in one object, with one parse and one serialise.

import { four } from "../kit/number.js";
import { MODES } from "./tools.js";

/**
 * penalties: used for ranking; mode: which dropped candidates are drawn; step: 0 for the most interesting; whole:
 * whether later steps are visible, hidden while the search is replayed. The rest is for the pointer and the keys:
 * picked: the node whose card stays; acting: whether the card offers actions; hover: what is pointed at; expanded:
 * whether a step shows all its dropped candidates.
 * @typedef {{penalties: {alpha: number, beta: number}, mode: string, step: number, whole: boolean, picked: any,
 *   acting: boolean, hover: any, expanded: boolean}} State
 */

const IDLE = { picked: null, acting: false, hover: null, expanded: false };

/**
 * @param {Record<string, any>} slice as the host has it
 * @param {import("../kit/records.js").BeamTreeRecord} data what it opens with if the host has no state
 * @returns {State}
 */
export function parse(slice, data) {
  const { alpha, beta } = "alpha" in slice ? { ...data.defaults, ...chosen(slice) } : data.penalties;
  const step = slice.step ?? ("step" in slice ? 0 : data.step);
  const mode = slice.dropped ?? ("dropped" in slice ? "step" : data.mode);
  return {
    penalties: { alpha, beta: data.attention ? beta : 0 },
    mode: MODES.includes(mode) ? mode : "step",
    step,
    whole: !step || ("later" in slice ? slice.later === "shown" : data.whole),
    ...IDLE,
  };
}

const chosen = (/** @type {Record<string, any>} */ { alpha, beta }) =>
  Object.fromEntries(Object.entries({ alpha, beta }).filter(([, value]) => value !== null));

/**
 * The inverse of `parse`. opening: the step that the tree opens with.
 * @param {State} state
 * @param {number} opening
 */
export function serialise({ penalties, mode, step, whole }, opening) {
  const usual = whole && step === opening;
  return {
    alpha: four(penalties.alpha),
    beta: four(penalties.beta),
    dropped: mode,
    step: usual ? null : step,
    later: usual || !whole ? null : "shown",
  };
}
