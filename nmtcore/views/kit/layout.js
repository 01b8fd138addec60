// @ts-check
// Sizes: how many panels fit side by side, how large a cell is, and whether labels must lean.

import { sentenceName } from "./piece.js";

const MAX_CELL = 44;
const MIN_CELL = 14;
const SMALLEST_CELL = 9; // of panels that fill a window
const SMALL_CELL = 11; // of panels side by side, before the one without a matrix is made narrower
const TINY_CELL = 8; // of those then, before they move to another line; their rows are higher than their columns are wide
const ROW = 12; // px of such a row
const CLOSE = 1.2; // of a cell's width: the type size of upright labels that do not yet overlap
const WIDE = 860; // px of all panels from which they are side by side for any sentence
const GAP = 20; // between panels, px; also in alignment.css
const LONGEST = 120; // px of a label before it is shortened with an ellipsis
const TYPE = 10.6; // px of labels and numbers when a window is filled, before enlargement: 18 px of a projector's 1080
const [TALLEST, LARGEST] = [1.4, 64]; // a cell's height by its width, and its width in px, when a window is filled
const LEAST_ROW = TYPE + 1.5; // px of a row there, for its name
const NAMES = [15, 13, TYPE]; // px of row names there: smaller ones leave the width to the cells
const SQUARE = 1.25; // the height by the width of a cell that nobody mistakes for a bar
const NARROWER = Array.from({ length: 21 }, (_, i) => 0.5 + i / 40); // of a column: width for the model without a matrix beside the others
const LEAST_VECTOR = 68; // px of its vector with the lines to it, between the names
const SLIMMER = 0.75; // the same with its translation above it
const SHARES = [0.34, 0.26]; // share of a panel's width for a label; less before panels move to another line

let pen = null; // of a canvas, for measuring
const widths = new Map();

// Width of `text` in px at `size`, semibold: so that a picked label still fits.
export function measure(text, size, font) {
  const key = `${font}\n${text}`;
  if (!widths.has(key)) {
    if (widths.size > 5000) widths.clear();
    pen ??= document.createElement("canvas").getContext("2d");
    pen.font = `600 100px ${font}`;
    widths.set(key, pen.measureText(text).width / 100);
  }
  return widths.get(key) * size;
}

export const forgetWidths = () => widths.clear(); // set once the page's own font has arrived

export function shorten(text, size, font, room) {
  if (measure(text, size, font) <= room) return text;
  const letters = [...text];
  while (letters.length > 1 && measure(`${letters.join("")}…`, size, font) > room) letters.pop();
  return `${letters.join("")}…`;
}

// One layout for all panels, so that their source axes and cells can be compared. least: px of a cell, at least.
export function makeLayout(views, width, height, font, least = MIN_CELL) {
  const most = width >= WIDE ? 4 : width >= 560 ? 2 : 1;
  // In half a window, beside a pinned picture, models are stacked rather than scrolled.
  const fewest = width < WIDE && views.length > 2 ? 1 : 2;
  const choices = [...new Set([most, fewest].map((count) => Math.min(most, count, views.length)))];
  let layout = null;
  for (const across of choices) {
    const free = width - GAP * (across - 1);
    const room = Math.floor(free / across);
    const tall = across < Math.min(views.length, 4) ? height * 0.75 : height; // two lines of panels: both near the eye
    for (const share of SHARES) {
      for (const smallest of across > fewest && width >= WIDE ? [least, Math.min(least, SMALL_CELL)] : [least]) {
        layout = { across, room, font, ...fitCell(views, room, tall, Math.min(LONGEST, room * share), font, smallest) };
        if (layout.fits) return layout;
      }
    }
    if (across === views.length && across > fewest && width >= WIDE && least > TINY_CELL) {
      const slim = slimmed(views, SLIMMER);
      const wider = Math.floor(free / total(slim));
      const long = wider * SHARES[1];
      layout = { across, room: wider, font, slim, tight: true, ...fitCell(views, wider, height, long, font, TINY_CELL, ROW) };
      if (layout.fits) return layout;
    }
  }
  return layout;
}

// The layout of panels that fill a window, as large as fits, in one or more lines. Cells may be higher than wide: the
// names of the rows need their height, however many columns there are. height: px for rows; chrome: for all else of a line.
export function fillLayout(views, width, height, chrome, font) {
  const counts = views.map((_, i) => i + 1).filter((across) => views.length % across === 0);
  const layouts = counts.map((across) => {
    const lines = views.length / across;
    const choices = (across === views.length ? NARROWER : [1]).map((share) => {
      const slim = slimmed(views, share);
      return { slim, share, room: Math.floor((width - GAP * (across - 1)) / total(slim.slice(0, across))) };
    });
    const vectors = views.filter((v) => v.panel.vector);
    const whole = ({ share, room }) => vectors.every((v) => total(nameSides(v, TYPE, font)) + LEAST_VECTOR <= share * room);
    const { slim, room } = choices.find(whole) ?? choices.at(-1);
    return { across, room, font, slim, ...fillCell(views, room, (height - chrome * (lines - 1)) / lines, font) };
  });
  const area = ({ cell, share }) => Math.min(share, cell * TALLEST) * cell;
  return layouts.reduce((best, layout) => (area(layout) > area(best) ? layout : best));
}

// px that the names of source and target take beside the vector of a model without attention.
export const nameSides = ({ columns, rows }, size, font) =>
  [columns, rows].map((axis) => Math.max(0, ...axis.map((group) => measure(sentenceName(group), size, font))) + 8);

// The size of these names when a window is filled: the largest up to `size` at which none is cut.
export function nameSize(view, size, font, width) {
  const wide = total(nameSides(view, 1, font).map((side) => side - 8));
  return Math.min(size, Math.max(TYPE, (width - LEAST_VECTOR - 16) / wide));
}

// How wide each panel is by the room of one with a matrix. share: of one without.
const slimmed = (views, share) => views.map((v) => (v.weights || !views.some((w) => w.weights) ? 1 : share));
const total = (shares) => shares.reduce((sum, share) => sum + share, 0);

function fillCell(views, room, height, font) {
  const matrices = views.filter((v) => v.weights); // a vector's names take what height these leave
  const rows = Math.max(1, ...(matrices.length ? matrices : views).map((v) => v.rows.length));
  const share = height / rows; // px; negative if it does not fit, and then not a choice
  const tall = Math.max(SMALLEST_CELL, share);
  const high = (cell) => Math.min(tall, Math.max(LEAST_ROW, cell * TALLEST));
  const choices = NAMES.map((names) => {
    const sizes = (cell) => sizesFor(views, cell, room * SHARES[0], font, high(cell), names);
    let cell = LARGEST;
    while (cell > SMALLEST_CELL && sizes(cell).width > room) cell -= 0.25;
    const found = { cell, tall: high(cell), share, fills: true, ...sizes(cell) };
    return { ...found, bodyHeight: rows * found.tall, fits: found.width <= room };
  });
  const read = choices.filter(valuesFit);
  const square = (read.length ? read : choices).find((c) => c.fits && c.tall <= SQUARE * c.cell);
  return square ?? read.find((c) => c.fits) ?? choices.at(-1);
}

// row: px of a row if cells are smaller than that; without it they are square.
function fitCell(views, room, height, long, font, least, row = 0) {
  const rows = Math.max(1, ...views.map((v) => v.rows.length));
  const tallOf = (cell) => (row > cell ? Math.max(cell, Math.min(row, height / rows)) : 0);
  let cell = MAX_CELL;
  let sizes = sizesFor(views, cell, long, font);
  while (cell > least && (sizes.width > room || rows * cell > height)) {
    cell -= 1;
    sizes = sizesFor(views, cell, long, font, tallOf(cell));
  }
  const tall = tallOf(cell) || cell;
  return { cell, tall, ...sizes, bodyHeight: rows * tall, fits: sizes.width <= room };
}

// tall: px of a row, if cells are not square; names: px of the row labels' type, at most.
function sizesFor(views, cell, long, font, tall = 0, names = NAMES[0]) {
  const matrices = views.filter((v) => v.weights);
  const columns = matrices.flatMap((v) => v.columns.map((c) => c.label));
  const flatSize = Math.min(15, Math.max(12, cell * 0.48));
  const level = columns.every((label) => measure(label, flatSize, font) <= cell - 4);
  const angle = cell < MIN_CELL ? 90 : cell < 20 ? 67 : 50;
  const sine = Math.sin((angle * Math.PI) / 180);
  const smallest = tall ? Math.min(TYPE, cell * CLOSE) : Math.min(11.5, cell); // px; in smaller cells names would cover each other
  const size = level ? flatSize : Math.min(15, Math.max(smallest, cell * sine * 0.86));
  const rowSize = Math.min(names, Math.max(tall ? Math.min(smallest, tall) : smallest, (tall || cell) * 0.8));
  const wide = (label, at = size) => Math.min(long, measure(label, at, font));
  const side = Math.ceil(Math.max(0, ...matrices.flatMap((v) => v.rows.map((r) => wide(r.label, rowSize))))) + 8;
  const high = (label) => (downwards(label) ? tallness(label, size) + 5 : wide(label) * sine + size * 0.9 + 8);
  const top = Math.ceil(level ? size * 1.9 : Math.max(0, ...columns.map(high)));
  const cosine = level ? 0 : Math.cos((angle * Math.PI) / 180);
  const width = Math.max(
    0,
    ...matrices.map((v) => v.columns.length * cell + overhang(v, cell, (l) => wide(l) * cosine)),
  );
  return { size, rowSize, level, angle, sine, cosine, long, side, top, width: side + width };
}

// Chinese words are upright among leaning ones and written downwards: a leaning character is read as another,
// and a leaning blank (see piece.js) is not one. The dot of a piece that continues a word is above it.
export const downwards = (label) => /^(·?\p{Script=Han}+|␣)$/u.test(label);
const LEADING = 1.08; // of their size, from one character to the next

export const tallness = (label, size) => [...label].length * size * LEADING;

// The position of each character in such a word, as attributes of its <text>: the last one at `foot`.
export function characters(word, x, foot, size) {
  const above = [...word].map((_, k, all) => (foot - (all.length - 1 - k) * size * LEADING).toFixed(1));
  return { x: above.map(() => x.toFixed(1)).join(" "), y: above.join(" "), "text-anchor": "middle" };
}

// px of the numbers in cells: fewer digits if they are small.
export const valueSize = ({ cell, fills }) => (fills ? Math.max(TYPE, Math.min(15, cell * 0.36)) : cell < 32 ? cell * 0.4 : 13);

// px of the screen; when a window is filled, numbers are as large as labels and need their width.
export const valuesFit = ({ cell, zoom = 1, fills }) => (fills ? cell >= 2.1 * valueSize({ cell, fills }) : cell * zoom >= 24);

// How far the leaning labels reach beyond the last column.
export function overhang(view, cell, reach) {
  const end = view.columns.length * cell;
  const leaning = (label) => (downwards(label) ? 0 : reach(label) + 7);
  return Math.max(2, ...view.columns.map((c, i) => (i + 0.5) * cell + leaning(c.label) - end));
}
