// @ts-check
// A vector as a strip of cells, one per component: red is negative, blue is positive.

import { css, signedColor } from "../kit/color.js";
import { set, svg } from "../kit/dom.js";

// at: {x, y, cell, height}; count: how many components are drawn.
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
