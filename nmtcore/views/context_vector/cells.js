// @ts-check
// States as a picture of one pixel a number, stretched to its columns: light however many numbers there are.

import { signedColor } from "../kit/color.js";
import { svg } from "../kit/dom.js";

const SHADES = 64; // colours on each side of zero

// from, count: columns of the record; place: {x, y, width, height} of all of them together.
export function drawCells(data, look, from, count, place) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: count, height: data.D });
  const pen = canvas.getContext("2d");
  const pixels = pen.createImageData(count, data.D);
  const near = { ...look, line: look.grid }; // zero close to the page's background: most numbers are small
  const colors = Array.from({ length: 2 * SHADES + 1 }, (_, n) => signedColor(near, (n - SHADES) / SHADES, 1));
  for (let column = 0; column < count; column += 1)
    for (let i = 0; i < data.D; i += 1) {
      const color = colors[Math.round(data.value(from + column, i) * SHADES) + SHADES];
      pixels.data.set([...color.map(Math.round), 255], 4 * (i * count + column));
    }
  pen.putImageData(pixels, 0, 0);
  const crisp = place.height >= data.D;
  return svg("image", {
    ...place,
    href: canvas.toDataURL(),
    preserveAspectRatio: "none",
    style: crisp ? "image-rendering: pixelated" : null,
  });
}
