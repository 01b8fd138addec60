// @ts-check
// The same pair over the positions: a sine and a cosine, with the model's own value at every position as a dot.

import { css } from "../kit/color.js";
import { drawing, set, svg } from "../kit/dom.js";
import { measure, shorten } from "../kit/layout.js";
import { nameOf } from "./pair.js";

const SIZE = 15; // px of a name
const PAD = { left: 34, right: 40, top: 52, bottom: 40 };
const FINE = 8; // points of a wave between two positions

export function drawWaves(data, look, width, height, axis) {
  const last = data.rows - 1;
  const x = (p) => PAD.left + (p / last) * (width - PAD.left - PAD.right);
  const y = (v) => PAD.top + ((1 - v) / 2) * (height - PAD.top - PAD.bottom);
  const colors = { sin: css(data.hue), cos: css(look.muted) };
  const kinds = ["sin", "cos"];
  const curves = kinds.map((kind) => {
    const dashes = { "stroke-dasharray": kind === "cos" ? "6 4" : null };
    return svg("path", { fill: "none", stroke: colors[kind], "stroke-width": 2.5, ...dashes });
  });
  const dots = kinds.map((kind) =>
    Array.from({ length: data.rows }, (_, p) => svg("circle", { cx: x(p), r: 2.4, fill: colors[kind] })),
  );
  const rules = [0, 1].map(() => svg("path", { stroke: css(look.text), "stroke-width": 1.25 }));
  const ends = [0, 1].map(() =>
    kinds.map((kind) => svg("circle", { r: 6, fill: colors[kind], stroke: css(look.background) })),
  );
  const names = [0, 1].map(() => svg("text", { "font-size": SIZE, "font-weight": 600, fill: css(look.text) }));
  const between = svg("path", { fill: "none", stroke: css(data.hue), "stroke-width": 1.75 });
  const tip = svg("path", { d: "M0 0L-8 -4.5V4.5z", fill: css(data.hue) });
  const distance = svg("text", { "font-size": 14, "text-anchor": "middle", fill: css(look.text) });
  const text = (at, up, words, settings) =>
    svg("text", { x: at, y: up, "font-size": 13, fill: css(look.muted), ...settings }, words);
  const marks = [-1, 0, 1].flatMap((v) => [
    svg("path", { d: `M${PAD.left} ${y(v)}H${x(last)}`, stroke: css(v ? look.grid : look.line) }),
    text(PAD.left - 7, y(v) + 4, String(v).replace("-", "\u2212"), { "text-anchor": "end" }),
  ]);
  for (let p = 0; p <= last; p += 10) marks.push(text(x(p), height - 21, p, { "text-anchor": "middle" }));
  const letters = kinds.map((kind) => text(x(last) + 7, 0, kind, { "font-weight": 600, fill: colors[kind] }));
  const node = drawing(
    width,
    height,
    { class: "waves", "font-family": look.font, role: "img" },
    ...[...marks, text((PAD.left + x(last)) / 2, height - 4, axis, { "text-anchor": "middle" })],
    ...[...curves, ...dots.flat(), ...letters, ...rules, between, tip, distance, ...ends.flat(), ...names],
  );
  return { node, show };

  function show(pair, label) {
    set(node, { "aria-label": label });
    kinds.forEach((kind, n) => {
      const wave = Array.from({ length: last * FINE + 1 }, (_, step) => {
        const p = step / FINE;
        return `${x(p).toFixed(1)} ${y(Math[kind](p * pair.rate)).toFixed(1)}`;
      });
      set(curves[n], { d: `M${wave.join("L")}` });
      dots[n].forEach((dot, p) => set(dot, { cy: y(pair.at(p)[kind]) }));
    });
    const heights = kinds.map((kind) => y(pair.at(last)[kind]) + 4);
    if (Math.abs(heights[0] - heights[1]) < 14) heights[heights[0] <= heights[1] ? 1 : 0] += 14;
    letters.forEach((letter, n) => set(letter, { y: heights[n] }));
    [pair.p, pair.q].forEach((p, n) => {
      set(rules[n], { d: `M${x(p)} ${PAD.top - 8}V${height - PAD.bottom}` });
      kinds.forEach((kind, m) => set(ends[n][m], { cx: x(p), cy: y(pair.at(p)[kind]) }));
    });
    place(pair);
  }

  // The names are over their positions, away from each other; the arrow between them is the distance.
  function place({ p, q, k }) {
    const [from, to] = [x(p), x(q)];
    const room = [from - 4, width - to - 2];
    [p, q].forEach((at, n) => {
      const name = shorten(nameOf(data, at), SIZE, look.font, Math.max(room[n], 60));
      const wide = measure(name, SIZE, look.font);
      const left = n ? to : Math.max(0, from - wide);
      names[n].textContent = name;
      set(names[n], { x: Math.min(width - wide, left), y: n || from - wide >= 0 ? PAD.top - 14 : PAD.top - 32 });
    });
    set(between, { d: `M${from} ${PAD.top - 4}H${to - 6}` });
    set(tip, { transform: `translate(${to} ${PAD.top - 4})` });
    distance.textContent = `+${k}`;
    set(distance, { x: (from + to) / 2, y: PAD.top - 12, display: to - from > 46 ? null : "none" });
  }
}
