// @ts-check
// The model without attention: every source word goes into one vector, every target word comes out of it.

import { css, signedColor } from "../kit/color.js";
import { drawing, el, filledText, set, svg } from "../kit/dom.js";
import { measure, nameSides, nameSize, shorten } from "../kit/layout.js";
import { titleOf, wave } from "../kit/mark.js";
import { sentenceName } from "../kit/piece.js";
import { reachable } from "../kit/reach.js";

const LEGEND = 20; // px above the picture
const SIGHT = 240; // px visible before scrolling: the vector is within them, however many words there are

export function drawVector(view, layout, look, words) {
  const least = layout.fills ? 0 : 1.15 * layout.rowSize * Math.max(view.columns.length, view.rows.length) + 4; // for the names
  const beside = layout.top + Math.max(layout.bodyHeight, 8 * layout.cell) - LEGEND;
  const height = Math.round(layout.fills ? beside : Math.max(Math.min(beside, SIGHT), least));
  const width = Math.min(layout.room, 460);
  const high = (0.95 * (height - 4)) / Math.max(view.columns.length, view.rows.length);
  const size = layout.fills ? nameSize(view, Math.min(layout.rowSize, high), layout.font, width) : layout.rowSize;
  const sight = layout.fills ? height : Math.min(height, SIGHT);
  const names = nameSides(view, size, layout.font);
  const lines = 2 * Math.min(layout.fills ? 10 : 22, width / 12); // px of them, at least
  const strip = stripOf(view.panel.vector, sight, layout.fills ? width - names[0] - names[1] - lines : Infinity);
  const spare = width - strip.width - lines;
  const [left, right] = names.map((side, i) => Math.min(side, Math.max(spare / 2, spare - names[1 - i])));
  const middle = left + (width - left - right) / 2;
  const body = drawing(width, height + LEGEND, { class: "vector", "aria-hidden": "true", "font-family": layout.font });
  const [from, to] = [middle - strip.width / 2 - 3, middle + strip.width / 2 + 3];
  const sources = column(view.columns, left, "end", { from: left + 4, to: from }, "data-column");
  const targets = column(view.rows, width - right, "start", { from: width - right - 4, to }, "data-row");
  const picture = svg("g", { transform: `translate(0 ${LEGEND})` });
  picture.append(...[...sources, ...targets].flatMap((t) => [t.line, t.node]));
  picture.append(vectorCells(view.panel, strip, middle, sight, look));
  body.append(legend(), picture);
  const node = reachable(el("div", { class: "scroll plain" }, body));
  return { node, parts: { body }, width, height: height + LEGEND, mark };

  function legend() {
    const limit = Number(vectorLimit(view.panel.vector).toPrecision(2));
    const text = filledText(look.grey ? words.legend_grey : words.legend, { count: view.panel.vector.length, low: `\u2212${limit}`, high: limit });
    const long = measure(text, 12, layout.font);
    const size = Math.min(12, (12 * width) / long); // a projected column is narrow
    const half = Math.min(long, width) / 2;
    const x = Math.max(half, Math.min(middle, width - half));
    return svg("text", { x, y: 15, "text-anchor": "middle", "font-size": size, fill: css(look.muted) }, text);
  }

  function column(axis, x, anchor, line, name) {
    const step = Math.min(34, (height - 4) / axis.length);
    const start = Math.max(2, (sight - step * axis.length) / 2);
    const room = anchor === "end" ? left : right;
    return axis.map((group, i) => {
      const y = start + (i + 0.5) * step;
      const shown = shorten(sentenceName(group), size, layout.font, room - 6);
      const [at, foot] = [anchor === "end" ? x - 4 : x + 4, y + size * 0.35];
      const text = svg("text", { x: at, y: foot, "text-anchor": anchor, "font-size": size }, shown);
      const under = group.doubtful ? [wave(look, at, at + measure(shown, size, layout.font), foot + 2.5)] : [];
      const node = svg("g", { [name]: i }, svg("title", {}, titleOf(group)), text, ...under);
      const spread = (strip.height - 8) / axis.length;
      const path = `M${line.from} ${y}L${line.to} ${sight / 2 - (spread * axis.length) / 2 + (i + 0.5) * spread}`;
      return { node, text, group, line: svg("path", { d: path, fill: "none", stroke: css(look.line) }) };
    });
  }

  // Nothing is tinted: this model looks at no word.
  function mark(m) {
    paint(sources, (i) => m.col === i);
    paint(targets, (i) => m.rows.includes(i));
  }

  function paint(tokens, strong) {
    tokens.forEach((token, i) => {
      const { faint, waits } = token.group;
      const color = strong(i) || !(faint || waits) ? look.text : look.muted;
      set(token.text, { "font-weight": strong(i) ? 600 : null, fill: css(color) });
      set(token.line, { stroke: css(strong(i) ? look.text : look.line), "stroke-width": strong(i) ? 2 : 1 });
      set(token.line, { opacity: waits ? 0.35 : null });
      set(token.node, { "data-marked": strong(i), "data-waiting": Boolean(waits) });
    });
  }
}

// The vector's numbers as a narrow block of square cells, as large as the picture allows.
function stripOf(vector, height, room) {
  const across = Math.max(1, Math.round(Math.sqrt(vector.length / 4)));
  const down = Math.ceil(vector.length / across);
  const cell = Math.min(10, Math.max(2, Math.floor(Math.min((height * 0.8) / down, room / across))));
  return { across, down, cell, width: across * cell, height: down * cell };
}

function vectorCells(panel, strip, middle, height, look) {
  const x = Math.round(middle - strip.width / 2);
  const y = Math.round((height - strip.height) / 2);
  const limit = vectorLimit(panel.vector);
  const { across, cell } = strip;
  const cells = panel.vector.map((value, i) => {
    const place = { x: x + (i % across) * cell, y: y + Math.floor(i / across) * cell, width: cell, height: cell };
    return svg("rect", { ...place, fill: css(signedColor(look, value, limit)), "data-value": value });
  });
  const around = { x: x - 2, y: y - 2, width: strip.width + 4, height: strip.height + 4, rx: 3 };
  const frame = svg("rect", { ...around, fill: "none", stroke: css(look.muted), "stroke-width": 2 });
  return svg("g", { "shape-rendering": "crispEdges" }, ...cells, frame);
}

// Full colour: 1 for tanh states, more only if a model's own numbers are larger.
const vectorLimit = (vector) => Math.max(1, ...vector.map(Math.abs));
