// @ts-check
// The numbers of the picture as rows, of a table and of a CSV.

import { stageName } from "./lens.js";
import { nameOf, noteOf } from "./rows.js";

// Headings, and one row per vector.
export function rowTable(data, { rows }) {
  const said = Math.max(...rows.map(({ says }) => says.length));
  const heads = ["row", "norm", "share", ...numbered("says ", said), "note", ...numbered("x", data.count)];
  const lines = rows.map((row) => [
    nameOf(row, data.words),
    row.norm,
    row.share ?? "",
    ...Array.from({ length: said }, (_, i) => (row.says[i] ? `${row.says[i][0]} ${row.says[i][2].toFixed(4)}` : "")),
    noteOf(row, data),
    ...row.values.map((value) => Number(value.toFixed(4))),
  ]);
  return [heads, ...lines];
}

// Headings, and one row per piece of each stage.
export function lensTable(data, { stages }) {
  const lines = stages.flatMap((stage) =>
    stage.says.map(([piece, , value], rank) => [stageName(stage, data.words).join(" "), rank + 1, piece, value]),
  );
  return [["stage", "rank", "piece", "value"], ...lines];
}

const numbered = (name, count) => Array.from({ length: count }, (_, i) => `${name}${i + 1}`);
