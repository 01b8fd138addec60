// Saving a picture that is drawn in several parts, as SVG or PNG with its title above, and its numbers as CSV.

import { css } from "./color.js";
import { el, svg } from "./dom.js";
import { copyOf, csvOf, paragraph, savePicture, saveTable, sized } from "./paper.js";

const MARGIN = 24;
const SIZE = 17;

// picture(): {heading, lines, parts: [{node, x, y}], look}, and file where its name says more; csv(): rows.
export function makeSaving(words, name, picture, csv) {
  const buttons = ["svg", "png", "csv"].map((kind) => {
    const label = `${words.save} ${kind.toUpperCase()}: ${name}`;
    const button = el("button", { type: "button", class: "save", "aria-label": label }, kind.toUpperCase());
    button.addEventListener("click", () => saveAs(kind));
    return button;
  });
  return el("span", { class: "saving" }, el("span", {}, words.save), ...buttons);

  function saveAs(kind) {
    const shown = picture();
    if (kind === "csv") return saveTable(shown.heading, csvOf(csv()));
    return savePicture(shown.file ?? shown.heading, kind, compose(shown));
  }
}

function compose({ heading, lines, parts, look }) {
  const measured = parts.map((part) => ({
    ...part,
    width: Number(part.node.getAttribute("width")),
    height: Number(part.node.getAttribute("height")),
  }));
  const width = Math.max(...measured.map((p) => p.x + p.width)) + 2 * MARGIN;
  const root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": `${look.font}, sans-serif` });
  root.append(svg("title", {}, heading), svg("rect", { width: "100%", height: "100%", fill: css(look.background) }));
  let y = MARGIN;
  [heading, ...lines].forEach((text, n) => {
    const leading = n ? 19 : 23;
    const ink = { "font-weight": n ? 400 : 650, fill: css(n ? look.muted : look.text) };
    const place = { x: MARGIN, y: y + leading, room: width - 2 * MARGIN, size: n ? 14 : SIZE, leading };
    y += leading * paragraph(root, text, { ...place, font: look.font, ...ink });
  });
  y += 14;
  for (const part of measured) root.append(copyOf(part.node, part.x + MARGIN, part.y + y));
  const height = y + Math.max(...measured.map((p) => p.y + p.height)) + MARGIN;
  return sized(root, width, height);
}
