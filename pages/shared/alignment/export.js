// Saving what is on the screen, made in the browser: one SVG or PNG of all panels, one CSV of all weights.

import { css, titleColor } from "./color.js";
import { svg } from "./dom.js";
import { copyOf, csvOf, paragraph, sized } from "./paper.js";

const MARGIN = 24;

// panels: [{view, drawing}] as on the screen.
export function composeSvg(panels, layout, look, heading) {
  const across = Math.max(1, Math.min(layout.across, panels.length));
  const room = Math.max(layout.room, ...panels.map((p) => p.drawing.width));
  const root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": `${layout.font}, sans-serif` });
  const width = across * room + (across - 1) * MARGIN + 2 * MARGIN;
  const background = svg("rect", { width: "100%", height: "100%", fill: css(look.background) });
  root.append(svg("title", {}, heading), background);
  let y = block(root, heading, MARGIN, MARGIN + 16, width - 2 * MARGIN, 18, look.text, layout.font) + 12;
  for (let first = 0; first < panels.length; first += across) {
    const line = panels.slice(first, first + across);
    const place = (i) => MARGIN + i * (room + MARGIN);
    const heads = line.map(({ view }, i) => {
      const { title, translation, caption, hue } = view.panel;
      let below = block(root, title, place(i), y + 16, room, 17, titleColor(look, hue), layout.font, 700);
      below = block(root, translation, place(i), below + 4, room, 16, look.text, layout.font);
      return block(root, caption.join(" · "), place(i), below + 2, room, 13, look.muted, layout.font);
    });
    const start = Math.max(...heads) + 4;
    line.forEach(({ view, drawing }, i) => placeDrawing(root, drawing, place(i), start, layout));
    y = start + Math.max(...line.map((p) => p.drawing.height)) + MARGIN;
  }
  return sized(root, width, y);
}

function placeDrawing(root, drawing, x, y, layout) {
  const places = { top: [layout.side, 0], side: [0, layout.top], body: [layout.side, layout.top] };
  if (!drawing.parts.top) places.body = [0, 0];
  for (const [name, part] of Object.entries(drawing.parts)) {
    root.append(copyOf(part, x + places[name][0], y + places[name][1]));
  }
}

// Below `y`; returns where the next one may begin.
function block(root, text, x, y, room, size, color, font, weight = 400) {
  const leading = size * 1.35;
  const look = { "font-weight": weight, fill: css(color) };
  return y + leading * paragraph(root, text || "", { x, y, room: room * 0.94, size, leading, font, ...look });
}

// One row a cell, as shown (pieces or words, hidden or not); a masked cell has no weight.
export function csvText(views) {
  const rows = [["model", "caption", "target position", "target", "source position", "source", "weight"]];
  for (const { panel, rows: targets, columns, weights } of views) {
    const caption = panel.caption.join(" · ");
    if (panel.vector) panel.vector.forEach((v, i) => rows.push([panel.title, caption, "", "", i + 1, "", v]));
    weights?.forEach((line, t) =>
      line.forEach((w, s) =>
        rows.push([
          panel.title,
          caption,
          t + 1,
          targets[t].label,
          s + 1,
          columns[s].label,
          Number.isNaN(w) ? "" : w.toFixed(4),
        ]),
      ),
    );
  }
  return csvOf(rows);
}
