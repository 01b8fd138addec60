// @ts-check
// State of the heads: what the reader has chosen among them, in one object, with one parse and one serialise.

/**
 * kind, layer, head: the enlarged one, from 0, null for the mean; pane: the one beside it; off: the heads that are
 * switched off, as `cross.2.3`; run: whose attention is shown then; by: what the matrix beside one cell shows. preview:
 * the head that is pointed at; focus: the pieces that are pointed at or picked in the panels.
 * @typedef {{layer: number | null, head: number | null}} Place
 * @typedef {{kind: string, layer: number | null, head: number | null}} Head
 * @typedef {{target: number | null, source: number | null}} Focus
 * @typedef {Head & {pane: string, off: Set<string>, run: string, by: string, preview: Place | null, focus: Focus | null}} State
 */

export const PANES = ["grid", "head", "compare", "cell", "layer", "batch"]; // the page itself draws the last two

/**
 * @param {Record<string, any>} slice as the host has it
 * @param {import("../kit/records.js").HeadsRecord} heads what they open with if the host has no state
 * @returns {State}
 */
export function parse(slice, heads) {
  const stateless = !("head" in slice);
  const named = slice.head ? counted(slice.head) : codeParts(heads.opening);
  return {
    ...(!stateless && isThere(named, heads) ? named : heads.chosen),
    pane: slice.pane ?? (stateless ? heads.pane : PANES[0]),
    off: new Set((slice.off ?? heads.off).filter((/** @type {string} */ code) => isThere(codeParts(code), heads))),
    run: slice.run ?? (stateless ? heads.run : "after"),
    by: slice.by ?? "weight",
    preview: null,
    focus: null,
  };
}

/** The inverse of `parse`. @param {State} state @param {import("../kit/records.js").HeadsRecord} heads */
export function serialise({ kind, layer, head, pane, off, run, by }, { opening }) {
  const here = codeOf({ kind, layer, head });
  return {
    head: here === opening ? null : here,
    off: offCode(off) || null,
    run: off.size ? run : null,
    pane: pane === PANES[0] ? null : pane,
    by,
  };
}

/** A head as the address has it: counted from one, `mean` for an average. */
export const codeOf = (/** @type {Head} */ { kind, layer, head }) =>
  [kind, ...[layer, head].map((index) => (index === null ? "mean" : index + 1))].join(".");

export const offCode = (/** @type {Set<string>} */ off) => [...off].sort().join("_");

/**
 * Whether there is such a head.
 * @param {Head} place
 * @param {{maps: Record<string, {layers: number, heads: number}>}} heads
 */
export function isThere({ kind, layer, head }, { maps }) {
  const map = maps[kind];
  const inside = (/** @type {number | null} */ index, /** @type {number} */ size) => index === null || (index >= 0 && index < size);
  return Boolean(map) && inside(layer, map.layers) && inside(head, map.heads);
}

/** @returns {Head} */
export function codeParts(/** @type {string} */ code) {
  const [kind, layer, head] = code.split(".");
  return counted({ kind, layer, head });
}

/** @returns {Head} */
function counted(/** @type {{kind: string, layer: string | number, head: string | number}} */ { kind, layer, head }) {
  const [l, h] = [layer, head].map((part) => (part === "mean" ? null : Number(part) - 1));
  return { kind, layer: l, head: h };
}
