// @ts-check
// The arithmetic of one cell: q and k, their product, the root, the mask, the softmax of the row, the weighted v.

import { makeMeter } from "../kit/bars.js";
import { HEAD, makeColumns } from "./columns.js";
import { el, fill, set } from "../kit/dom.js";
import { bytes } from "../kit/binary.js";
import { number } from "../kit/number.js";
import { pieceName } from "../kit/piece.js";

const SUM = 26; // px for what stands below the vectors
const INFINITY = "\u2212\u221e";

const signed = (value) => (value === -Infinity ? INFINITY : number(value));
const largest = (list) => list.reduce((top, value) => Math.max(top, Math.abs(value)), 0);

export function makeCell(words) {
  const node = el("div", { class: "cell" });
  const read = new WeakMap(); // vectors as sent to rows of numbers
  const said = el("div", { class: "said" });
  const [left, right] = [makeColumns(["q", "k", "q\u2218k"]), makeColumns(["v", "\u03b1v", "\u03a3\u03b1v"])];
  const sum = el("p", { class: "sum" });
  const output = el("p", { class: "sum" }, words.cell_output);
  const holder = el("div", { class: "numbers" });
  const across = el(
    "div",
    { class: "across" },
    el("div", {}, left.node, sum),
    holder,
    el("div", {}, right.node, output),
  );
  let table = null; // {of, node, update}
  return { node, compute, draw, values };

  function numbers(vectors, map) {
    if (!read.has(vectors)) {
      const { width } = vectors;
      const rows = (letter, count) => {
        const flat = new Float32Array(bytes(vectors[letter]));
        return Array.from({ length: count }, (_, i) => flat.subarray(i * width, (i + 1) * width));
      };
      const [q, k, v] = [rows("q", map.queries.length), rows("k", map.keys.length), rows("v", map.keys.length)];
      read.set(vectors, { q, k, v, qk: Math.max(...[...q, ...k].map(largest)), most: Math.max(...v.map(largest)) });
    }
    return read.get(vectors);
  }

  // Everything about row t and key s, from q, k and v; null while they are not there.
  function compute(vectors, map, causal, t, s) {
    if (!vectors) return null;
    const { q, k, v, qk, most } = numbers(vectors, map);
    const root = Math.sqrt(vectors.width);
    const dots = k.map((key) => key.reduce((total, value, i) => total + value * q[t][i], 0));
    const scaled = dots.map((dot) => dot / root);
    const masked = scaled.map((score, i) => (causal && i > t ? -Infinity : score));
    const top = Math.max(...masked);
    const powers = masked.map((score) => Math.exp(score - top));
    const total = powers.reduce((a, b) => a + b, 0);
    const weights = powers.map((power) => power / total);
    const passed = Array.from(v[0], (_, i) => v.reduce((all, value, j) => all + weights[j] * value[i], 0));
    const product = Array.from(k[s], (value, i) => value * q[t][i]);
    const part = Array.from(v[s], (value) => value * weights[s]);
    const vectorsOf = { left: [q[t], k[s], product], right: [v[s], part, passed] };
    const limits = { left: [qk, qk, largest(product) || 1], right: [most, most, most] };
    return { ...vectorsOf, limits, dots, scaled, masked, weights, t, s, width: vectors.width };
  }

  function values({ dots, scaled, masked, weights, s, width }) {
    const mask = masked[s] === -Infinity ? INFINITY : "0";
    return { product: signed(dots[s]), width, scaled: signed(scaled[s]), mask, weight: weights[s].toFixed(2) };
  }

  function draw(found, { mean, map, causal, t, s, look, height }) {
    if (!found) {
      node.replaceChildren(el("p", { class: "wait" }, mean ? words.cell_mean : words.waiting_vectors));
      return;
    }
    const names = { query: pieceName(map.queries[t]), key: pieceName(map.keys[s]) };
    said.replaceChildren(
      el("p", { class: "title" }, ...fill(words.cell_title, names, ["query", "key"])),
      ...formula(found),
    );
    const unit = Math.max(1, Math.min(12, (height - HEAD - SUM) / found.width));
    left.draw(found.left, found.limits.left, unit, look);
    right.draw(found.right, found.limits.right, unit, look);
    sum.replaceChildren(...fill(words.cell_product, values(found), ["product"]));
    if (table?.of !== map) table = makeTable(map, causal);
    if (holder.firstChild !== table.node) holder.replaceChildren(table.node);
    if (node.firstChild !== said) node.replaceChildren(said, across);
    node.style.setProperty("--room", `${height - 4}px`);
    table.update(found);
  }

  // The formula and the same with this cell's numbers.
  function formula(found) {
    const { product, width, mask, weight } = values(found);
    const symbols = ["softmax( q\u00b7k / \u221ad", el("sub", {}, "k"), " + Mask ) = \u03b1"];
    const filled = ["softmax( ", el("b", {}, product), ` / \u221a${width} + ${mask} ) = `, el("b", {}, weight)];
    return [symbols, filled].map((parts) => el("p", { class: "formula" }, ...parts));
  }
}

// A row for each key. The mask has a column only where it hides something.
function makeTable(map, causal) {
  const root = ["/\u221ad", el("sub", {}, "k")];
  const names = [[""], ["q\u00b7k"], root, ...(causal ? [["+ Mask"]] : []), ["softmax"]];
  const lines = map.keys.map((key) => {
    const bar = makeMeter(0);
    const cells = names.slice(1).map(() => el("td", {}));
    const share = document.createTextNode("");
    cells.at(-1).append(bar.node, share);
    cells.at(-1).className = "weight";
    return {
      bar,
      cells,
      share,
      row: el("tr", {}, el("th", { scope: "row", title: pieceName(key) }, pieceName(key)), ...cells),
    };
  });
  const head = el("thead", {}, el("tr", {}, ...names.map((parts) => el("th", { scope: "col" }, ...parts))));
  const body = el("tbody", {}, ...lines.map((line) => line.row));
  const node = el("table", { class: causal ? "causal" : null }, head, body);
  let last = -1; // the key in sight
  return { of: map, node, update };

  function update({ dots, scaled, masked, weights, s }) {
    lines.forEach(({ bar, cells, share, row }, i) => {
      const texts = [dots[i], scaled[i], ...(causal ? [masked[i]] : [])];
      texts.forEach((value, c) => (cells[c].textContent = signed(value)));
      bar.show(weights[i]);
      share.data = weights[i].toFixed(2);
      set(row, { "aria-current": i === s, class: masked[i] === -Infinity ? "masked" : null });
    });
    if (s !== last) requestAnimationFrame(reveal); // measuring now would lay out the page for every move of the pointer
    last = s;
  }

  function reveal() {
    const { row } = lines[last];
    const top = row.offsetTop - body.offsetTop;
    const within = top >= body.scrollTop && top + row.offsetHeight <= body.scrollTop + body.clientHeight;
    if (!within) body.scrollTop = top - body.clientHeight / 2;
  }
}
