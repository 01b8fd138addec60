// @ts-check
// The nearest pieces as bars of their cosines, the nearest on top.

import { css, parse } from "../kit/color.js";
import { drawing, svg } from "../kit/dom.js";
import { measure, shorten } from "../kit/layout.js";
import { number } from "../kit/number.js";

const [ROW, FOOT, SIZE] = [26, 44, 14]; // px of a bar and its name, of the scale below
const VALUE = 44; // px of a number beside its bar
const NAME = 0.4; // share of the width for a name

// neighbors: [piece, id, cosine] each.
export function drawBars(data, neighbors, title, look, width) {
  const low = Math.min(0, ...neighbors.map(([, , cosine]) => cosine));
  const names = neighbors.map(([piece]) => shorten(piece, SIZE, look.font, NAME * width));
  const label = Math.ceil(Math.max(...names.map((name) => measure(name, SIZE, look.font)))) + 10;
  const left = label + (low < 0 ? VALUE : 0);
  const x = (value) => left + ((value - low) / (1 - low)) * (width - left - VALUE);
  const foot = ROW * neighbors.length;
  const height = foot + FOOT;
  const ink = { fill: css(look.text), "font-size": SIZE };
  const quiet = { fill: css(look.muted), "font-size": SIZE - 1, "text-anchor": "middle" };
  const bars = neighbors.map(([piece, , cosine], n) => {
    const base = (n + 0.5) * ROW + SIZE * 0.35;
    const [from, to] = [Math.min(x(0), x(cosine)), Math.max(x(0), x(cosine))];
    const rect = { x: from, y: n * ROW + 4, width: to - from, height: ROW - 8, fill: css(parse(data.hue)) };
    const beside = cosine < 0 ? { x: from - 5, "text-anchor": "end" } : { x: to + 5 };
    return svg(
      "g",
      { "data-neighbor": piece },
      svg("title", {}, `${piece}: ${number(cosine, 4)}`),
      svg("text", { x: label - 8, y: base, "text-anchor": "end", ...ink }, names[n]),
      svg("rect", rect),
      svg("text", { ...beside, y: base, ...ink, "font-size": SIZE - 1 }, number(cosine)),
    );
  });
  const scale = [0, 0.5, 1].map((value) => svg("text", { x: x(value), y: foot + 17, ...quiet }, String(value)));
  const said = `${title}: ${neighbors.map(([piece, , cosine]) => `${piece} ${number(cosine)}`).join(", ")}`;
  const axis = svg("text", { x: x(0.5), y: foot + 36, ...quiet }, data.words.cosine);
  return drawing(width, height, { "font-family": look.font, role: "img", "aria-label": said }, ...bars, ...scale, axis);
}

// The same as rows of a table.
export const table = (neighbors) => [["piece", "id", "cosine"], ...neighbors];
