// @ts-check
// The cells of a figure that can be picked, for the keyboard: Plotly's own points take the pointer only. Unseen buttons
// lie over them; one takes part in the order of Tab, arrow keys go to the others (a roving tabindex), Enter picks.

import { el, set } from "../../nmtcore/views/kit/dom.js";

/** @typedef {{column: number, row: number, pick: number, name: string, x: number, y: number, width: number, height: number}} Cell */

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * @param {HTMLElement} grid
 * @param {{cells?: Cell[], host: string, title: string}} data
 * @param {(pick: number) => void} pick
 * @returns {() => void} what ends it
 */
export function showCells(grid, data, pick) {
  const { cells = [], host, title } = data;
  const figure = document.querySelector(`.st-key-${host}`);
  set(grid, { "aria-label": title, hidden: !cells.length });
  const now = JSON.stringify(cells);
  if (grid.dataset.cells !== now) fillGrid(grid, cells); // else the focus stays where it is
  grid.dataset.cells = now;
  if (!cells.length || !figure) return () => {};
  const follow = () => place(grid, figure);
  const resized = new ResizeObserver(follow);
  resized.observe(figure);
  const onClick = (event) => event.target.dataset.pick && pick(Number(event.target.dataset.pick));
  const onKey = (event) => move(grid, event);
  grid.addEventListener("focusin", follow);
  grid.addEventListener("click", onClick);
  grid.addEventListener("keydown", onKey);
  figure.addEventListener("scroll", follow, true);
  follow();
  return () => {
    resized.disconnect();
    grid.removeEventListener("focusin", follow);
    grid.removeEventListener("click", onClick);
    grid.removeEventListener("keydown", onKey);
    figure.removeEventListener("scroll", follow, true);
  };
}

function fillGrid(grid, cells) {
  const rows = new Map();
  for (const cell of cells) {
    const { column, row, pick, name, x, y, width, height } = cell;
    const button = el("button", {
      type: "button",
      role: "gridcell",
      tabindex: column || row ? -1 : 0,
      "aria-label": name,
      "data-pick": pick,
      "data-place": `${column},${row}`,
    });
    const style = { left: x - width / 2, top: y - height / 2, width, height };
    for (const [side, part] of Object.entries(style)) button.style[side] = `${100 * part}%`;
    if (!rows.has(row)) rows.set(row, el("div", { role: "row" }));
    rows.get(row).append(button);
  }
  grid.replaceChildren(...[...rows.keys()].sort((a, b) => a - b).map((row) => rows.get(row)));
}

// To the neighbour in a direction, where there is one.
function move(grid, event) {
  const step = STEPS[event.key];
  const from = event.target.dataset.place?.split(",").map(Number);
  if (!step || !from || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const to = grid.querySelector(`[data-place="${from[0] + step[0]},${from[1] + step[1]}"]`);
  if (!to) return;
  set(event.target, { tabindex: -1 });
  set(to, { tabindex: 0 });
  to.focus();
}

// Over the plot, between the axes, wherever it stands now.
function place(grid, figure) {
  const plot = figure.querySelector(".nsewdrag")?.getBoundingClientRect();
  const parent = grid.offsetParent?.getBoundingClientRect();
  if (!plot || !parent) return;
  const { scrollLeft, scrollTop } = grid.offsetParent;
  const sides = { left: plot.left - parent.left + scrollLeft, top: plot.top - parent.top + scrollTop };
  for (const [side, px] of Object.entries({ ...sides, width: plot.width, height: plot.height })) {
    grid.style[side] = `${px}px`;
  }
}
