// @ts-check
// The arithmetic of one cell: x to q, k and v, the product, the root, the mask, the softmax of the row, the weighted v,
// and what arrives after W^O (Kobayashi et al. 2020).

import { makeMeter } from "../kit/bars.js";
import { HEAD, makeColumns } from "./columns.js";
import { el, fill, set } from "../kit/dom.js";
import { bytes } from "../kit/binary.js";
import { plain, rich, significant } from "../kit/notation.js";
import { number, probabilityText } from "../kit/number.js";
import { nameAt } from "../kit/piece.js";
import { bringIntoSight, reachable } from "../kit/reach.js";

const SUM = 50; // px for the text below the vectors
const NAMED = 3; // components that contribute most to the score
const INFINITY = "\u2212\u221e";
const LETTERS = {
  left: ["x<sub>i</sub>", "q", "x<sub>j</sub>", "k", "q\u2218k"],
  right: ["v", "\u03b1v", "\u03a3\u03b1v", "\u03b1f", "\u03a3\u03b1f"],
};

const signed = (value) => (value === -Infinity ? INFINITY : number(value));
const largest = (list) => list.reduce((top, value) => Math.max(top, Math.abs(value)), 0);

// by: the switch between the weights and what arrives, which changes the matrix beside it.
export function makeCell(words, by) {
  const node = el("div", { class: "cell" });
  const read = new WeakMap(); // vectors as sent to rows of numbers
  const title = el("p", { class: "title" });
  const over = el("div", { class: "over" }, title, by);
  const said = el("div", { class: "said" });
  const [left, right] = [makeColumns(), makeColumns()];
  const sums = el("div", { class: "sums" });
  const holder = el("div", { class: "numbers" });
  const across = el("div", { class: "across" }, left.node, holder, right.node);
  let table = null; // {of, node, update}
  return { node, compute, draw, values, norms };

  function numbers(vectors, map) {
    if (!read.has(vectors)) {
      const { width } = vectors;
      const rows = (letter, count) => {
        const flat = new Float32Array(bytes(vectors[letter]));
        return Array.from({ length: count }, (_, i) => flat.subarray(i * width, (i + 1) * width));
      };
      const [T, S] = [map.queries.length, map.keys.length];
      const [q, k, v] = [rows("q", T), rows("k", S), rows("v", S)];
      const [xi, xj, f] = [rows("xi", T), rows("xj", S), rows("f", S)];
      const most = (...all) => Math.max(...all.flat().map(largest));
      const limits = { qk: most(q, k), v: most(v), x: most(xi, xj), f: most(f) };
      read.set(vectors, { q, k, v, xi, xj, f, limits });
    }
    return read.get(vectors);
  }

  // The scores of a row, step by step, to its weights.
  function scoresOf({ q, k }, width, causal, t) {
    const root = Math.sqrt(width);
    const dots = k.map((key) => key.reduce((total, value, i) => total + value * q[t][i], 0));
    const scaled = dots.map((dot) => dot / root);
    const masked = scaled.map((score, i) => (causal && i > t ? -Infinity : score));
    const top = Math.max(...masked);
    const shifted = masked.map((score) => Math.exp(score - top)); // no score is too large for this
    const sum = shifted.reduce((a, b) => a + b, 0);
    const powers = masked.map((score) => Math.exp(score));
    return { dots, scaled, masked, powers, sum: sum * Math.exp(top), weights: shifted.map((power) => power / sum) };
  }

  // The vectors times their weights, added up.
  function mean(vectors, weights) {
    return Array.from(vectors[0], (_, i) => vectors.reduce((all, value, j) => all + weights[j] * value[i], 0));
  }

  // Everything about row t and key s, from the sent vectors; null until they arrive.
  function compute(vectors, map, causal, t, s) {
    if (!vectors) return null;
    const known = numbers(vectors, map);
    const { q, k, v, xi, xj, f, limits } = known;
    const scores = scoresOf(known, vectors.width, causal, t);
    const { weights } = scores;
    const product = Array.from(k[s], (value, i) => value * q[t][i]);
    const weighted = (vector) => Array.from(vector, (value) => value * weights[s]);
    return {
      ...{ ...scores, t, s, product, width: vectors.width },
      left: [xi[t], q[t], xj[s], k[s], product],
      right: [v[s], weighted(v[s]), mean(v, weights), weighted(f[s]), mean(f, weights)],
      limits: {
        left: [limits.x, limits.qk, limits.x, limits.qk, largest(product) || 1],
        right: [limits.v, limits.v, limits.v, limits.f, limits.f],
      },
      arrived: weights.map((weight, j) => weight * vectors.norms[j]),
      total: vectors.totals[t],
    };
  }

  // |alpha f(x)| of all cells as shares of the longest.
  function norms(vectors, map, causal) {
    const known = numbers(vectors, map);
    const rows = map.queries.map((_, t) =>
      scoresOf(known, vectors.width, causal, t).weights.map((weight, j) => weight * vectors.norms[j]),
    );
    const most = Math.max(...rows.flat());
    return { most, shares: rows.map((row) => row.map((norm) => norm / (most || 1))) };
  }

  function values({ dots, scaled, masked, weights, s, width }) {
    const mask = masked[s] === -Infinity ? INFINITY : "0";
    return { product: signed(dots[s]), width, scaled: signed(scaled[s]), mask, weight: probabilityText(weights[s]) };
  }

  function draw(cell, { mean, map, causal, t, s, look, height }) {
    if (!cell) {
      node.replaceChildren(el("p", { class: "wait" }, mean ? words.cell_mean : words.waiting_vectors));
      return;
    }
    const names = { query: nameAt(map.queries, t, map.query_words), key: nameAt(map.keys, s, map.key_words) };
    title.replaceChildren(...fill(words.cell_title, names, ["query", "key"]));
    said.replaceChildren(...formula(cell));
    const unit = Math.max(1, Math.min(12, (height - HEAD - SUM) / cell.width));
    left.draw(LETTERS.left, cell.left, cell.limits.left, unit, look);
    right.draw(LETTERS.right, cell.right, cell.limits.right, unit, look);
    sums.replaceChildren(...below(cell, names.key));
    if (table?.of !== map) table = makeTable(map, causal, words);
    if (holder.firstChild !== table.node) holder.replaceChildren(table.node);
    if (node.firstChild !== over) node.replaceChildren(over, said, across, sums);
    node.style.setProperty("--room", `${height - SUM}px`);
    table.update(cell);
  }

  // The components that made the score, and what arrives.
  function below({ product, dots, arrived, total, s }, key) {
    const order = product.map((value, i) => ({ value, i })).sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    const parts = order.slice(0, NAMED).map(({ value, i }) => `${i + 1} (${number(value)})`);
    const named = { product: signed(dots[s]), parts: parts.join(", ") };
    const sizes = { norm: number(arrived[s]), key, total: number(total) };
    const lines = [fill(words.cell_product, named, ["product"]), fill(words.cell_arrives, sizes, ["norm", "key", "total"])];
    return lines.map((parts) => el("p", { class: "sum" }, ...parts));
  }

  // The formula and the same with this cell's numbers.
  function formula(cell) {
    const { dots, powers, sum, s, width } = cell;
    const { mask, weight } = values(cell);
    const symbols = rich("softmax( q\u00b7k / \u221ad<sub>k</sub> + Mask ) = \u03b1");
    const exponent = `${number(dots[s], 4)} / \u221a${width} + ${mask}`;
    const divided = ` = ${significant(powers[s])} / ${significant(sum)} = `;
    const filled = ["e", el("sup", {}, exponent), " / \u03a3e", el("sup", {}, "\u2026"), divided, el("b", {}, weight)];
    return [el("p", { class: "formula letters" }, ...symbols), el("p", { class: "formula" }, ...filled)];
  }
}

// A row for each key.
function makeTable(map, causal, words) {
  const root = ["/\u221ad", el("sub", {}, "k"), causal ? "+M" : ""];
  const names = [[""], ["q\u00b7k"], root, ["e", el("sup", {}, "\u2026")], ["softmax"]];
  const lines = map.keys.map((_, s) => {
    const key = nameAt(map.keys, s, map.key_words);
    const bar = makeMeter(0);
    const cells = names.slice(1).map(() => el("td", {}));
    const share = document.createTextNode("");
    cells.at(-1).append(bar.node, share);
    cells.at(-1).className = "weight";
    const norm = el("td", {});
    const name = el("th", { scope: "row", title: key }, key);
    return { bar, cells, share, norm, row: el("tr", {}, name, ...cells, norm) };
  });
  const columns = [...names, [words.col_norm]];
  const head = el("thead", {}, el("tr", {}, ...columns.map((parts) => el(parts[0] ? "th" : "td", { scope: parts[0] ? "col" : null }, ...parts))));
  const body = reachable(el("tbody", { class: "scrolls" }, ...lines.map((line) => line.row)));
  const node = el("table", {}, head, body);
  let last = -1; // the key in sight
  return { of: map, node, update };

  function update({ dots, masked, powers, weights, arrived: lengths, s }) {
    lines.forEach(({ bar, cells, share, norm, row }, i) => {
      const texts = [signed(dots[i]), signed(masked[i]), significant(powers[i], 3)];
      texts.forEach((text, c) => (cells[c].textContent = text));
      bar.show(weights[i]);
      share.data = probabilityText(weights[i]);
      norm.textContent = number(lengths[i]);
      set(row, { "aria-current": i === s, class: masked[i] === -Infinity ? "masked" : null });
    });
    if (s !== last) requestAnimationFrame(reveal); // measuring now would force a layout for every move of the pointer
    last = s;
  }

  function reveal() {
    const { row } = lines[last];
    bringIntoSight(body, { y: row.offsetTop - body.offsetTop, height: row.offsetHeight });
  }
}

// The contents of a CSV: the vectors of a cell, one component per row; then the scores of its query, one key per row.
export function cellRows({ left, right, dots, scaled, masked, weights, arrived, s }, query, keys) {
  const names = [...LETTERS.left, ...LETTERS.right].map(plain);
  const vectors = [...left, ...right];
  const head = ["query", "key", "component", ...names];
  const scores = ["q\u00b7k", "q\u00b7k / \u221adk", "+ Mask", "softmax", "|\u03b1f(x)|"];
  const components = [...left[0].keys()].map((i) => [
    ...[query, keys[s], i + 1],
    ...vectors.map((vector) => vector[i]),
    ...scores.map(() => ""),
  ]);
  const lines = keys.map((key, i) => [
    ...[query, key, "", ...names.map(() => "")],
    ...[dots[i], scaled[i], masked[i], weights[i], arrived[i]],
  ]);
  return [[...head, ...scores], ...components, ...lines];
}
