// @ts-check
// The alignment matrix so far: one more row with every word, from the softmax on.

import { set, svg } from "../kit/dom.js";
import { drawHeatmap } from "../kit/heatmap.js";
import { makeLayout } from "../kit/layout.js";
import { pointIn } from "../kit/projection.js";

const BORDER = 4; // px around the cells
const SMALLEST = 10; // px of a cell: the matrix has a third of the width, and must not scroll
let clips = 0; // clip path ids are global to the document

// The largest cells with which the names above and all rows fit `height` px.
export function layoutOf(view, width, height, font) {
  const { top } = makeLayout([view], width, height, font, SMALLEST);
  return makeLayout([view], width, height - top - BORDER, font, SMALLEST);
}

// view: as the alignment component draws it. on: called with a clicked row.
export function drawMatrix(view, layout, look, on) {
  const drawing = drawHeatmap(view, layout, look, false);
  const id = `known-${(clips += 1)}`;
  const known = svg("rect", { x: 0, y: 0, width: drawing.width, height: 0 });
  const cells = svg("g", { "clip-path": `url(#${id})` });
  const body = drawing.parts.body;
  const drawn = [...body.children].filter((node) => node.tagName === "rect");
  body.insertBefore(cells, drawn[0] ?? null);
  cells.append(...drawn);
  body.prepend(svg("clipPath", { id }, known));
  drawing.node.addEventListener("click", (event) => {
    const label = event.target.closest("[data-row]");
    const inside = event.target.closest("svg.body");
    if (!label && !inside) return;
    const row = label ? Number(label.dataset.row) : Math.floor(pointIn(event, body).y / layout.cell);
    if (view.rows[row]) on(row);
  });
  let scrolls = null; // measured once: it costs a layout
  const names = [...drawing.parts.side.querySelectorAll("[data-row]")];
  return { ...drawing, show };

  function show({ word, part }, source) {
    const rows = word + (part >= 2 ? 1 : 0);
    set(known, { height: rows * layout.cell + 1 });
    set(body, { "data-known": rows });
    names.forEach((name, r) => set(name, { opacity: r > word ? 0 : 1 }));
    const tint = part >= 2 ? view.weights[word] : null;
    drawing.mark({ rows: [word], col: source, tint, origin: true });
    const { isConnected, scrollHeight, clientHeight, scrollWidth, clientWidth } = drawing.node;
    if (!isConnected) return;
    scrolls ??= scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1;
    if (scrolls) drawing.reveal({ rows: [word], col: source, tint });
  }
}
