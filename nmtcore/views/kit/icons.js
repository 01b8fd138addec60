// @ts-check
// What is on the buttons of every player, drawn in a box of 16 by 16.

import { svg } from "./dom.js";

const SHAPES = {
  first: "M4 3v10M13 3L6.5 8l6.5 5z",
  back: "M11.5 3L5 8l6.5 5z",
  play: "M4.5 2.5L13 8l-8.5 5.5z",
  pause: "M4.5 3h2.2v10H4.5zM9.3 3h2.2v10H9.3z",
  forward: "M4.5 3L11 8l-6.5 5z",
  last: "M12 3v10M3 3l6.5 5L3 13z",
};

export function icon(name) {
  const ink = { fill: "currentColor", stroke: "currentColor", "stroke-width": 1.6, "stroke-linejoin": "round" };
  const path = svg("path", { d: SHAPES[name], ...ink });
  return svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, path);
}
