// @ts-check
// The batch as one matrix of pieces: padding grey, the chosen row in bold. A column is as wide as its longest piece.

import { css, inkOn } from "../kit/color.js";
import { set, svg } from "../kit/dom.js";
import { measure } from "../kit/layout.js";
import { nameAt } from "../kit/piece.js";
import { hiddenColor, seenColor } from "./matrix.js";

const [HIGH, GAP] = [32, 3]; // px of a row, and between cells
const AIR = 10; // px in a cell, beside its piece
const [LARGE, SMALL] = [14, 12]; // px of the letters
const SIDE = 24; // px of the rows' numbers

/**
 * @param {string[][]} rows
 * @param {number[]} lengths of the rows before their padding
 * @param {number} chosen
 * @param {number} room px
 * @param {import("../kit/color.js").RGB} hue
 * @param {import("../kit/color.js").Look} look
 */
export function drawBatch(rows, lengths, chosen, room, hue, look) {
  const names = rows.map((pieces) => pieces.map((_, i) => nameAt(pieces, i)));
  const widthsAt = (/** @type {number} */ size) =>
    names[0].map((_, i) => Math.ceil(Math.max(...names.map((row) => measure(row[i], size, look.font)))) + AIR);
  const widthOf = (/** @type {number[]} */ widths) => SIDE + widths.reduce((a, b) => a + b + GAP, 0);
  const large = widthsAt(LARGE);
  const size = widthOf(large) <= room ? LARGE : SMALL;
  const widths = size === LARGE ? large : widthsAt(SMALL);
  const text = (words, x, y, look) => svg("text", { x, y: y + HIGH / 2 + size * 0.35, "font-size": size, ...look }, words);
  const node = svg("svg", { role: "img", "font-family": look.font });
  names.forEach((row, b) => {
    const y = b * (HIGH + GAP);
    const weight = { "font-weight": b === chosen ? 700 : 400 };
    node.append(text(String(b + 1), SIDE - 10, y, { "text-anchor": "end", fill: css(look.text), ...weight }));
    let x = SIDE;
    row.forEach((name, i) => {
      const shade = i < lengths[b] ? seenColor(look, hue) : hiddenColor(look);
      const ink = { "text-anchor": "middle", fill: css(inkOn(look, shade)), ...weight };
      node.append(svg("rect", { x, y, width: widths[i], height: HIGH, fill: css(shade) }));
      node.append(text(name, x + widths[i] / 2, y, ink));
      x += widths[i] + GAP;
    });
  });
  set(node, { width: widthOf(widths), height: rows.length * (HIGH + GAP) });
  set(node, { "aria-label": names.map((row, b) => `${b + 1}: ${row.join(" ")}`).join(". ") });
  return node;
}
