// Saving a picture that is drawn in several parts, as SVG or PNG with its title above, and its numbers as CSV.

import { css } from "./color.js";
import { el, svg } from "./dom.js";
import { csvOf, fileName, pngBlob, save, svgText } from "./export.js";
import { measure } from "./layout.js";

const MARGIN = 24;
const SIZE = 17;

// picture(): {heading, lines, parts: [{node, x, y}], look}; csv(): rows.
export function makeSaving(words, name, picture, csv) {
  const buttons = ["svg", "png", "csv"].map((kind) => {
    const label = `${words.save} ${kind.toUpperCase()}: ${name}`;
    const button = el("button", { type: "button", class: "save", "aria-label": label }, kind.toUpperCase());
    button.addEventListener("click", () => saveAs(kind));
    return button;
  });
  return el("span", { class: "saving" }, el("span", {}, words.save), ...buttons);

  async function saveAs(kind) {
    const shown = picture();
    const heading = shown.heading;
    if (kind === "csv") return save(fileName(heading, kind), new Blob(["\ufeff", csvOf(csv())], { type: "text/csv" }));
    const root = compose(shown);
    const blob = kind === "png" ? await pngBlob(root) : new Blob([svgText(root)], { type: "image/svg+xml" });
    return save(fileName(heading, kind), blob);
  }
}

function compose({ heading, lines, parts, look }) {
  const sized = parts.map((part) => ({
    ...part,
    width: Number(part.node.getAttribute("width")),
    height: Number(part.node.getAttribute("height")),
  }));
  const width = Math.max(...sized.map((p) => p.x + p.width)) + 2 * MARGIN;
  const root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": `${look.font}, sans-serif` });
  root.append(svg("title", {}, heading), svg("rect", { width: "100%", height: "100%", fill: css(look.background) }));
  let y = MARGIN;
  [heading, ...lines].forEach((text, n) => {
    for (const line of wrapped(text, width - 2 * MARGIN, n ? 14 : SIZE, look.font)) {
      y += n ? 19 : 23;
      root.append(
        svg(
          "text",
          {
            x: MARGIN,
            y,
            "font-size": n ? 14 : SIZE,
            "font-weight": n ? 400 : 650,
            fill: css(n ? look.muted : look.text),
          },
          line,
        ),
      );
    }
  });
  y += 14;
  for (const part of sized) root.append(copyOf(part.node, part.x + MARGIN, part.y + y));
  const height = y + Math.max(...sized.map((p) => p.y + p.height)) + MARGIN;
  for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
    root.setAttribute(key, value);
  return root;
}

// Another program has other fonts: its letters are fitted to the width that was measured here.
function copyOf(node, x, y) {
  const copy = node.cloneNode(true);
  const lengths = [...node.querySelectorAll("text")].map((text) => text.getComputedTextLength());
  copy.querySelectorAll("text").forEach((text, i) => {
    if (!lengths[i] || text.getAttribute("x")?.includes(" ")) return; // its characters have places of their own
    text.setAttribute("textLength", lengths[i].toFixed(1));
    text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  });
  for (const [key, value] of Object.entries({ x, y })) copy.setAttribute(key, value);
  copy.removeAttribute("class");
  return copy;
}

function wrapped(text, room, size, font) {
  const lines = [];
  for (const word of text.split(/(?<=\s)|(?<=\p{Script=Han})/u)) {
    const last = lines.length - 1;
    if (last >= 0 && measure(lines[last] + word.trimEnd(), size, font) <= room) lines[last] += word;
    else lines.push(word);
  }
  return lines;
}

