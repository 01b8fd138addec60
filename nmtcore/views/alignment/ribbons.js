// @ts-check
// The bipartite view: keys on the left, queries on the right, and a ribbon for each weight between them.
// Pointing at a token dims everything but its links and tints the tokens at the other end (BertViz).

import { css, inkOn, lineColor, weightColor } from "../kit/color.js";
import { drawing, el, set, svg } from "../kit/dom.js";
import { measure, shorten } from "../kit/layout.js";
import { dot, titleOf, wave } from "../kit/mark.js";
import { bringIntoSight, reachable } from "../kit/reach.js";

const HEAD = 24; // px for the names of the two sides
const NAMES = 62; // px of these names
const LEAST_PITCH = 18; // px from token to token
const LEAST_DRAWN = 0.004; // a smaller weight would be invisible

export function drawRibbons(view, layout, look, words) {
  const { rows, columns, weights, panel } = view;
  const room = Math.round(layout.top + Math.max(layout.bodyHeight, 8 * layout.cell)) - HEAD;
  const inner = Math.max(room, LEAST_PITCH * Math.max(rows.length, columns.length));
  const height = inner + HEAD;
  const width = Math.min(layout.room, 520);
  const size = Math.min(16, Math.max(12, (inner / Math.max(rows.length, columns.length)) * 0.72));
  const hue = lineColor(look, panel.hue); // thin lines need more contrast than filled cells
  const wide = (axis) => Math.max(...axis.map((g) => measure(g.label, size, layout.font))) + 14;
  const [left, right] = [columns, rows].map((axis) => Math.min(Math.max(NAMES, wide(axis)), width * 0.36));
  const body = drawing(width, height, { class: "ribbons", "aria-hidden": "true", "font-family": layout.font });
  const keys = side(columns, "data-column", 0, left, "end");
  const queries = side(rows, "data-row", width - right, right, "start");
  const links = rows.map((_, r) => linksOf(weights, r, view.links));
  const thick = Math.min(14, keys.pitch * 0.7, queries.pitch * 0.7);
  const base = svg("g", { fill: "none" }, ...links.flat().map(ribbon));
  const lit = svg("g", { fill: "none" });
  body.append(heading(left - 6, "end", words.looked_at), heading(width - right + 6, "start", words.looking), base, lit);
  body.append(...keys.tokens.map((t) => t.node), ...queries.tokens.map((t) => t.node));
  const node = reachable(el("div", { class: "scroll plain" }, body));
  return { node, parts: { body }, width, height, mark, reveal };

  function heading(x, anchor, text) {
    return svg("text", { x, y: 14, "text-anchor": anchor, "font-size": 12.5, fill: css(look.muted) }, text);
  }

  function side(axis, name, x, room, anchor) {
    const pitch = inner / axis.length;
    const tokens = axis.map((group, i) => {
      const y = HEAD + (i + 0.5) * pitch;
      const tall = Math.min(pitch - 2, size * 1.5);
      const at = anchor === "end" ? x + room - 7 : x + 7;
      const shown = shorten(group.label, size, layout.font, room - 12);
      const text = svg("text", { x: at, y: y + size * 0.35, "text-anchor": anchor, "font-size": size }, shown);
      const end = at + measure(shown, size, layout.font);
      const under = group.doubtful ? [wave(look, at, end, y + size * 0.35 + 2.5)] : [];
      const first = anchor === "end" ? at - measure(shown, size, layout.font) : at;
      if (group.goesOn) under.push(dot(look, first - 3.5, y));
      const back = svg("rect", { x, y: y - tall / 2, width: room, height: tall, rx: 3, fill: "none" });
      const place = { [name]: i, visibility: group.later && !group.waits ? "hidden" : null };
      return { group, y, text, back, node: svg("g", place, svg("title", {}, titleOf(group)), back, text, ...under) };
    });
    return { pitch, tokens };
  }

  function ribbon({ r, c, weight }) {
    const [x1, y1, x2, y2] = [left + 1, keys.tokens[c].y, width - right - 1, queries.tokens[r].y];
    const bend = (x2 - x1) * 0.45;
    return svg("path", {
      d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
      stroke: css(hue),
      "stroke-width": (1.2 + (thick - 1.2) * weight).toFixed(2),
      "stroke-opacity": (0.18 + 0.72 * weight).toFixed(3),
      "data-link": `${r},${c}`,
    });
  }

  // m.rows: the only rows to show; m.col: the only column to show; with both, one link.
  function mark(m) {
    const cell = m.rows.length > 0 && m.col >= 0;
    const shown = links.flat().filter((l) => (m.rows.length ? m.rows.includes(l.r) : l.c === m.col));
    set(base, { opacity: m.dim ? 0.13 : null });
    lit.replaceChildren(...shown.map(ribbon));
    if (cell)
      for (const path of lit.children) set(path, { opacity: path.dataset.link.endsWith(`,${m.col}`) ? null : 0.35 });
    const looked = m.rows.length ? (c) => (m.tint ? m.tint[c] : 0) : () => 0;
    const looking = !m.rows.length && m.col >= 0 ? (r) => weights[r][m.col] || 0 : () => 0;
    paint(keys.tokens, looked, (c) => m.col === c, m.rows.length > 0);
    paint(queries.tokens, looking, (r) => m.rows.includes(r), m.dim && !m.rows.length);
  }

  function paint(tokens, share, strong, otherEnd) {
    tokens.forEach((token, i) => {
      const tinted = share(i) > 0.02 ? weightColor(look, panel.hue, share(i)) : null;
      const quiet = token.group.faint || token.group.waits || (otherEnd && !tinted && !strong(i));
      const color = tinted ? inkOn(look, tinted) : quiet && !strong(i) ? look.muted : look.text;
      set(token.back, { fill: tinted ? css(tinted) : "none", "data-tinted": Boolean(tinted) });
      set(token.text, { fill: css(color), "font-weight": strong(i) ? 700 : null });
      set(token.node, { "data-marked": strong(i), opacity: otherEnd && !tinted && !strong(i) ? 0.6 : null });
    });
  }

  function reveal(m) {
    const token = m.rows.length ? queries.tokens[m.rows[0]] : m.col >= 0 ? keys.tokens[m.col] : null;
    if (token) bringIntoSight(node, { y: token.y - HEAD, height: HEAD });
  }
}

// The links of one row as {r, c, weight}, strongest first. rule "top": until `percent` of the row's weight is shown
// (exBERT's rule; at least one link); rule "least": every weight of at least `percent` hundredths.
export function linksOf(weights, r, { rule, percent }) {
  const row = weights[r];
  const sorted = [];
  let total = 0;
  for (let c = 0; c < row.length; c += 1) {
    if (!(row[c] >= LEAST_DRAWN)) continue; // NaN, for a masked cell, is not a link
    sorted.push({ r, c, weight: row[c] });
    total += row[c];
  }
  sorted.sort((a, b) => b.weight - a.weight);
  if (rule === "least") return sorted.filter((link) => link.weight >= percent / 100);
  const kept = [];
  let sum = 0;
  for (const link of sorted) {
    if (kept.length && sum >= (total * percent) / 100 - 1e-9) break;
    kept.push(link);
    sum += link.weight;
  }
  return kept;
}
