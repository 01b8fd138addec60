// @ts-check
// The pieces of both sentences as two lines of chips, one of them chosen.

import { makeChips } from "./chips.js";
import { el } from "./dom.js";

/**
 * @param {Record<string, {label: string, names: string[]}>} sides by their letters, s and t
 * @param {(place: {side: string, position: number}) => void} pick
 */
export function makePieceRows(sides, pick) {
  const rows = Object.entries(sides).map(([side, { label, names }]) => {
    const labels = names.map((name) => ({ label: name }));
    const chips = makeChips(label, labels, (position) => pick({ side, position }));
    const node = el("div", { class: "pieces", "data-side": side }, el("span", { class: "label" }, label), chips.node);
    return { side, node, show: chips.show };
  });
  return {
    nodes: rows.map(({ node }) => node),
    // position: null if the chosen piece is in neither line.
    show(/** @type {{side: string, position: number | null}} */ now) {
      for (const row of rows) row.show(row.side === now.side ? now.position : -1, Infinity);
    },
  };
}
