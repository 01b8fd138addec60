// @ts-check
// The layout of the picture, in px: the encoder's columns, C's, the decoder's; names above them.

import { downwards, measure, shorten, tallness } from "../kit/layout.js";
import { sentenceName } from "../kit/piece.js";

const [LEAST, MOST] = [10, 56]; // of a column; narrower ones cannot be named, so the picture scrolls instead
const LONGEST = 160; // of a name
const FOOT = 46;
const EDGE = 2; // for the outline of the first column

// room: the height for the cells. A cell is whole or half pixels tall, so that all of them look alike.
export function makePlan(data, width, room, font) {
  const unit = Math.max(0.5, Math.floor((2 * room) / data.D) / 2);
  const height = Math.round(unit * data.D);
  let plan = null;
  for (let cell = MOST; cell >= LEAST; cell -= 0.5) {
    plan = across(data, cell, font);
    if (plan.width <= width) break;
  }
  return { ...plan, unit, height, full: plan.top + height + FOOT };
}

function across({ S, T, source, target }, cell, font) {
  const angle = cell >= 20 ? 50 : cell >= 14 ? 67 : 90;
  const [sine, cosine] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)];
  const size = Math.min(16, cell * sine * 0.92); // leaning names are as far apart as their letters are tall
  const gap = Math.max(1.6 * cell, 26); // for an arrow
  const wide = Math.max(2 * cell, 30);
  const middle = EDGE + S * cell + gap;
  const start = middle + wide + gap;
  const end = start + T * cell;
  const left = (column) => {
    if (column < S) return EDGE + column * cell;
    return column === S ? middle : start + (column - S - 1) * cell;
  };
  const names = [...source, null, ...target].map((token, column) => {
    const text = token && shorten(sentenceName(token), size, font, LONGEST);
    const leans = text && !downwards(text);
    const x = left(column) + cell / 2 + (leans ? 0.3 * size * sine : 0);
    return { text, leans, long: leans ? measure(text, size, font) : 0, x };
  });
  const high = ({ text, leans, long }) => (leans || !text ? long * sine + size * cosine + 8 : tallness(text, size) + 8);
  const top = Math.ceil(Math.max(...names.map(high)));
  const reach = Math.max(end, ...names.map(({ x, long }) => x + long * cosine + 2));
  const at = (x) => {
    if (x >= EDGE && x < EDGE + S * cell) return Math.floor((x - EDGE) / cell);
    if (x >= middle && x < middle + wide) return S;
    return x >= start && x < end ? S + 1 + Math.floor((x - start) / cell) : -1;
  };
  const span = (column) => (column === S ? wide : cell);
  return { cell, angle, size, wide, middle, start, end, left, span, at, names, top, width: Math.ceil(reach) + 2 };
}
