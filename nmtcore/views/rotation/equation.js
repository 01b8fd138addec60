// @ts-check
// The rotation written out: with letters, and with the numbers of this pair and these positions.

import { el } from "../kit/dom.js";
import { rich } from "../kit/notation.js";
import { number } from "../kit/number.js";

const column = (rows, ...cells) => {
  const made = el("span", { class: "matrix" }, ...cells.map((cell) => el("span", {}, ...rich(cell))));
  made.style.gridTemplateRows = `repeat(${rows}, auto)`;
  return made;
};

export function makeEquation() {
  const letters = line(
    ["cos kω", "−sin kω", "sin kω", "cos kω"],
    ["sin pω", "cos pω"],
    ["sin (p + k)ω", "cos (p + k)ω"],
  );
  const numbers = el("p", { class: "line" });
  const node = el("div", { class: "equation scrolls" }, el("p", { class: "line" }, ...letters), numbers);
  return { node, show };

  // Factors have one digit more than results, so that readers can recompute them.
  function show(pair) {
    const [c, s] = [Math.cos(pair.angle), Math.sin(pair.angle)];
    const printed = (values, digits) => values.map((v) => number(v, digits));
    const vector = ({ sin, cos }, digits) => printed([sin, cos], digits);
    const [before, after] = [vector(pair.at(pair.p), 4), vector(pair.at(pair.q), 3)];
    numbers.replaceChildren(...line(printed([c, -s, s, c], 4), before, after));
  }
}

// The cells of a matrix go down its columns.
const line = (rotation, before, after) => [
  column(2, ...rotation),
  column(2, ...before),
  el("span", {}, "="),
  column(2, ...after),
];
