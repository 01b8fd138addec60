// @ts-check
// Letters of a saved picture as outlines: other programs, and a paper, show them as here without the font.

import { svg } from "./dom.js";

const ADDRESS = "views/outlines.json"; // of the server, or of a site; a single file has none, and keeps its letters
const HEAVY = 525; // between the two available weights
const MOST = 1.06; // times as wide as on the screen

/** @typedef {{em: number, weights: Record<string, Record<string, [number, string]>>}} Outlines */

/** @type {Promise<Outlines | null> | null} */
let fetched = null;

/** @returns {Promise<Outlines | null>} */
export function fetchOutlines() {
  fetched ??= location.protocol.startsWith("http")
    ? fetch(new URL(ADDRESS, document.baseURI)).then((answer) => (answer.ok ? answer.json() : null), () => null)
    : Promise.resolve(null);
  return fetched;
}

/**
 * Replace letters by outlines. Characters that the font lacks, Chinese say, stay text.
 * @param {SVGSVGElement} root in the document, so that the browser can say where each letter is
 * @param {Outlines} outlines
 */
export function outlineLetters(root, { em, weights }) {
  for (const text of root.querySelectorAll("text")) {
    const groups = runs(text).map((run) => drawn(run, em, weights));
    text.replaceWith(...groups.flat());
  }
}

// The letters of a text by the element that gives them their look; a drawing's spaces are collapsed, as in HTML.
function runs(/** @type {SVGTextElement} */ text) {
  const out = [];
  let at = 0;
  const count = text.getNumberOfChars();
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const letters = [];
    for (const letter of node.textContent ?? "") {
      if (at < count) letters.push({ letter, at });
      at += letter.length;
    }
    const look = getComputedStyle(/** @type {Element} */ (node.parentNode));
    if (letters.length && look.visibility !== "hidden") out.push({ text, letters, look });
  }
  return out;
}

function drawn({ text, letters, look }, em, weights) {
  const glyphs = weights[Number(look.fontWeight) < HEAVY ? "400" : "650"];
  const known = letters.filter(({ letter }) => letter in glyphs);
  const natural = known.reduce((sum, { letter }) => sum + glyphs[letter][0], 0);
  const wide = known.reduce((sum, { at }) => sum + text.getSubStringLength(at, 1), 0);
  // Another font's letters may be narrower than these, which must stay in place.
  const scale = Math.min(parseFloat(look.fontSize) / em, (MOST * wide) / natural || 1);
  const apart = known.length < letters.length || text.getAttribute("x")?.includes(" ");
  const place = apart ? (at) => text.getStartPositionOfChar(at) : inLine(text, letters, look, glyphs, scale, wide - natural * scale);
  const paint = { fill: look.fill, "fill-opacity": look.fillOpacity, opacity: Number(look.opacity) < 1 ? look.opacity : null };
  const halo = look.stroke === "none" ? null : parseFloat(look.strokeWidth); // which keeps lines away from letters
  Object.assign(paint, { stroke: look.stroke, "stroke-linejoin": "round", "paint-order": halo && "stroke" });
  const transform = text.getAttribute("transform");
  const paths = known
    .filter(({ letter }) => glyphs[letter][1])
    .map(({ letter, at }) => {
      const { x, y } = place(at);
      const to = `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(${text.getRotationOfChar(at).toFixed(1)}) scale(${scale.toPrecision(5)} ${(-scale).toPrecision(5)})`;
      return svg("path", { d: glyphs[letter][1], transform: to, "stroke-width": halo && halo / scale });
    });
  const others = letters
    .filter(({ letter }) => !(letter in glyphs) && letter.trim())
    .map(({ letter, at }) => {
      const { x, y } = place(at);
      return svg("text", { x, y, "font-size": look.fontSize, "font-weight": look.fontWeight, "font-family": look.fontFamily }, letter);
    });
  const said = letters.map(({ letter }) => letter).join("");
  return [svg("g", { ...paint, transform, "aria-label": said }, ...paths, ...others)];
}

// The position of each letter in a line, by the outlines' widths: a screen's are rounded. left: how much narrower the line is.
function inLine(text, letters, look, glyphs, scale, left) {
  const angle = (text.getRotationOfChar(letters[0].at) * Math.PI) / 180;
  const start = text.getStartPositionOfChar(letters[0].at);
  const places = new Map();
  let along = left * ({ middle: 0.5, end: 1 }[look.textAnchor] ?? 0);
  for (const { letter, at } of letters) {
    places.set(at, { x: start.x + along * Math.cos(angle), y: start.y + along * Math.sin(angle) });
    along += glyphs[letter][0] * scale;
  }
  return (at) => places.get(at);
}
