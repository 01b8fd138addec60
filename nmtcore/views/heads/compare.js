// @ts-check
// All heads in one table: the loss of the output's log-probability without each, and statistics; sorted by a click.

import { makeMeter } from "../kit/bars.js";
import { button, el, set } from "../kit/dom.js";
import { number } from "../kit/number.js";

// on: {choose(kind, place), toggle(name)}.
export function makeCompare(words, on) {
  const node = el("div", { class: "compare scroll plain" });
  let by = "change"; // the sorting column
  let shown = null; // the data of the last drawing
  let lines = []; // [{name, node, toggle}]
  let marked = ["", new Set()]; // the chosen head and those that are off
  return { node, draw, mark };

  function draw(data, height) {
    shown = data;
    node.style.maxHeight = `${height + 40}px`;
    const columns = ["change", ...data.columns.map((column) => column.id)];
    if (!columns.includes(by)) by = "change";
    const value = (row) => (by === "change" ? row.change : row.statistics[data.columns.findIndex((c) => c.id === by)]);
    // Ascending for the change: the head whose loss costs most comes first. Others: largest first.
    const order = (a, b) => (value(a) ?? Infinity) - (value(b) ?? Infinity);
    const downwards = (a, b) => (value(b) ?? -Infinity) - (value(a) ?? -Infinity);
    const rows = data.rows().map((row, i) => ({ ...row, change: data.changes?.[i] ?? null }));
    rows.sort(by === "change" ? order : downwards);
    const most = Math.max(0.01, ...rows.map((row) => Math.abs(row.change ?? 0)));
    const first = [el("th", { scope: "col" }, words.col_head), column("change", words.col_change, words.col_change_hint)];
    const head = el("tr", {}, ...first, ...data.columns.map(({ id, name, hint }) => column(id, name, hint)));
    const hint = by === "change" ? words.col_change_hint : data.columns.find(({ id }) => id === by).hint;
    const active = node.getRootNode().activeElement;
    const held = lines.find((l) => l.node.contains(active));
    lines = rows.map((row) => line(row, most, Boolean(data.changes)));
    const caption = el("caption", {}, hint); // explains the sorting column: touch shows no title
    const table = el("table", {}, caption, el("thead", {}, head), el("tbody", {}, ...lines.map((l) => l.node)));
    node.replaceChildren(table);
    const again = held && lines.find((l) => l.name === held.name); // keep the focus on its head
    again?.node.querySelector(active === held.toggle ? ".switch" : ".link").focus({ preventScroll: true });
  }

  function column(id, name, hint) {
    const order = by === id ? (id === "change" ? "ascending" : "descending") : null;
    return el("th", { scope: "col", "aria-sort": order }, button(() => sort(id), { title: hint }, name));
  }

  function sort(id) {
    by = id;
    draw(shown, parseFloat(node.style.maxHeight) - 40);
    mark(...marked);
    node.querySelector("[aria-sort] button")?.focus();
  }

  function line(row, most, known) {
    const toggle = button(() => on.toggle(row.name), { class: "switch", role: "switch", "aria-label": row.switch });
    const choose = button(() => on.choose(row.kind, { layer: row.layer, head: row.head }), { class: "link" }, row.title);
    const bar = makeMeter(Math.abs(row.change ?? 0) / most, { kind: row.change < 0 ? "loss" : "gain" });
    const change = el("td", { class: "change" }, bar.node, known ? number(row.change, 2) : "\u2026");
    const text = (value, i) => (value === null ? "" : number(value, shown.columns[i].places));
    const statistics = row.statistics.map((value, i) => el("td", {}, text(value, i)));
    const cells = [el("th", { scope: "row" }, toggle, choose), change, ...statistics];
    return { name: row.name, toggle, node: el("tr", {}, ...cells) };
  }

  function mark(chosen, off) {
    marked = [chosen, off];
    for (const { name, node: row, toggle } of lines) {
      set(row, { "aria-current": name === chosen });
      row.classList.toggle("off", off.has(name));
      set(toggle, { "aria-checked": String(!off.has(name)) });
    }
  }
}

// The contents of a CSV: all heads, one per row, whether it is on, the score's change without it, and its statistics.
export function headRows(data, words, off) {
  const head = ["kind", "layer", "head", "on", words.col_change, ...data.columns.map((column) => column.name)];
  const line = (row, i) => [row.kind, row.layer + 1, row.head + 1, off.has(row.name) ? 0 : 1, data.changes?.[i] ?? ""];
  return [head, ...data.rows().map((row, i) => [...line(row, i), ...row.statistics.map((value) => value ?? "")])];
}
