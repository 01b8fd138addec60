// @ts-check
// The record of one decode: what nmtcore/decoding/recorder.py makes of a finished search, with the names of the JSON that
// `Trace.to_json` writes. Arrays stay arrays: attention weights and `inner` are tensors.

import { CANDIDATES } from "./search.js";
import { Tensor, stack } from "./tensor.js";
import { EOS, SOS } from "./vocabulary.js";
import { wordOf } from "./words.js";

/**
 * @typedef {import("./search.js").Decoding} Decoding
 * @typedef {import("./search.js").SearchStep} SearchStep
 * @typedef {{kind: string, layers: number, heads: number, queries: string[], keys: string[], weights: Tensor}} AttentionMap
 *   weights (L, H, T, S)
 * @typedef {{token: string, id: number, log_probability: number}} Candidate
 * @typedef {Candidate & {candidates: Candidate[]}} Step
 * @typedef {"root" | "kept" | "pruned" | "forbidden" | "finished" | "winner"} Fate
 * @typedef {{
 *   id: number, parent: number, step: number, token: string, token_id: number, log_probability: number,
 *   total: number, coverage: number, rank: number, fate: Fate,
 * }} BeamNode
 * @typedef {{
 *   model: string, architecture: string, source_text: string, source: string[], source_ids: number[], target: string[],
 *   text: string, log_probability: number, score: number, finished: boolean, seconds: number, decoding: Decoding,
 *   intervention: import("./recurrent.js").Intervention, steps: Step[], attention: AttentionMap[], beam: BeamNode[],
 *   inner: Record<string, Tensor>,
 * }} Trace
 * @typedef {{backs: import("./search.js").Back[], tokens: number[], total: number, score: number}} Hypothesis
 */

/** What the decoder reads: `<sos>` y_1 .. y_{T-1}. @param {{id: number}[]} steps */
export const decoderInputs = (steps) => [SOS, ...steps.map(({ id }) => id)].slice(0, steps.length);

/** The ids that were written. @param {{steps: {id: number}[]}} trace */
export const idsOf = ({ steps }) => steps.map(({ id }) => id);

/** The part of a decode that pictures of it share: its tokens with their words, and each step's candidates. @param {Trace} trace */
export const decodeRecord = (trace) => ({
  source: trace.source,
  target: trace.target,
  source_words: wordOf(trace.source),
  target_words: wordOf(trace.target),
  finished: trace.finished,
  taken: idsOf(trace),
  probabilities: trace.steps.map(({ log_probability }) => Math.exp(log_probability)),
  candidates: trace.steps.map(({ candidates }) => candidates.map((c) => [c.token, Math.exp(c.log_probability), c.id])),
});

/** lp(y) = ((5 + |y|) / 6)^alpha (Wu et al. 2016). @param {number} length @param {number} alpha */
export const lengthPenalty = (length, alpha) => ((5 + length) / 6) ** alpha;

/** s(y, x) = log P / lp + beta cp. @param {number} total @param {number} length @param {number} coverage @param {Decoding} decoding */
const scoreOf = (total, length, coverage, { alpha, beta }) => total / lengthPenalty(length, alpha) + beta * coverage;

/**
 * The winner: the finished hypothesis with the best score, or if none finished, the best at the length limit.
 * @param {SearchStep[]} steps
 * @param {Decoding} decoding
 * @returns {Hypothesis}
 */
function bestHypothesis(steps, decoding) {
  /** @typedef {{score: number, j: number, back: import("./search.js").Back}} End */
  /** @type {End[]} */
  const ends = [];
  /** @type {End[]} */
  let alive = [];
  steps.forEach(({ slots, chosen, coverage }, j) => {
    alive = [];
    for (const back of chosen) {
      if (!back) continue;
      const { tokens, totals } = slots[back.slot];
      const score = scoreOf(totals[back.candidate], j + 1, coverage[back.slot], decoding);
      (tokens[back.candidate] === EOS ? ends : alive).push({ score, j, back });
    }
  });
  const winner = (ends.length ? ends : alive).reduce((best, end) => (end.score > best.score ? end : best));
  const backs = [winner.back];
  for (let j = winner.j - 1; j >= 0; j--) backs.unshift(steps[j].chosen[backs[0].slot]);
  const tokens = backs.map(({ slot, candidate }, j) => steps[j].slots[slot].tokens[candidate]);
  const total = steps[winner.j].slots[winner.back.slot].totals[winner.back.candidate];
  return { backs, tokens, total, score: winner.score };
}

/**
 * The beam's nodes, and the slot of each node's parent. Each hypothesis has its ten likeliest candidates, the chosen
 * ones, and a forced one; ranks count all candidates.
 * @param {SearchStep[]} steps
 * @param {(token: number) => string} name
 * @returns {{nodes: BeamNode[], slots: number[]}}
 */
export function tree(steps, name) {
  /** @type {BeamNode[]} */
  const nodes = [
    { id: 0, parent: -1, step: 0, token: "<sos>", token_id: SOS, log_probability: 0, total: 0, coverage: 0, rank: 1, fate: "root" },
  ];
  const slots = [0];
  let alive = new Map([[0, 0]]); // slot to the id of its live node
  steps.forEach((step, j) => {
    const places = new Map(step.chosen.flatMap((back, place) => (back ? [[`${back.slot}.${back.candidate}`, place]] : [])));
    const considered = [...alive].flatMap(([slot, parent]) => {
      const { tokens, allowed, totals, logProbabilities } = step.slots[slot];
      return tokens.flatMap((token, c) =>
        totals[c] > -Infinity ? [{ slot, c, parent, token, allowed: allowed[c], total: totals[c], likelihood: logProbabilities[c] }] : [],
      );
    });
    considered.sort((a, b) => (a.allowed === b.allowed ? a.slot - b.slot || a.c - b.c : b.allowed - a.allowed));
    // A forced token is the only allowed candidate of each hypothesis, however unlikely it is.
    const forced = considered.filter(({ allowed }) => allowed > -Infinity).length <= alive.size;
    const following = new Map();
    considered.forEach(({ slot, c, parent, token, allowed, total, likelihood }, i) => {
      const place = places.get(`${slot}.${c}`);
      const may = allowed > -Infinity;
      if (c >= CANDIDATES && place === undefined && !(forced && may)) return;
      /** @type {Fate} */
      const fate = !may ? "forbidden" : place === undefined ? "pruned" : token === EOS ? "finished" : "kept";
      if (fate === "kept") following.set(place, nodes.length);
      nodes.push({
        id: nodes.length, parent, step: j + 1, token: name(token), token_id: token, log_probability: likelihood, total,
        coverage: step.coverage[slot], rank: may ? i + 1 : 0, fate,
      });
      slots.push(slot);
    });
    alive = new Map([...following].sort(([a], [b]) => a - b)); // by slot, as chosen
  });
  return { nodes, slots };
}

/** The nodes from y_1 to `end`, without the root. @param {BeamNode[]} nodes @param {BeamNode} end */
export function path(nodes, end) {
  const path = [];
  for (let node = end; node.parent >= 0; node = nodes[node.parent]) path.unshift(node);
  return path;
}

/**
 * @param {import("./search.js").Search} search
 * @param {import("./checkpoint.js").Checkpoint} checkpoint
 * @param {{text: string, cut: import("./vocabulary.js").Subwords, name: string, decoding: Decoding,
 *   intervention: import("./recurrent.js").Intervention, seconds: number}} asked
 * @returns {Trace}
 */
export function record(search, { vocabulary, architecture }, { text, cut, name, decoding, intervention, seconds }) {
  const { memory, steps } = search;
  const source = [...cut.pieces, "<eos>"];
  const chosen = bestHypothesis(steps, decoding);
  const target = vocabulary.tokens(chosen.tokens); // byte pieces are named by their character
  const nameOf = (/** @type {number} */ id) => vocabulary.pieces[id];
  const { nodes, slots } = tree(steps, nameOf);
  const last = chosen.backs[chosen.backs.length - 1];
  const end = nodes.findLast(({ step, token_id }, i) =>
    step === target.length && slots[i] === last.slot && token_id === chosen.tokens[target.length - 1]);
  end.fate = "winner";
  path(nodes, end).forEach((node, j) => (node.token = target[j]));
  const rows = chosen.backs.map(({ slot }, j) => steps[j].rows[slot]);
  return {
    model: name,
    architecture,
    source_text: text,
    source,
    source_ids: [...cut.ids, EOS],
    target,
    text: vocabulary.decode(chosen.tokens),
    log_probability: chosen.total,
    score: chosen.score,
    finished: chosen.tokens[chosen.tokens.length - 1] === EOS,
    seconds,
    decoding,
    intervention,
    steps: chosen.backs.map(({ slot, candidate }, j) => {
      const { tokens, logProbabilities } = steps[j].slots[slot];
      const candidates = tokens.slice(0, CANDIDATES).map((id, c) => ({
        token: id === chosen.tokens[j] ? target[j] : nameOf(id), id, log_probability: logProbabilities[c],
      }));
      return { token: target[j], id: chosen.tokens[j], log_probability: logProbabilities[candidate], candidates };
    }),
    attention: maps(memory, steps, rows, source, target),
    beam: nodes,
    inner: inner(memory, steps, rows),
  };
}

/**
 * The attention of the chosen hypothesis, with the tokens of its axes.
 * @param {import("./recurrent.js").Memory} memory
 * @param {SearchStep[]} steps
 * @param {number[]} rows of the chosen hypothesis, one a step
 * @param {string[]} source
 * @param {string[]} target
 * @returns {AttentionMap[]}
 */
function maps(memory, steps, rows, source, target) {
  const inputs = ["<sos>", ...target].slice(0, target.length);
  /** @type {[string, string[], string[]][]} */
  const named = [["encoder", source, source], ["decoder", inputs, inputs], ["cross", target, source]];
  return named.flatMap(([kind, queries, keys]) => {
    const encoded = memory.attention[kind];
    if (!encoded && !steps[0].attention[kind]) return [];
    const weights = encoded ? stack(encoded) : byLayer(rows.map((row, j) => steps[j].attention[kind][row]), keys.length);
    return [{ kind, layers: weights.shape[0], heads: weights.shape[1], queries, keys, weights }];
  });
}

/**
 * T steps of L layers (H, 1, s), s <= S, as one tensor (L, H, T, S); the future is zero.
 * @param {Tensor[][]} steps
 * @param {number} S
 */
function byLayer(steps, S) {
  const [T, L, H] = [steps.length, steps[0].length, steps[0][0].rows];
  const all = new Tensor([L, H, T, S]);
  steps.forEach((layers, j) =>
    layers.forEach((weights, l) => {
      for (let h = 0; h < H; h++) all.data.set(weights.row(h), ((l * H + h) * T + j) * S);
    }),
  );
  return all;
}

/**
 * The intermediate arrays of the chosen hypothesis; the docstring of nmtcore/decoding/recorder.py lists keys and shapes.
 * @param {import("./recurrent.js").Memory} memory
 * @param {SearchStep[]} steps
 * @param {number[]} rows
 */
function inner(memory, steps, rows) {
  const arrays = Object.fromEntries(Object.entries(memory.inner).map(([name, layers]) => [name, stack(layers)]));
  for (const name of Object.keys(steps[0].inner)) {
    const values = rows.map((row, j) => steps[j].inner[name][row]); // T steps of L layers
    const S = values[values.length - 1][0].shape[2];
    arrays[name] = stack(values.map((layers) => stack(layers.map((value) => (value.shape.length === 3 ? widened(value, name, S) : value)))));
  }
  return arrays;
}

/** (H, 1, s) as (H, S), and the future masked with -Infinity. @param {Tensor} value @param {string} name @param {number} S */
function widened(value, name, S) {
  const [H, , s] = value.shape;
  if (!name.endsWith("_scores") || s === S) return new Tensor([H, s], value.data);
  const wide = new Tensor([H, S], new Float32Array(H * S).fill(-Infinity));
  for (let h = 0; h < H; h++) wide.data.set(value.row(h), h * S);
  return wide;
}
