// The arithmetic of one cell: q and k, their product, the root, the mask, the softmax of the row, the weighted v.

import { css, signedColor } from "./color.js";
import { el, fill, set, svg } from "./dom.js";
import { measure, shorten } from "./layout.js";
import { bytes } from "./maps.js";

const COLUMN = 26; // px of a vector
const GAP = 10;
const HEAD = 22; // px for the letter above a vector

const signed = (value, places = 2) => value.toFixed(places).replace("-", "\u2212");
const bare = (piece) => piece.replace(/^▁(?=.)/, "");

export function makeCell(words) {
  const node = el("div", { class: "cell" });
  const cache = new WeakMap();
  return { node, compute, draw, values };

  function read(vectors, map) {
    if (!cache.has(vectors)) {
      const [q, k, v] = ["q", "k", "v"].map((letter) => new Float32Array(bytes(vectors[letter])));
      const rows = (flat, count) => Array.from({ length: count }, (_, i) => flat.subarray(i * vectors.width, (i + 1) * vectors.width));
      cache.set(vectors, { q: rows(q, map.queries.length), k: rows(k, map.keys.length), v: rows(v, map.keys.length) });
    }
    return cache.get(vectors);
  }

  // Everything about row t and key s, from q, k and v; null while they are not there.
  function compute(vectors, map, causal, t, s) {
    if (!vectors) return null;
    const { q, k, v } = read(vectors, map);
    const root = Math.sqrt(vectors.width);
    const dots = k.map((key) => key.reduce((sum, value, i) => sum + value * q[t][i], 0));
    const scaled = dots.map((dot) => dot / root);
    const masked = scaled.map((score, i) => (causal && i > t ? -Infinity : score));
    const top = Math.max(...masked);
    const powers = masked.map((score) => Math.exp(score - top));
    const total = powers.reduce((sum, power) => sum + power, 0);
    const weights = powers.map((power) => power / total);
    const output = v[0].map((_, i) => v.reduce((sum, value, j) => sum + weights[j] * value[i], 0));
    const product = k[s].map((value, i) => value * q[t][i]);
    const part = v[s].map((value) => value * weights[s]);
    const limit = (lists) => Math.max(1e-6, ...lists.map((list) => list.reduce((m, x) => Math.max(m, Math.abs(x)), 0)));
    const limits = { qk: limit([...q, ...k]), product: limit([product]), v: limit(v) };
    return { q: q[t], k: k[s], v: v[s], product, part, output, dots, scaled, masked, weights, limits, t, s, width: vectors.width };
  }

  function values({ dots, scaled, masked, weights, s, width }) {
    return {
      product: signed(dots[s]),
      width,
      scaled: signed(scaled[s]),
      mask: masked[s] === -Infinity ? "\u2212\u221e" : "0",
      weight: weights[s].toFixed(2),
    };
  }

  function draw(found, { mean, map, causal, t, s, look, height }) {
    if (!found) {
      node.replaceChildren(el("p", { class: "wait" }, mean ? words.cell_mean : words.waiting_vectors));
      return;
    }
    const names = { query: bare(map.queries[t]), key: bare(map.keys[s]) };
    const title = el("p", { class: "title" }, ...fill(words.cell_title, names, ["query", "key"]));
    const unit = Math.max(1, Math.min(12, (height - HEAD) / found.width));
    node.style.setProperty("--room", `${height - 4}px`);
    const { qk, product, v } = found.limits;
    const left = vectors(look, unit, [
      ["q", found.q, qk],
      ["k", found.k, qk],
      ["q\u2218k", found.product, product],
    ]);
    const right = vectors(look, unit, [
      ["v", found.v, v],
      ["\u03b1v", found.part, v],
      ["\u03a3\u03b1v", found.output, v],
    ]);
    const sum = el("p", { class: "sum" }, ...fill(words.cell_product, values(found), ["product"]));
    const all = el("p", { class: "sum" }, words.cell_output);
    const columns = el("div", { class: "across" }, el("div", {}, left, sum), table(found, map, causal), el("div", {}, right, all));
    const scroll = node.querySelector("tbody")?.scrollTop ?? 0;
    node.replaceChildren(el("div", { class: "said" }, title, ...formula(found)), columns);
    const body = node.querySelector("tbody");
    body.scrollTop = scroll;
    const line = body.rows[s];
    if (line.offsetTop < body.scrollTop || line.offsetTop + line.offsetHeight > body.scrollTop + body.clientHeight)
      body.scrollTop = line.offsetTop - body.clientHeight / 2;
  }

  // The formula and, under it, the same with this cell's numbers.
  function formula(found) {
    const { product, width, mask, weight } = values(found);
    const sub = (text) => el("sub", {}, text);
    const symbols = ["softmax( ", "q\u00b7k", " / ", "\u221ad", sub("k"), " + ", "Mask", " )", " = \u03b1"];
    const numbers = ["softmax( ", el("b", {}, product), " / ", `\u221a${width}`, " + ", mask, " )", " = ", el("b", {}, weight)];
    return [symbols, numbers].map((parts) => el("p", { class: "formula" }, ...parts));
  }

  // A row for each key. The mask has a column only where it hides something.
  function table(found, map, causal) {
    const heads = ["", "q\u00b7k", "/\u221ad", ...(causal ? ["+ Mask"] : []), "softmax"].map((text, i) =>
      el("th", { scope: "col" }, text, ...(i === 2 ? [el("sub", {}, "k")] : [])),
    );
    const lines = map.keys.map((key, i) => {
      const bar = el("span", { class: "bar" });
      bar.style.width = `${100 * found.weights[i]}%`;
      const open = found.masked[i] !== -Infinity;
      const line = el(
        "tr",
        { class: open ? null : "masked" },
        el("th", { scope: "row", title: bare(key) }, bare(key)),
        el("td", {}, signed(found.dots[i])),
        el("td", {}, signed(found.scaled[i])),
        ...(causal ? [el("td", {}, open ? signed(found.masked[i]) : "\u2212\u221e")] : []),
        el("td", { class: "weight" }, el("span", { class: "track" }, bar), found.weights[i].toFixed(2)),
      );
      set(line, { "aria-current": i === found.s });
      return line;
    });
    return el("table", { class: causal ? "causal" : null }, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...lines));
  }
}

// Vectors as columns of signed colours, side by side, each under its letter.
function vectors(look, unit, columns) {
  const size = columns[0][1].length;
  const [width, height] = [columns.length * (COLUMN + GAP) - GAP + 8, HEAD + unit * size + 1];
  const drawing = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": look.font, role: "img" });
  set(drawing, { "aria-label": columns.map(([letter]) => letter).join(", ") });
  columns.forEach(([letter, values, limit], c) => {
    const x = 4 + c * (COLUMN + GAP);
    const name = shorten(letter, 15, look.font, COLUMN + GAP);
    drawing.append(
      svg(
        "text",
        { x: x + COLUMN / 2 - measure(name, 15, look.font) / 2, y: 14, "font-size": 15, "font-weight": 600, fill: css(look.text) },
        name,
      ),
    );
    values.forEach((value, i) => {
      const place = { x, y: HEAD + i * unit, width: COLUMN, height: unit - (unit > 5 ? 0.6 : 0) };
      const title = svg("title", {}, `${letter} ${i + 1}: ${signed(value, 3)}`);
      drawing.append(svg("rect", { ...place, fill: css(signedColor(look, value, limit)), "data-value": value.toFixed(4) }, title));
    });
    const frame = { x: x - 0.5, y: HEAD - 0.5, width: COLUMN + 1, height: unit * size + 1 };
    drawing.append(svg("rect", { ...frame, fill: "none", stroke: css(look.line) }));
  });
  return drawing;
}
