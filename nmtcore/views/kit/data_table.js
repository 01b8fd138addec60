// @ts-check
// A table of numbers with a caption: its headings, then a list of cells a row.

import { el } from "./dom.js";

export function table(caption, heads, rows) {
  const line = (cells, tag) =>
    el("tr", {}, ...cells.map((cell) => el(tag, tag === "th" ? { scope: "col" } : {}, cell)));
  return el(
    "table",
    {},
    el("caption", {}, caption),
    el("thead", {}, line(heads, "th")),
    el("tbody", {}, ...rows.map((row) => line(row, "td"))),
  );
}
