// @ts-check
// Marks on words that are not colour alone.

import { css } from "./color.js";
import { svg } from "./dom.js";
import { number } from "./number.js";
import { sentenceName } from "./piece.js";

const WAVE = 3; // px from crest to trough along the line
const TALL = 1.5; // px

// A wavy line below a word, from x1 to x2.
export function wave(look, x1, x2, y) {
  const turns = Math.max(1, Math.round((x2 - x1) / WAVE));
  const step = (x2 - x1) / turns;
  const bow = (_, i) => `q${(step / 2).toFixed(2)} ${i % 2 ? TALL : -TALL} ${step.toFixed(2)} 0`;
  const bows = Array.from({ length: turns }, bow);
  const ink = { fill: "none", stroke: css(look.text), "stroke-width": 1, "data-doubtful": true };
  return svg("path", { d: `M${x1.toFixed(1)} ${y.toFixed(1)}${bows.join("")}`, ...ink });
}

// A small dot before a piece that continues the word before it.
export const dot = (look, x, y) => svg("circle", { cx: x, cy: y, r: 1.7, fill: css(look.text), "data-goes-on": true });

// The probability of a word as shown beside it; empty if unknown.
export const probabilityOf = ({ probability }) => (typeof probability === "number" ? `P ${number(probability)}` : "");

export const titleOf = (group) => [sentenceName(group), probabilityOf(group)].filter(Boolean).join(", ");

// The path of an arrow through points, whose last stretch is level or upright; its tip is `long` px and twice `half` wide.
export function arrowPath(points, long, half) {
  const [[fromX, fromY], [x, y]] = points.slice(-2);
  const [along, up] = [Math.sign(x - fromX), Math.sign(y - fromY)];
  const wing = (side) => `${x - long * along + half * side * up} ${y - long * up + half * side * along}`;
  return `M${points.map((point) => point.join(" ")).join("L")}M${wing(1)}L${x} ${y}L${wing(-1)}`;
}
