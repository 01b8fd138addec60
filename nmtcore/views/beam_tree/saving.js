// @ts-check
// The tree as a picture with a title, and every candidate as a table, made in the browser.

import { csvOf } from "../kit/paper.js";
import { composeSheet } from "../kit/sheet.js";
import { lengthPenalty, nameOf, pathTo, phrase, scoreOf } from "./record.js";

// lines: below the heading.
export function picture(drawing, heading, lines, look, options) {
  return composeSheet({ heading, lines, parts: [{ node: drawing.node, x: 0, y: 0 }], look, least: 600 }, options);
}

export function candidatesCsv(record, penalties) {
  const names = ["id", "parent", "step", "token", "hypothesis", "log p", "log P", "coverage"];
  const rows = record.nodes.map((n) => [
    ...[n.id, n.parent, n.step, nameOf(record, n), phrase(pathTo(record, n)), n.log_probability, n.total, n.coverage],
    ...[lengthPenalty(n.step, penalties.alpha), penalties.beta * n.coverage, scoreOf(n, penalties), n.rank, n.fate],
  ]);
  return csvOf([[...names, "lp", "cp", "score", "rank", "fate"], ...rows]);
}
