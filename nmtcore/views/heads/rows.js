// @ts-check
// What a CSV of the heads holds.

// All heads, one a row: whether it is on, what the score gains without it, and its figures.
export function headRows(data, words, off) {
  const head = ["kind", "layer", "head", "on", words.col_change, ...data.columns.map((column) => column.name)];
  const line = (row, i) => [row.kind, row.layer + 1, row.head + 1, off.has(row.name) ? 0 : 1, data.changes?.[i] ?? ""];
  return [head, ...data.rows.map((row, i) => [...line(row, i), ...row.figures.map((value) => value ?? "")])];
}

// One cell: its vectors, one component a row; then the scores of its query, one key a row.
export function cellRows({ left, right, dots, scaled, masked, weights, s }, query, keys) {
  const head = ["query", "key", "component", "q", "k", "q\u2218k", "v", "\u03b1v", "\u03a3\u03b1v"];
  const scores = ["q\u00b7k", "q\u00b7k / \u221adk", "+ Mask", "softmax"];
  const places = [...left[0].keys()];
  const components = places.map((i) => [
    query,
    keys[s],
    i + 1,
    ...[...left, ...right].map((v) => v[i]),
    "",
    "",
    "",
    "",
  ]);
  const lines = keys.map((key, i) => [
    query,
    key,
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    dots[i],
    scaled[i],
    masked[i],
    weights[i],
  ]);
  return [[...head, ...scores], ...components, ...lines];
}
