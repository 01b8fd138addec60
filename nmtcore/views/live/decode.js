// @ts-check
// Translate a sentence and record the decode, as nmtcore/decoding/decode.py does: tokenise, search, record every step.

import { record } from "./recorder.js";
import { beamSearch, limitOf } from "./search.js";
import { EOS } from "./vocabulary.js";

/** @typedef {import("./search.js").Decoding} Decoding */

/** @type {Decoding} as nmtcore/config/decoding.py has them */
const DECODING = { beam: 1, alpha: 0.6, beta: 0, max_length: 0 };

/**
 * @param {import("./checkpoint.js").Checkpoint} checkpoint
 * @param {string} text cleaned
 * @param {Partial<Decoding>} [decoding]
 * @param {import("./recurrent.js").Intervention} [intervention]
 * @param {{name?: string, budget?: Budget | null, cut?: import("./vocabulary.js").Subwords}} [more]
 * @returns {import("./recorder.js").Trace}
 */
export function translate(checkpoint, text, decoding = {}, intervention = {}, { name = "", budget = null, cut = checkpoint.vocabulary.cut(text) } = {}) {
  const asked = { ...DECODING, ...decoding };
  const within = budget ? withinBudget(asked, cut.ids.length + 1, checkpoint.config, budget) : asked;
  const began = performance.now();
  const search = beamSearch(checkpoint.model, [...cut.ids, EOS], within, intervention);
  const seconds = (performance.now() - began) / 1000;
  return record(search, checkpoint, { text, cut, name, decoding: within, intervention, seconds });
}

/**
 * Memory limits of a search: the numbers of nmtcore/limits.py.
 * @typedef {{search_numbers: number, candidates: number, record_bytes: number, shortest: number}} Budget
 */

/**
 * Narrow the beam, and finally lower the translation's length limit, if a search would need too much memory.
 * @param {Decoding} decoding
 * @param {number} pieces of the source, `<eos>` among them
 * @param {Record<string, any>} config
 * @param {Budget} budget
 * @returns {Decoding}
 */
function withinBudget(decoding, pieces, { heads = 1, encoder_layers = 1, decoder_layers = 1 }, budget) {
  const [encoder, decoder] = [heads * encoder_layers, heads * decoder_layers];
  const asked = limitOf(decoding, pieces);
  const left = budget.record_bytes / 8 - encoder * pieces ** 2;
  const longest = (Math.sqrt(pieces ** 2 + (4 * Math.max(left, 0)) / Math.max(decoder, 1)) - pieces) / 2;
  const limit = Math.min(asked, Math.max(budget.shortest, Math.trunc(longest)));
  const one = limit * (decoder * (2 * pieces + limit) + budget.candidates);
  const beam = Math.min(decoding.beam, Math.max(1, Math.floor(budget.search_numbers / one)));
  return { ...decoding, beam, max_length: limit === asked ? decoding.max_length : limit };
}
