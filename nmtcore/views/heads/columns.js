// @ts-check
// Vectors as columns of signed colours, side by side, each under its letter.

import { css, signedColor } from "../kit/color.js";
import { set, svg } from "../kit/dom.js";
import { measure } from "../kit/layout.js";
import { plain, svgRich } from "../kit/notation.js";

// px from one vector to the next, between them, and of the letters; less for more than three.
const WIDE = { pitch: 32, gap: 8, large: 15 };
const NARROW = { pitch: 20, gap: 5, large: 11.5 };
export const HEAD = 22; // px for the letters

export function makeColumns() {
  const node = svg("svg", { role: "img" });
  const title = svg("title");
  let built = ""; // key of the drawing
  let columns = []; // the cells of each vector
  node.addEventListener("pointerover", ({ target }) => {
    const { letter, index, value } = target.dataset;
    title.textContent = letter ? `${letter} ${Number(index) + 1}: ${Number(value).toFixed(3)}` : "";
  });
  return { node, draw };

  // letters: with <sub> if they have an index; vectors: lists of numbers, one for each letter; limits: the number
  // with full colour, for each. Only colours change from one cell of the matrix to the next, so that the drawing
  // follows the pointer at once.
  function draw(letters, vectors, limits, unit, look) {
    const wanted = [...letters, vectors[0].length, unit, css(look.text), css(look.background)].join(" ");
    if (built !== wanted) build(letters, vectors[0].length, unit, look);
    built = wanted;
    columns.forEach((cells, c) =>
      cells.forEach((cell, i) => {
        const value = vectors[c][i];
        cell.setAttribute("fill", css(signedColor(look, value, limits[c])));
        cell.dataset.value = value.toFixed(4);
      }),
    );
  }

  function build(letters, count, unit, look) {
    const { pitch, gap, large } = letters.length > 3 ? NARROW : WIDE;
    const column = pitch - gap;
    const size = Math.min(large, ...letters.map((letter) => (pitch - 1) / measure(plain(letter), 1, look.font)));
    const width = letters.length * pitch - gap + 8;
    const height = HEAD + unit * count + 1;
    set(node, { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": look.font });
    set(node, { "aria-label": letters.map(plain).join(", ") });
    const text = { y: 14, "font-weight": 600, "text-anchor": "middle", fill: css(look.text) };
    const frame = { y: HEAD - 0.5, width: column + 1, height: unit * count + 1, fill: "none", stroke: css(look.line) };
    columns = letters.map((letter, c) =>
      Array.from({ length: count }, (_, i) => {
        const place = { x: 4 + c * pitch, y: HEAD + i * unit, width: column };
        const height = unit - (unit > 5 ? 0.6 : 0);
        return svg("rect", { ...place, height, "data-letter": plain(letter), "data-index": i });
      }),
    );
    const around = letters.flatMap((letter, c) => {
      const x = 4 + c * pitch;
      return [svg("text", { ...text, x: x + column / 2 }, ...svgRich(letter, size)), svg("rect", { ...frame, x: x - 0.5 })];
    });
    node.replaceChildren(title, ...columns.flat(), ...around);
  }
}
