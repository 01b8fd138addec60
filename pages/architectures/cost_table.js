// @ts-check
// Sorts the table of costs by a press on the name of a column, and shows all figures as multiples of one model's by a
// press on its name. The table is there without it; the server draws it anew when more has been measured.

import { el, set } from "../../nmtcore/views/kit/dom.js";
import { mounted } from "../../nmtcore/views/kit/mount.js";

const PLACE = ".st-key-cost-table";

export default mounted((_parent, _data, host) => {
  const watch = new MutationObserver(() => draw());
  let words = { sort: "", against: "" };
  return {
    update(data) {
      words = data.words;
      draw();
    },
    follow: draw,
    close: () => watch.disconnect(),
  };

  function draw() {
    watch.disconnect(); // what is changed here is no news
    const place = document.querySelector(PLACE);
    const table = place?.querySelector(".costs table");
    if (table) {
      for (const head of table.querySelectorAll("th[data-column]")) drawHead(head);
      for (const row of table.querySelectorAll("tr[data-code]")) drawName(row);
      sort(table);
      compare(table);
    }
    if (place) watch.observe(place, { childList: true, subtree: true });
  }

  // Smallest first, largest first, and back to the order of the models.
  function next(column) {
    const now = host.get().sort ?? "";
    return { [column]: `-${column}`, [`-${column}`]: "" }[now] ?? column;
  }

  function drawHead(head) {
    const column = head.dataset.column;
    const now = host.get().sort ?? "";
    set(head, { "aria-sort": now === column ? "ascending" : now === `-${column}` ? "descending" : null });
    button(head, "sort", words.sort, () => host.set({ sort: next(column) || null }));
  }

  function drawName(row) {
    const code = row.dataset.code;
    const chosen = host.get().against === code;
    const made = button(row.firstElementChild, "against", words.against, () => {
      host.set({ against: host.get().against === code ? null : code });
    });
    set(made, { "aria-pressed": String(chosen) });
  }

  // The words of a cell become a button, once.
  function button(cell, name, title, act) {
    const there = cell.querySelector("button");
    if (there) return there;
    const made = el("button", { type: "button", class: name, title }, cell.textContent);
    made.addEventListener("click", () => {
      act();
      draw();
    });
    cell.replaceChildren(made);
    return made;
  }

  function sort(table) {
    const asked = host.get().sort ?? "";
    const [column, sign] = asked.startsWith("-") ? [asked.slice(1), -1] : [asked, 1];
    const heads = [...table.querySelectorAll("th[data-column]")];
    const place = heads.findIndex((head) => head.dataset.column === column) + 1;
    const body = table.tBodies[0];
    const rows = [...body.querySelectorAll("tr[data-code]")];
    for (const [number, row] of rows.entries()) row.dataset.place ??= String(number);
    const value = (row) => Number(place ? row.cells[place].dataset.value : row.dataset.place); // NaN: not known
    const order = (a, b) => Number(isNaN(a)) - Number(isNaN(b)) || sign * (a - b) || 0;
    rows.sort((one, other) => order(value(one), value(other)));
    body.prepend(...rows);
  }

  function compare(table) {
    const rows = [...table.querySelectorAll("tr[data-code]")];
    const first = rows.find((row) => row.dataset.code === host.get().against);
    for (const row of rows) {
      for (const cell of [...row.cells].slice(1)) {
        cell.dataset.said ??= cell.firstChild.data;
        const one = Number(first?.cells[cell.cellIndex].dataset.value);
        const times = Number(cell.dataset.value) / one;
        cell.firstChild.data = row === first || !(one && isFinite(times)) ? cell.dataset.said : multiple(times);
      }
    }
  }
});

/** Two digits, and no fewer than the whole ones. */
function multiple(times) {
  return `× ${times < 10 ? times.toPrecision(2) : Math.round(times).toLocaleString("en")}`;
}
