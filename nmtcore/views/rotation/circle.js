// @ts-check
// One pair as points on the unit circle, cosine across and sine up. Drawn once; a slider changes only attributes.

import { css } from "../kit/color.js";
import { drawing, set, svg } from "../kit/dom.js";
import { measure } from "../kit/layout.js";
import { nameOf } from "./pair.js";

const SIZE = 16; // px of a name
const RIM = 8; // px from the middle of a point to its name
const ARC = 0.36; // share of the radius at which the turn begins
const SPREAD = 0.14; // share of the radius between whole turns, for up to three of them

export function drawCircle(data, look, size) {
  const middle = size / 2;
  const radius = size * 0.36;
  const x = (cos) => middle + radius * cos;
  const y = (sin) => middle - radius * sin;
  const line = (settings) => svg("path", { fill: "none", stroke: css(data.hue), "stroke-width": 2.5, ...settings });
  const spokes = [line({}), line({})];
  const swept = line({ "stroke-linecap": "round" });
  const head = svg("path", { d: "M6 0L-5 5.5V-5.5z", fill: css(data.hue) });
  const dots = Array.from({ length: data.rows }, () => svg("circle", { r: 3, fill: css(look.muted) }));
  const ends = [0, 1].map(() => svg("circle", { r: 6.5, fill: css(data.hue), stroke: css(look.background) }));
  const names = [0, 1].map(() => svg("text", { "font-size": SIZE, "font-weight": 600, fill: css(look.text) }));
  const quiet = (text, at, up, anchor) =>
    svg("text", { x: at, y: up, "font-size": 14, "text-anchor": anchor, fill: css(look.muted) }, text);
  const axes = `M${x(-1.12)} ${middle}H${x(1.12)}M${middle} ${y(-1.12)}V${y(1.12)}`;
  const node = drawing(
    size,
    size,
    { class: "circle", "font-family": look.font, role: "img" },
    svg("path", { d: axes, stroke: css(look.line) }),
    svg("circle", { cx: middle, cy: middle, r: radius, fill: "none", stroke: css(look.muted) }),
    quiet("cos", size - 2, middle - 6, "end"),
    quiet("sin", middle + 7, 13, "start"),
    ...[...dots, ...spokes, swept, head, ...ends, ...names],
  );
  return { node, show };

  function show(pair, label) {
    set(node, { "aria-label": label });
    const far = Math.max(data.tokens.length - 1, pair.q);
    dots.forEach((dot, p) => {
      const { sin, cos } = pair.at(p);
      set(dot, { cx: x(cos), cy: y(sin), display: p > far ? "none" : null });
    });
    [pair.p, pair.q].forEach((p, n) => {
      const { sin, cos } = pair.at(p);
      set(spokes[n], { d: `M${middle} ${middle}L${x(cos)} ${y(sin)}` });
      set(ends[n], { cx: x(cos), cy: y(sin) });
    });
    sweep(pair);
    place(pair);
  }

  // From p's spoke to that of p + k; the radius grows with the angle, so that several turns stay apart.
  function sweep({ p, rate, angle }) {
    const steps = Math.max(2, Math.ceil(angle * 24));
    const points = Array.from({ length: steps + 1 }, (_, n) => {
      const turn = (n / steps) * angle;
      const reach = ARC + (SPREAD * Math.min(turn, 6 * Math.PI)) / (2 * Math.PI);
      return [x(reach * Math.cos(p * rate + turn)), y(reach * Math.sin(p * rate + turn))];
    });
    set(swept, { d: `M${points.map((point) => point.map((v) => v.toFixed(1)).join(" ")).join("L")}` });
    const [tip] = points.slice(-1);
    const heading = -((p * rate + angle) * 180) / Math.PI - 90;
    set(head, { transform: `translate(${tip[0].toFixed(1)} ${tip[1].toFixed(1)}) rotate(${heading.toFixed(1)})` });
  }

  // The two names outside the circle, one above the other where they would meet, never beyond the picture.
  function place(pair) {
    const wanted = [pair.p, pair.q].map((p) => {
      const { sin, cos } = pair.at(p);
      const text = nameOf(data, p);
      const width = measure(text, SIZE, look.font);
      const left = x(1.15 * cos) - (width * (1 - cos)) / 2;
      const within = Math.min(size - width - 2, Math.max(2, left));
      const up = y(1.17 * sin) + SIZE * 0.35;
      // A long name does not fit beside the circle: it is above its point, or below it.
      const covered = within < x(cos) + RIM && x(cos) - RIM < within + width && Math.abs(up - SIZE * 0.35 - y(sin)) < SIZE;
      const clear = sin < 0 ? y(sin) + RIM + SIZE : y(sin) - RIM - 2;
      return { text, width, left: within, up: covered ? clear : up };
    });
    const [a, b] = wanted;
    const meet = Math.abs(a.up - b.up) < SIZE + 2 && a.left < b.left + b.width + 6 && b.left < a.left + a.width + 6;
    if (meet) {
      const [upper, lower] = a.up <= b.up ? [a, b] : [b, a];
      const short = (SIZE + 2 - (lower.up - upper.up)) / 2;
      upper.up -= short;
      lower.up += short;
    }
    wanted.forEach(({ text, left, up }, n) => {
      names[n].textContent = text;
      set(names[n], { x: left, y: Math.min(size - 3, Math.max(SIZE, up)) });
    });
  }
}
