// @ts-check
// Saves a figure that Streamlit drew: the picture on the screen with its title above, and its numbers as CSV.

import { css, mix, parse, quietColor } from "../../nmtcore/views/kit/color.js";
import { set } from "../../nmtcore/views/kit/dom.js";
import { makeSaveButtons, signsOf } from "../../nmtcore/views/kit/saving.js";
import { composeSheet } from "../../nmtcore/views/kit/sheet.js";

const NEUTRAL = 24; // of 255, between a colour's channels: a smaller difference is a grey
const HALO = "fill: rgb(31, 31, 31); stroke: rgb(255, 255, 255); stroke-width: 3px; paint-order: stroke";
const filled = new WeakMap(); // maps a table to its numbers

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".figure-save");
  set(root, { "aria-label": `${data.words.save}: ${data.title}` });
  root.replaceChildren(makeSaveButtons(data.words, source(data), data.title));
  /** @type {HTMLElement | null} */
  const host = document.querySelector(`.st-key-${data.host}`);
  if (host) set(host, { "data-figure": data.kind, "data-title": data.title });
  if (data.leastWidth) host?.style.setProperty("--least-width", `${data.leastWidth}px`);
  else host?.style.removeProperty("--least-width");
  fillTable(parentElement.querySelector("table"), data);
}

function source(data) {
  return {
    drawing: true,
    signed: data.signed,
    picture: (options) => {
      const root = compose(data, options);
      return root && { file: data.title, root };
    },
    table: () => ({ file: data.title, text: data.csv }),
  };
}

// Plotly draws in several layers of one size, Vega in one; each is copied to its place.
function compose(data, options) {
  const host = document.querySelector(`.st-key-${data.host}`);
  const layers = [...host.querySelectorAll("svg.main-svg, svg.marks")];
  if (!layers.length) return null;
  const boxes = layers.map((layer) => layer.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const style = getComputedStyle(host);
  const text = parse(style.color);
  const background = parse(getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor);
  const look = { font: style.fontFamily, text, background, muted: quietColor({ background, text }) };
  const paper = { ...look, text: [31, 36, 48], background: [255, 255, 255] };
  const parts = layers.map((node, i) => {
    const { left: x, top: y, width, height } = boxes[i];
    return { node, x: x - left, y: y - top, width, height };
  });
  const grey = options.colors === "grey";
  const said = { heading: data.title, lines: data.signed ? [signsOf(data.words, grey)] : [], parts };
  if (options.colors === "screen") return composeSheet({ ...said, look }, options);
  const sheet = composeSheet({ ...said, look: paper }, options);
  for (const part of sheet.querySelectorAll("svg")) turnOver(part, look, paper);
  // Letters in cells were chosen for other colours.
  for (const text of grey ? sheet.querySelectorAll(".heatmap-label text") : []) text.style.cssText += `; ${HALO}`;
  return sheet;
}

// Turn a dark figure's greys into a light one's; hues are the same in both.
function turnOver(part, from, to) {
  const light = ([r, g, b]) => r + g + b;
  const [dark, whole] = [light(from.background), light(from.text) - light(from.background)];
  for (const node of part.querySelectorAll("*"))
    for (const name of ["fill", "stroke"]) {
      const color = node.style[name] || node.getAttribute(name) || "";
      const rgb = /^(#[\da-f]{6}$|rgb)/i.test(color) ? parse(color) : null;
      if (!rgb || Math.max(...rgb) - Math.min(...rgb) > NEUTRAL) continue;
      const now = css(mix(to.background, to.text, (light(rgb) - dark) / whole));
      if (node.style[name]) node.style[name] = now;
      else node.setAttribute(name, now);
    }
}

// The same numbers for screen readers.
function fillTable(table, data) {
  const now = JSON.stringify([data.title, data.rows]);
  if (filled.get(table) === now) return; // a thousand cells that a new sentence has not changed
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
