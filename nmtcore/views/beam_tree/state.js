// @ts-check
// State of the tree: what the reader has chosen in it, in one object, with one parse and one serialise.

import { four } from "../kit/number.js";

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
 * @param {import("../kit/records.js").BeamTreeRecord} data
 * @returns {State}
 */
export function parse({ alpha, beta, step, dropped, later }, { attention, defaults }) {
  return {
    penalties: { alpha: alpha ?? defaults.alpha, beta: attention ? (beta ?? defaults.beta) : 0 },
    mode: dropped ?? "step",
    step: step ?? 0,
    whole: !step || later === "shown",
    ...IDLE,
  };
}

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
