// @ts-check
// The likeliest pieces of a step as bars from 0 to 1; the one that was taken is there even where it is not among them.

import { makeCandidate } from "../kit/bars.js";
import { css } from "../kit/color.js";
import { set, svg } from "../kit/dom.js";
import { measure } from "../kit/layout.js";
import { number } from "../kit/number.js";

const COUNT = 5;
const LINE = 25; // px
const SIZE = 15;
const HEAD = 24;

export function drawCandidates(data, look, width) {
  const shown = data.candidates.map((found, step) => {
    const taken = found.findIndex(([, , id]) => id === data.taken[step]);
    return [...found.slice(0, COUNT), ...(taken >= COUNT ? [found[taken]] : [])];
  });
  const rows = Math.max(...shown.map((found) => found.length)); // in every step as many: the page does not jump
  const height = HEAD + rows * LINE + 2;
  const longest = Math.max(...shown.flat().map(([name]) => measure(name, SIZE, look.font)));
  const label = Math.min(width * 0.42, Math.ceil(longest) + 2);
  const share = Math.ceil(measure("0.88", SIZE, look.font)) + 6;
  const [from, full] = [label + 8, Math.max(20, width - label - share - 8)];
  const node = svg(
    "svg",
    { class: "candidates", width, height, viewBox: `0 0 ${width} ${height}`, "font-family": look.font, role: "img" },
    svg("text", { y: 14, "font-size": 14, fill: css(look.muted) }, data.words.candidates),
  );
  const place = { edge: label, label, line: LINE, bar: { x: from, width: full, air: 4 }, size: SIZE };
  const lines = Array.from({ length: rows }, (_, n) =>
    makeCandidate(look, data.hue, { ...place, top: HEAD + n * LINE }),
  );
  node.append(...lines.map((line) => line.node));
  return { node, show };

  function show(step) {
    const found = shown[step];
    lines.forEach((line, n) => line.show(found[n], found[n]?.[2] === data.taken[step]));
    const said = found.map(([name, p]) => `${name} ${number(p)}`).join(", ");
    set(node, { "aria-label": `${data.words.candidates}: ${said}` });
  }
}
