// @ts-check
// A table of numbers with a caption: its headings, then a list of cells per row; and tables that are made when they are opened.

import { el } from "./dom.js";
import { number } from "./number.js";

// heads: texts; rows: lists of texts, or of cells as they are.
export function table(caption, heads, rows) {
  const line = (cells) => el("tr", {}, ...cells.map((cell) => (typeof cell === "string" ? el("td", {}, cell) : cell)));
  const head = line(heads.map((text) => text && el("th", { scope: "col" }, text)));
  return el("table", {}, el("caption", {}, caption), el("thead", {}, head), el("tbody", {}, ...rows.map(line)));
}

// title: what opens them; before: those in whose place they are made, open if those are.
export function makeTables(title, before = null) {
  const tables = el("div", { class: "tables scrolls" });
  const node = el("details", { open: Boolean(before?.node.open) }, el("summary", {}, title), tables);
  let shown = [];
  node.addEventListener("toggle", fillIn);
  return { node, show };

  // tables: for each, a title and a function that returns headings and rows.
  function show(tables) {
    shown = tables;
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
