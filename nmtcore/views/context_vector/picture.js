// @ts-check
// The picture: encoder states, C, decoder states. Drawn once; a step changes what is visible, named and outlined.

import { css, signedColor } from "../kit/color.js";
import { drawing, el, set, svg } from "../kit/dom.js";
import { characters } from "../kit/layout.js";
import { arrowPath } from "../kit/mark.js";
import { svgRich } from "../kit/notation.js";
import { sentenceName } from "../kit/piece.js";
import { paintPixels } from "../kit/pixels.js";
import { pointIn } from "../kit/projection.js";

const LETTER = 18; // px of h, C and s
const SHADES = 64; // colours on each side of zero

export function drawPicture(data, plan, look) {
  const { S, T, D } = data;
  const { cell, top, height, middle, wide, start, end, unit } = plan;
  const bottom = top + height;
  const quiet = { fill: "none", stroke: css(look.muted), "stroke-width": 2 };
  const arrow = (...points) => svg("path", { ...quiet, d: arrowPath(points, 7, 5) });
  const image = (from, count, x, width) => drawCells(data, look, from, count, { x, y: top, width, height });
  const air = [...Array(S + 1 + T).keys()].filter((column) => ![0, S, S + 1].includes(column)).map(plan.left);
  const lines = svg("path", {
    d: air.map((x) => `M${x} ${top}v${height}`).join(""),
    stroke: css(look.background),
    "stroke-width": cell >= 16 ? 2 : 1,
  });
  const veil = svg("rect", { ...quiet, y: top, height, fill: css(look.background), "stroke-dasharray": "3 5" }); // later states
  const now = svg("rect", { y: top, width: cell, height, fill: "none", stroke: css(look.text), "stroke-width": 2.5 });
  const finger = svg("rect", { fill: "none", stroke: css(look.text), "stroke-width": 1.5, display: "none" });
  const names = plan.names.map(drawName);
  const node = drawing(
    plan.width,
    plan.full,
    { class: "states", "font-family": look.font, role: "img" },
    ...names.filter(Boolean),
    image(0, S, plan.left(0), S * cell),
    image(S, 1, middle, wide),
    image(S + 1, T, start, T * cell),
    lines,
    veil,
    ...ends(),
    letters(S > 1 ? `h<sub>1</sub> … h<sub>${S}</sub>` : "h<sub>1</sub>", plan.left(0) + (S * cell) / 2),
    letters("C", middle + wide / 2),
    letters(T > 1 ? `s<sub>1</sub> … s<sub>${T}</sub>` : "s<sub>1</sub>", (start + end) / 2),
    now,
    finger,
  );
  return { node, show, point, under };

  function drawName({ text, leans, x }, column) {
    if (text === null) return null;
    const word = data.word(column);
    const turned = { transform: `translate(${x.toFixed(1)} ${top - 6}) rotate(${-plan.angle})` };
    const place = leans ? turned : characters(text, x, top - 7, plan.size);
    const ink = { "font-size": plan.size, fill: css(word.faint ? look.muted : look.text) };
    const made = svg("text", { "data-column": column, ...ink, ...place }, text);
    if (text !== sentenceName(word)) made.append(svg("title", {}, word.label)); // it has been shortened
    return made;
  }

  // The sources of C: the end of each direction, or the last state of an encoder that reads one way.
  function ends() {
    const half = data.bothWays ? height / 2 : height;
    const box = (column, y) => svg("rect", { ...quiet, x: plan.left(column), y, width: cell, height: half });
    const made = [box(S - 1, top), arrow([plan.left(S - 1) + cell + 4, top + half / 2], [middle - 4, top + half / 2])];
    if (data.bothWays) {
      const [from, below, into] = [plan.left(0) + cell / 2, bottom + 14, middle + wide / 2];
      made.push(box(0, top + half), arrow([from, bottom + 1], [from, below], [into, below], [into, bottom + 3]));
    }
    return [...made, arrow([middle + wide + 4, top + height / 2], [start - 4, top + height / 2])];
  }

  function letters(markup, x) {
    const place = { x, y: bottom + 36, "text-anchor": "middle", fill: css(look.text) };
    return svg("text", place, ...svgRich(markup, LETTER));
  }

  // step: counted from 0.
  function show(step, label) {
    set(node, { "aria-label": label });
    const here = plan.left(S + 1 + step);
    const rest = end - here - cell;
    set(now, { x: here });
    set(veil, { x: here + cell + 2, width: Math.max(0, rest - 2), display: rest > 0 ? null : "none" });
    names.forEach((name, column) => {
      if (!name || column < S) return;
      const j = column - S - 1;
      set(name, { "data-later": j > step, opacity: j > step ? 0 : null, "font-weight": j === step ? 700 : null });
    });
  }

  // Outline a cell, or none.
  function point(column, component) {
    if (column < 0) return set(finger, { display: "none" });
    const tall = Math.max(unit, 4);
    const y = top + (component + 0.5) * unit - tall / 2;
    return set(finger, { x: plan.left(column), y, width: plan.span(column), height: tall, display: null });
  }

  // The column and the component under a pointer; null if there is none.
  function under(event) {
    const { x, y } = pointIn(event, node);
    const column = plan.at(x);
    const component = Math.floor((y - top) / unit);
    return column >= 0 && component >= 0 && component < D ? { column, component } : null;
  }
}

// States as a picture with one pixel per number, stretched to its columns: cheap however many numbers there are.
// from, count: columns of the record; place: {x, y, width, height} of all of them together.
function drawCells(data, look, from, count, place) {
  const canvas = el("canvas", { width: count, height: data.D });
  const near = { ...look, line: look.grid }; // zero close to the page's background: most numbers are small
  const colors = Array.from({ length: 2 * SHADES + 1 }, (_, n) => signedColor(near, (n - SHADES) / SHADES, 1).map(Math.round));
  paintPixels(canvas, (i, column) => colors[Math.round(data.value(from + column, i) * SHADES) + SHADES]);
  const style = place.height >= data.D ? "image-rendering: pixelated" : null;
  return svg("image", { ...place, href: canvas.toDataURL(), preserveAspectRatio: "none", style });
}
