// @ts-check
// Pieces in a line, each a link to its place; target pieces still to come are gaps.

import { button, el, set } from "./dom.js";
import { bringIntoSight } from "./reach.js";

// title: what a click does, for screen readers; labels: [{label, faint, goesOn}]; go(word). Returns the line and
// show(word, known): known words have been written.
export function makeChips(title, labels, go) {
  let scrolls = null; // measured once: it costs a layout
  const chips = labels.map(({ label, faint, goesOn }, word) => {
    const names = ["chip", faint && "quiet", goesOn && "goes-on"].filter(Boolean);
    return button(() => go(word), { class: names.join(" ") }, label);
  });
  const node = el("div", { class: "chips scrolls", role: "group", "aria-label": title }, ...chips);
  return { node, show };

  function show(now, known) {
    chips.forEach((chip, word) => {
      set(chip, { "aria-current": word === now && "step", "data-to-come": word >= known && word !== now });
    });
    if (!node.isConnected) return;
    scrolls ??= overflows();
    const chip = chips[now];
    if (scrolls && chip) bringIntoSight(node, { x: chip.offsetLeft, width: chip.offsetWidth });
  }

  // Smaller if they do not fit on a line, and scrolled if they still do not.
  function overflows() {
    const over = () => node.scrollWidth > node.clientWidth + 1;
    if (over()) node.classList.add("dense");
    return over();
  }
}

/**
 * The pieces of both sentences as two lines of chips, one of them chosen.
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
