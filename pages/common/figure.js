// Saving a figure that Streamlit drew: what is on the screen as SVG or PNG with its title above, its numbers as CSV.

import { svg } from "../../nmtcore/views/kit/dom.js";
import { copyOf, paragraph, savePicture, saveTable, sized } from "../../nmtcore/views/kit/paper.js";

const MARGIN = 24;
const SIZE = 16; // px of the title

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".figure-save");
  const name = root.querySelector("span");
  name.textContent = data.words.save;
  root.setAttribute("aria-label", `${data.words.save}: ${data.title}`);
  for (const button of root.querySelectorAll("button")) {
    button.onclick = () => saveAs(button.dataset.kind, data);
  }
  fillTable(parentElement.querySelector("table"), data);
}

function saveAs(kind, data) {
  if (kind === "csv") return saveTable(data.title, data.csv);
  const picture = compose(data);
  return picture && savePicture(data.title, kind, picture);
}

const hostOf = (data) => document.querySelector(`.st-key-${data.host}`);

// Plotly draws in several layers of one size, Vega in one; each is copied to its place.
function compose(data) {
  const host = hostOf(data);
  const layers = [...host.querySelectorAll("svg.main-svg, svg.marks")];
  if (!layers.length) return null;
  const boxes = layers.map((layer) => layer.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.max(...boxes.map((box) => box.right)) - left;
  const height = Math.max(...boxes.map((box) => box.bottom)) - top;
  const style = getComputedStyle(host);
  const font = style.fontFamily;
  const root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": font });
  const paper = getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor;
  root.append(svg("rect", { width: "100%", height: "100%", fill: paper }));
  const place = { x: MARGIN, y: MARGIN + SIZE * 0.8, room: width, size: SIZE, leading: SIZE * 1.35 };
  const lines = paragraph(root, data.title, { ...place, font, fill: style.color });
  const below = MARGIN + lines * SIZE * 1.35 + 10;
  layers.forEach((layer, i) => {
    const copy = copyOf(layer, MARGIN + boxes[i].left - left, below + boxes[i].top - top);
    copy.style.background = "none";
    root.append(copy);
  });
  return sized(root, Math.ceil(width + 2 * MARGIN), Math.ceil(below + height + MARGIN));
}

// The same numbers for screen readers.
function fillTable(table, data) {
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
