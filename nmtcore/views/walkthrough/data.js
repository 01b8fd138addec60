// @ts-check
// Attention step by step as plain data, made in the browser: what walkthrough/data.py makes of a record on a server, and
// the arithmetic of nmtcore/analysis/arithmetic.py, which recomputes everything from the states.

import { decodeRecord, decoderInputs } from "../live/recorder.js";
import { SCORES } from "../live/scores.js";
import { Tensor, columns, concat, linear, nested, softmax, tanh, weightedSum } from "../live/tensor.js";

const COMPONENTS = 16; // the first of a state's D components
const TERMS = 2; // the products of a score that are written out

/** @typedef {import("../live/recorder.js").Trace} Trace */

/** T steps of one vector, (T, 1, D), as rows (T, D). @param {Tensor} values */
const rowsOf = (values) => new Tensor([values.rows, values.width], values.data);

/**
 * @param {Trace} trace
 * @param {import("../live/checkpoint.js").Checkpoint} checkpoint
 * @param {{id: string, mark: string, name: string, hue: string, fixed: Record<string, any>, override: any,
 *   words: Record<string, any>}} shown
 */
export function walkthroughData(trace, checkpoint, { id, mark, name, hue, fixed, override, words }) {
  const { inner } = trace;
  const { config } = checkpoint;
  const weights = checkpoint.model.weights;
  const [states, keys] = [inner.states, inner.keys].map((values) => new Tensor([trace.source.length, config.units], values.data));
  const [query, scores, context, state, output] = ["query", "scores", "context", "state", "output"].map((key) => rowsOf(inner[key]));
  const cross = trace.attention.find(({ kind }) => kind === "cross");
  const alphas = new Tensor([trace.target.length, trace.source.length], cross.weights.data);
  const again = recompute(trace, checkpoint, states, query, state);
  const [left, right, v] = SCORES[config.attention].products(query, keys, weights);
  const first = (/** @type {Tensor} */ x, count = COMPONENTS) => nested(columns(x, 0, Math.min(count, x.width)));
  const apart = (/** @type {Tensor} */ a, /** @type {Tensor} */ b) =>
    Array.from({ length: a.rows }, (_, t) => Math.max(...a.row(t).map((value, i) => Math.abs(value - b.row(t)[i]))));
  return {
    id,
    sentence: trace.source_text,
    mark,
    title: `${name}: ${trace.source_text}`,
    hue,
    size: config.units,
    asksBefore: config.context === "input",
    ...decodeRecord(trace),
    states: first(states),
    query: first(query),
    scores: nested(scores),
    weights: nested(alphas),
    context: first(context),
    state: first(state),
    output: first(output),
    normalizers: again.normalizers,
    terms: {
      left: first(left, TERMS),
      right: first(right, TERMS),
      v: v && Array.from(v.subarray(0, TERMS)),
      divide: config.attention === "scaled_dot" ? Math.sqrt(config.units) : 1,
    },
    formulas: fixed.formulas,
    numpy: {
      scores: nested(again.scores),
      weights: nested(again.weights),
      context: first(again.context),
      likelihoods: again.likelihoods,
      differences: {
        scores: apart(again.scores, scores),
        weights: apart(again.weights, alphas),
        context: apart(again.context, context),
        likelihoods: again.likelihoods.map((row, t) =>
          Math.max(...row.map((value, c) => Math.abs(value - trace.steps[t].candidates[c].log_probability))),
        ),
      },
      code: fixed.code,
    },
    override,
    lab: null,
    words,
  };
}

/**
 * Scores, softmax, context and the predictions made from it; the states are the model's own.
 * @param {Trace} trace
 * @param {import("../live/checkpoint.js").Checkpoint} checkpoint
 * @param {Tensor} states h, (S, D)
 * @param {Tensor} query (T, D)
 * @param {Tensor} state s, (T, D)
 */
function recompute(trace, { model, config }, states, query, state) {
  const score = SCORES[config.attention];
  const scores = score.scores(query, score.prepare(states, model.weights), model.weights);
  const rows = Array.from({ length: states.rows }, (_, i) => states.row(i));
  const changed = new Map(trace.intervention.attention ?? []);
  const weights = Tensor.of(Array.from({ length: query.rows }, (_, t) => changed.get(t) ?? softmax(scores.row(t))));
  const context = Tensor.of(Array.from({ length: query.rows }, (_, t) => weightedSum(weights.row(t), rows, states.width)));
  const inputs = model.weight("embed.weight").select(decoderInputs(trace.steps));
  const seen = config.context === "output" ? concat(context, state) : concat(state, context, inputs);
  const joined = tanh(model.linear(seen, "combine"));
  const logits = linear(joined, model.weight("embed.weight"), model.weight("bias")); // (T, V)
  const normalizers = Array.from({ length: logits.rows }, (_, t) => {
    const row = logits.row(t);
    const most = row.reduce((a, b) => Math.max(a, b), -Infinity);
    return most + Math.log(row.reduce((sum, value) => sum + Math.exp(value - most), 0));
  });
  const likelihoods = trace.steps.map(({ candidates }, t) => candidates.map(({ id }) => logits.row(t)[id] - normalizers[t]));
  return { scores, weights, context, normalizers, likelihoods };
}

/**
 * Four digits that tell questions apart, the same as those of the app, so that a link with an override holds in both.
 * @param {string} name of the model
 * @param {string} pair
 * @param {string} text
 * @param {number} beam
 */
export function checksum(name, pair, text, beam) {
  const written = `(${[name, pair, text].map(quoted).join(", ")}, ${beam})`;
  return (crc32(new TextEncoder().encode(written)) & 0xffff).toString(16).padStart(4, "0");
}

/** A text as Python's `repr` writes it. @param {string} text */
function quoted(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  return `${mark}${text.replaceAll("\\", "\\\\").replaceAll(mark, `\\${mark}`)}${mark}`;
}

/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
