// @ts-check
// The mean of each gate, word by word: lines from 0 to 1, told apart by their dashes and named at their ends.

import { css } from "../kit/color.js";
import { drawing, set, svg } from "../kit/dom.js";
import { characters, downwards, measure, shorten } from "../kit/layout.js";
import { sentenceName } from "../kit/piece.js";
import { pointIn } from "../kit/projection.js";

const SIZE = 14;
const DASHES = { z: null, f: null, r: "6 4", i: "6 4", o: "2 3" };
const HEAD = 22; // px of the heading
const EDGE = 28; // px of the numbers beside the axis
const APART = 15; // px between the names of two lines
const LONGEST = 90; // px of a word

export function drawCurves(data, look, width, height, go) {
  const { words, T, target } = data;
  const means = data.gates.means;
  const names = Object.keys(means);
  const titles = names.map((name) => words.gates_lines[name]);
  const right = Math.ceil(Math.max(...titles.map((text) => measure(text, SIZE, look.font)))) + 10;
  const across = Math.max(40, width - EDGE - right);
  const unit = across / T;
  const labels = target.map((word) => shorten(sentenceName(word), SIZE, look.font, LONGEST));
  const foot = Math.ceil(Math.max(...labels.map((text) => measure(text, SIZE, look.font) * 0.8))) + 16;
  const [top, bottom] = [HEAD + 6, Math.max(HEAD + 70, height - foot)];
  const full = bottom + foot;
  const x = (step) => EDGE + (step + 0.5) * unit;
  const y = (share) => bottom - share * (bottom - top);
  const muted = { fill: css(look.muted), "font-size": SIZE - 2 };
  const now = svg("rect", { y: top - 4, width: unit, height: bottom - top + 8, fill: css(look.grid) });
  const grid = [0, 0.5, 1].flatMap((share) => [
    svg("line", { x1: EDGE, x2: EDGE + across, y1: y(share), y2: y(share), stroke: css(look.line) }),
    svg("text", { x: EDGE - 5, y: y(share) + 4, "text-anchor": "end", ...muted }, String(share)),
  ]);
  const heights = apart(names.map((name) => y(means[name][T - 1])));
  const lines = names.flatMap((name, n) => {
    const points = means[name].map((share, step) => `${x(step).toFixed(1)} ${y(share).toFixed(1)}`);
    const color = css(DASHES[name] ? look.muted : look.text);
    const stroke = { fill: "none", stroke: color, "stroke-width": 2.2, "stroke-dasharray": DASHES[name] };
    return [
      svg("path", { d: `M${points.join("L")}`, ...stroke, "data-gate": name }),
      ...means[name].map((share, step) => svg("circle", { cx: x(step), cy: y(share), r: 2.6, fill: color })),
      svg("text", { x: EDGE + across + 6, y: heights[n] + 5, "font-size": SIZE, fill: color }, titles[n]),
    ];
  });
  const every = Math.ceil(13 / unit); // if the words do not all fit, every second or third is named
  const pieces = labels.map((text, step) => {
    const place = downwards(text)
      ? characters(text, x(step), bottom + 10 + [...text].length * SIZE * 1.08, SIZE)
      : { transform: `translate(${x(step) + 4} ${bottom + 14}) rotate(-50)`, "text-anchor": "end" };
    return svg("text", { ...place, "font-size": SIZE, fill: css(look.text), "data-piece": step }, text);
  });
  const title = svg("text", { x: 0, y: 14, "font-size": SIZE, fill: css(look.muted) }, words.gates_curve);
  const attributes = { class: "curves", "font-family": look.font, role: "img" };
  const picture = drawing(width, full, attributes, title, now, ...grid, ...lines, ...pieces);
  picture.addEventListener("click", (event) => {
    const step = Math.floor((pointIn(event, picture).x - EDGE) / unit);
    if (step >= 0 && step < T) go(step);
  });
  return { node: picture, show };

  function show(step) {
    set(now, { x: EDGE + step * unit });
    pieces.forEach((piece, n) => {
      const seen = n === step || (n % every === 0 && Math.abs(n - step) >= every) || every === 1;
      set(piece, { "font-weight": n === step ? 700 : null, display: seen ? null : "none" });
    });
    const said = names.map((name, n) => `${titles[n]} ${means[name][step].toFixed(2)}`).join(", ");
    set(picture, { "aria-label": `${words.gates_curve}. ${sentenceName(target[step])}: ${said}` });
  }
}

// The heights of overlapping names, pushed apart, in the same order.
function apart(heights) {
  const order = heights.map((height, n) => ({ height, n })).sort((a, b) => a.height - b.height);
  order.forEach((item, k) => {
    if (k) item.height = Math.max(item.height, order[k - 1].height + APART);
  });
  return order.sort((a, b) => a.n - b.n).map((item) => item.height);
}
