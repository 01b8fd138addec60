// @ts-check
// The recorded search as nodes, and the arithmetic that ranks it: exact for any alpha and beta, since neither
// takes part in the search itself. Node 0 is <sos>; a parent always comes before its children.

import { joinPieces, nameAt } from "../kit/piece.js";

export const FIELDS = ["parent", "step", "token", "token_id", "log_probability", "total", "coverage", "rank", "fate"];

/**
 * The nodes of the search, and of the lines laid over it: where a line leaves the recorded tree, its own nodes follow with
 * the fate `beside`. lines: with their nodes, the ids of these in the tree (none for a candidate, which is not drawn), and
 * the word diffs made so far, by the winner's text.
 * @param {import("../kit/records.js").BeamTreeRecord} data
 */
export function readRecord(data) {
  const nodes = readNodes(data.nodes);
  const known = new Map(nodes.map((node) => [`${node.parent}.${node.token_id}`, node.id]));
  const lines = data.lines.map((line) => {
    const own = readNodes(line.nodes);
    return { ...line, nodes: own, diffs: new Map(), path: line.kind === "candidate" ? [] : graft(own, line.kind) };
  });
  for (const node of nodes) if (node.parent >= 0) nodes[node.parent].children.push(node);
  const length = Math.max(...nodes.map((n) => n.step));
  const steps = Array.from({ length: length + 1 }, () => []);
  for (const node of nodes) steps[node.step].push(node);
  const last = Math.max(...nodes.filter((n) => n.fate !== "beside").map((n) => n.step));
  const ends = data.ends.map((end) => ({ node: nodes[end.id], text: end.text }));
  return { nodes, lines, steps, length, last, ends, width: data.width };

  // The ids of a path's nodes; missing ones are added at the end.
  function graft(path, kind) {
    let parent = 0;
    return path.map((node) => {
      const key = `${parent}.${node.token_id}`;
      if (!known.has(key)) {
        known.set(key, nodes.length);
        nodes.push({ ...node, id: nodes.length, parent, rank: 0, fate: "beside", children: [], lines: new Set() });
      }
      parent = known.get(key);
      nodes[parent].lines.add(kind);
      return parent;
    });
  }
}

/** Nodes from one list per field. @param {import("../kit/records.js").TreeNodes} columns @returns {any[]} */
const readNodes = (columns) =>
  columns.parent.map((_, id) => {
    const fields = Object.fromEntries(FIELDS.map((name) => [name, columns[name][id]]));
    return { id, children: [], lines: new Set(), ...fields };
  });

export const lengthPenalty = (length, alpha) => ((5 + length) / 6) ** alpha;

export const scoreOf = ({ total, coverage, step }, { alpha, beta }) =>
  total / lengthPenalty(step, alpha) + beta * coverage;

// The finished hypotheses, best first; equal scores keep the order of the record.
export function ranking(record, penalties) {
  const scored = record.ends.map((end) => ({ ...end, score: scoreOf(end.node, penalties) }));
  return scored.sort((a, b) => b.score - a.score);
}

const STEPS = 200; // steps of a penalty's range, within each of which the winner is assumed to change at most once

/**
 * The values at which another translation wins, while one penalty goes from 0 to `high` and the other stays.
 * @param {ReturnType<typeof readRecord>} record
 * @param {{alpha: number, beta: number}} penalties
 * @param {"alpha" | "beta"} name
 * @param {number} high
 */
export function winnerChanges(record, penalties, name, high) {
  const winner = (/** @type {number} */ value) => ranking(record, { ...penalties, [name]: value })[0]?.text;
  const places = [];
  let before = winner(0);
  for (let n = 1; n <= STEPS; n += 1) {
    let [low, up] = [((n - 1) * high) / STEPS, (n * high) / STEPS];
    const after = winner(up);
    if (after === before) continue;
    while (up - low > 1e-4) {
      const middle = (low + up) / 2;
      if (winner(middle) === before) low = middle;
      else up = middle;
    }
    places.push(up);
    before = after;
  }
  return places;
}

// The nodes from y_1 to `node`, without the root.
export function pathTo(record, node) {
  const nodes = [];
  for (let at = node; at && at.parent >= 0; at = record.nodes[at.parent]) nodes.push(at);
  return nodes.reverse();
}

// Places in the beam not yet taken by finished hypotheses before step j.
export const freePlaces = (record, step) =>
  record.width - record.ends.filter((e) => e.node.step < step && e.node.token === "<eos>").length;

export const wasChosen = (node) => node.fate === "root" || node.fate === "kept" || node.fate === "finished";

/**
 * Where the prefix of a line is overtaken: its first node that is not the likeliest of its step, and the one that
 * is; and its first node that the beam did not keep. Null if it leads at every step.
 * @param {ReturnType<typeof readRecord>} record
 * @param {{path: number[]}} line
 */
export function overtaken(record, line) {
  const path = line.path.map((id) => record.nodes[id]);
  const at = path.find((n) => n.rank !== 1);
  if (!at) return null;
  const best = record.steps[at.step].find((/** @type {{rank: number}} */ n) => n.rank === 1);
  return { at, best, gone: path.find((n) => !wasChosen(n)) ?? null };
}

// By rank; forbidden ones have none and come last.
export const byRank = (a, b) => (a.rank || Infinity) - (b.rank || Infinity) || b.total - a.total;

// A candidate's piece in its hypothesis.
export const nameOf = (record, node) => nameAt([record.nodes[node.parent]?.token, node.token], 1);

// The text of a path, from its pieces.
export const phrase = (path) => joinPieces(path.map((n) => n.token).filter((t) => t !== "<eos>"));

// The end of a prefix, as much as fits a title, from the start of a word if possible.
export const ending = (text, most = 40) =>
  text.length > most ? `… ${text.slice(1 - most).replace(/^\S*\s+/, "")}` : text;

// The likeliest candidates after one hypothesis, as recorded.
export const continuations = (node, count) =>
  node.children
    .filter((n) => n.fate !== "beside")
    .sort((a, b) => b.log_probability - a.log_probability)
    .slice(0, count);
