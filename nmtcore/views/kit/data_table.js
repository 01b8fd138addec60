// @ts-check
// A table of numbers with a caption: its headings, then a list of cells a row; and tables that are made when they are opened.

import { el } from "./dom.js";
import { number } from "./number.js";

export function table(caption, heads, rows) {
  const line = (cells, tag) =>
    el("tr", {}, ...cells.map((cell) => tag === "th" && cell ? el("th", { scope: "col" }, cell) : el("td", {}, cell)));
  return el(
    "table",
    {},
    el("caption", {}, caption),
    el("thead", {}, line(heads, "th")),
    el("tbody", {}, ...rows.map((row) => line(row, "td"))),
  );
}

// title: what opens them; opened: whether they are.
export function makeTables(title, opened) {
  const tables = el("div", { class: "tables" });
  const node = el("details", { open: Boolean(opened) }, el("summary", {}, title), tables);
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
