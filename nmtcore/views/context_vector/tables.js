// @ts-check
// The same numbers as tables, made when they are opened; and all of them for the CSV.

import { makeTables as makeOpened } from "../kit/data_table.js";
import { el, filledText } from "../kit/dom.js";
import { number } from "../kit/number.js";
import { sentenceName } from "../kit/piece.js";

const COUNT = 16; // components of a state that a table shows

// before: the tables that these replace; gates: the gates' table of a step, if there are any.
export function makeTables(data, before, gates = null) {
  const { words } = data;
  const columns = [...Array(data.S + 1 + data.T).keys()];
  const tables = makeOpened(words.open, before?.tables);
  const count = Math.min(COUNT, data.D);
  const caption = filledText(words.table_states, { count, D: data.D });
  return { node: el("div", { class: "proofs" }, tables.node), tables, show, states, candidates };

  function show(step) {
    const gate = gates ? [gates(step)] : [];
    tables.show([[words.candidates, () => candidateTable(step)], ...gate, [caption, () => stateTable(step)]]);
  }

  function candidateTable(step) {
    const rows = data.candidates[step].map(([name, p]) => [name, number(p, 4)]);
    return [[words.piece, words.probability], ...rows];
  }

  // Up to this step.
  function stateTable(step) {
    const known = columns.slice(0, data.S + 2 + step);
    const rows = known.map((column) => [...named(column), ...data.row(column, count).map((v) => number(v, 3))]);
    return [[words.state, words.piece, ...Array.from({ length: count }, (_, i) => String(i + 1))], ...rows];
  }

  function named(column) {
    const word = data.word(column);
    return [data.state(column), word ? sentenceName(word) : ""];
  }

  // One row per component, one column per state.
  function states() {
    const heads = columns.map((column) => named(column).filter(Boolean).join(" "));
    const rows = Array.from({ length: data.D }, (_, i) => [i + 1, ...columns.map((c) => data.value(c, i).toFixed(4))]);
    return [["component", ...heads], ...rows];
  }

  function candidates() {
    const rows = data.candidates.flatMap((candidates, step) => candidates.map(([name, p]) => [step + 1, name, p]));
    return [["step", "token", "probability"], ...rows];
  }
}
