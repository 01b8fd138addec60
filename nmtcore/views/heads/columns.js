// @ts-check
// Vectors as columns of signed colours, side by side, each under its letter.

import { css, signedColor } from "../kit/color.js";
import { set, svg } from "../kit/dom.js";

const COLUMN = 24; // px of a vector
const GAP = 8;
export const HEAD = 22; // px for the letters

export function makeColumns(letters) {
  const width = letters.length * (COLUMN + GAP) - GAP + 8;
  const node = svg("svg", { width, role: "img", "aria-label": letters.join(", ") });
  const title = svg("title");
  let built = ""; // what the drawing was made for
  let columns = []; // the cells of each vector
  node.addEventListener("pointerover", ({ target }) => {
    const { letter, index, value } = target.dataset;
    title.textContent = letter ? `${letter} ${Number(index) + 1}: ${Number(value).toFixed(3)}` : "";
  });
  return { node, draw };

  // vectors: lists of numbers, one for each letter; limits: the number with full colour, for each. Only colours change
  // from one cell of the matrix to the next, so that pointing is followed at once.
  function draw(vectors, limits, unit, look) {
    const wanted = [vectors[0].length, unit, css(look.text), css(look.background)].join(" ");
    if (built !== wanted) build(vectors[0].length, unit, look);
    built = wanted;
    columns.forEach((cells, c) =>
      cells.forEach((cell, i) => {
        const value = vectors[c][i];
        cell.setAttribute("fill", css(signedColor(look, value, limits[c])));
        cell.dataset.value = value.toFixed(4);
      }),
    );
  }

  function build(size, unit, look) {
    const height = HEAD + unit * size + 1;
    set(node, { height, viewBox: `0 0 ${width} ${height}`, "font-family": look.font });
    const text = { y: 14, "font-size": 15, "font-weight": 600, "text-anchor": "middle", fill: css(look.text) };
    const frame = { y: HEAD - 0.5, width: COLUMN + 1, height: unit * size + 1, fill: "none", stroke: css(look.line) };
    columns = letters.map((letter, c) =>
      Array.from({ length: size }, (_, i) => {
        const place = {
          x: 4 + c * (COLUMN + GAP),
          y: HEAD + i * unit,
          width: COLUMN,
          height: unit - (unit > 5 ? 0.6 : 0),
        };
        return svg("rect", { ...place, "data-letter": letter, "data-index": i });
      }),
    );
    const around = letters.flatMap((letter, c) => {
      const x = 4 + c * (COLUMN + GAP);
      return [svg("text", { ...text, x: x + COLUMN / 2 }, letter), svg("rect", { ...frame, x: x - 0.5 })];
    });
    node.replaceChildren(title, ...columns.flat(), ...around);
  }
}
