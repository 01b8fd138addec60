// @ts-check
// Every number of this word as tables, and the check: the same in plain NumPy, with the largest difference.

import { makeTables } from "../kit/data_table.js";
import { el, fill, filledText } from "../kit/dom.js";
import { anySize } from "../kit/notation.js";
import { number } from "../kit/number.js";
import { sentenceName } from "../kit/piece.js";

export function makeNumbers(data, labels, before) {
  const words = data.words;
  const proof = el("p", { class: "proof" });
  const tables = makeTables(words.open, before?.tables);
  const code = el("pre", { class: "scrolls", tabindex: 0, "aria-label": words.code }, data.numpy.code);
  tables.node.append(el("p", { class: "about" }, words.code), code);
  return { node: el("div", { class: "proofs" }, proof, tables.node), tables, show };

  function show({ word: j }) {
    const worst = (name) => anySize(data.numpy.differences[name][j]);
    const [scores, weights, context, log] = ["scores", "weights", "context", "likelihoods"].map(worst);
    const values = { scores, weights, context, log };
    proof.replaceChildren(...fill(words.proof, values, Object.keys(values)));
    const count = data.query[j].length;
    tables.show([
      [words.table_scores, () => sources(j)],
      [filledText(words.table_vectors, { count, D: data.size }), () => vectors(j)],
      [words.table_candidates, () => candidates(j)],
    ]);
  }

  function sources(j) {
    const rows = labels.map((label, i) => [
      ...[String(i + 1), sentenceName(label), number(data.scores[j][i], 5), number(data.numpy.scores[j][i], 5)],
      ...[number(data.weights[j][i], 5), number(data.numpy.weights[j][i], 5)],
    ]);
    const sums = [data.weights[j], data.numpy.weights[j]].map((row) => row.reduce((a, b) => a + b, 0));
    rows.push(["", "Σ", "", "", ...sums.map((sum) => number(sum, 5))]);
    return [["i", words.source, "β", "β NumPy", "α", "α NumPy"], ...rows];
  }

  function vectors(j) {
    const column = (kind) => [data.plain(kind, j), data[kind][j]];
    const columns = [
      column("query"),
      column("context"),
      [`${data.plain("context", j)} NumPy`, data.numpy.context[j]],
      ...(data.asksBefore ? [column("state")] : []), // else it is the query
      column("output"),
    ];
    const cell = (value) => (value === undefined ? "" : number(value, 5)); // h~ may have fewer components
    const rows = data.query[j].map((_, k) => [String(k + 1), ...columns.map(([, values]) => cell(values[k]))]);
    return [["", ...columns.map(([name]) => name)], ...rows];
  }

  function candidates(j) {
    const rows = data.candidates[j].map(([token, p], c) => [
      ...[token, number(p, 5), number(Math.log(p), 5), number(data.numpy.likelihoods[j][c], 5)],
    ]);
    return [[words.piece, "P", "log P", "log P NumPy"], ...rows];
  }
}
