// @ts-check
// The tree as one SVG: edges, the best path and the lines laid over it, chips. Nothing here knows the server.
// Changes while stepping are attributes of a step's group, so that stepping draws at most one column.

import { css, lineColor, mix, parse, readLook } from "../kit/color.js";
import { drawing, filledText, set, svg } from "../kit/dom.js";
import { measure } from "../kit/layout.js";
import { number } from "../kit/number.js";
import { CHIP, LABEL, SMALL, besideText } from "./places.js";
import { dot } from "../kit/mark.js";
import { goesOn, pieceName } from "../kit/piece.js";
import { pathTo, scoreOf, wasChosen } from "./record.js";
import { DASHED } from "./tools.js";

const LOWEST = -4; // log-probability with the palest edge
const PALEST = 0.22;
const NUMBERS = "font-variant-numeric: tabular-nums; white-space: pre; paint-order: stroke";

export function drawTree(record, places, look, mode) {
  const { columns, lanes } = places;
  const node = drawing(places.width, places.height, { "font-family": look.font, "aria-hidden": "true" });
  const layer = (name) => columns.map((_, step) => svg("g", { [`data-${name}`]: step }));
  const names = ["faint", "edges", "best", "lines", "trail", "dropped"];
  /** @type {Record<string, SVGElement[]>} in the order in which they lie over one another */
  const layers = { ...Object.fromEntries(names.map((name) => [name, layer(name)])), nodes: layer("step") };
  const chips = new Map(); // id -> {node, box, group, ...}
  const present = svg("g", { class: "present" });
  const heads = columns.slice(1).map((column, i) => head(column, i + 1));
  let pointed = -1;
  let winner = new Set(); // ids of its path

  for (const nodes of lanes.inOrder.slice(1)) for (const n of nodes) layers.edges[n.step].append(edge(n, edgeStyle(n)));
  for (const nodes of lanes.inOrder)
    for (const n of nodes) layers.nodes[n.step].append(chip(n, places.lane(n), CHIP, false));
  drawLines();
  if (mode === "all") record.steps.forEach((_, step) => step && drop(step, false));
  node.append(present, svg("g", {}, ...heads.map((h) => h.group)));
  for (const groups of Object.values(layers)) node.append(svg("g", { "stroke-linecap": "round" }, ...groups));
  return { node, chips, show, rank, trail };

  // Make a step the current one. `whole`: later steps are visible too; `known`: the winner is marked; `expanded`: all of
  // the step's dropped candidates are drawn, not only the nearest ones.
  function show(step, { whole, known, expanded }) {
    for (const groups of Object.values(layers))
      groups.forEach((g, i) => set(g, { visibility: i > step && !whole ? "hidden" : null }));
    for (const group of layers.best) if (!known) set(group, { visibility: "hidden" });
    heads.forEach((h, i) => h.mark(i + 1 === step));
    for (const [id, c] of chips) {
      if (c.small) continue;
      c.mark(known && winner.has(id));
      if (c.label && record.nodes[id].step > 0) c.label.textContent = labelOf(record.nodes[id]);
    }
    if (mode === "step") {
      for (const g of [...layers.dropped, ...layers.faint]) g.replaceChildren();
      for (const [id, c] of chips) if (c.small) chips.delete(id);
      drop(step, expanded);
    } else if (mode === "all" && expanded) {
      for (const g of [layers.dropped[step], layers.faint[step]]) g.replaceChildren();
      drop(step, true);
    }
    const reach = (rows) => places.cut + (rows ? 10 + rows * SMALL.pitch : 0);
    const bottom = reach(layers.dropped[step].childElementCount);
    const height = Math.max(places.height, ...layers.dropped.map((g) => reach(g.childElementCount)));
    const width = places.widthAt(step);
    set(node, { width, height, viewBox: `0 0 ${width} ${height}` });
    frame(step, bottom);
  }

  // The winner, marked by the next step shown, and every score, for these penalties.
  function rank(ranked, penalties) {
    winner = new Set([...pathTo(record, ranked[0]?.node).map((n) => n.id), 0]);
    for (const groups of layers.best) groups.replaceChildren();
    for (const id of winner) {
      const n = record.nodes[id];
      if (id) layers.best[n.step].append(edge(n, { stroke: css(look.text), "stroke-width": 4.5, "data-best": id }));
    }
    for (const { node: n, score } of ranked) chips.get(n.id).score = score;
    for (const n of record.nodes)
      if (n.lines.size && n.token === "<eos>" && !wasChosen(n)) chips.get(n.id).score = scoreOf(n, penalties);
  }

  // The path from the root to a node that is pointed at or picked.
  function trail(n) {
    layers.trail.forEach((g) => g.replaceChildren());
    chips.get(pointed)?.point(false);
    pointed = n?.id ?? -1;
    chips.get(pointed)?.point(true);
    for (const step of n ? pathTo(record, n) : [])
      layers.trail[step.step].append(edge(step, { stroke: css(look.accent), "stroke-width": 2.5 }));
  }

  function drawLines() {
    const styles = {
      before: { stroke: css(look.muted), ...DASHED.before },
      greedy: { stroke: css(look.greedy), ...DASHED.greedy, "stroke-linecap": "butt" },
    };
    for (const kind of Object.keys(styles)) {
      for (const n of record.nodes)
        if (n.lines.has(kind)) layers.lines[n.step].append(edge(n, { ...styles[kind], "data-line": kind }));
    }
  }

  function edgeStyle(n) {
    if (!wasChosen(n)) return { stroke: css(look.pruned), "stroke-width": 1 };
    const share = PALEST + (1 - PALEST) * Math.max(0, 1 - n.log_probability / LOWEST);
    return { stroke: css(mix(look.background, look.hue, share)), "stroke-width": 2.25 };
  }

  function edge(n, style) {
    return svg("path", { d: way(n), fill: "none", ...style });
  }

  // Along the parent's lane to the end of its column, then across in the gap, so that no chip is crossed.
  function way(n) {
    const from = chips.get(n.parent)?.box ?? places.lane(record.nodes[n.parent]);
    const to = chips.get(n.id)?.box ?? places.lane(n);
    const bend = columns[n.step - 1].right + 2;
    const middle = (bend + to.x) / 2;
    const over =
      from.middle === to.middle
        ? `H${to.x}`
        : `H${bend}C${middle} ${from.middle} ${middle} ${to.middle} ${to.x} ${to.middle}`;
    return `M${from.x + from.width} ${from.middle}${over}`;
  }

  function chip(n, box, form, small) {
    const finished = n.token === "<eos>";
    const greedy = n.lines.has("greedy");
    const plain = css(small || !wasChosen(n) ? look.pruned : mix(look.background, look.hue, 0.75));
    const ink = css(small ? look.muted : look.text);
    const inside = { x: box.x + 0.5, y: box.y + 0.5, width: box.width - 1, height: box.height - 1 };
    const paint = { fill: css(look.background), stroke: plain, "stroke-width": 1.25 };
    const rect = svg("rect", { ...inside, rx: finished ? box.height / 2 : 5, ...paint });
    const middle = { x: box.x + box.width / 2, y: box.middle + form.size * 0.35, "text-anchor": "middle" };
    const letters = { "font-size": form.size, "font-family": look.code, fill: ink };
    const text = svg("text", { ...middle, ...letters }, pieceName(n.token));
    if (n.fate === "forbidden") set(text, { "text-decoration": "line-through" });
    const under = small
      ? { x: box.x + box.width + 7, y: box.middle + LABEL * 0.36 }
      : { x: box.x + 2, y: box.y + box.height + LABEL + 1 };
    const quiet = { "font-size": LABEL, fill: css(look.muted), style: NUMBERS };
    const label = svg("text", { ...under, ...quiet }, small ? besideText(n) : "");
    const within = goesOn(n.token, record.nodes[n.parent]?.token);
    const before = within ? [dot(look, box.x + form.pad * 0.55, box.middle)] : [];
    const group = svg("g", { "data-node": n.id, "data-fate": n.fate }, rect, ...before, text, label);
    const it = { box, group, label, small, mark, point, score: null };
    let strong = false;
    chips.set(n.id, it);
    if (small) return group;
    set(label, { stroke: css(look.background), "stroke-width": 3 }); // edges may pass behind it
    const wide = Math.max(box.width, measure(number(n.total), LABEL, look.font) + 2);
    group.prepend(hitArea({ x: box.x, y: box.y - 2, width: wide, height: box.height + LABEL + 7 }));
    mark(false);
    return group;

    function mark(isBest) {
      strong = isBest;
      const other = n.lines.has("before") ? css(look.muted) : plain;
      const stroke = isBest ? css(look.text) : greedy ? css(look.greedy) : other;
      const own = greedy ? mix(look.background, look.greedy, 0.1) : look.background;
      const tint = isBest ? mix(look.background, look.text, 0.07) : own;
      const full = isBest && finished;
      set(rect, { fill: css(full ? look.text : tint), stroke, "stroke-width": isBest ? 2.5 : greedy ? 2 : 1.25 });
      set(text, { fill: full ? css(look.background) : ink, "font-weight": isBest ? 600 : null });
      set(label, { "font-weight": isBest ? 600 : null, fill: css(isBest ? look.text : look.muted) });
      set(group, { "data-on-best": isBest });
    }

    function point(on) {
      if (on) set(rect, { stroke: css(look.accent), "stroke-width": 3 });
      else if (small) set(rect, { stroke: plain, "stroke-width": 1.25 });
      else mark(strong);
    }
  }

  function labelOf(n) {
    const score = chips.get(n.id).score;
    if (score !== null) return filledText(look.words.score, { value: number(score) });
    return number(n.total);
  }

  // The dropped candidates of a step, the nearest ones or all, and how many more there are.
  function drop(step, expanded) {
    const all = places.dropped[step];
    const nodes = expanded || all.length <= places.limit + 1 ? all : all.slice(0, places.limit);
    layers.dropped[step].append(...nodes.map((n, i) => chip(n, places.small(n, i), places.form, true)));
    if (nodes.length < all.length) layers.dropped[step].append(more(step, nodes.length, all.length - nodes.length));
    const ways = nodes.map((n) => way(n)).join("");
    layers.faint[step].append(
      svg("path", { d: ways, fill: "none", stroke: css(look.pruned), opacity: mode === "all" ? 0.5 : 0.9 }),
    );
  }

  function more(step, index, count) {
    const y = places.cut + 8 + index * SMALL.pitch + SMALL.height / 2 + 5;
    const ink = { "font-size": LABEL + 1, fill: css(look.muted), "text-decoration": "underline" };
    const text = filledText(look.words.more, { count });
    return svg("text", { x: columns[step].x + 2, y, ...ink, "data-more": step }, text);
  }

  function head(column, step) {
    const text = svg("text", { x: column.x + 2, y: 17, "font-size": 13.5, "data-head": step }, String(step));
    const hit = hitArea({ x: column.x - 6, y: 0, width: column.width + 12, height: 26 }, { "data-head": step });
    const mark = (on) => set(text, { fill: css(on ? look.text : look.muted), "font-weight": on ? 700 : 400 });
    return { group: svg("g", { "data-head": step }, hit, text), mark };
  }

  // A dashed frame around the current step; the cut between continued and dropped candidates.
  function frame(step, bottom) {
    const column = columns[step];
    if (!step || !column) return present.replaceChildren();
    const place = { x: column.x - 7, y: 23, width: column.width + 14, height: places.cut - 23, rx: 6 };
    const box = svg("rect", { ...place, fill: "none", stroke: css(look.muted), "stroke-dasharray": "4 4" });
    const below = mode === "none" || !places.dropped[step].length ? 0 : bottom - places.cut - 2;
    const cut = svg("path", { d: `M${column.x - 7} ${places.cut}v${below}`, stroke: css(look.line) });
    return present.replaceChildren(box, cut);
  }
}

// Invisible targets for the pointer.
const hitArea = (box, more = {}) => svg("rect", { ...box, fill: "none", "pointer-events": "visible", ...more });

// Colours and type of the tree: the page's, and a colour for each kind of path.
// accented: an element whose outline has the theme's accent; colors: for the model, the greedy path and dropped candidates.
export function readTreeLook(root, accented, colors, words) {
  const look = readLook(root);
  const dark = look.background[1] < look.text[1];
  return {
    ...look,
    code: getComputedStyle(root).getPropertyValue("--st-code-font") || "monospace",
    accent: parse(getComputedStyle(accented).outlineColor),
    hue: lineColor(look, parse(colors.hue)),
    greedy: parse(colors.greedy),
    pruned: mix(look.background, parse(colors.pruned), dark ? 0.45 : 1), // as faint as on white
    words,
  };
}
