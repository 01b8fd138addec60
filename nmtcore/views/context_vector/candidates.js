// The likeliest pieces of a step as bars from 0 to 1; the one that was taken is there even where it is not among them.

import { css, mix } from "../kit/color.js";
import { set, svg } from "../kit/dom.js";
import { measure, shorten } from "../kit/layout.js";
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
  const lines = Array.from({ length: rows }, (_, n) => makeLine(HEAD + n * LINE));
  node.append(...lines.map((line) => line.node));
  return { node, show };

  function makeLine(top) {
    const base = top + LINE * 0.5 + SIZE * 0.35;
    const box = { x: from, y: top + 4, height: LINE - 8 };
    const full_ = svg("title", {});
    const name = svg("text", { x: label, y: base, "text-anchor": "end", "font-size": SIZE });
    const track = svg("rect", { ...box, width: full, fill: css(mix(look.background, look.text, 0.06)) });
    const bar = svg("rect", { ...box, class: "bar" });
    const value = svg("text", { x: from + full + 6, y: base, "font-size": SIZE });
    const made = svg("g", { "data-candidate": "" }, full_, name, track, bar, value);
    return { node: made, show: showLine };

    function showLine(candidate, taken) {
      set(made, { display: candidate ? null : "none" });
      if (!candidate) return;
      const [piece, probability] = candidate;
      full_.textContent = `${piece}: ${number(probability, 4)}`;
      name.textContent = shorten(piece, SIZE, look.font, label);
      value.textContent = number(probability);
      const ink = { "font-weight": taken ? 700 : null, fill: css(taken ? look.text : look.muted) };
      set(name, ink);
      set(value, ink);
      set(bar, { width: probability * full, fill: css(taken ? data.hue : mix(look.background, look.text, 0.28)) });
    }
  }

  function show(step) {
    const found = shown[step];
    lines.forEach((line, n) => line.show(found[n], found[n]?.[2] === data.taken[step]));
    const said = found.map(([name, p]) => `${name} ${number(p)}`).join(", ");
    set(node, { "aria-label": `${data.words.candidates}: ${said}` });
  }
}
