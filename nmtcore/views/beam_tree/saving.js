// The tree as a picture with a title, and every candidate as a table, made in the browser.

import { css } from "../kit/color.js";
import { svg } from "../kit/dom.js";
import { copyOf, csvOf, paragraph, sized } from "../kit/paper.js";
import { lengthPenalty, pathTo, phrase, scoreOf } from "./record.js";

const BORDER = 20;

export function picture(drawing, titles, look) {
  const height = Number(drawing.node.getAttribute("height"));
  const width = Math.max(drawing.size.width, 600) + 2 * BORDER;
  const root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": `${look.font}, sans-serif` });
  root.append(
    svg("title", {}, titles.join(". ")),
    svg("rect", { width: "100%", height: "100%", fill: css(look.background) }),
  );
  let top = BORDER;
  titles.forEach((text, i) => {
    const ink = { "font-weight": i ? 400 : 700, fill: css(i ? look.muted : look.text) };
    const place = { x: BORDER, y: top + 14, room: width - 2 * BORDER, size: i ? 14 : 18, leading: 24 };
    top += 24 * paragraph(root, text, { ...place, font: look.font, ...ink });
  });
  top += 6;
  root.append(copyOf(drawing.node, BORDER, top));
  return sized(root, width, top + height + BORDER);
}

export function candidatesCsv(record, penalties) {
  const rows = [
    ["id", "parent", "step", "token", "hypothesis", "log p", "log P", "coverage", "lp", "cp", "score", "rank", "fate"],
  ];
  for (const n of record.nodes) {
    const cp = penalties.beta * n.coverage;
    rows.push([
      n.id,
      n.parent,
      n.step,
      n.token,
      phrase(pathTo(record, n)),
      n.log_probability,
      n.total,
      n.coverage,
      lengthPenalty(n.step, penalties.alpha),
      cp,
      scoreOf(n, penalties),
      n.rank,
      n.fate,
    ]);
  }
  return csvOf(rows);
}
