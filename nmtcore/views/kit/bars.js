// @ts-check
// Bars from 0 to 1: in a picture, on a quiet track, with the numbers beside them; and as elements of a table.

import { css, mix } from "./color.js";
import { el, set, svg } from "./dom.js";
import { shorten } from "./layout.js";
import { number, probabilityText } from "./number.js";

/**
 * A bar of a picture. outlined: a second, dashed bar lies over it.
 * @param {import("./color.js").Look} look
 * @param {{x: number, y: number, width: number, height: number, color?: import("./color.js").RGB, outlined?: boolean}} at
 * @returns {{nodes: Element[], show(share: number, now?: {color?: import("./color.js").RGB, outline?: number | null}): void}}
 */
export function makeBar(look, { x, y, width, height, color, outlined = false }) {
  const box = { x, y, height };
  const track = svg("rect", { ...box, width, fill: css(mix(look.background, look.text, 0.06)) });
  const bar = svg("rect", { ...box, class: "bar", fill: color && css(color) });
  const dashed = { fill: "none", stroke: css(look.text), "stroke-dasharray": "3 2" };
  const outline = outlined && svg("rect", { ...box, ...dashed });
  return { nodes: outline ? [track, bar, outline] : [track, bar], show };

  /** @param {number} share @param {{color?: import("./color.js").RGB, outline?: number | null}} now */
  function show(share, { color: now, outline: other = null } = {}) {
    set(bar, { width: share * width, ...(now && { fill: css(now) }) });
    if (outline) set(outline, { width: (other ?? 0) * width, display: other === null ? "none" : null });
  }
}

// A candidate for the next piece: its name, its probability as a bar and as a number; the chosen one is bold.
// edge: where the name ends; label: its width; line: the height; bar: {x, width, air}; size, small: px of the letters.
export function makeCandidate(look, hue, { edge, label, top, line, bar: at, size, small = size }) {
  const base = top + line * 0.5 + size * 0.35;
  const full = svg("title", {});
  const name = svg("text", { x: edge, y: base, "text-anchor": "end", "font-size": size });
  const value = svg("text", { x: at.x + at.width + 6, y: base, "font-size": small });
  const bar = makeBar(look, { x: at.x, y: top + at.air, width: at.width, height: line - 2 * at.air });
  const node = svg("g", { "data-candidate": "" }, full, name, ...bar.nodes, value);
  return { node, show };

  // candidate: [piece, probability], or nothing: an empty line.
  function show(candidate, taken) {
    set(node, { display: candidate ? null : "none" });
    if (!candidate) return;
    const [piece, probability] = candidate;
    full.textContent = `${piece}: ${number(probability, 4)}`;
    name.textContent = shorten(piece, size, look.font, label);
    value.textContent = probabilityText(probability);
    const ink = { "font-weight": taken ? 700 : null, fill: css(taken ? look.text : look.muted) };
    set(name, ink);
    set(value, ink);
    bar.show(probability, { color: taken ? hue : mix(look.background, look.text, 0.28) });
  }
}

// A bar of a table: `share` of its track.
export function makeMeter(share, { color = null, kind = "" } = {}) {
  const bar = el("span", { class: kind ? `bar ${kind}` : "bar" });
  const show = (now) => (bar.style.width = `${100 * now}%`);
  show(share);
  if (color) bar.style.background = css(color);
  return { node: el("span", { class: "track" }, bar), show };
}
