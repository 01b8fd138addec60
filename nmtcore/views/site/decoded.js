// @ts-check
// A page's question to a model: a decode, cached, with a note if its beam had to be narrowed.

import { filledText } from "../kit/dom.js";
import { translate } from "../live/decode.js";

/**
 * @typedef {{
 *   text: string, emoji: string, models: {name: string, title: string, hue: any, head: [number, number] | null,
 *   names: import("../heads/describe.js").Names}[], beam: number,
 *   asked: Record<string, string | null>, words: Record<string, any>, limits: {pieces: number, budget: import("../live/decode.js").Budget},
 *   says: Record<string, any>, note: (sentence: string) => void, pair: string, fixed: Record<string, any>,
 *   progress: (sentence: string) => void, sentences: string[],
 *   load: (name: string) => Promise<import("../live/checkpoint.js").Checkpoint | null>,
 * }} Context
 */

const MOST = 8; // cached decodes: a pick that needs more of one does not search again
/** @type {Map<string, import("../live/recorder.js").Trace>} */
const decoded = new Map();

/**
 * A decode, and a note if its beam had to be narrowed.
 * @param {Context} context
 * @param {import("../live/checkpoint.js").Checkpoint} checkpoint
 * @param {string} name
 * @param {import("../live/recurrent.js").Intervention} [intervention]
 * @param {number} [max_length]
 * @param {import("../live/vocabulary.js").Subwords} [cut] the pieces of the text in another order
 */
export function decode({ text, beam, limits, says, note }, checkpoint, name, intervention = {}, max_length = 0, cut = undefined) {
  const key = JSON.stringify([name, text, beam, intervention, max_length, cut?.ids]);
  const trace = decoded.get(key) ?? translate(checkpoint, text, { beam, max_length }, intervention, { name, budget: limits.budget, cut });
  decoded.delete(key); // and in again, as the latest
  decoded.set(key, trace);
  if (decoded.size > MOST) decoded.delete(decoded.keys().next().value);
  if (trace.decoding.beam < beam) {
    note(filledText(says.narrowed, { pieces: trace.source.length - 1, asked: beam, width: trace.decoding.beam }));
  }
  return trace;
}

/** The single model of a page; null if it cannot be loaded. @param {Context} context */
export async function only(context) {
  const [model] = context.models;
  const checkpoint = await context.load(model.name);
  return checkpoint && { ...model, checkpoint, trace: decode(context, checkpoint, `${context.pair}/${model.name}`) };
}

/** A number as the pages write it. @param {number} value */
export const signed = (value) => value.toFixed(2).replace("-", "\u2212");

/**
 * A translation over the picture.
 * @param {Context} context
 * @param {string} title
 * @param {string} hue
 * @param {import("../live/recorder.js").Trace} trace
 * @param {...string} notes
 */
export function line({ says }, title, hue, { text, log_probability, finished }, ...notes) {
  const said = [filledText(says.log_p, { value: signed(log_probability) }), ...notes, ...(finished ? [] : [says.unfinished])];
  return { title, hue, text: text || says.nothing, note: said.join(" · ") };
}

/** The intervention that forces the output to begin with these tokens. @param {number[]} ids */
export const forcedTo = (ids) => ids.map((id, j) => /** @type {[number, number]} */ ([j, id]));
