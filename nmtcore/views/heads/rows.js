// @ts-check
// The contents of a CSV of the heads.

import { plain } from "../kit/notation.js";

// All heads, one per row: whether it is on, the score's change without it, and its statistics.
export function headRows(data, words, off) {
  const head = ["kind", "layer", "head", "on", words.col_change, ...data.columns.map((column) => column.name)];
  const line = (row, i) => [row.kind, row.layer + 1, row.head + 1, off.has(row.name) ? 0 : 1, data.changes?.[i] ?? ""];
  return [head, ...data.rows().map((row, i) => [...line(row, i), ...row.statistics.map((value) => value ?? "")])];
}

// One cell: its vectors, one component per row; then the scores of its query, one key per row.
export function cellRows({ letters, left, right, dots, scaled, masked, weights, arrived, s }, query, keys) {
  const names = [...letters.left, ...letters.right].map(plain);
  const vectors = [...left, ...right];
  const head = ["query", "key", "component", ...names];
  const scores = ["q\u00b7k", "q\u00b7k / \u221adk", "+ Mask", "softmax", ...(arrived ? ["|\u03b1f(x)|"] : [])];
  const components = [...left[0].keys()].map((i) => [
    ...[query, keys[s], i + 1],
    ...vectors.map((vector) => vector[i]),
    ...scores.map(() => ""),
  ]);
  const lines = keys.map((key, i) => [
    ...[query, key, "", ...names.map(() => "")],
    ...[dots[i], scaled[i], masked[i], weights[i], ...(arrived ? [arrived[i]] : [])],
  ]);
  return [[...head, ...scores], ...components, ...lines];
}
