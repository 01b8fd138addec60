// @ts-check
// Saving what is on the screen, made in the browser: one SVG or PNG of all panels, one CSV of all weights. A panel that
// is one of many heads says itself what it is and under what (`saved`), and what its CSV is (`table`).

import { titleColor } from "../kit/color.js";
import { csvOf } from "../kit/paper.js";
import { nameAt, sentenceName } from "../kit/piece.js";
import { MARGIN, makeSheet } from "../kit/sheet.js";

// panels: [{view, drawing}] as on the screen; meanings: of the marks in them.
export function composeSvg(panels, layout, look, heading, meanings = []) {
  const across = Math.max(1, Math.min(layout.across, panels.length));
  const room = Math.max(layout.room, ...panels.map((p) => p.drawing.width));
  const width = across * room + (across - 1) * MARGIN + 2 * MARGIN;
  const saved = panels[0]?.view.panel.saved?.() ?? { title: "", notes: [] };
  const sheet = makeSheet(look, width, [heading, saved.title].filter(Boolean).join(" · "));
  const line = (text, y, size, color) => sheet.text(text, { y, size, color, room: 0.8 * (width - 2 * MARGIN) });
  let y = line(heading, MARGIN, 18, look.text);
  for (const note of [...saved.notes, ...meanings]) y = line(note, y, 14, look.muted);
  y += 12;
  for (let first = 0; first < panels.length; first += across) {
    const beside = panels.slice(first, first + across);
    const place = (i) => MARGIN + i * (room + MARGIN);
    const heads = beside.map(({ view }, i) => {
      const { title, translation, caption, hue } = view.panel;
      const at = { x: place(i), room: room * 0.8 }; // other programs have wider letters: a line ends well before its room
      let below = sheet.text(saved.title || title, { ...at, y, size: 17, color: titleColor(look, hue), weight: 700 });
      below = sheet.text(translation, { ...at, y: below + 4, size: 16 });
      return sheet.text(caption.join(" · "), { ...at, y: below + 2, size: 13, color: look.muted });
    });
    const start = Math.max(...heads) + 4;
    beside.forEach(({ drawing }, i) => placeDrawing(sheet, drawing, place(i), start, layout));
    y = start + Math.max(...beside.map((p) => p.drawing.height)) + MARGIN;
  }
  return sheet.done(y - MARGIN);
}

function placeDrawing(sheet, drawing, x, y, layout) {
  const places = { top: [layout.side, 0], side: [0, layout.top], body: [layout.side, layout.top] };
  if (!drawing.parts.top) places.body = [0, 0];
  for (const [name, part] of Object.entries(drawing.parts)) sheet.place(part, x + places[name][0], y + places[name][1]);
}

// One row a cell, as shown (pieces or words, hidden or not); a masked cell has no weight.
export function csvText(views) {
  const table = views[0]?.panel.table?.();
  if (table) return csvOf(table);
  const rows = [["model", "caption", "target position", "target", "source position", "source", "weight"]];
  for (const { panel, rows: targets, columns, weights } of views) {
    const caption = panel.caption.join(" · ");
    const title = panel.saved?.().title ?? panel.title;
    const piece = (t) => nameAt(panel.target, t, panel.target_words);
    panel.generation?.forEach((g, t) => rows.push([title, caption, t + 1, piece(t), "", "g", g]));
    if (panel.vector) panel.vector.forEach((v, i) => rows.push([title, caption, "", "", i + 1, "", v]));
    weights?.forEach((line, t) =>
      line.forEach((w, s) =>
        rows.push([
          title,
          caption,
          t + 1,
          sentenceName(targets[t]),
          s + 1,
          sentenceName(columns[s]),
          Number.isNaN(w) ? "" : w.toFixed(4),
        ]),
      ),
    );
  }
  return csvOf(rows);
}
