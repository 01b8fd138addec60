// @ts-check
// Rows of words, one below another; the likelier a word, the stronger the colour of its cell. A sentence that is
// too wide continues in a block below, with all its rows.

import { css, inkOn, weightColor } from "../kit/color.js";
import { set, svg } from "../kit/dom.js";
import { measure } from "../kit/layout.js";

const SIZE = 15; // px of the letters
const CELL = 28; // px, the height of a row
const AIR = 14; // in a cell, beside its word
const GAP = 4; // between words
const LEADING = 7; // between rows, for the line below a masked word
const BETWEEN = 14; // two blocks
const LEAST = 30;

/**
 * @typedef {{word: string, p: number, since?: number, new?: boolean, masked?: boolean}} Cell
 * point(row, place): called with what is pointed at; nulls when nothing is.
 * @param {Cell[][]} rows all of one length
 * @param {string[]} names of the rows
 * @param {import("../kit/color.js").RGB} hue
 * @param {import("../kit/color.js").Look} look
 * @param {number} room px
 * @param {(row: number | null, place: number | null) => void} point
 */
export function drawRows(rows, names, hue, look, room, point) {
  const { font } = look;
  const side = Math.ceil(Math.max(...names.map((name) => measure(name, 13, font)))) + 12;
  const wide = rows[0].map((_, i) =>
    Math.max(LEAST, ...rows.map((row) => Math.ceil(measure(row[i].word, SIZE, font)) + AIR)),
  );
  const places = blocks(wide, Math.max(room - side, Math.max(LEAST, ...wide)));
  const high = rows.length * (CELL + LEADING);
  const right = Math.max(...places.map(({ x }, i) => x + wide[i]));
  const count = (places.at(-1)?.block ?? 0) + 1;
  const sizes = { width: Math.ceil(side + right + 2), height: count * high + (count - 1) * BETWEEN + 2 };
  const node = svg("svg", { class: "rows", ...sizes, "font-family": font, role: "img" });
  const cells = rows.map((row, r) =>
    row.map((cell, i) => {
      const at = { x: side + places[i].x + 1, y: places[i].block * (high + BETWEEN) + r * (CELL + LEADING) + 1 };
      const framed = cell.since === r + 1; // written in this round
      const bold = framed && cell.new;
      return drawCell(cell, { framed, bold }, at, wide[i], hue, look);
    }),
  );
  for (let block = 0; block < (rows.length > 1 ? count : 1); block++) // a single row is named once
    for (const [r, name] of names.entries()) {
      const y = block * (high + BETWEEN) + r * (CELL + LEADING) + CELL / 2 + 5;
      node.append(svg("text", { x: side - 10, y, "font-size": 13, "text-anchor": "end", fill: css(look.muted) }, name));
    }
  cells.forEach((row, r) =>
    row.forEach((cell, i) => {
      cell.addEventListener("pointerenter", () => point(r, i));
      cell.addEventListener("pointerleave", () => point(null, null));
      node.append(cell);
    }),
  );
  set(node, { "aria-label": rows.map((row, r) => `${names[r]}: ${row.map((c) => c.word).join(" ")}`).join(". ") });
  return { node, show };

  // Words that have not been written yet keep their place.
  function show(/** @type {(row: number, place: number) => boolean} */ written) {
    cells.forEach((row, r) =>
      row.forEach((cell, i) => set(cell, { visibility: written(r, i) ? "visible" : "hidden" })),
    );
  }
}

/**
 * The position of each word: the number of its block, and px from the block's left end.
 * @param {number[]} wide
 * @param {number} room
 */
export function blocks(wide, room) {
  let [block, x] = [0, 0];
  return wide.map((width) => {
    if (x && x + width > room) [block, x] = [block + 1, 0];
    const made = { block, x };
    x += width + GAP;
    return made;
  });
}

function drawCell({ word, p, masked = false }, { framed, bold }, { x, y }, wide, hue, look) {
  const shade = weightColor(look, hue, p);
  const frame = framed ? css(look.text) : "none";
  const box = { x, y, width: wide, height: CELL, rx: 4, fill: css(shade), stroke: frame, "stroke-width": 1.5 };
  const letters = { x: x + wide / 2, y: y + CELL / 2 + 5, "font-size": SIZE, "text-anchor": "middle" };
  const ink = { fill: css(inkOn(look, shade)), "font-weight": bold ? 700 : 400 };
  const cell = svg("g", {}, svg("rect", box), svg("text", { ...letters, ...ink }, word));
  const under = { x1: x + 3, x2: x + wide - 3, y1: y + CELL + 3.5, y2: y + CELL + 3.5, "stroke-width": 2 };
  if (masked) cell.append(svg("line", { ...under, stroke: css(look.text), "stroke-dasharray": "4 3" }));
  return cell;
}
