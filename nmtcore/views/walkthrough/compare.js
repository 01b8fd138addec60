// @ts-check
// The same query and the same states under several scores, side by side, each with the weights that follow.

import { makeBar } from "../kit/bars.js";
import { css, parse, titleColor } from "../kit/color.js";
import { drawing, el, filledText, svg } from "../kit/dom.js";
import { measure, shorten } from "../kit/layout.js";
import { rich } from "../kit/notation.js";
import { number } from "../kit/number.js";
import { sentenceName } from "../kit/piece.js";
import { reachable } from "../kit/reach.js";
import { entropy, softmax } from "./softmax.js";

const ROW = 21;
const HEAD = 50;
const FOOT = 24;
const MOST = 24; // rows before they scroll

export function makeComparison(data, labels, look, width) {
  const { words } = data.lab;
  const columns = data.lab.columns.map((column) => ({ ...column, hue: column.hue ? parse(column.hue) : data.hue }));
  const across = width >= 720 ? columns.length : 2;
  const size = width >= 720 ? 14 : 12;
  const widest = Math.max(...labels.map((l) => measure(sentenceName(l), size, look.font)));
  const label = Math.min(widest, width * 0.18) + 10;
  const room = (width - label) / across;
  const height = HEAD + labels.length * ROW + FOOT;
  const lines = Math.ceil(columns.length / across);
  const picture = drawing(width, height * lines, { "font-family": look.font, "aria-hidden": "true" });
  for (let n = 0; n < lines; n += 1) picture.append(names(n * height));
  const groups = columns.map((column, c) =>
    group(column, label + (c % across) * room, Math.floor(c / across) * height),
  );
  picture.append(...groups.map((g) => g.node));
  const notes = data.lab.notes.map((text) => el("p", { class: "quiet" }, text));
  const formulas = columns.filter((c) => c.formula).map((c) => el("span", {}, ...rich(c.formula)));
  const scroll = reachable(el("div", { class: labels.length > MOST ? "scrolled scrolls" : null }, picture));
  const node = el("div", {}, el("p", { class: "formulas" }, ...formulas), scroll, ...notes);
  return { node, svg: picture, show, lines: () => data.lab.notes, rows };

  function names(y) {
    const name = (l, i) => {
      const place = { x: label - 8, y: y + HEAD + i * ROW + ROW * 0.7, "text-anchor": "end", "font-size": size };
      const text = shorten(sentenceName(l), size, look.font, label - 10);
      return svg("text", { ...place, fill: css(l.faint ? look.muted : look.text) }, text);
    };
    return svg("g", {}, ...labels.map(name));
  }

  function group({ head, note, hue, scores, weights }, x, y) {
    const digits = scores ? Math.min(58, room * 0.26) : 0;
    const share = Math.ceil(measure("0.88", size, look.font)) + 6;
    const bar = { x: x + digits + 8, width: room - digits - share - 26 };
    const line = (text, at, px, ink) =>
      svg("text", { x: x + 8, y: at, "font-size": px, ...ink }, shorten(text, px, look.font, room - 12));
    const title = line(head, y + 18, size + 1.5, { "font-weight": 650, fill: css(titleColor(look, hue)) });
    const under = line(note, y + 37, size - 1.5, { fill: css(look.muted) });
    const base = line("", y + HEAD + labels.length * ROW + 17, size - 1, { fill: css(look.muted) });
    const lines = labels.map((_, i) => {
      const top = y + HEAD + i * ROW;
      const text = (at, anchor) =>
        svg("text", { x: at, y: top + ROW * 0.7, "text-anchor": anchor, "font-size": size - 1, fill: css(look.text) });
      const score = text(x + digits, "end");
      const share = makeBar(look, { x: bar.x, y: top + 4, width: bar.width, height: ROW - 8, color: hue });
      const value = text(bar.x + bar.width + 5, "start");
      return { node: svg("g", {}, score, ...share.nodes, value), score, share, value };
    });
    return {
      node: svg("g", {}, title, under, ...lines.map((l) => l.node), base),
      show(j) {
        const now = weights ? weights[j] : softmax(scores[j]);
        lines.forEach((line, i) => {
          line.score.textContent = scores ? number(scores[j][i]) : "";
          line.share.show(now[i]);
          line.value.textContent = number(now[i]);
        });
        base.textContent = filledText(words.entropy, { bits: number(entropy(now)) });
      },
    };
  }

  function show(j) {
    groups.forEach((g) => g.show(j));
  }

  function rows() {
    const heads = columns.flatMap((c) => [...(c.scores ? [`${c.head} score`] : []), `${c.head} weight`]);
    const line = (c, j, i) => [
      ...(c.scores ? [c.scores[j][i]] : []),
      (c.weights ? c.weights[j] : softmax(c.scores[j]))[i].toFixed(5),
    ];
    const table = data.said.flatMap((word, j) =>
      labels.map((l, i) => [j + 1, word, i + 1, sentenceName(l), ...columns.flatMap((c) => line(c, j, i))]),
    );
    return [["target position", "target", "source position", "source", ...heads], ...table];
  }
}
