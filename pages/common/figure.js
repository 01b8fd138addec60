// @ts-check
// Saving a figure that Streamlit drew: what is on the screen as SVG or PNG with its title above, its numbers as CSV.

import { mix, parse } from "../../nmtcore/views/kit/color.js";
import { set } from "../../nmtcore/views/kit/dom.js";
import { savePicture, saveTable } from "../../nmtcore/views/kit/paper.js";
import { makeSaveButtons } from "../../nmtcore/views/kit/saving.js";
import { composeSheet } from "../../nmtcore/views/kit/sheet.js";

const filled = new WeakMap(); // a table to the numbers in it

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".figure-save");
  set(root, { "aria-label": `${data.words.save}: ${data.title}` });
  root.replaceChildren(makeSaveButtons(data.words, (kind) => saveAs(kind, data), data.title));
  /** @type {HTMLElement | null} */
  const host = document.querySelector(`.st-key-${data.host}`);
  if (host) set(host, { "data-figure": data.kind });
  if (data.leastWidth) host?.style.setProperty("--least-width", `${data.leastWidth}px`);
  else host?.style.removeProperty("--least-width");
  fillTable(parentElement.querySelector("table"), data);
}

function saveAs(kind, data) {
  if (kind === "csv") return saveTable(data.title, data.csv);
  const picture = compose(data);
  return picture && savePicture(data.title, kind, picture);
}

// Plotly draws in several layers of one size, Vega in one; each is copied to its place.
function compose(data) {
  const host = document.querySelector(`.st-key-${data.host}`);
  const layers = [...host.querySelectorAll("svg.main-svg, svg.marks")];
  if (!layers.length) return null;
  const boxes = layers.map((layer) => layer.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const style = getComputedStyle(host);
  const text = parse(style.color);
  const background = parse(getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor);
  const look = { font: style.fontFamily, text, background, muted: mix(background, text, 0.66) };
  const parts = layers.map((node, i) => {
    const { left: x, top: y, width, height } = boxes[i];
    return { node, x: x - left, y: y - top, width, height };
  });
  return composeSheet({ heading: data.title, parts, look });
}

// The same numbers for screen readers.
function fillTable(table, data) {
  const now = JSON.stringify([data.title, data.rows]);
  if (filled.get(table) === now) return; // a thousand cells that another sentence has not changed
  filled.set(table, now);
  table.replaceChildren();
  table.createCaption().textContent = data.title;
  for (const [i, row] of data.rows.entries()) {
    const line = table.insertRow();
    for (const value of row) {
      const cell = document.createElement(i ? "td" : "th");
      cell.textContent = value;
      line.append(cell);
    }
  }
}
