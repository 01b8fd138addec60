// @ts-check
// What each page answers: from records of the models to the data of its picture, step by step as models finish.

import { filledText } from "../kit/dom.js";
import { panel, waitingPanel } from "../alignment/data.js";
import { translate } from "../live/decode.js";

/**
 * @typedef {{
 *   text: string, models: {name: string, title: string, hue: any, head: [number, number] | null}[], beam: number,
 *   asked: Record<string, string | null>, words: Record<string, any>, budget: import("../live/decode.js").Budget,
 *   says: Record<string, any>, note: (sentence: string) => void,
 *   load: (name: string) => Promise<import("../live/checkpoint.js").Checkpoint | null>,
 * }} Context
 */

/**
 * A decode, and a note where its beam had to be narrowed.
 * @param {Context} context
 * @param {import("../live/checkpoint.js").Checkpoint} checkpoint
 * @param {string} name
 * @param {import("../live/recurrent.js").Intervention} [intervention]
 */
function decode({ text, beam, budget, says, note }, checkpoint, name, intervention = {}) {
  const trace = translate(checkpoint, text, { beam }, intervention, { name, budget });
  if (trace.decoding.beam < beam) {
    note(filledText(says.narrowed, { pieces: trace.source.length - 1, asked: beam, width: trace.decoding.beam }));
  }
  return trace;
}

/** Several models side by side. @param {Context} context */
async function* translatePage(context) {
  const { text, models, words } = context;
  /** @type {any[]} */
  let panels = models.map(waitingPanel);
  for (const model of models) {
    const checkpoint = await context.load(model.name);
    const made = checkpoint && panel(decode(context, checkpoint, model.title), model, words);
    panels = panels.flatMap((waiting) => (waiting.title !== model.title ? [waiting] : made ? [made] : []));
    if (panels.length) yield { panels, words, sentence: text, height: 560, compact: false, play: true };
  }
}

/** @type {Record<string, (context: Context) => AsyncGenerator<any>>} */
export const ANSWERS = { index: translatePage };
