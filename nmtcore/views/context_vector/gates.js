// @ts-check
// The gates of a step: its vectors as strips of signed numbers, the means of the gates word by word, the equations.

import { makeBar } from "../kit/bars.js";
import { css, signedColor } from "../kit/color.js";
import { drawing, el, fill, filledText, set, svg } from "../kit/dom.js";
import { measure } from "../kit/layout.js";
import { lowered, quote, rich, svgRich } from "../kit/notation.js";
import { number } from "../kit/number.js";
import { sentenceName } from "../kit/piece.js";
import { drawCurves } from "./gate_curves.js";

const ROW = 27; // px of a vector
const WORDS = 19; // px more if its words are above it
const SIZE = 14.5;
const LABEL = 52; // px of a letter
const CELL = 22; // px of a number, at most
const BAR = 64;
const BESIDE = 330; // px of the words beside a strip

const LETTERS = {
  before: (j) => `s<sub>${j - 1}</sub>`,
  cellBefore: (j) => `c<sub>${j - 1}</sub>`,
  cellAfter: (j) => `c<sub>${j}</sub>`,
  after: (j) => `s<sub>${j}</sub>`,
};

// data: the record, with gates of a layer; reads(j): the input of that layer at step j, if it is not the only one.
// go(step) is told which word of the curves was clicked.
export function makeGates(data, look, width, go) {
  const { words, gates, T, D } = data;
  const { rows } = gates;
  const lstm = data.cell === "lstm";
  const count = rows[0].values[0].length;
  const letter = (name, j) => (LETTERS[name] ?? (() => (name === "proposal" ? (lstm ? "g" : "n") : name)))(j);
  const wide = width >= 860; // strips and curves side by side
  const shown = rows.flatMap(({ name, norms }) => (norms ?? gates.means[name]).map((value) => number(value)));
  const space = Math.ceil(Math.max(...shown.map((text) => measure(text, SIZE, look.font)))) + 12; // px of a length or a mean
  const numbers = LABEL + space + BAR + 4;
  const whole = numbers + CELL * count + BESIDE;
  const above = width < (wide ? whole / 0.62 : whole); // words above the strips
  const room = above ? Math.min(width, numbers + CELL * count) : whole;
  const cell = Math.min(CELL, Math.max(6, (room - numbers) / count));
  const line = ROW + (above ? WORDS : 0);
  const [strip, beside] = [LABEL, LABEL + cell * count + space + BAR + 12];
  const height = line * rows.length + 4;
  const lines = rows.map(makeRow);
  const finger = svg("path", {
    d: rows.map((_, n) => `M0 ${top(n) + 2}h${cell}v${ROW - 4}h${-cell}z`).join(""),
    ...{ fill: "none", stroke: css(look.text), "stroke-width": 1.5 },
  });
  const attributes = { class: "strips", "font-family": look.font, role: "img" };
  const picture = drawing(room, height, attributes, ...lines.flatMap((row) => row.nodes), finger);
  const curves = drawCurves(data, look, wide ? width - room - 28 : width, wide ? Math.max(height, 190) : 230, go);
  const says = el("p", { class: "says" });
  const means = el("p", { class: "means" });
  const equations = el("div", { class: "equations" });
  const books = words[lstm ? "gates_books_lstm" : "gates_books_gru"];
  const layers = gates.layers > 1 && !data.reads ? ` ${filledText(words.gates_layers, { layers: gates.layers })}` : "";
  const title = el("h3", { "aria-level": 2 }, words.gates_title);
  const pair = el("div", { class: wide ? "pair beside" : "pair" }, picture, curves.node);
  const source = el("p", { class: "quiet" }, books + layers);
  const node = el("div", { class: "gates" }, title, says, pair, means, equations, source);
  return { node, show, parts, csv, numbers: numbersOf, sentence: () => means.textContent };

  function top(n) {
    return n * line + (above ? WORDS : 0);
  }

  function makeRow({ name, norms }, n) {
    const y = top(n);
    const base = y + ROW / 2 + SIZE * 0.35;
    const ink = { "font-size": SIZE, fill: css(look.text) };
    const label = svg("text", { x: 2, y: base, ...ink });
    const cells = Array.from({ length: count }, (_, i) =>
      svg("rect", { x: strip + i * cell, y: y + 3, width: cell - 1, height: ROW - 6 }, svg("title")),
    );
    const end = strip + count * cell + space;
    const value = svg("text", { x: end - 8, y: base, "text-anchor": "end", ...ink });
    const bar = norms ? null : makeBar(look, { x: end, y: y + 7, width: BAR, height: ROW - 14, color: data.hue });
    const at = above ? { x: strip, y: y - 3 } : { x: beside, y: base };
    const named = svg("text", { ...at, "font-size": SIZE - 1, fill: css(look.muted) }, words.gates_rows[name]);
    return { nodes: [label, ...cells, value, ...(bar?.nodes ?? []), named], label, cells, value, bar };
  }

  // step: counted from 0.
  function show(step) {
    const j = step + 1;
    rows.forEach(({ name, values, norms }, n) => {
      const { label, cells, value, bar } = lines[n];
      label.replaceChildren(...svgRich(letter(name, j), SIZE + 1));
      cells.forEach((rect, i) => {
        set(rect, { fill: css(signedColor(look, values[step][i], 1)) });
        rect.firstChild.textContent = number(values[step][i], 3);
      });
      value.textContent = number(norms ? norms[step] : gates.means[name][step]);
      bar?.show(gates.means[name][step]);
    });
    const most = largestChange(step);
    set(finger, { transform: `translate(${strip + most * cell - 0.5} 0)` });
    const named = { after: `s${lowered(j)}`, before: `s${lowered(step)}`, last: quote(data.input(step)), count, D };
    says.replaceChildren(...fill(words.gates_says, named, ["last"]));
    means.replaceChildren(...fill(words[`gates_${data.cell}`], shares(step), ["kept", "new", "shown"]));
    equations.replaceChildren(...formulas(j), el("p", { class: "number" }, ...arithmetic(step, most)));
    set(picture, { "aria-label": filledText(words.gates_picture, { j }) });
    curves.show(step);
  }

  function shares(step) {
    const percent = (share) => `${Math.round(100 * share)}\u00a0%`;
    const mean = (name) => gates.means[name][step];
    if (!lstm) return { kept: percent(mean("z")), new: percent(1 - mean("z")) };
    return { kept: percent(mean("f")), new: percent(mean("i")), shown: percent(mean("o")) };
  }

  function at(name, step, i) {
    return rows.find((row) => row.name === name).values[step][i];
  }

  // The number in the strips that this step changes most.
  function largestChange(step) {
    const [from, to] = lstm ? ["cellBefore", "cellAfter"] : ["before", "after"];
    const change = Array.from({ length: count }, (_, i) => Math.abs(at(to, step, i) - at(from, step, i)));
    return change.indexOf(Math.max(...change));
  }

  function formulas(j) {
    const sum = (gate) => `W<sub>${gate}</sub> x<sub>${j}</sub> + U<sub>${gate}</sub> s<sub>${j - 1}</sub> + b<sub>${gate}</sub>`;
    const gate = (name) => `${name} = \u03c3(${sum(name)})`;
    const read = `e(y<sub>${j - 1}</sub>)`;
    const only = gates.layers > 1 ? "" : `x<sub>${j}</sub> = ${data.everyStep ? `[${read}; C]` : read}`;
    const below = data.reads ? data.reads(j) : only;
    const [old, now] = [`s<sub>${j - 1}</sub>`, `s<sub>${j}</sub>`];
    const cell = `c<sub>${j}</sub>`;
    const state = [`g = tanh(${sum("g")})`, `${cell} = f c<sub>${j - 1}</sub> + i g`, `${now} = o tanh(${cell})`];
    const reset = `r (U<sub>n</sub> ${old} + b\u2032<sub>n</sub>)`;
    const proposal = `n = tanh(W<sub>n</sub> x<sub>${j}</sub> + b<sub>n</sub> + ${reset})`;
    const gru = [...["r", "z"].map(gate), proposal, `${now} = (1 \u2212 z) n + z ${old}`];
    const made = lstm ? [...["f", "i", "o"].map(gate), ...state] : gru;
    return [below, ...made].filter(Boolean).map((markup) => el("p", { class: "letters" }, ...rich(markup)));
  }

  // The last equation with the numbers of one component; they have more digits than the result.
  function arithmetic(step, i) {
    const text = (name) => {
      const value = at(name, step, i);
      return value < 0 ? `(${number(value, 4)})` : number(value, 4);
    };
    const end = (name) => el("b", {}, number(at(name, step, i)));
    const intro = `${filledText(words.gates_number, { i: i + 1 })} `;
    if (!lstm) {
      const [z, n, old] = ["z", "proposal", "before"].map(text);
      return [intro, `(1 \u2212 ${z}) \u00b7 ${n} + ${z} \u00b7 ${old} = `, end("after")];
    }
    const [f, c, input, g, o] = ["f", "cellBefore", "i", "proposal", "o"].map(text);
    const next = number(at("cellAfter", step, i), 4);
    return [
      ...[intro, `${f} \u00b7 ${c} + ${input} \u00b7 ${g} = `, end("cellAfter"), ", "],
      ...[`${o} \u00b7 tanh(${next}) = `, end("after")],
    ];
  }

  // The saved picture: strips, and the curves below them.
  function parts() {
    return [
      { node: picture, x: 0, y: 0 },
      { node: curves.node, x: 0, y: height + 24 },
    ];
  }

  function csv() {
    const heads = ["step", "token", "vector", "length", "mean", ...Array.from({ length: count }, (_, i) => i + 1)];
    const lines = Array.from({ length: T }, (_, step) =>
      rows.map(({ name, values, norms }) => {
        const size = norms ? [norms[step], ""] : ["", gates.means[name][step]];
        return [step + 1, sentenceName(data.target[step]), name, ...size, ...values[step]];
      }),
    );
    return [heads, ...lines.flat()];
  }

  // A table of this step (see makeTables): one line per vector.
  function numbersOf(step) {
    const caption = filledText(words.gates_table, { j: step + 1, count, D });
    const heads = [words.gates_vector, words.gates_size, ...Array.from({ length: count }, (_, i) => String(i + 1))];
    const plainLetter = (name) => letter(name, step + 1).replace(/<\/?sub>/g, "");
    const line = ({ name, values, norms }) => [
      plainLetter(name),
      number(norms ? norms[step] : gates.means[name][step], 3),
      ...values[step].map((value) => number(value, 3)),
    ];
    return [caption, () => [heads, ...rows.map(line)]];
  }
}
