// @ts-check
// The batch as one matrix of pieces: padding grey, the chosen row in bold. A column is as wide as its longest piece, the
// whole at most as wide as its container: with too little room long pieces are cut, and finally the letters go. On a
// phone, where any sentence would lose them, they stay, and the matrix scrolls sideways.

import { css, inkOn } from "../kit/color.js";
import { set, svg } from "../kit/dom.js";
import { measure, shorten } from "../kit/layout.js";
import { nameAt } from "../kit/piece.js";
import { paddingName } from "./arithmetic.js";
import { hiddenColor, seenColor } from "./matrix.js";

const HIGH = 32; // px of a row
const SIDE = 24; // px of the rows' numbers
const SIZES = [
  { size: 14, air: 10, gap: 3 }, // px of the letters, beside a piece in its cell, and between cells
  { size: 12, air: 8, gap: 2 },
];
const CUT = 26; // the least px of a cut piece: fewer letters are unreadable
const PHONE = 480; // px of the place, below which it scrolls
const UNNAMED = { size: 12, air: 0, gap: 1 };

/**
 * @param {string[][]} rows
 * @param {number[][]} words the number of each piece's word
 * @param {number[]} lengths of the rows before their padding
 * @param {number} chosen
 * @param {number} room px
 * @param {import("../kit/color.js").RGB} hue
 * @param {import("../kit/color.js").Look} look
 */
export function drawBatch(rows, words, lengths, chosen, room, hue, look) {
  const names = rows.map((row, b) => row.slice(0, lengths[b]).map((_, i) => nameAt(row, i, words[b])));
  const { size, gap, widths, named } = fit(names, rows[0].length, room, look.font);
  const starts = widths.map((_, i) => SIDE + widths.slice(0, i).reduce((a, b) => a + b + gap, 0));
  const wide = starts[starts.length - 1] + widths[widths.length - 1];
  const node = svg("svg", { role: "img", "font-family": look.font, width: wide, height: rows.length * (HIGH + gap) });
  names.forEach((row, b) => {
    const y = b * (HIGH + gap);
    const weight = { "font-weight": b === chosen ? 700 : 400 };
    const text = (/** @type {string} */ words, /** @type {number} */ x, more) =>
      svg("text", { x, y: y + HIGH / 2 + size * 0.35, "font-size": size, ...weight, ...more }, words);
    const ink = (shade) => ({ "text-anchor": "middle", fill: css(inkOn(look, shade)) });
    const [seen, hidden] = [seenColor(look, hue), hiddenColor(look)];
    node.append(text(String(b + 1), SIDE - 10, { "text-anchor": "end", fill: css(look.text) }));
    widths.forEach((width, i) => {
      const fill = css(i < row.length ? seen : hidden);
      const title = i < row.length ? [svg("title", {}, row[i])] : [];
      node.append(svg("rect", { x: starts[i], y, width, height: HIGH, fill }, ...title));
      if (!named || i >= row.length) return;
      const label = shorten(row[i], size, look.font, width - 4);
      node.append(text(label, starts[i] + width / 2, { ...ink(seen), "pointer-events": "none" }));
    });
    if (row.length === widths.length) return;
    const label = paddingName(widths.length - row.length);
    const [middle, long] = [(starts[row.length] + wide) / 2, measure(label, size, look.font) + 8];
    if (long > wide - starts[row.length]) return;
    node.append(svg("rect", { x: middle - long / 2, y, width: long, height: HIGH, fill: css(hidden) }));
    node.append(text(label, middle, ink(hidden)));
  });
  set(node, { "aria-label": rows.map((row, b) => `${b + 1}: ${row.join(" ")}`).join(". ") });
  return node;
}

// The largest type with which all pieces fit, whole if possible; else cells of one width without letters, or on a phone a wider matrix.
function fit(names, count, room, font) {
  const upTo = (most, { size, air }) =>
    Array.from({ length: count }, (_, i) =>
      Math.ceil(Math.min(most, Math.max(...names.map((row) => measure(row[i] ?? "", size, font)))) + air),
    );
  const fits = (widths, gap) => widths.reduce((a, b) => a + b + gap, SIDE) <= room + gap;
  for (const most of [Infinity, ...Array.from({ length: 12 }, (_, n) => CUT + 4 * (11 - n))]) {
    for (const how of most === Infinity ? SIZES : SIZES.slice(-1)) {
      const widths = upTo(most, how);
      if (fits(widths, how.gap)) return { ...how, widths, named: true };
    }
  }
  if (room < PHONE) return { ...SIZES[1], widths: upTo(Infinity, SIZES[1]), named: true };
  const width = Math.max(2, Math.floor((room - SIDE) / count) - UNNAMED.gap);
  return { ...UNNAMED, widths: Array(count).fill(width), named: false };
}
