// @ts-check
// Greedy search and beam search, through encode, start and step alone; read beside nmtcore/decoding/search.py. A beam of
// width 1 is greedy search. Every step is stored with its back-pointers; recorder.js makes the record from them.

import { logSoftmax } from "./tensor.js";
import { EOS, PAD, SOS } from "./vocabulary.js";

export const CANDIDATES = 10; // recorded for every hypothesis and step
const COVERAGE_FLOOR = 1e-6; // lower bound for coverage before its logarithm is taken

/**
 * How to search: width k, length penalty alpha, coverage penalty beta, the most pieces in a translation (0: 2 S + 20).
 * @typedef {{beam: number, alpha: number, beta: number, max_length: number}} Decoding
 * The candidates of one hypothesis, likeliest first: totals are log P of the hypothesis extended by them, `allowed` the
 * same but -Infinity where an intervention forbids a candidate.
 * @typedef {{tokens: number[], logProbabilities: number[], totals: number[], allowed: number[]}} Candidates
 * A continuation: the slot of the parent and the index of the candidate.
 * @typedef {{slot: number, candidate: number}} Back
 * One step: by slot the candidates and the row in the model's output, null without a live hypothesis; by slot of the
 * next step the continuation that it got, or null.
 * @typedef {{
 *   slots: (Candidates | null)[], rows: (number | null)[], chosen: (Back | null)[], coverage: number[],
 *   attention: Record<string, import("./tensor.js").Tensor[][]>, inner: Record<string, import("./tensor.js").Tensor[][]>,
 * }} SearchStep
 * @typedef {{memory: import("./recurrent.js").Memory, steps: SearchStep[], width: number}} Search
 */

/** The most pieces, `<eos>` included, that a translation may have. @param {Decoding} decoding @param {number} length */
export const limitOf = ({ max_length }, length) => max_length || 2 * length + 20;

/**
 * Each step keeps the k best of k * |V| continuations by log P; a finished hypothesis keeps its slot. Alpha and beta
 * only rank finished hypotheses. Search stops when k hypotheses have finished, or at the length limit.
 * @param {any} model
 * @param {number[]} source ids that end with `<eos>`
 * @param {Decoding} decoding
 * @param {import("./recurrent.js").Intervention} [intervention]
 * @returns {Search}
 */
export function beamSearch(model, source, decoding, intervention = {}) {
  const k = decoding.beam;
  const memory = model.encode(source, intervention);
  let state = model.start(memory);
  let tokens = [SOS];
  let slots = [0]; // of the live hypotheses; each is one row of the model
  let total = [0]; // their log P
  let free = k; // slots without a finished hypothesis
  let coverage = tokens.map(() => new Float32Array(memory.length)); // (N, S), summed over the heads too
  /** @type {SearchStep[]} */
  const steps = [];
  const limit = Math.min(limitOf(decoding, memory.length), model.maxLength);
  for (let position = 0; position < limit; position++) {
    const out = model.step(tokens, state, memory, intervention);
    coverage = coverage.map((sum, n) => covered(sum, out.attention.cross?.[n]));
    const tops = tokens.map((_, n) => topCandidates(out.logits.row(n), total[n], position, intervention, Math.max(CANDIDATES, k)));
    const all = Array.from({ length: k }, (_, slot) => slots.indexOf(slot));
    const candidates = tops.flatMap(({ allowed }, n) => allowed.map((value, candidate) => ({ value, slot: slots[n], candidate })));
    candidates.sort((a, b) => b.value - a.value || a.slot - b.slot || a.candidate - b.candidate);
    const best = candidates.slice(0, free).filter(({ value }) => value > -Infinity);
    steps.push({
      slots: all.map((n) => (n < 0 ? null : tops[n])),
      rows: all.map((n) => (n < 0 ? null : n)),
      chosen: Array.from({ length: k }, (_, place) => (best[place] ? { slot: best[place].slot, candidate: best[place].candidate } : null)),
      coverage: all.map((n) => (n < 0 ? 0 : logCoverage(coverage[n], out.attention.cross?.[n]))),
      attention: out.attention,
      inner: out.inner,
    });
    const tokenOf = (/** @type {Back} */ { slot, candidate }) => tops[all[slot]].tokens[candidate];
    const live = best.flatMap((choice, place) => (tokenOf(choice) === EOS ? [] : [place]));
    if (!live.length) break;
    free -= best.length - live.length;
    const parents = live.map((place) => all[best[place].slot]); // rows of this step
    total = live.map((place) => best[place].value);
    tokens = live.map((place) => tokenOf(best[place]));
    state = out.state.select(parents);
    coverage = parents.map((n) => coverage[n]);
    slots = live;
  }
  return { memory, steps, width: k };
}

/**
 * The likeliest next tokens after one hypothesis. An intervention forbids choosing tokens; it never changes the model's
 * probabilities.
 * @param {Float32Array} logits
 * @param {number} total log P of the hypothesis
 * @param {number} position
 * @param {import("./recurrent.js").Intervention} intervention
 * @param {number} count
 * @returns {Candidates}
 */
function topCandidates(logits, total, position, { forced = [], forbidden = [] }, count) {
  const likelihoods = logSoftmax(logits);
  likelihoods[PAD] = likelihoods[SOS] = -Infinity; // never a next token
  const barred = forbidden.filter(([step]) => step === null || step === position).map(([, token]) => token);
  const only = forced.find(([step]) => step === position)?.[1];
  const tokens = largest(likelihoods, Math.min(count + barred.length, likelihoods.length - 2));
  if (only !== undefined && !tokens.includes(only)) tokens[tokens.length - 1] = only;
  const may = (/** @type {number} */ token) => (only === undefined ? !barred.includes(token) : token === only);
  const totals = tokens.map((token) => Math.fround(total + likelihoods[token]));
  return {
    tokens,
    logProbabilities: tokens.map((token) => likelihoods[token]),
    totals,
    allowed: totals.map((value, c) => (may(tokens[c]) ? value : -Infinity)),
  };
}

/** The indices of the largest numbers (top-k), largest first. @param {Float32Array} numbers @param {number} count */
export function largest(numbers, count) {
  /** @type {number[]} */
  const best = [];
  let least = -Infinity;
  for (let i = 0; i < numbers.length; i++) {
    if (best.length === count && !(numbers[i] > least)) continue;
    let place = best.length;
    while (place > 0 && numbers[best[place - 1]] < numbers[i]) place--;
    best.splice(place, 0, i);
    if (best.length > count) best.pop();
    if (best.length === count) least = numbers[best[count - 1]];
  }
  return best;
}

/**
 * Coverage after one more step: with several layers and heads of cross attention, that of the last layer.
 * @param {Float32Array} sum (S)
 * @param {import("./tensor.js").Tensor[] | undefined} cross by layer, (H, 1, S)
 */
function covered(sum, cross) {
  if (!cross) return sum;
  const { rows: H, data } = cross[cross.length - 1];
  return sum.map((value, i) => Array.from({ length: H }, (_, h) => data[h * sum.length + i]).reduce((a, b) => a + b, value));
}

/**
 * sum_i log min(sum_j alpha_ij, 1); zero without attention.
 * @param {Float32Array} sum
 * @param {import("./tensor.js").Tensor[] | undefined} cross
 */
function logCoverage(sum, cross) {
  if (!cross) return 0;
  const H = cross[cross.length - 1].rows;
  return Math.fround(sum.reduce((logs, value) => logs + Math.log(Math.min(Math.max(value / H, COVERAGE_FLOOR), 1)), 0));
}
