// @ts-check
// Brushing and linking: what belongs together across panels, as marks and as a sentence.

import { fill } from "../kit/dom.js";
import { probabilityText } from "../kit/number.js";
import { sentenceName } from "../kit/piece.js";
import { groupOf } from "../kit/tokens.js";

const SIMILAR = 0.8; // this share of the best is nearly as good: such a column counts as looked at, such a row is marked too
const LEAST = 0.1; // a smaller share of the weight is not "looking there"
const SEEN = 0.005; // less than this reads as 0.00

const sameColumns = (a, b) =>
  a.columns.length === b.columns.length && a.columns.every((group, i) => group.label === b.columns[i].label);

export function best(values) {
  let top = -1;
  values.forEach((value, i) => {
    if (value > 0 && (top < 0 || value > values[top])) top = i;
  });
  return top;
}

const column = (view, c) => view.weights.map((row) => row[c] || 0);

// The pick counts pieces; the drawing counts groups. -1 if the piece is hidden or not named.
export function located(views, pick) {
  const view = views[pick?.panel];
  if (!view) return null;
  const rows = pick.word ? rowsOfWord(view, pick.target) : [];
  const row = rows[0] ?? (pick.target === null ? -1 : groupOf(view.rows, pick.target));
  const col = pick.source === null ? -1 : groupOf(view.columns, pick.source);
  return row < 0 && col < 0 ? null : { panel: pick.panel, row, col, ...(rows.length > 1 ? { rows } : {}) };
}

// The rows of the word that a target piece belongs to.
export const rowsOfWord = ({ rows, panel }, piece) =>
  rows.flatMap(({ indices }, row) => (panel.target_words[indices[0]] === panel.target_words[piece] ? [row] : []));

// One mark for each panel: rows and col (outlined), tint (the panel's own weights in the first of these rows), dim (the
// rest is dimmed), said (the row and column that the sentence names; row -1 for no word, null for no sentence), whole
// (for a word of several rows, over which its tint is averaged: its name).
export function marksFor(views, focus) {
  if (!focus) return views.map(() => NOTHING);
  const own = (view, i) => i === focus.panel || view.panel.twin; // a twin draws the same matrix in another way
  return views.map((view, i) => (own(view, i) ? ownMark(view, focus) : otherMark(view, focus, views[focus.panel])));
}

// The marks of a step that all panels play together: in each, the row of its own word once that is complete.
export function marksAt(views, step) {
  return views.map((view) => {
    const row = view.panel.played ? view.rows.findIndex((group) => group.indices.includes(step - 1)) : -1;
    return row < 0 || view.rows[row].later ? NOTHING : ownMark(view, { row, col: -1 });
  });
}

const NOTHING = { rows: [], col: -1, tint: null, said: null, dim: false, origin: false };

const weightsOfRow = (view, row) => (view.weights && row >= 0 ? view.weights[row].map((w) => w || 0) : null);

const weightsOf = (view, { row, rows = [row] }) =>
  weightsOfRow(view, row)?.map((_, c) => rows.reduce((sum, r) => sum + (view.weights[r][c] || 0), 0) / rows.length) ?? null;

const nameOf = (view, { row, rows }) => (rows ? rows.map((r) => view.rows[r].label).join("") : sentenceName(view.rows[row]));

function ownMark(view, focus) {
  const { row, col } = focus;
  const tint = weightsOf(view, focus);
  const whole = focus.rows ? nameOf(view, focus) : null;
  const mark = { rows: row < 0 ? [] : (focus.rows ?? [row]), col, tint, said: null, whole, dim: true, origin: true };
  if (!view.weights) return mark;
  if (row < 0) return { ...mark, said: [looker(view, col, SEEN), col] };
  const looked = col < 0 ? best(tint) : col;
  return { ...mark, said: looked < 0 ? null : [row, looked] };
}

// How another panel relates to the word in focus: it has its own rows, and only the source words in common.
function otherMark(view, focus, from) {
  if (!sameColumns(from, view)) return NOTHING;
  const mark = { ...NOTHING, col: focus.col, dim: true };
  if (!view.weights) return mark;
  if (focus.row < 0) return { ...mark, said: [looker(view, focus.col, LEAST), focus.col] };
  const aim = focus.col < 0 ? weightsOf(from, focus) : view.columns.map((_, c) => Number(c === focus.col));
  if (!aim || best(aim) < 0) return NOTHING;
  const looking = rowsLookingAt(view, aim, from.rows[focus.row].label);
  if (!looking.length) return { ...mark, said: [-1, best(aim)] };
  const { row, col } = looking[0];
  return { ...mark, rows: looking.map((f) => f.row), tint: weightsOfRow(view, row), said: [row, col] };
}

// The row that looks most at a column, -1 if none gives it `least`.
function looker(view, col, least) {
  const row = best(column(view, col));
  return row >= 0 && view.weights[row][col] >= least ? row : -1;
}

// The rows that look where `aim` (a share for each column) has most, at most three, each with the column that they have
// in common: first those that share the most weight with it, and among these a row of the same word.
function rowsLookingAt(view, aim, word) {
  const sought = SIMILAR * Math.max(...aim);
  const bestOfRows = view.rows.map((group, row) => {
    const weights = weightsOfRow(view, row);
    const col = best(weights.map((w, c) => (aim[c] >= sought ? w : 0)));
    const share = weights.reduce((sum, w, c) => sum + Math.min(w, aim[c]), 0);
    return { row, col, share, same: group.label === word };
  });
  const looking = bestOfRows.filter(({ row, col }) => col >= 0 && view.weights[row][col] >= LEAST);
  const top = Math.max(...looking.map((f) => f.share), 0);
  return looking
    .filter((f) => f.share >= SIMILAR * top)
    .sort((a, b) => b.same - a.same || b.share - a.share)
    .slice(0, 3);
}

// The line under the panels: whole sentences, one for each panel, the one pointed at first.
export function describe(views, focus, marks, words, locked) {
  const taps = window.matchMedia("(hover: none)").matches && words.idle_tap;
  if (!focus) return fill(taps || words.idle, {});
  const from = views[focus.panel];
  const token = focus.row >= 0 ? nameOf(from, focus) : sentenceName(from.columns[focus.col]);
  const nodes = locked ? [...fill(words.picked, { word: token }, ["word"])] : [];
  const order = [focus.panel, ...views.map((_, i) => i).filter((i) => i !== focus.panel)];
  for (const i of order) {
    const { twin, vector } = views[i].panel; // they have nothing to say about another panel's word
    const sentence = (twin || vector) && i !== focus.panel ? null : sentenceFor(views[i], marks[i], words);
    if (!sentence) continue;
    if (nodes.length) nodes.push(document.createTextNode(" "));
    nodes.push(...sentence);
  }
  return nodes;
}

function sentenceFor(view, { said, whole, tint }, words) {
  const model = view.panel.title;
  if (view.panel.vector) return fill(words.vector, { model });
  if (!said) return null;
  const [row, col] = said;
  const source = sentenceName(view.columns[col]);
  if (row < 0) return fill(words.nowhere, { model, source }, ["source"]);
  const weight = probabilityText(whole ? tint[col] : view.weights[row][col] || 0);
  const word = whole ?? sentenceName(view.rows[row]);
  return fill(view.panel.looks ?? words.looks, { model, weight, source, word }, ["source", "word"]);
}
