// What belongs together across panels, as marks to draw and as a sentence to read.

import { fill } from "./dom.js";
import { groupOf } from "./tokens.js";

const SIMILAR = 0.8; // a row that looks there this much of the best row's share is marked too
const LEAST = 0.1; // less of the weight than this is not "looking there"

// Columns of `from` to columns of `to`: themselves where the tokens are the same, or null.
function sameColumns(from, to) {
  const same =
    from.columns.length === to.columns.length && from.columns.every((c, i) => c.label === to.columns[i].label);
  return same ? from.columns.map((_, i) => i) : null;
}

export function best(values) {
  let top = -1;
  values.forEach((value, i) => {
    if (value > 0 && (top < 0 || value > values[top])) top = i;
  });
  return top;
}

const column = (view, c) => view.weights.map((row) => row[c] || 0);

// The pick counts pieces; what is drawn counts groups. -1 where the piece is hidden or not named.
export function located(views, pick) {
  const view = views[pick?.panel];
  if (!view) return null;
  const row = pick.target === null ? -1 : groupOf(view.rows, pick.target);
  const col = pick.source === null ? -1 : groupOf(view.columns, pick.source);
  return row < 0 && col < 0 ? null : { panel: pick.panel, row, col };
}

// One mark for each panel: rows (outlined), col (outlined), tint (a share for each column).
export function marksFor(views, focus) {
  if (!focus) return views.map(() => ({ rows: [], col: -1, tint: null, origin: false }));
  const from = views[focus.panel];
  const looked = focus.row >= 0 && from.weights ? from.weights[focus.row] : null;
  return views.map((view, i) => {
    const origin = i === focus.panel || Boolean(view.panel.twin); // a twin draws the same matrix in another way
    const map = origin ? from.columns.map((_, c) => c) : sameColumns(from, view);
    const col = focus.col >= 0 && map ? map[focus.col] : -1;
    if (focus.row < 0) return { rows: [], col, tint: null, origin };
    const tint = map && looked ? looked.map((w) => w || 0) : null;
    const rows = origin ? [focus.row] : tint && view.weights ? rowsLookingAt(view, tint) : [];
    return { rows, col, tint, origin, hue: from.panel.hue };
  });
}

// The rows that give most weight to the columns in `tint`, each counted by its share.
function rowsLookingAt(view, tint) {
  const shares = view.weights.map((row) => row.reduce((sum, w, c) => sum + (w || 0) * tint[c], 0));
  const top = Math.max(...shares, 0);
  if (top < LEAST * Math.max(...tint)) return [];
  return shares
    .map((share, r) => [share, r])
    .filter(([share]) => share >= SIMILAR * top)
    .sort((a, b) => b[0] - a[0])
    .map(([, r]) => r)
    .slice(0, 3);
}

// The line under the panels: whole sentences, one for each panel, the one pointed at first.
export function describe(views, focus, marks, words, locked) {
  if (!focus) return fill(words.idle, {});
  const from = views[focus.panel];
  const token = focus.row >= 0 ? from.rows[focus.row].label : from.columns[focus.col].label;
  const nodes = locked ? [...fill(words.picked, { word: token }, ["word"])] : [];
  const order = [focus.panel, ...views.map((_, i) => i).filter((i) => i !== focus.panel)];
  for (const i of order) {
    const sentence = views[i].panel.twin && i !== focus.panel ? null : sentenceFor(views[i], focus, from, marks[i], words);
    if (!sentence) continue;
    if (nodes.length) nodes.push(document.createTextNode(" "));
    nodes.push(...sentence);
  }
  return nodes;
}

function sentenceFor(view, focus, from, mark, words) {
  const model = view.panel.title;
  if (view.panel.vector) return fill(words.vector, { model });
  if (!view.weights) return null;
  let row = mark.rows[0] ?? -1;
  let col = mark.col;
  if (focus.row < 0) {
    if (col < 0) return null;
    row = best(column(view, col));
  } else if (col < 0) {
    if (!mark.tint) return null;
    col = best(mark.tint);
  }
  if (col < 0) return null;
  const source = view.columns[col].label;
  if (row < 0) return fill(words.nowhere, { model, source }, ["source"]);
  const weight = (view.weights[row][col] || 0).toFixed(2);
  return fill(words.looks, { model, weight, source, word: view.rows[row].label }, ["source", "word"]);
}
