// @ts-check
// The same numbers as tables, for screen readers.

import { table } from "../kit/data_table.js";
import { el } from "../kit/dom.js";
import { titleOf } from "../kit/mark.js";
import { sentenceName } from "../kit/piece.js";

export function drawTable({ panel, rows, columns, weights }) {
  const name = (row) => el("th", { scope: "row" }, row.doubtful ? titleOf(row) : sentenceName(row));
  const lines = rows.map((row, r) => [name(row), ...weights[r].map((w) => (Number.isNaN(w) ? "" : w.toFixed(2)))]);
  return table([panel.title, ...panel.caption].join(", "), ["", ...columns.map(sentenceName)], lines);
}
