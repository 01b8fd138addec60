// @ts-check
// Where the context goes: the vectors up to h~, and the candidates for the next piece.
// Luong joins it with s to give h~; Bahdanau feeds it into s, and joins both with the last piece's embedding.

import { makeCandidate } from "../kit/bars.js";
import { css, mix } from "../kit/color.js";
import { drawing, set, svg } from "../kit/dom.js";
import { measure } from "../kit/layout.js";
import { arrowPath } from "../kit/mark.js";
import { svgRich } from "../kit/notation.js";
import { makeHeading, makeStrip } from "./marks.js";

const LEAST_LINE = 18; // px of a candidate

export function drawNext(data, plan, look) {
  const width = plan.next.width;
  const pad = plan.wide ? 14 : 8;
  const middle = plan.top + plan.shown + 15 + plan.strip / 2; // share for the context's strip, when side by side
  // The strips' places: beside the context and upwards from there, or from the top down on a narrow screen.
  const kinds = data.asksBefore ? ["state", "output"] : ["output"];
  const apart = plan.strip + (plan.wide ? 20 : 24);
  const tops = kinds.map((_, k) => (plan.wide ? middle - plan.strip / 2 - k * apart : plan.head + 6 + k * apart));
  const last = tops[tops.length - 1];
  const room = last - plan.head - 28;
  const line = Math.max(LEAST_LINE, Math.min(27, plan.row + 3, plan.wide ? room / 3 : 27));
  const most = Math.max(...data.candidates.map((c) => c.length));
  const count = Math.min(most, plan.wide ? Math.floor(room / line) : 6);
  const first = plan.wide ? plan.head + 8 : last + plan.strip + 26;
  const below = first + count * line;
  const height = plan.wide ? plan.top + plan.shown + plan.foot : below + 8;
  const node = drawing(width, height, { class: "next", "font-family": look.font, "aria-hidden": "true" });
  const ground = { x: plan.wide ? 4 : 0, y: 0, width: width - 4, height: plan.wide ? height - 4 : height };
  const band = svg("rect", { class: "band", ...ground, fill: css(mix(look.background, look.text, 0.05)) });
  const heading = makeHeading(data, look, 5, { x: pad, y: 21, radius: 10.5, size: 15 });

  const cell = Math.min(plan.cell, (width - pad - 70) / plan.components);
  const x = width - pad - cell * plan.components;
  const nameRoom = 34;
  const vectors = kinds.map((kind, k) => ({
    kind,
    strip: makeStrip(look, { x, y: tops[k], cell, height: plan.strip }, data[kind][0].length),
    name: svg("text", { x: x - 8, y: tops[k] + plan.strip * 0.78, "text-anchor": "end", fill: css(look.text) }),
  }));
  const up = x + (cell * plan.components) / 2;
  const arrows = tops.map((y, k) => {
    if (plan.wide) return arrow([up, y - 4], [up, k < tops.length - 1 ? tops[k + 1] + plan.strip + 4 : below + 8]);
    return arrow([up, y + plan.strip + 4], [up, y + plan.strip + 18]);
  });
  if (plan.wide) arrows.push(arrow([0, middle], [x - nameRoom - 6, middle]));
  const flow = svg("g", { fill: "none", stroke: css(look.text), "stroke-width": 1.75 }, ...arrows);
  // The other inputs of h~ are named beside the arrow to it.
  const others = svg("text", {
    class: "others",
    ...(data.asksBefore
      ? { x: up - 8, y: (plan.wide ? last + plan.strip : tops[0] + plan.strip) + 14 }
      : { x: x - nameRoom - 8, y: plan.wide ? middle - 8 : last + plan.strip * 0.78 }),
    "text-anchor": "end",
    fill: css(look.muted),
  });

  const longest = Math.max(...data.candidates.flat().map(([token]) => measure(token, plan.size, look.font)));
  const label = Math.min(width * 0.42, longest + 4);
  const share = Math.ceil(measure("0.88", plan.small, look.font)) + 4;
  const bar = { x: pad + label + 6, width: width - 2 * pad - label - share - 10 };
  const place = { edge: pad + label, label, line, bar: { ...bar, air: line * 0.2 }, size: plan.size, small: plan.small };
  const makeLine = (_, k) => makeCandidate(look, data.hue, { ...place, top: first + k * line });
  const lines = Array.from({ length: count }, makeLine);
  const drawn = vectors.flatMap(({ strip, name }) => [strip.node, name]);
  node.append(band, heading.node, svg("g", {}, ...drawn), flow, others, ...lines.map((l) => l.node));
  return { node, show, stage: [...node.children].slice(2) };

  function show(word, part) {
    set(band, { display: part === 5 ? null : "none" });
    heading.show(part);
    for (const { kind, strip, name } of vectors) {
      strip.paint(data[kind][word]);
      name.replaceChildren(...svgRich(data.symbol(kind, word), plan.size + 1));
    }
    others.replaceChildren(...svgRich(data.joined(word), plan.small));
    // The chosen piece is shown even if it was not among the likeliest.
    const candidates = data.candidates[word];
    const taken = candidates.findIndex(([, , id]) => id === data.taken[word]);
    const shown = candidates.slice(0, count);
    if (taken >= count) shown[count - 1] = candidates[taken];
    lines.forEach((l, k) => l.show(shown[k], shown[k] && shown[k][2] === data.taken[word]));
  }
}

const arrow = (...points) => svg("path", { d: arrowPath(points, 6, 4) });
