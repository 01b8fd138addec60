// @ts-check
// States as a picture of one pixel a number, stretched to its columns: light however many numbers there are.

import { signedColor } from "../kit/color.js";
import { el, svg } from "../kit/dom.js";
import { paintPixels } from "../kit/pixels.js";

const SHADES = 64; // colours on each side of zero

// from, count: columns of the record; place: {x, y, width, height} of all of them together.
export function drawCells(data, look, from, count, place) {
  const canvas = el("canvas", { width: count, height: data.D });
  const near = { ...look, line: look.grid }; // zero close to the page's background: most numbers are small
  const colors = Array.from({ length: 2 * SHADES + 1 }, (_, n) => signedColor(near, (n - SHADES) / SHADES, 1).map(Math.round));
  paintPixels(canvas, (i, column) => colors[Math.round(data.value(from + column, i) * SHADES) + SHADES]);
  const style = place.height >= data.D ? "image-rendering: pixelated" : null;
  return svg("image", { ...place, href: canvas.toDataURL(), preserveAspectRatio: "none", style });
}
