// @ts-check
// The picture of one word's attention: the six steps with their numbers. Drawn once; stepping changes attributes
// alone, so that nothing moves unless it has changed.

import { makeBar } from "../kit/bars.js";
import { css, mix, signedColor, weightColor } from "../kit/color.js";
import { drawing, el, filledText, set, svg } from "../kit/dom.js";
import { measure, shorten } from "../kit/layout.js";
import { dot } from "../kit/mark.js";
import { drawNext } from "./next.js";
import { svgRich } from "../kit/notation.js";
import { number } from "../kit/number.js";
import { paragraph } from "../kit/paper.js";
import { bandOf, makePlan } from "./plan.js";
import { makeHeading, makeStrip } from "./marks.js";

const LEAST = 0.02; // for the outline of a replaced weight

export function drawDiagram(data, labels, look, width, room) {
  const names = labels.map((l) => l.label);
  const plan = makePlan(names, data.states[0].length, width, room, look.font);
  const limit = Math.max(1e-6, ...data.scores.map((row) => Math.max(...row.map(Math.abs))));
  const picture = (name, h, said) => drawing(plan.left, h, { class: name, "font-family": look.font, ...said });
  const head = picture("above", plan.top, { "aria-hidden": "true" });
  const body = picture("sources", plan.body, { role: "presentation" }); // its rows are the options of the list around it
  const foot = picture("below", plan.foot, { "aria-hidden": "true" });
  const next = drawNext(data, plan, look);
  const bands = [head, body, foot].map((part) =>
    part.appendChild(svg("rect", { class: "band", fill: css(shade(look)) })),
  );
  const stages = []; // nodes of each step, hidden before it
  const stage = (part, ...nodes) => nodes.map((node) => ((stages[part] ??= []).push(node), node));

  const heads = headings();
  const query = strip(plan.states.x, plan.head + (plan.query - plan.strip) / 2);
  const beside = plan.head + plan.query * 0.66;
  const queryName = svg("text", { x: plan.chip.width - 6, y: beside, "text-anchor": "end", fill: css(look.text) });
  const reader = svg("text", { x: plan.score.number - 34, y: beside, "font-size": plan.small, fill: css(look.muted) });
  head.append(...heads.map((h) => h.node), ...stage(0, query.node, queryName, reader));
  const rows = labels.map(makeRow);
  const total = strip(plan.weighted.x, 15);
  const rule = `M${plan.weighted.x - 2} 7h${plan.weighted.width + 4}`;
  const line = svg("path", { d: rule, stroke: css(look.text), "stroke-width": 1.5 });
  const before = (y, size) => ({ x: plan.weighted.x - 8, y, "text-anchor": "end", "font-size": size, fill: css(look.text) });
  const plus = svg("text", before(11, plan.size), "Σ");
  const totalName = svg("text", before(15 + plan.strip * 0.78, null));
  const context = plan.wide ? plan.weight.x - plan.gap * 0.4 : plan.score.x; // on a narrow screen its name is long
  const footHead = heading(4, context, 15 + plan.strip * 0.78);
  const arrow = svg("path", { d: arrowPath(), fill: "none", stroke: css(look.text), "stroke-width": 1.75 });
  foot.append(...stage(4, line, plus, totalName, total.node, footHead.node), ...stage(5, arrow));
  // Before the name of the context if there is room, else below.
  const values = { count: data.states[0].length, D: data.size };
  const legend = filledText(look.grey ? data.words.legend_grey : data.words.legend, values);
  const told = plan.wide ? legend : shorten(legend, plan.small, look.font, plan.left - 4);
  const place = { x: 0, y: plan.wide ? 15 : plan.foot - 6, room: plan.wide ? context - 8 : plan.left, leading: 14 };
  paragraph(foot, told, { ...place, size: plan.small - 0.5, font: look.font, fill: css(look.muted) });
  stage(5, ...next.stage);

  const scroll = el("div", { class: "rows scrolls", tabindex: 0, role: "listbox", "aria-label": data.words.rows }, body);
  scroll.style.maxHeight = `${plan.shown}px`;
  const left = el("div", { class: "left" }, head, scroll, foot);
  left.style.width = `${plan.left}px`; // a scroll bar is beyond it, in the gap
  const node = el("div", { class: plan.wide ? "diagram wide" : "diagram" }, left, next.node);
  const height = plan.top + plan.shown + plan.foot;
  return { node, body, scroll, plan, show, mark, parts: { head, body, foot, next: next.node }, height };

  function headings() {
    const { score, weight, weighted } = plan;
    const at = [0, score.number - (plan.wide ? 40 : 26), weight.x - 2, weighted.x - 4];
    return at.map((x, part) => heading(part, x, plan.wide ? 21 : 15, !plan.wide));
  }

  function heading(part, x, y, below = false) {
    const sizes = plan.wide ? { radius: 10.5, size: 15 } : { radius: 9, size: 12.5 };
    return makeHeading(data, look, part, { x, y, below, ...sizes });
  }

  function arrowPath() {
    const y = 15 + plan.strip / 2;
    const from = plan.weighted.x + plan.weighted.width + 4;
    const middle = plan.weighted.x + plan.weighted.width / 2;
    return plan.wide ? `M${from} ${y}H${plan.left}` : `M${middle} ${y + plan.strip / 2 + 3}V${plan.foot}`;
  }

  function strip(x, y) {
    return makeStrip(look, { x, y, cell: plan.cell, height: plan.strip }, plan.components);
  }

  function makeRow({ label, faint, goesOn }, i) {
    const y = i * plan.row;
    const middle = y + plan.row / 2;
    const text = (x, anchor, size = plan.small) =>
      svg("text", { x, y: middle + size * 0.35, "text-anchor": anchor, "font-size": size, fill: css(look.text) });
    const ground = svg("rect", { x: 0, y, width: plan.left, height: plan.row, fill: "transparent" });
    const box = { x: 1, y: y + 1, width: plan.chip.width - 2, height: plan.row - 2, rx: 4 };
    const chip = svg("rect", { ...box, fill: css(shade(look, 0.1)) });
    const word = text(plan.chip.width / 2, "middle", plan.size);
    word.textContent = shorten(label, plan.size, look.font, plan.chip.width - 8);
    if (faint) set(word, { fill: css(look.muted) });
    const half = measure(word.textContent, plan.size, look.font) / 2;
    const before = goesOn ? [dot(look, Math.max(4, plan.chip.width / 2 - half - 3.5), middle)] : [];
    const state = strip(plan.states.x, y + (plan.row - plan.strip) / 2);
    state.paint(data.states[i]);
    const zero = plan.score.x + plan.score.width / 2;
    const axis = svg("path", { d: `M${zero} ${y}v${plan.row}`, stroke: css(look.line) });
    const score = svg("rect", { class: "bar", y: middle - plan.row * 0.26, height: plan.row * 0.52 });
    const scoreText = text(plan.score.number, "end");
    const place = { x: plan.weight.x, y: middle - plan.row * 0.3, width: plan.weight.width, height: plan.row * 0.6 };
    const weight = makeBar(look, { ...place, color: data.hue, outlined: true });
    const weightText = text(plan.weight.number, "start");
    const weighted = strip(plan.weighted.x, y + (plan.row - plan.strip) / 2);
    const named = [svg("title", {}, label), ground, chip, word, ...before];
    const group = svg("g", { "data-source": i, id: rowId(i), role: "option" }, ...named, state.node);
    group.append(...stage(1, svg("g", {}, axis, score, scoreText)));
    group.append(...stage(2, svg("g", {}, ...weight.nodes, weightText)), ...stage(3, weighted.node));
    body.append(group);
    return {
      show(j) {
        const [b, a, own] = [data.scores[j][i], data.weights[j][i], data.own(j)?.[i]];
        const length = (Math.abs(b) / limit) * (plan.score.width / 2);
        const fill = css(look.grey ? look.muted : signedColor(look, b, limit * 0.35)); // its side also shows the sign
        set(score, { x: b < 0 ? zero - length : zero, width: length, fill });
        scoreText.textContent = number(b);
        weight.show(a, { outline: own >= LEAST ? own : null });
        weightText.textContent = number(a);
        set(weightText, { fill: css(a < 0.05 ? look.muted : look.text), "font-weight": a >= 0.3 ? 650 : null });
        weighted.paint(data.states[i].map((v) => a * v));
      },
      mark(focus, chosen) {
        set(group, { "aria-selected": String(chosen), "data-focus": focus });
        set(word, { "font-weight": focus ? 700 : null });
        set(ground, { fill: focus ? css(weightColor(look, data.hue, 0.13)) : "transparent" });
        set(chip, { stroke: chosen ? css(look.text) : "none", "stroke-width": 2 });
      },
    };
  }

  function show({ word, part }) {
    heads.forEach((h) => h.show(part));
    footHead.show(part);
    query.paint(data.query[word]);
    queryName.replaceChildren(...svgRich(data.symbol("query", word), plan.size + 1));
    reader.textContent = shorten(data.reader(word), plan.small, look.font, plan.left - plan.score.number + 30);
    total.paint(data.context[word]);
    totalName.replaceChildren(...svgRich(data.symbol("context", word), plan.size + 1));
    rows.forEach((row) => row.show(word));
    next.show(word, part);
    stages.forEach((nodes, k) => nodes.forEach((node) => set(node, { opacity: k > part ? 0 : 1 })));
    const [from, to] = bandOf(plan, part);
    const heights = part === 4 ? [0, 0, plan.foot - (plan.wide ? 4 : 20)] : part === 5 ? [0, 0, 0] : [plan.top, plan.body, 0];
    bands.forEach((band, k) => set(band, { x: from, width: to - from, height: heights[k] }));
  }

  // focus: the row whose numbers are spelled out; chosen: the row that was clicked, or -1.
  function mark(focus, chosen, reveal) {
    rows.forEach((row, i) => row.mark(i === focus, i === chosen));
    set(scroll, { "aria-activedescendant": chosen < 0 ? null : rowId(chosen) });
    if (!reveal || plan.body <= plan.shown) return; // measuring costs a layout
    const y = focus * plan.row;
    const hidden = y < scroll.scrollTop || y + plan.row > scroll.scrollTop + scroll.clientHeight;
    if (hidden) scroll.scrollTop = Math.max(0, y - Math.floor(scroll.clientHeight / plan.row / 2) * plan.row);
  }
}

const rowId = (i) => `source-${i}`;

const shade = (look, share = 0.05) => mix(look.background, look.text, share);
