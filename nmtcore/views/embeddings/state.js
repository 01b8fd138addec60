// @ts-check
// State of the words as vectors: the piece that is picked, in one object, with one parse and one serialise.

/**
 * position: null for a row that is in neither sentence.
 * @typedef {{side: string, position: number | null}} Place
 * @typedef {{picked: Place}} State
 */

/**
 * @param {Record<string, any>} slice as the host has it
 * @param {Record<string, any>} data as `data` in embeddings/data.py made it
 * @returns {State | null} null if the record lacks what is asked for, or nothing is
 */
export function parse({ vectors }, data) {
  if (!vectors) return null;
  const { side, position, id } = vectors;
  const { ids } = data.sides[side];
  if (position !== null) return position < ids.length ? { picked: { side, position } } : null;
  if (ids.includes(id)) return { picked: { side, position: ids.indexOf(id) } };
  return data.other?.side === side && data.other.id === id ? { picked: { side, position: null } } : null;
}

/**
 * The inverse of `parse`; id: the number of a row that is in neither sentence.
 * @param {State} state
 * @param {number | undefined} id
 */
export const serialise = ({ picked: { side, position } }, id) => ({
  vectors: position === null ? `${side}.${id}` : `${side}${position}`,
});
