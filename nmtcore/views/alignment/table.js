// @ts-check
// The same numbers as tables, for screen readers.

import { el } from "../kit/dom.js";
import { titleOf } from "../kit/mark.js";
import { sentenceName } from "../kit/piece.js";

export function drawTable(view) {
  const { panel, rows, columns, weights } = view;
  const head = el("tr", {}, el("td", {}), ...columns.map((c) => el("th", { scope: "col" }, sentenceName(c))));
  const lines = rows.map((row, r) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, row.doubtful ? titleOf(row) : sentenceName(row)),
      ...weights[r].map((w) => el("td", {}, Number.isNaN(w) ? "" : w.toFixed(2))),
    ),
  );
  return el(
    "table",
    {},
    el("caption", {}, [panel.title, ...panel.caption].join(", ")),
    el("thead", {}, head),
    el("tbody", {}, ...lines),
  );
}
