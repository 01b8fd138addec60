// @ts-check
// Saves what is on the screen, in the browser: one SVG or PNG of all panels, one CSV of all weights. A panel that
// shows one of many heads provides its own title and heading (`saved`) and its CSV (`table`).

import { css, titleColor } from "../kit/color.js";
import { svg } from "../kit/dom.js";
import { drawHeatmap, writable } from "../kit/heatmap.js";
import { valuesFit } from "../kit/layout.js";
import { wave } from "../kit/mark.js";
import { csvOf } from "../kit/paper.js";
import { nameAt, sentenceName } from "../kit/piece.js";
import { MARGIN, ended, makeSheet } from "../kit/sheet.js";
import { meanings } from "./panel_text.js";

/**
 * The source for saving (kit/saving.js): what is on the screen, except its numbers, which a printed page may have in
 * smaller cells. now(): the figures as they are.
 * @returns {import("../kit/saving.js").Source}
 */
export function sourceOf(now) {
  const named = ({ data, drawn }) => {
    const shown = drawn.find((d) => d.drawing);
    const heading = data.sentence || shown?.view.panel.title || "";
    return { heading, file: [shown?.view.panel.saved?.().title, heading].filter(Boolean).join(" ") };
  };
  // Null if cells are too small for numbers, or are ribbons.
  const numbers = ({ layout, state }) =>
    state.view.as !== "ribbons" && writable(layout) ? state.view.values && valuesFit(layout) : null;
  return {
    numbers: () => numbers(now()),
    table() {
      const { drawn } = now();
      return { file: named(now()).file, text: csvText(drawn.map((d) => d.view).filter((v, i) => !i || !v.panel.twin)) };
    },
    picture(options) {
      const { data, drawn, layout, look, marks } = now();
      const { heading, file } = named(now());
      const anew = options.numbers !== null && numbers(now()) !== null;
      const shown = drawn.flatMap(({ view, drawing }, i) => {
        if (!drawing || !anew || !view.weights || view.panel.as === "ribbons") return drawing ? [{ view, drawing }] : [];
        const printed = drawHeatmap(view, { ...layout, printed: true }, look, options.numbers);
        printed.mark(marks[i]);
        return [{ view, drawing: printed }];
      });
      const notes = meanings(drawn.map((d) => d.view), data.words);
      return { file, root: composeSvg(shown, layout, look, heading, notes, options) };
    },
  };
}

// panels: [{view, drawing}] as on the screen; meanings: of the marks in them. In a column two are side by side, no
// farther apart than they must be. Without a caption they have only their models' names, if there are several.
function composeSvg(panels, layout, look, heading, meanings = [], { caption = true, width: wanted = "screen" } = {}) {
  const across = Math.max(1, Math.min(wanted === "column" ? 2 : layout.across, panels.length));
  const drawn = Math.max(...panels.map((p) => p.drawing.width));
  const room = wanted === "screen" ? Math.max(layout.room, drawn) : drawn;
  const saved = panels[0]?.view.panel.saved?.() ?? { title: "", notes: [] };
  const title = ended([heading, saved.title].filter(Boolean).join(" · "));
  const sheet = makeSheet(look, 0, title, caption);
  const { margin } = sheet;
  const width = across * room + (across - 1) * MARGIN + 2 * margin;
  const line = (text, y, size, color) => sheet.text(text, { y, size, color, room: 0.8 * (width - 2 * margin) });
  let y = margin;
  if (caption) {
    y = line(heading, y, 18, look.text);
    for (const note of [...saved.notes, ...meanings]) y = line(note, y, 14, look.muted);
    y += 12;
  }
  for (let first = 0; first < panels.length; first += across) {
    const beside = panels.slice(first, first + across);
    const place = (i) => margin + i * (room + MARGIN);
    const heads = beside.map(({ view }, i) => {
      const { title: name, translation, caption: said, hue } = view.panel;
      const at = { x: place(i), room: room * 0.8 }; // other programs have wider letters: end lines well before the edge
      if (!caption && panels.length === 1) return y;
      let below = sheet.text(saved.title || name, { ...at, y, size: 17, color: titleColor(look, hue), weight: 700 });
      if (!caption) return below;
      below = sheet.text(translation, { ...at, y: below + 4, size: 16, marks: marksOf(view.panel, look) });
      return sheet.text(said.join(" · "), { ...at, y: below + 2, size: 13, color: look.muted });
    });
    const start = Math.max(...heads) + 4;
    beside.forEach(({ drawing }, i) => placeDrawing(sheet, drawing, place(i), start, layout));
    y = start + Math.max(...beside.map((p) => p.drawing.height)) + MARGIN;
  }
  return sheet.done(y - MARGIN, width);
}

// Words that are underlined on the screen, by their letters in the translation.
function marksOf({ parts = [], doubtful = [], underlined = [] }, look) {
  const straight = (x1, x2, y) => svg("line", { x1, x2, y1: y + 1, y2: y + 1, stroke: css(look.text), "stroke-width": 1.5 });
  let from = 0;
  return parts.flatMap(([text, word]) => {
    const to = from + text.length;
    const lines = [doubtful.includes(word) && ((...at) => wave(look, ...at)), underlined.includes(word) && straight];
    const marks = lines.filter(Boolean).map((draw) => ({ from: to - text.length, to, draw }));
    from = to;
    return marks;
  });
}

function placeDrawing(sheet, drawing, x, y, layout) {
  const places = { top: [layout.side, 0], side: [0, layout.top], body: [layout.side, layout.top] };
  if (!drawing.parts.top) places.body = [0, 0];
  for (const [name, part] of Object.entries(drawing.parts)) sheet.place(part, x + places[name][0], y + places[name][1]);
}

// One row per cell, as shown (pieces or words, hidden or not); a masked cell has no weight.
function csvText(views) {
  const table = views[0]?.panel.table?.();
  if (table) return csvOf(table);
  const rows = [["model", "caption", "target position", "target", "source position", "source", "weight"]];
  for (const { panel, rows: targets, columns, weights } of views) {
    const caption = panel.caption.join(" · ");
    const title = panel.saved?.().title ?? panel.title;
    const piece = (t) => nameAt(panel.target, t, panel.target_words);
    panel.generation?.forEach((g, t) => rows.push([title, caption, t + 1, piece(t), "", "g", g]));
    if (panel.vector) panel.vector.forEach((v, i) => rows.push([title, caption, "", "", i + 1, "", v]));
    weights?.forEach((line, t) => {
      const target = [title, caption, t + 1, sentenceName(targets[t])];
      line.forEach((w, s) => rows.push([...target, s + 1, sentenceName(columns[s]), Number.isNaN(w) ? "" : w.toFixed(4)]));
    });
  }
  return csvOf(rows);
}
