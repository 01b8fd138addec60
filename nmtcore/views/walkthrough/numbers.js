// @ts-check
// Every number of this word as tables, and the proof: the same in plain NumPy, with the largest difference.

import { el, fill, filledText } from "../kit/dom.js";
import { anySize } from "../kit/notation.js";
import { number } from "../kit/number.js";
import { sentenceName } from "../kit/piece.js";
import { table } from "../kit/data_table.js";

export function makeNumbers(data, labels, opened) {
  const words = data.words;
  const proof = el("p", { class: "proof" });
  const tables = el("div", { class: "tables" });
  const code = el("pre", { tabindex: 0, "aria-label": words.code }, data.numpy.code);
  const details = el(
    "details",
    { open: Boolean(opened) },
    el("summary", {}, words.open),
    tables,
    el("p", { class: "about" }, words.code),
    code,
  );
  let shown = () => {};
  details.addEventListener("toggle", () => details.open && shown());
  return { node: el("div", { class: "proofs" }, proof, details), details, show };

  function show({ word: j }) {
    const worst = (name) => anySize(data.numpy.differences[name][j]);
    const values = {
      scores: worst("scores"),
      weights: worst("weights"),
      context: worst("context"),
      log: worst("likelihoods"),
    };
    proof.replaceChildren(...fill(words.proof, values, Object.keys(values)));
    shown = () => tables.replaceChildren(sources(j), vectors(j), candidates(j));
    if (details.open) shown();
  }

  function sources(j) {
    const rows = labels.map((label, i) => [
      ...[String(i + 1), sentenceName(label), number(data.scores[j][i], 5), number(data.numpy.scores[j][i], 5)],
      ...[number(data.weights[j][i], 5), number(data.numpy.weights[j][i], 5)],
    ]);
    const sum = (row) =>
      number(
        row.reduce((a, b) => a + b, 0),
        5,
      );
    rows.push(["", "Σ", "", "", sum(data.weights[j]), sum(data.numpy.weights[j])]);
    return table(words.table_scores, ["i", words.source, "β", "β NumPy", "α", "α NumPy"], rows);
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
    const heads = columns.map(([name]) => name);
    const cell = (value) => (value === undefined ? "" : number(value, 5)); // h~ may have fewer components
    const rows = data.query[j].map((_, k) => [String(k + 1), ...columns.map(([, values]) => cell(values[k]))]);
    return table(filledText(words.table_vectors, { count: rows.length, D: data.size }), ["", ...heads], rows);
  }

  function candidates(j) {
    const rows = data.candidates[j].map(([token, p], c) => [
      ...[token, number(p, 5), number(Math.log(p), 5), number(data.numpy.likelihoods[j][c], 5)],
    ]);
    return table(words.table_candidates, [words.piece, "P", "log P", "log P NumPy"], rows);
  }
}
