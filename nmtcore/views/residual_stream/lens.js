// @ts-check
// The logit lens: one column per stage, the likeliest piece on top. A piece links to its neighbours, by click or by key:
// one cell takes part in the order of Tab, arrow keys go to the others (a roving tabindex), Enter picks.

import { css, inkOn, parse, weightColor } from "../kit/color.js";
import { drawing, filledText, set, svg } from "../kit/dom.js";
import { measure, shorten } from "../kit/layout.js";
import { askNeighbors, rowCode } from "../kit/neighbors.js";
import { number } from "../kit/number.js";

const LEAST = 736; // px across, on a phone too; and of a column
const COLUMN = 68;
const [ROW, HEAD, SIDE, SIZE] = [27, 42, 22, 13]; // px; side: of the ranks
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// shown: {stages, side, title} of one piece.
export function makeLens(data, { stages, side, title }, look, room, host) {
  const { words } = data;
  const picks = host.answers && words.neighbors; // a piece links to its neighbours, if the page has them
  const width = Math.max(LEAST, room, SIDE + COLUMN * stages.length);
  const cell = (width - SIDE) / stages.length;
  const most = Math.max(...stages.map(({ says }) => says.length));
  const height = HEAD + ROW * most;
  const ink = { fill: css(look.text), "text-anchor": "middle" };
  const heads = stages.flatMap((stage, n) =>
    stageName(stage, words).map((line, i, { length }) => {
      const size = Math.min(SIZE - 1, ((SIZE - 1) * (cell - 3)) / measure(line, SIZE - 1, look.font));
      const at = { x: SIDE + (n + 0.5) * cell, y: HEAD - 8 - 15 * (length - 1 - i), "font-size": size.toFixed(1) };
      return svg("text", { ...at, ...ink }, line);
    }),
  );
  const ranks = Array.from({ length: most }, (_, r) => {
    const at = { x: SIDE / 2, y: HEAD + (r + 0.5) * ROW + SIZE * 0.35, "font-size": SIZE - 1 };
    return svg("text", { ...at, ...ink }, String(r + 1));
  });
  const rows = Array.from({ length: most }, (_, r) =>
    svg("g", { role: "row" }, ...stages.flatMap(({ says }, n) => (r < says.length ? [drawCell(says[r], n, r)] : []))),
  );
  const attributes = { "font-family": look.font, "aria-label": title, role: "grid" };
  const node = drawing(width, height, attributes, ...heads, ...ranks, ...rows);
  if (picks) {
    node.classList.add("picks");
    node.addEventListener("click", ({ target }) => pick(target.closest("[data-pick]")));
    node.addEventListener("keydown", onKey);
  }
  return node;

  function drawCell([piece, id, value], column, row) {
    const shade = weightColor(look, parse(data.hue), value);
    const box = { x: SIDE + column * cell + 1, y: HEAD + row * ROW + 1, width: cell - 2, height: ROW - 2 };
    const words_ = `${piece}: ${number(value, 4)}`;
    const text = { x: box.x + box.width / 2, y: box.y + box.height / 2 + SIZE * 0.35, "font-size": SIZE };
    return svg(
      "g",
      {
        role: "gridcell",
        tabindex: picks ? (column || row ? -1 : 0) : null,
        "aria-label": `${stageName(stages[column], words).join(" ")}, ${row + 1}: ${words_}`,
        "data-pick": id,
        "data-place": `${column},${row}`,
      },
      svg("title", {}, words_),
      svg("rect", { ...box, fill: css(shade) }),
      svg("text", { ...text, "text-anchor": "middle", fill: css(inkOn(look, shade)) }, shorten(piece, SIZE, look.font, box.width - 2)),
    );
  }

  function pick(picked) {
    if (picked) askNeighbors(host, rowCode(side, Number(picked.getAttribute("data-pick"))));
  }

  // To the adjacent cell in a direction, if there is one.
  function onKey(event) {
    const from = event.target.closest("[data-place]");
    if (!from || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      pick(from);
    }
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const [column, row] = from.getAttribute("data-place").split(",").map(Number);
    const to = node.querySelector(`[data-place="${column + step[0]},${row + step[1]}"]`);
    if (!to) return;
    set(from, { tabindex: -1 });
    set(to, { tabindex: 0 });
    to.focus();
  }
}

// The lines of a stage's name.
export const stageName = ({ part, layer }, words) =>
  layer ? [filledText(words.stage, { layer }), words.parts[part]] : [words.rows.embedding];

// The same as rows of a table and of a CSV: headings, and one row per piece of each stage.
export function lensTable(data, { stages }) {
  const lines = stages.flatMap((stage) =>
    stage.says.map(([piece, , value], rank) => [stageName(stage, data.words).join(" "), rank + 1, piece, value]),
  );
  return [["stage", "rank", "piece", "value"], ...lines];
}
