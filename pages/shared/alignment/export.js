// Saving what is on the screen, made in the browser: one SVG or PNG of all panels, one CSV of all weights.

import { css, titleColor } from "./color.js";
import { svg } from "./dom.js";
import { measure } from "./layout.js";

const MARGIN = 24;

// panels: [{view, drawing}] as on the screen. Words are wrapped by hand, for SVG has no paragraphs.
export function composeSvg(panels, layout, look, heading) {
  const across = Math.max(1, Math.min(layout.across, panels.length));
  const room = Math.max(layout.room, ...panels.map((p) => p.drawing.width));
  const root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": `${layout.font}, sans-serif` });
  const width = across * room + (across - 1) * MARGIN + 2 * MARGIN;
  const background = svg("rect", { width: "100%", height: "100%", fill: css(look.background) });
  root.append(svg("title", {}, heading), background);
  let y = paragraph(root, heading, MARGIN, MARGIN + 16, width - 2 * MARGIN, 18, look.text, layout.font) + 12;
  for (let first = 0; first < panels.length; first += across) {
    const line = panels.slice(first, first + across);
    const place = (i) => MARGIN + i * (room + MARGIN);
    const heads = line.map(({ view }, i) => {
      const { title, translation, caption, hue } = view.panel;
      let below = paragraph(root, title, place(i), y + 16, room, 17, titleColor(look, hue), layout.font, 700);
      below = paragraph(root, translation, place(i), below + 4, room, 16, look.text, layout.font);
      return paragraph(root, caption.join(" · "), place(i), below + 2, room, 13, look.muted, layout.font);
    });
    const start = Math.max(...heads) + 4;
    line.forEach(({ view, drawing }, i) => placeDrawing(root, drawing, place(i), start, layout));
    y = start + Math.max(...line.map((p) => p.drawing.height)) + MARGIN;
  }
  for (const [name, value] of Object.entries({ width, height: y, viewBox: `0 0 ${width} ${y}` }))
    root.setAttribute(name, value);
  return root;
}

function placeDrawing(root, drawing, x, y, layout) {
  const places = { top: [layout.side, 0], side: [0, layout.top], body: [layout.side, layout.top] };
  if (!drawing.parts.top) places.body = [0, 0];
  for (const [name, part] of Object.entries(drawing.parts)) {
    const copy = part.cloneNode(true);
    // Another program has other fonts: its letters are fitted to the width that was measured here.
    const lengths = [...part.querySelectorAll("text")].map((text) => text.getComputedTextLength());
    copy.querySelectorAll("text").forEach((text, i) => {
      if (!lengths[i] || text.getAttribute("x")?.includes(" ")) return; // its characters have places of their own
      text.setAttribute("textLength", lengths[i].toFixed(1));
      text.setAttribute("lengthAdjust", "spacingAndGlyphs");
    });
    copy.setAttribute("x", x + places[name][0]);
    copy.setAttribute("y", y + places[name][1]);
    copy.removeAttribute("class");
    root.append(copy);
  }
}

function paragraph(root, text, x, y, room, size, color, font, weight = 400) {
  const lines = [];
  for (const word of (text || "").split(/(?<=\s)|(?<=\p{Script=Han})/u)) {
    const last = lines.length - 1;
    if (last >= 0 && measure(lines[last] + word.trimEnd(), size, font) <= room * 0.94) lines[last] += word;
    else lines.push(word);
  }
  lines.forEach((line, i) => {
    root.append(
      svg(
        "text",
        { x, y: y + i * size * 1.35, "font-size": size, "font-weight": weight, fill: css(color) },
        line.trimEnd(),
      ),
    );
  });
  return y + lines.length * size * 1.35;
}

export const svgText = (root) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}`;

export async function pngBlob(root, scale = 2) {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svgText(root)], { type: "image/svg+xml" }));
  try {
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Number(root.getAttribute("width")) * scale;
    canvas.height = Number(root.getAttribute("height")) * scale;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
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

// RFC 4180.
export const csvOf = (rows) => rows.map((row) => row.map(quoted).join(",")).join("\r\n");
const quoted = (value) => (/[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));

export function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// A file name from what is shown: letters and digits of any script, joined by hyphens.
export const fileName = (heading, ending) =>
  `${(heading.match(/[\p{L}\p{N}]+/gu) ?? ["alignment"]).join("-").slice(0, 60)}.${ending}`;
