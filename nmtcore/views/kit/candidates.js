// @ts-check
// The likeliest pieces of a step as bars from 0 to 1; the chosen one is included even if it is not among them.

import { makeCandidate } from "./bars.js";
import { css } from "./color.js";
import { drawing, set, svg } from "./dom.js";
import { measure } from "./layout.js";
import { number } from "./number.js";

const COUNT = 5;
const SIZES = { line: 25, size: 15, head: 24, air: 4 }; // px; head: of the heading, 0 for none

// data: {candidates: [name, probability, id] of each step, taken: ids, words, hue}.
export function drawCandidates(data, look, width, { line, size, head, air } = SIZES) {
  const shown = data.candidates.map((candidates, step) => {
    const taken = candidates.findIndex(([, , id]) => id === data.taken[step]);
    return [...candidates.slice(0, COUNT), ...(taken >= COUNT ? [candidates[taken]] : [])];
  });
  const rows = Math.max(...shown.map((candidates) => candidates.length)); // the same number at every step, so that the page does not jump
  const height = head + rows * line + 2;
  const longest = Math.max(...shown.flat().map(([name]) => measure(name, size, look.font)));
  const label = Math.min(width * 0.42, Math.ceil(longest) + 2);
  const share = Math.ceil(measure(`<${number(0.88)}`, size, look.font)) + 6;
  const [from, full] = [label + 8, Math.max(20, width - label - share - 8)];
  const node = drawing(
    width,
    height,
    { class: "candidates", "font-family": look.font, role: "img" },
    ...(head ? [svg("text", { y: 14, "font-size": 14, fill: css(look.muted) }, data.words.candidates)] : []),
  );
  const place = { edge: label, label, line, bar: { x: from, width: full, air }, size };
  const makeLine = (_, n) => makeCandidate(look, data.hue, { ...place, top: head + n * line });
  const lines = Array.from({ length: rows }, makeLine);
  node.append(...lines.map((made) => made.node));
  return { node, show };

  function show(step) {
    const candidates = shown[step];
    lines.forEach((made, n) => made.show(candidates[n], candidates[n]?.[2] === data.taken[step]));
    const said = candidates.map(([name, p]) => `${name} ${number(p)}`).join(", ");
    set(node, { "aria-label": `${data.words.candidates}: ${said}` });
  }
}
