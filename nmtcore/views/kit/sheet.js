// @ts-check
// Saved pictures: a sheet with a heading, quiet lines and drawings; as a file of its own, SVG or PNG.

import { css } from "./color.js";
import { svg } from "./dom.js";
import { copyOf, paragraph, sized } from "./paper.js";

export const MARGIN = 24;
const SLIM = 4; // px around a picture without words above it: the page it is set in has its own margins

// An empty sheet of this width. text() writes lines and returns the start of the next; place() copies a drawing.
export function makeSheet(look, width, title, caption = true) {
  const margin = caption ? MARGIN : SLIM;
  const root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": `${look.font}, sans-serif` });
  root.append(svg("title", {}, title), svg("rect", { width: "100%", height: "100%", fill: css(look.background) }));
  return {
    margin,
    text(words, { x = margin, y, room = width - 2 * margin, size, color = look.text, weight = 400, marks = [] }) {
      if (!words) return y;
      const leading = size * 1.35;
      const ink = { "font-weight": weight, fill: css(color) };
      return y + leading * paragraph(root, words, { x, y: y + size, room, size, leading, font: look.font, marks, ...ink });
    },
    place: (node, x, y) => root.append(copyOf(node, x, y)),
    done: (height, wide = width) => sized(root, Math.ceil(wide), Math.ceil(height + margin)),
  };
}

// A sentence, or a title as one: it may already end with a mark.
export const ended = (text) => (/\p{P}$/u.test(text) ? text : `${text}.`);

// The parts of a matrix (heatmap.js) that stands at (x, y).
export const matrixParts = ({ parts: { top, side, body } }, layout, x, y) => [
  { node: top, x: x + layout.side, y },
  { node: side, x, y: y + layout.top },
  { node: body, x: x + layout.side, y: y + layout.top },
];

// A heading, lines below it, and drawings: parts [{node, x, y}], each of its own declared size. Without a
// caption the drawings alone; heading and lines are then its title, which is not drawn.
export function composeSheet({ heading, lines = [], parts, look, least = 0 }, { caption = true } = {}) {
  const sizeOf = (part, name) => part[name] ?? Number(part.node.getAttribute(name));
  const drawn = Math.max(...parts.map((part) => part.x + sizeOf(part, "width")));
  const right = Math.max(least, drawn);
  const said = [heading, ...lines].map((text, i) => (i < lines.length ? ended(text) : text));
  const sheet = makeSheet(look, (caption ? right : drawn) + 2 * (caption ? MARGIN : SLIM), said.join(" "), caption);
  let y = caption ? sheet.text(heading, { y: MARGIN, size: 17, weight: 650 }) : SLIM;
  for (const line of caption ? lines : []) y = sheet.text(line, { y, size: 14, color: look.muted });
  y += caption ? 14 : 0;
  for (const part of parts) sheet.place(part.node, part.x + sheet.margin, part.y + y);
  return sheet.done(y + Math.max(...parts.map((part) => part.y + sizeOf(part, "height"))));
}
