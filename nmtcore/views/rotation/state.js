// @ts-check
// State of the rotation: the values of its three sliders, in one object, with one parse and one serialise.

/**
 * i: the pair of dimensions; position: the start; k: the distance from there.
 * @typedef {{i: number, position: number, k: number}} State
 * @typedef {{first: State, opens: State, last: State}} Limits as `limits` in rotation/data.py made them
 */

const NAMES = /** @type {(keyof State)[]} */ (["i", "position", "k"]);

/**
 * @param {Record<string, any>} slice as the host has it
 * @param {Limits} limits
 * @returns {State}
 */
export const parse = (slice, { first, opens, last }) =>
  each((name) => {
    const asked = slice[name] ?? opens[name];
    return asked < first[name] || asked > last[name] ? opens[name] : asked;
  });

/** The inverse of `parse`. @param {State} state @param {Limits} limits */
export const serialise = (state, { opens }) => each((name) => (state[name] === opens[name] ? null : state[name]));

/**
 * The state in a table that may be smaller than the one before.
 * @param {State} state
 * @param {Limits} limits
 * @returns {State}
 */
export const within = (state, { last }) => each((name) => Math.min(state[name], last[name]));

const each = (/** @type {(name: keyof State) => any} */ value) =>
  /** @type {any} */ (Object.fromEntries(NAMES.map((name) => [name, value(name)])));
