// @ts-check
// Parts of the diagram: a vector as a strip, and the number and name of a step of attention.

import { css, inkOn, mix, signedColor } from "../kit/color.js";
import { set, svg } from "../kit/dom.js";

// A strip of cells, one per component: red is negative, blue is positive. at: {x, y, cell, height}; count: how many
// components are drawn.
export function makeStrip(look, at, count) {
  const cells = Array.from({ length: count }, (_, k) =>
    svg("rect", { x: at.x + k * at.cell, y: at.y, width: at.cell + 0.2, height: at.height }),
  );
  const frame = svg("rect", {
    ...{ x: at.x, y: at.y, width: at.cell * count, height: at.height },
    fill: "none",
    stroke: css(look.line),
  });
  return {
    node: svg("g", { class: "strip" }, ...cells, frame),
    paint: (values) => cells.forEach((cell, k) => set(cell, { fill: css(signedColor(look, values[k], 1)) })),
  };
}

// The number and the name of a step, highlighted for the current one. at: {x, y, radius, size}, below: whether the name is
// under its number, if there is no room beside it.
export function makeHeading(data, look, part, { x, y, radius, size, below = false }) {
  const disc = svg("circle", { cx: x + radius, cy: y - 5, r: radius });
  const middle = { x: x + radius, y: y - 0.6, "text-anchor": "middle", "font-size": 12.5, "font-weight": 650 };
  const digit = svg("text", middle, String(part + 1));
  const at = below ? { x, y: y + 18 } : { x: x + 2 * radius + 5, y };
  const name = svg("text", { ...at, "font-size": size }, data.words.heads[part]);
  const title = svg("title", {}, data.words.names[part]);
  return { node: svg("g", { class: "heading", "data-head": part }, title, disc, digit, name), show };

  function show(current) {
    const now = current === part;
    set(name, { "font-weight": now ? 700 : 500, fill: css(now ? look.text : look.muted) });
    const fill = now ? data.hue : mix(look.background, look.text, 0.12);
    set(disc, { fill: css(fill) });
    set(digit, { fill: css(inkOn(look, fill)) });
  }
}
