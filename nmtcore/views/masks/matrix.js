// @ts-check
// One (T, S) matrix, queries down and keys along the top: a mask, signed scores, or weights from 0 to 1.

import { css, inkOn, mix, signedColor, weightColor } from "../kit/color.js";
import { svg, set } from "../kit/dom.js";
import { drawHeatmap } from "../kit/heatmap.js";
import { makeLayout, measure } from "../kit/layout.js";
import { number } from "../kit/number.js";
import { pointIn, projected } from "../kit/projection.js";
import { makeAxis } from "../kit/tokens.js";

const LARGEST = { usual: 30, projected: 44 }; // px of a cell
const SUMS = 44; // px at the right of the rows
const [DIGITS, LEAST] = [12, 8.5]; // px of the numbers in the cells: the most, and the least
const WIDEST = "\u221288.8"; // of the numbers in the cells
export const TYPE = 18 / 1080; // of a projector's height: numbers that the last row can read
const LEAST_PRINTED = 0.005; // a weight: below it a cell has no number and looks like the page
const [SEEN, HIDDEN] = [0.16, 0.36]; // of the hue and of the text's colour over the page's

export const seenColor = (look, hue) => weightColor(look, hue, SEEN);
export const hiddenColor = (look) => mix(look.background, look.text, HIDDEN);

const SMALLEST = 7; // px of a cell: on a phone a matrix of 30 pieces is as wide as the screen

const PIECES = { words: false, hide: false };

/**
 * The size of cells and names that all matrices of a head share.
 * @param {Pick<import("./arithmetic.js").Head, "queries" | "keys" | "groups">} head
 * @param {number} width
 * @param {string} font
 */
export function layoutOf(head, width, font) {
  const most = LARGEST[projected() ? "projected" : "usual"];
  return makeLayout([viewOf(head, null)], width - SUMS, head.queries.length * most, font, SMALLEST);
}

// px of the largest numbers that have room in a cell.
const roomIn = (cell, text, font) => Math.min((cell - 3) / measure(text, 1, font), cell * 0.75);

/** px of the numbers in the cells of a layout, whichever they are. */
export const numberSize = ({ cell }, font) => roomIn(cell, WIDEST, font);

// All cells are drawn here, so the base drawing has none.
const viewOf = ({ queries, keys, groups }, hue) => ({
  panel: { hue, causal: false },
  rows: makeAxis(queries, groups.queries, PIECES),
  columns: makeAxis(keys, groups.keys, PIECES),
  weights: queries.map(() => keys.map(() => NaN)),
});

const PRINTED = {
  mask: (value) => String(value),
  scores: (value) => number(value, 1),
  weights: (value) => (value < LEAST_PRINTED ? "" : value.toFixed(2).replace(/^0/, "")),
};

/**
 * @param {object} of
 * @param {string[]} of.queries
 * @param {string[]} of.keys
 * @param {{queries: number[], keys: number[]}} of.groups the number of each one's word
 * @param {number[][]} of.values
 * @param {number[][]} [of.allowed] 0 for a cell set to minus infinity: it is grey, or struck out if everything is
 * @param {number[]} [of.sums] numbers at the right of the rows
 * @param {"mask" | "scores" | "weights"} how
 * @param {any} layout
 * @param {import("../kit/color.js").Look} look
 * @param {import("../kit/color.js").RGB} hue
 * @param {(cell: {t: number, s: number} | null, event: PointerEvent) => void} point called with what is pointed at
 */
export function drawMatrix({ queries, keys, groups, values, allowed, sums }, how, layout, look, hue, point) {
  const view = viewOf({ queries, keys, groups }, hue);
  const drawing = drawHeatmap(view, layout, look, false);
  const { top, body } = drawing.parts;
  const { cell } = layout;
  const open = (t, s) => !allowed || allowed[t][s] === 1;
  const limit = Math.max(...values.flatMap((line, t) => line.filter((_, s) => open(t, s)).map(Math.abs)));
  const shades = {
    mask: (value) => (value ? seenColor(look, hue) : hiddenColor(look)),
    scores: (value) => signedColor(look, value, limit),
    weights: (value) => weightColor(look, hue, value),
  };
  // The weight of a hidden cell is 0; its score is the one before the mask, which softmax without masks uses.
  const says = (value, t, s) => (open(t, s) || (how === "scores" && !Number.isNaN(value)) ? PRINTED[how](value) : "");
  const texts = values.map((line, t) => line.map((value, s) => says(value, t, s)));
  const most = projected() ? DIGITS + 4 : DIGITS; // px
  const fitting = (/** @type {string[]} */ all) =>
    Math.min(most, ...all.map((text) => roomIn(cell, text, look.font)));
  const size = fitting(texts.flatMap((line, t) => line.filter((_, s) => open(t, s))));

  const squares = new Map(); // by colour: masks have two
  let struck = ""; // diagonals over masked cells, in a picture without colours, where scores are grey too
  const printed = svg("g", { "font-size": size, "text-anchor": "middle", "pointer-events": "none" });
  values.forEach((line, t) => {
    const y = (t + 0.5) * cell + 1 + size * 0.35;
    const digits = new Map(); // a mask's numbers, by colour: they share an element, each at its own place
    line.forEach((value, s) => {
      if (how === "weights" && open(t, s) && value < LEAST_PRINTED) return;
      const hidden = look.grey ? look.background : hiddenColor(look);
      const shade = open(t, s) ? shades[how](value) : hidden;
      if (look.grey && !open(t, s)) struck += `M${s * cell + 1.5} ${(t + 1) * cell + 0.5}l${cell - 1} ${1 - cell}`;
      const square = `M${s * cell + 1.5} ${t * cell + 1.5}h${cell - 1}v${cell - 1}h${1 - cell}z`;
      squares.set(css(shade), (squares.get(css(shade)) ?? "") + square);
      const own = open(t, s) ? size : Math.min(size, fitting([texts[t][s]])); // a long hidden number must not shrink the others
      if (!texts[t][s] || own < LEAST) return;
      const [x, fill] = [(s + 0.5) * cell + 1, css(inkOn(look, shade))];
      const smaller = own < size ? { "font-size": own } : {};
      if (how !== "mask") printed.append(svg("text", { x, y, fill, ...smaller }, texts[t][s]));
      else digits.set(fill, [...(digits.get(fill) ?? []), { x, text: texts[t][s] }]);
    });
    for (const [fill, marks] of digits) {
      const places = marks.map(({ x }) => x.toFixed(1)).join(" ");
      printed.append(svg("text", { x: places, y, fill }, marks.map(({ text }) => text).join("")));
    }
  });
  const paths = [...squares].map(([fill, d]) => svg("path", { d, fill, "shape-rendering": "crispEdges" }));
  if (struck) paths.push(svg("path", { d: struck, stroke: css(hiddenColor(look)) }));
  body.prepend(...paths, printed);
  if (sums) {
    const wide = Math.max(Number(body.getAttribute("width")), keys.length * cell + SUMS);
    for (const part of [top, body]) set(part, { width: wide, viewBox: `0 0 ${wide} ${part.getAttribute("height")}` });
    const ink = { x: keys.length * cell + 8, "font-size": Math.max(DIGITS, Math.min(size, DIGITS + 3)), "font-weight": 650, fill: css(look.text) };
    body.append(...sums.map((sum, t) => svg("text", { ...ink, y: (t + 0.5) * cell + 5 }, sum.toFixed(2))));
    drawing.width = layout.side + wide;
  }
  const at = (event) => {
    const { x, y } = pointIn(event, body);
    const [t, s] = [Math.floor((y - 1) / cell), Math.floor((x - 1) / cell)];
    return t >= 0 && t < values.length && s >= 0 && s < keys.length ? { t, s } : null;
  };
  body.addEventListener("pointermove", (event) => point(at(event), event));
  body.addEventListener("pointerleave", (event) => point(null, event));
  return drawing;
}
