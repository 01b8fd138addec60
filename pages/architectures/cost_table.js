// @ts-check
// Sorts the table of costs, and shows all figures as multiples of one model's: two lists in the corner of the table set
// this; clicking a column's or a model's name does too. The server redraws the table when more has been measured.

import { el, set } from "../../nmtcore/views/kit/dom.js";
import { mounted } from "../../nmtcore/views/kit/mount.js";

const PLACE = ".st-key-cost-table";

export default mounted((_parent, _data, host) => {
  const watch = new MutationObserver(() => draw());
  /** @type {Record<string, string>} */
  let words = {};
  return {
    update(data) {
      words = data.words;
      draw();
    },
    follow: draw,
    close: () => watch.disconnect(),
  };

  function draw() {
    watch.disconnect(); // ignore changes made here
    const place = document.querySelector(PLACE);
    /** @type {HTMLTableElement | null | undefined} */
    const table = place?.querySelector(".costs table");
    if (table) {
      const heads = [...table.querySelectorAll("th[data-column]")];
      const rows = [...table.querySelectorAll("tr[data-code]")];
      for (const head of heads) drawHead(head);
      for (const row of rows) drawName(row);
      drawLists(table.tHead.rows[1].cells[0], heads, rows);
      sort(table, heads, rows);
      compare(rows);
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
    set(head, {
      "aria-sort": now === column ? "ascending" : now === `-${column}` ? "descending" : null,
      title: words.sort,
    });
    head.onclick = () => choose("sort", next(column));
  }

  function drawName(row) {
    const { code } = row.dataset;
    const name = row.firstElementChild;
    set(name, { title: words.against });
    name.onclick = () => choose("against", host.get().against === code ? "" : code);
  }

  function drawLists(corner, heads, rows) {
    const columns = heads.flatMap(({ dataset: { column }, textContent }) => [
      [`-${column}`, `${textContent} ↓`],
      [column, `${textContent} ↑`],
    ]);
    const names = rows.map((row) => [row.dataset.code, `× ${row.firstElementChild.textContent}`]);
    list(corner, "sort", words.sortBy, [["", words.asListed], ...columns]);
    list(corner, "against", words.timesOf, [["", words.asMeasured], ...names]);
  }

  // One of the two lists, made once per table.
  function list(corner, use, label, options) {
    let made = corner.querySelector(`[name="${use}"]`);
    if (!made) {
      const all = options.map(([value, says]) => el("option", { value }, says));
      made = el("select", { name: use, "aria-label": label, title: label }, ...all);
      made.addEventListener("change", () => choose(use, made.value));
      corner.append(made);
    }
    made.value = host.get()[use] ?? "";
  }

  function choose(use, value) {
    host.set({ [use]: value || null });
    draw();
  }

  function sort(table, heads, rows) {
    const asked = host.get().sort ?? "";
    const [column, sign] = asked.startsWith("-") ? [asked.slice(1), -1] : [asked, 1];
    const place = heads.findIndex((head) => head.dataset.column === column) + 1;
    for (const [number, row] of rows.entries()) row.dataset.place ??= String(number);
    const value = (row) => Number(place ? row.cells[place].dataset.value : row.dataset.place); // NaN: not known
    const order = (a, b) => Number(isNaN(a)) - Number(isNaN(b)) || sign * (a - b) || 0;
    rows.sort((one, other) => order(value(one), value(other)));
    table.tBodies[0].prepend(...rows);
  }

  function compare(rows) {
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

/** Two significant digits, or all digits of the whole part. */
function multiple(times) {
  return `× ${times < 10 ? times.toPrecision(2) : Math.round(times).toLocaleString("en")}`;
}
