// @ts-check
// The layout of the diagram, in px: columns from left to right are the first four steps, the context
// is their sum below, and the rest, the decoder and its candidates, is a separate picture.

import { measure } from "../kit/layout.js";

const WIDE = 560; // px from which the candidates are beside the other columns
const [LEAST_ROW, MOST_ROW] = [15, 40];
const BESIDE = 42; // px of the query's row and of the context's, of a row that many words leave

// The heights for `count` source pieces: of the rows, and of the diagram. room: the most px for the rows; more of them scroll.
function heights(count, room, wide) {
  // What stands above and below the rows grows with them: the few of a short sentence leave it the height of a row each.
  const row = Math.max(LEAST_ROW, Math.min(MOST_ROW, Math.floor(room / count), Math.floor((room + BESIDE) / (count + 2))));
  const head = wide ? 34 : 38;
  const query = Math.max(26, row + 4);
  const body = count * row;
  const shown = Math.min(body, Math.floor(Math.max(room, 5 * row) / row) * row);
  return { row, head, query, top: head + query, body, shown, foot: row + (wide ? 24 : 38) };
}

export function heightOf(count, room) {
  const { top, shown, foot } = heights(count, room, true);
  return top + shown + foot;
}

export function makePlan(labels, components, width, room, font) {
  const wide = width >= WIDE;
  const vertical = heights(labels.length, room, wide);
  const { row } = vertical;
  const size = wide ? Math.min(16, Math.max(13, row * 0.72)) : 12.5;
  const small = wide ? Math.min(14.5, size - 0.5) : 12;
  const widest = Math.max(...labels.map((l) => measure(l, size, font)), size * 2.2) + 14;
  const chip = { x: 0, width: Math.ceil(Math.min(widest, width * (wide ? 0.17 : 0.19))) };
  const number = Math.ceil(measure("\u221288.88", small, font)) + 1;
  const share = Math.ceil(measure("0.88", small, font)) + 1;
  const gap = wide ? Math.round(width * 0.026) : 8;
  const nextWidth = wide ? Math.max(150, Math.round(width * 0.25)) : width;
  const rest = width - chip.width - number - share - (wide ? nextWidth + 6.2 * gap : 5 * gap);
  const unit = rest / 3.9; // a strip; bars are shares of it
  const states = { x: chip.width + gap * 0.6, width: unit };
  const score = { number: states.x + unit + gap * 0.6 + number, width: unit * 0.95 };
  score.x = score.number + gap * 0.4;
  const weight = { x: score.x + score.width + gap, width: unit * 0.95 };
  weight.number = weight.x + weight.width + gap * 0.4;
  const weighted = { x: weight.number + share + gap, width: unit };
  const left = Math.ceil(weighted.x + unit + gap);
  return {
    ...vertical,
    ...{ wide, font, size, small, gap, components, chip, states, score, weight, weighted, left },
    cell: unit / components,
    strip: Math.min(row - 3, 20), // height of a vector's cells
    next: { width: wide ? width - left : width },
  };
}

// The band of a step in the left picture.
export function bandOf(plan, part) {
  const pad = plan.gap * 0.3;
  const { chip, states, score, weighted } = plan;
  const scoreFrom = states.x + states.width + pad;
  const weightFrom = score.x + score.width + plan.gap * 0.5;
  const weightedFrom = weighted.x - plan.gap * 0.5;
  return [
    [chip.x, states.x + states.width + pad],
    [scoreFrom + 1, weightFrom - 1],
    [weightFrom, weightedFrom - 1],
    [weightedFrom, weighted.x + weighted.width + pad],
    [weightedFrom, weighted.x + weighted.width + pad],
    [0, 0],
  ][part];
}

// The step whose numbers stand at `x`; 0 for those of the source pieces.
export function partAt(plan, x) {
  return [1, 2, 3].findLast((part) => x >= bandOf(plan, part)[0]) ?? 0;
}
