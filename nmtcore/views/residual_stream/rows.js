// @ts-check
// One row per vector: a strip of its first numbers, its length, a bar of its size relative to the stream (for
// added vectors), and the pieces that it predicts or how it was made.

import { css, parse, signedColor } from "../kit/color.js";
import { drawing, filledText, svg } from "../kit/dom.js";
import { measure } from "../kit/layout.js";
import { number, probabilityText } from "../kit/number.js";

const LEAST = 736; // px across, on a phone too: many columns
const [ROW, HEAD, SIZE] = [27, 26, 14]; // px
const STRIP = 0.245; // of the width
const NORM = 58; // px of a length
const [BAR, SHARE, GAP] = [64, 40, 14]; // px of a bar, of its number, and between columns
const FULL = 0.95; // of the numbers shown are below full colour, so that a few large ones do not make the rest pale
const MOST = 99; // times the stream, at most, for a bar; the stream may be zero

// shown: {stack, rows, layer} of one piece.
export function drawRows(data, { stack, rows, layer }, look, room) {
  const { words } = data;
  const width = Math.max(LEAST, room);
  const named = rows.map((row) => nameOf(row, words));
  const label = Math.ceil(Math.max(...named.map((name) => measure(name, SIZE, look.font)))) + 14;
  const count = Math.max(...rows.map(({ values }) => values.length));
  const cell = ((width - label) * STRIP) / count;
  const norm = label + cell * count + NORM;
  const bar = norm + GAP;
  const says = bar + BAR + SHARE + GAP;
  const limit = percentile(rows.flatMap(({ values }) => values.map(Math.abs))) || 1;
  const most = Math.max(1, ...rows.map(({ share }) => Math.min(share ?? 0, MOST)));
  const ink = { fill: css(look.text), "font-size": SIZE - 1 };
  const heading = (x, text, anchor = "start") =>
    svg("text", { x, y: HEAD - 9, "text-anchor": anchor, ...ink }, text);
  const heads = [
    heading(label, filledText(words.column_numbers, { count })),
    heading(norm, words.column_length, "end"),
    heading(bar, words.column_share),
    heading(says, words[`column_says_${stack}`]),
  ];
  const height = HEAD + ROW * rows.length + 4;
  const said = { role: "img", "aria-label": filledText(words.picture_rows, { layer }) };
  return drawing(width, height, { "font-family": look.font, ...said }, ...heads, ...rows.map(drawRow));

  function drawRow(row, n) {
    const y = HEAD + n * ROW;
    const base = y + ROW / 2 + SIZE * 0.35;
    const strong = row.says.length ? { "font-weight": 700 } : {};
    const name = svg("text", { x: label - 8, y: base, "text-anchor": "end", ...ink, "font-size": SIZE, ...strong }, named[n]);
    const length = svg("text", { x: norm, y: base, "text-anchor": "end", ...ink, "data-norm": "" }, number(row.norm));
    return svg("g", { "data-row": row.name }, name, ...strip(row, y), length, ...shareOf(row, y, base), saidOf(row, base));
  }

  function strip({ values }, y) {
    return values.map((value, i) =>
      svg(
        "rect",
        { x: label + i * cell, y: y + 2, width: cell - 1, height: ROW - 4, fill: css(signedColor(look, value, limit)) },
        svg("title", {}, number(value, 3)),
      ),
    );
  }

  function shareOf({ share }, y, base) {
    if (share === undefined) return [];
    const long = (Math.min(share, MOST) / most) * BAR;
    const text = share < MOST ? number(share) : `>${MOST}`;
    const rect = { x: bar, y: y + 6, width: long, height: ROW - 12, fill: css(parse(data.hue)) };
    return [
      svg("rect", rect, svg("title", {}, share < MOST ? number(share, 3) : text)),
      svg("text", { x: bar + long + 5, y: base, ...ink }, text),
    ];
  }

  // As many pieces as fit: the logit lens below has all.
  function saidOf(row, base) {
    const node = svg("text", { x: says, y: base, ...ink }, noteOf(row, data));
    let left = width - says;
    for (const [i, [piece, , value]] of row.says.entries()) {
      const [before, after] = [i ? " · " : "", ` ${probabilityText(value)}`];
      left -= measure(before + piece + after, SIZE - 1, look.font);
      if (left < 0 && i) break;
      node.append(before, svg("tspan", { "font-weight": 700 }, piece), after);
    }
    return node;
  }
}

export const nameOf = ({ name, part, times }, words) =>
  filledText(words.rows[name], { part: words.parts[part] ?? "" }) + times;

// How a vector was made, if stated.
export function noteOf({ note, active, units }, { words, heads, width }) {
  const counts = { active: active?.toLocaleString("en"), units: units?.toLocaleString("en") };
  return note ? filledText(words[note], { ...counts, heads, numbers: Math.floor(width / heads), width }) : "";
}

function percentile(sizes) {
  const sorted = sizes.sort((a, b) => a - b);
  return sorted[Math.floor(FULL * (sorted.length - 1))];
}

// The numbers as rows of a table and of a CSV: headings, and one row per vector.
export function rowTable(data, { rows }) {
  const said = Math.max(...rows.map(({ says }) => says.length));
  const heads = ["row", "norm", "share", ...numbered("says ", said), "note", ...numbered("x", data.count)];
  const lines = rows.map((row) => [
    nameOf(row, data.words),
    row.norm,
    row.share ?? "",
    ...Array.from({ length: said }, (_, i) => (row.says[i] ? `${row.says[i][0]} ${row.says[i][2].toFixed(4)}` : "")),
    noteOf(row, data),
    ...row.values.map((value) => Number(value.toFixed(4))),
  ]);
  return [heads, ...lines];
}

const numbered = (name, count) => Array.from({ length: count }, (_, i) => `${name}${i + 1}`);
