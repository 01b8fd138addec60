// @ts-check
// State of the residual stream: what the reader has chosen in it, in one object, with one parse and one serialise.

/**
 * piece: the one shown; layer: the one asked for, from 1, since the other stack may have fewer; off: parts of layers.
 * @typedef {{side: string, position: number}} Piece
 * @typedef {{piece: Piece, layer: number, off: Set<string>}} State
 */

/**
 * @param {Record<string, any>} slice as the host has it
 * @param {Record<string, any>} data as `data` in residual_stream/data.py made it
 * @returns {State}
 */
export function parse(slice, data) {
  const { stacks } = data;
  const asked = slice.piece;
  const piece = asked && asked.position < stacks[asked.side].names.length ? asked : opening(data);
  const layer = slice.layer ?? 1;
  const last = stacks[piece.side].layers.length;
  return { piece, layer: layer <= last ? layer : 1, off: new Set(slice.off ?? data.off) };
}

/** The inverse of `parse`. @param {State} state @param {Record<string, any>} data */
export function serialise({ piece, layer, off }, { opens }) {
  const code = `${piece.side}${piece.position}`;
  return { piece: code === opens ? null : code, layer, off: [...off].join("_") || null };
}

/** @returns {Piece} */
const opening = (/** @type {Record<string, any>} */ { opens }) => ({ side: opens[0], position: Number(opens.slice(1)) });
