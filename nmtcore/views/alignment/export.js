// Saving what is on the screen, made in the browser: one SVG or PNG of all panels, one CSV of all weights. A panel that
// is one of many heads says itself what it is and under what (`saved`), and what its CSV is (`table`).

import { css, titleColor } from "../kit/color.js";
import { svg } from "../kit/dom.js";
import { copyOf, csvOf, paragraph, sized } from "../kit/paper.js";

const MARGIN = 24;

// panels: [{view, drawing}] as on the screen.
export function composeSvg(panels, layout, look, heading) {
  const across = Math.max(1, Math.min(layout.across, panels.length));
  const room = Math.max(layout.room, ...panels.map((p) => p.drawing.width));
  const root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": `${layout.font}, sans-serif` });
  const width = across * room + (across - 1) * MARGIN + 2 * MARGIN;
  const background = svg("rect", { width: "100%", height: "100%", fill: css(look.background) });
  const saved = panels[0]?.view.panel.saved?.() ?? { title: "", notes: [] };
  root.append(svg("title", {}, [heading, saved.title].filter(Boolean).join(" · ")), background);
  const line = (text, at, size, color) => block(root, text, MARGIN, at, width - 2 * MARGIN, size, color, layout.font);
  let y = line(heading, MARGIN + 16, 18, look.text);
  for (const note of saved.notes) y = line(note, y, 14, look.muted);
  y += 12;
  for (let first = 0; first < panels.length; first += across) {
    const beside = panels.slice(first, first + across);
    const place = (i) => MARGIN + i * (room + MARGIN);
    const heads = beside.map(({ view }, i) => {
      const { title, translation, caption, hue } = view.panel;
      let below = block(
        root,
        saved.title || title,
        place(i),
        y + 16,
        room,
        17,
        titleColor(look, hue),
        layout.font,
        700,
      );
      below = block(root, translation, place(i), below + 4, room, 16, look.text, layout.font);
      return block(root, caption.join(" · "), place(i), below + 2, room, 13, look.muted, layout.font);
    });
    const start = Math.max(...heads) + 4;
    beside.forEach(({ view, drawing }, i) => placeDrawing(root, drawing, place(i), start, layout));
    y = start + Math.max(...beside.map((p) => p.drawing.height)) + MARGIN;
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

// Below `y`; returns where the next one may begin. Other programs have wider letters: a line ends well before its room.
function block(root, text, x, y, room, size, color, font, weight = 400) {
  if (!text) return y;
  const leading = size * 1.35;
  const look = { "font-weight": weight, fill: css(color) };
  return y + leading * paragraph(root, text, { x, y, room: room * 0.8, size, leading, font, ...look });
}

// One row a cell, as shown (pieces or words, hidden or not); a masked cell has no weight.
export function csvText(views) {
  const table = views[0]?.panel.table?.();
  if (table) return csvOf(table);
  const rows = [["model", "caption", "target position", "target", "source position", "source", "weight"]];
  for (const { panel, rows: targets, columns, weights } of views) {
    const caption = panel.caption.join(" · ");
    const title = panel.saved?.().title ?? panel.title;
    if (panel.vector) panel.vector.forEach((v, i) => rows.push([title, caption, "", "", i + 1, "", v]));
    weights?.forEach((line, t) =>
      line.forEach((w, s) =>
        rows.push([
          title,
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
