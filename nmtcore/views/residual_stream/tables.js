// @ts-check
// The numbers of the picture as tables, made when they are opened, and as rows of a CSV.

import { table } from "../kit/data_table.js";
import { el } from "../kit/dom.js";
import { stageName } from "./lens.js";
import { number } from "../kit/number.js";
import { nameOf, noteOf } from "./rows.js";

export function makeTables(words, opened) {
  const tables = el("div", { class: "tables" });
  const node = el("details", { open: Boolean(opened) }, el("summary", {}, words.open), tables);
  let shown = [];
  node.addEventListener("toggle", fillIn);
  return { node, show };

  // found: a title and a function that returns headings and rows, of each table.
  function show(found) {
    shown = found;
    fillIn();
  }

  function fillIn() {
    if (!node.open) return;
    const text = (value) => (typeof value === "number" && !Number.isInteger(value) ? number(value, 3) : String(value));
    const made = shown.map(([title, rowsOf]) => {
      const [heads, ...rows] = rowsOf();
      return table(title, heads, rows.map((row) => row.map(text)));
    });
    tables.replaceChildren(...made);
  }
}

// Headings, and a row a vector.
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

// Headings, and a row a piece of each stage.
export function lensTable(data, { stages }) {
  const lines = stages.flatMap((stage) =>
    stage.says.map(([piece, , value], rank) => [stageName(stage, data.words).join(" "), rank + 1, piece, value]),
  );
  return [["stage", "rank", "piece", "value"], ...lines];
}

const numbered = (name, count) => Array.from({ length: count }, (_, i) => `${name}${i + 1}`);
