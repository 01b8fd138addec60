// @ts-check
// The same query and the same states under several scores, side by side, each with the weights that follow.

import { makeBar } from "../kit/bars.js";
import { css, parse, titleColor } from "../kit/color.js";
import { el, filledText, svg } from "../kit/dom.js";
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
  const words = data.words.lab;
  const columns = data.lab.columns.map((column) => ({ ...column, hue: column.hue ? parse(column.hue) : data.hue }));
  const across = width >= 720 ? columns.length : 2;
  const size = width >= 720 ? 14 : 12;
  const widest = Math.max(...labels.map((l) => measure(sentenceName(l), size, look.font)));
  const label = Math.min(widest, width * 0.18) + 10;
  const room = (width - label) / across;
  const height = HEAD + labels.length * ROW + FOOT;
  const lines = Math.ceil(columns.length / across);
  const picture = svg("svg", {
    width,
    height: height * lines,
    viewBox: `0 0 ${width} ${height * lines}`,
    "font-family": look.font,
    "aria-hidden": "true",
  });
  for (let n = 0; n < lines; n += 1) picture.append(names(n * height));
  const groups = columns.map((column, c) =>
    group(column, label + (c % across) * room, Math.floor(c / across) * height),
  );
  picture.append(...groups.map((g) => g.node));
  const notes = data.lab.notes.map((text) => el("p", { class: "quiet" }, text));
  const formulas = el(
    "p",
    { class: "formulas" },
    ...columns.filter((c) => c.formula).map((c) => el("span", {}, ...rich(c.formula))),
  );
  const node = el(
    "div",
    {},
    formulas,
    reachable(el("div", { class: labels.length > MOST ? "scrolled" : null }, picture)),
    ...notes,
  );
  return { node, svg: picture, show, lines: () => data.lab.notes, rows };

  function names(y) {
    return svg(
      "g",
      {},
      ...labels.map((l, i) =>
        svg(
          "text",
          {
            x: label - 8,
            y: y + HEAD + i * ROW + ROW * 0.7,
            "text-anchor": "end",
            "font-size": size,
            fill: css(l.faint ? look.muted : look.text),
          },
          shorten(sentenceName(l), size, look.font, label - 10),
        ),
      ),
    );
  }

  function group({ head, note, hue, scores, weights }, x, y) {
    const digits = scores ? Math.min(58, room * 0.26) : 0;
    const share = Math.ceil(measure("0.88", size, look.font)) + 6;
    const bar = { x: x + digits + 8, width: room - digits - share - 26 };
    const title = svg(
      "text",
      { x: x + 8, y: y + 18, "font-size": size + 1.5, "font-weight": 650, fill: css(titleColor(look, hue)) },
      shorten(head, size + 1.5, look.font, room - 12),
    );
    const under = svg(
      "text",
      { x: x + 8, y: y + 37, "font-size": size - 1.5, fill: css(look.muted) },
      shorten(note, size - 1.5, look.font, room - 12),
    );
    const base = svg("text", {
      x: x + 8,
      y: y + HEAD + labels.length * ROW + 17,
      "font-size": size - 1,
      fill: css(look.muted),
    });
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
