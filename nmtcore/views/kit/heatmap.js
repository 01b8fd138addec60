// @ts-check
// The matrix: source along the top, target down the side, in three drawings so that labels stay while it scrolls.

import { css, inkOn, weightColor } from "./color.js";
import { drawing, el, set, svg } from "./dom.js";
import { characters, downwards, measure, overhang, shorten, tallness, valueSize, valuesFit } from "./layout.js";
import { dot, titleOf, wave } from "./mark.js";
import { bringIntoSight, reachable } from "./reach.js";

const LEAST_DRAWN = 0.004; // below this a cell has the background's colour to the eye
const DIMMED = 0.6; // of the background's colour over a cell that is not looked at now
export const FRAME = 2; // px of the lines around the cells
const [SPELLED, HIGH] = [13, 17]; // px of the number beside a cell, and of its ground

export function drawHeatmap(view, layout, look, values) {
  const { cell, tall, side, top } = layout;
  const columns = view.columns.length;
  const bodyHeight = view.rows.length * tall;
  const reach = (label) => Math.min(layout.long, measure(label, layout.size, layout.font)) * layout.cosine;
  const bodyWidth = columns * cell + overhang(view, cell, reach);
  const part = (name, w, h) => drawing(w, h, { class: name, "aria-hidden": "true", "font-family": layout.font });
  const parts = {
    top: part("top", bodyWidth, top),
    side: part("side", side, bodyHeight + FRAME),
    body: part("body", bodyWidth, bodyHeight + FRAME),
  };

  const heads = view.columns.map((group, i) => columnLabel(group, i, layout, look));
  const names = view.rows.map((group, i) => rowLabel(group, i, layout, look));
  parts.top.append(...heads.map((h) => h.node));
  parts.side.append(...names.map((n) => n.node));
  if (view.panel.kind === "decoder") parts.body.append(...hatching(view, layout, look));
  const written = values && (layout.printed ? writable(layout) : valuesFit(layout));
  parts.body.append(gridLines(view, layout, look), ...cells(view, layout, look, written));
  parts.body.append(...windowFrames(view, layout, look));
  const veil = svg("path", { fill: css(look.background), opacity: DIMMED, "pointer-events": "none" });
  const marks = svg("g", { fill: "none", stroke: css(look.text), "pointer-events": "none" });
  parts.body.append(veil, marks);

  const scroll = reachable(el("div", { class: "scroll" }, el("div", { class: "corner" }), parts.top, parts.side, parts.body));
  return { node: scroll, parts, width: side + bodyWidth, height: top + bodyHeight + FRAME, mark, reveal };

  // Over all cells but those of the marked rows and column.
  function veiled(m) {
    const bar = (r, from, to) =>
      `M${from * cell + 1.5} ${r * tall + 1.5}h${(to - from) * cell - 1}v${tall - 1}H${from * cell + 1.5}z`;
    return view.rows
      .flatMap((_, r) => {
        if (m.rows.includes(r)) return [];
        const spans = m.col < 0 ? [[0, columns]] : [[0, m.col], [m.col + 1, columns]];
        return spans.filter(([from, to]) => to > from).map(([from, to]) => bar(r, from, to));
      })
      .join("");
  }

  function mark(m) {
    set(veil, { d: m.dim ? veiled(m) : null, "data-dimmed": m.dim });
    const frame = (box, first, marked) =>
      svg("rect", { ...box, "stroke-width": m.origin && first ? 2 : 1.25, ...marked });
    const column = { x: m.col * cell + 1, y: 1, width: cell, height: bodyHeight };
    marks.replaceChildren(
      ...m.rows.map((r, i) => frame({ x: 1, y: r * tall + 1, width: columns * cell, height: tall }, i === 0, { "data-marked-row": r })),
      ...(m.col < 0 ? [] : [frame(column, !m.rows.length, { "data-marked-column": m.col })]),
      ...spelled(m),
    );
    names.forEach((name, r) => name.mark(m.rows.includes(r), null));
    const top = m.tint ? Math.max(...m.tint) : 0;
    heads.forEach((head, c) => {
      const share = m.tint ? m.tint[c] : 0;
      const color = share > 0.02 ? weightColor(look, view.panel.hue, share) : null;
      head.mark(m.col === c || (share === top && top > 0), color);
    });
  }

  // The weight in question, if cells have no numbers: below its cell, or above it.
  function spelled({ origin, said, whole }) {
    if (!origin || !said || said[0] < 0 || whole || written) return [];
    const [r, c] = said;
    const text = (view.weights[r][c] || 0).toFixed(2);
    const wide = measure(text, SPELLED, layout.font) + 6;
    const x = Math.max(0, Math.min(columns * cell + 1 - wide, (c + 0.5) * cell + 1 - wide / 2));
    const y = r < view.rows.length - 1 ? (r + 1) * tall + 3 : Math.max(0, r * tall - 1 - HIGH);
    const ground = svg("rect", { x, y, width: wide, height: HIGH, rx: 3, fill: css(look.background), "stroke-width": 1 });
    const place = { x: x + wide / 2, y: y + HIGH - 4, "text-anchor": "middle", "font-size": SPELLED };
    return [ground, svg("text", { ...place, fill: css(look.text), stroke: "none", class: "spelled" }, text)];
  }

  // Scroll the marks into view, within the figure.
  function reveal(m) {
    const column = m.col >= 0 ? m.col : m.tint ? m.tint.indexOf(Math.max(...m.tint)) : -1;
    const across = column >= 0 && { x: column * cell, width: cell + side }; // labels lie over the first cells in sight
    bringIntoSight(scroll, { ...across, ...(m.rows.length && { y: m.rows[0] * tall, height: tall + top }) });
  }
}

// On paper, which is read from closer.
export const writable = ({ cell }) => cell >= 17;

// A label that can be set in bold and tinted; the full token stays in its title.
function label(group, text, size, look, place, chip) {
  const quiet = group.faint || group.waits;
  const words = svg("text", { "font-size": size, fill: css(quiet ? look.muted : look.text), ...place.text }, text);
  const back = svg("rect", { ...chip, rx: 3, fill: "none" });
  const unseen = group.later ? (group.waits ? { "data-waiting": true } : { visibility: "hidden" }) : {};
  const before = group.goesOn && place.dot ? [dot(look, place.dot.x, place.dot.y)] : [];
  const node = svg("g", { ...place.group, ...unseen }, svg("title", {}, titleOf(group)), back, words, ...before);
  return {
    node,
    mark(strong, color) {
      set(back, { fill: color ? css(color) : "none", "data-tinted": Boolean(color) });
      const ink = color ? inkOn(look, color) : quiet && !strong ? look.muted : look.text;
      set(words, { "font-weight": strong ? 600 : null, fill: css(ink) });
    },
  };
}

function columnLabel(group, i, layout, look) {
  const { size, font, cell } = layout;
  const text = shorten(group.label, size, font, layout.level ? cell : layout.long);
  const [place, chip] = columnPlace(text, (i + 0.5) * cell + 1, layout);
  return label(group, text, size, look, { ...place, group: { ...place.group, "data-column": i } }, chip);
}

// The label of the column around x: its parts, and the chip behind it.
function columnPlace(text, x, layout) {
  const { cell, size, top, font } = layout;
  const width = measure(text, size, font);
  if (layout.level) {
    const words = { x, y: top - size * 0.45, "text-anchor": "middle" };
    return [
      { text: words, dot: { x: x - width / 2 - 2.5, y: top - size * 0.75 } },
      { x: x - width / 2 - 3, y: top - size * 1.45, width: width + 6, height: size * 1.3 },
    ];
  }
  if (downwards(text)) {
    const high = tallness(text, size);
    const first = { x: x - size * 0.5 - 3, y: top - 5 - high + size * 0.72 }; // beside the first character
    return [
      { text: characters(text, x, top - 5, size), dot: first },
      { x: x - size * 0.6, y: top - high - 3, width: size * 1.2, height: high + 1 },
    ];
  }
  const tall = Math.min(size * 1.25, cell * layout.sine - 1);
  const turned = { transform: `translate(${x + size * 0.25} ${top - 5}) rotate(${-layout.angle})` };
  return [
    { group: turned, text: { x: 0, y: 0 }, dot: { x: -3, y: -size * 0.3 } },
    { x: -3, y: -tall * 0.78, width: width + 6, height: tall },
  ];
}

function rowLabel(group, i, layout, look) {
  const { tall, side, rowSize, font } = layout;
  const text = shorten(group.label, rowSize, font, side - 8);
  const y = (i + 0.5) * tall + 1;
  const left = side - 5 - measure(text, rowSize, font);
  const place = {
    group: { "data-row": i },
    text: { x: side - 5, y: y + rowSize * 0.35, "text-anchor": "end" },
    dot: { x: Math.max(2, left - 3), y },
  };
  const made = label(group, text, rowSize, look, place, { x: 0, y: y - tall / 2, width: side, height: tall });
  if (group.doubtful) made.node.append(wave(look, left, side - 5, y + rowSize * 0.35 + 2.5));
  return made;
}

// Hairlines around every cell that could hold weight: masked cells stay empty, and are not zeros.
function gridLines(view, { cell, tall }, look) {
  let path = "";
  view.weights.forEach((row, r) => {
    const open = row.findLastIndex((w) => !Number.isNaN(w)) + 1;
    if (!open) return;
    path += `M1 ${r * tall + 1}h${open * cell}M1 ${(r + 1) * tall + 1}h${open * cell}`;
    for (let c = 0; c <= open; c += 1) path += `M${c * cell + 1} ${r * tall + 1}v${tall}`;
  });
  return svg("path", { d: path, stroke: css(look.grid), fill: "none", "shape-rendering": "crispEdges" });
}

// The future mask made visible: cells that a row may not look at are hatched, and are not zeros.
function hatching(view, { cell, tall }, look) {
  const lines = svg("line", { x1: 0, y1: 0, x2: 0, y2: 6, stroke: css(look.line), "stroke-width": 2 });
  const size = { width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  const pattern = svg("pattern", { id: "masked", ...size }, lines);
  const bars = view.weights.flatMap((row, r) => {
    const open = row.findLastIndex((w) => !Number.isNaN(w)) + 1;
    if (view.rows[r].later || open === row.length) return [];
    const place = { x: open * cell + 1.5, y: r * tall + 1.5, width: (row.length - open) * cell - 1, height: tall - 1 };
    return [svg("rect", { ...place, fill: "url(#masked)", "data-masked": r })];
  });
  return [svg("defs", {}, pattern), ...bars];
}

// Local attention made visible: a frame around what each row may look at.
function windowFrames(view, { cell, tall }, look) {
  return (view.windows ?? []).flatMap((window, r) => {
    if (!window) return [];
    const [from, to] = window;
    const place = { x: from * cell + 1, y: r * tall + 1, width: (to - from + 1) * cell, height: tall };
    const style = { fill: "none", stroke: css(look.muted), "stroke-width": 1.5, "pointer-events": "none" };
    return [svg("rect", { ...place, ...style, "data-window": r })];
  });
}

function cells(view, layout, look, values) {
  const { cell, tall } = layout;
  const nodes = [];
  const size = valueSize(layout);
  const small = cell < 2.46 * size; // no room for the zero
  view.weights.forEach((row, r) => {
    row.forEach((weight, c) => {
      if (!(weight >= LEAST_DRAWN)) return;
      const color = weightColor(look, view.panel.hue, weight);
      const box = { x: c * cell + 1.5, y: r * tall + 1.5, width: cell - 1, height: tall - 1 };
      nodes.push(svg("rect", { ...box, fill: css(color), "data-cell": `${r},${c}` }));
      if (!values || weight < 0.005) return;
      const text = small ? weight.toFixed(2).replace(/^0/, "").replace("1.00", layout.fills ? "1.0" : "1.00") : weight.toFixed(2);
      const place = { x: (c + 0.5) * cell + 1, y: (r + 0.5) * tall + 1 + size * 0.35, "font-size": size };
      const ink = css(weight < 0.1 ? look.muted : inkOn(look, color));
      nodes.push(svg("text", { ...place, "text-anchor": "middle", fill: ink, "pointer-events": "none" }, text));
    });
  });
  return nodes;
}
