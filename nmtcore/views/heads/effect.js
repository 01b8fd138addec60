// @ts-check
// The effect of switching heads off: the sentence about the score, both translations, and the one shown.

import { nameOf } from "./describe.js";
import { button, el, fill, filledText } from "../kit/dom.js";
import { measure } from "../kit/layout.js";
import { number } from "../kit/number.js";
import { segment } from "../kit/segment.js";
import { codeParts, offCode } from "./state.js";

const LINE = 22.4; // px of a line of those words
const NAMED = 2; // heads off that the sentence names; beyond that it counts them

/** @typedef {import("../kit/records.js").EffectRecord} Effect */

/** Whether it is of the heads that are off now. @param {Effect} effect @param {Set<string>} off */
export const hasArrived = (effect, off) => effect.off.join("_") === offCode(off);

/** What heads off do to the score; empty where nothing is said of it. @param {Effect} effect @param {Record<string, any>} words */
export function sentenceOf({ off, old, rescored, new: now }, words) {
  if (!old) return "";
  const before = number(old.log_probability);
  if (rescored === null) return filledText(words.all_heads_on, { value: before });
  const named = off.length <= NAMED;
  const heads = named ? off.map((code) => nameOf(codeParts(code), words)).join(", ") : filledText(words.heads_counted, { count: off.length });
  const values = { heads, before, after: number(rescored), new: now && number(now.log_probability) };
  if (now) return filledText(words.heads_changed, values);
  return filledText(values.after === before ? words.heads_unmoved : words.heads_same, values);
}

/**
 * Both translations, or the one that stayed: under a label, in parts, each with whether it changed.
 * @param {Effect} effect
 * @param {Record<string, any>} words
 * @returns {{label: string, parts: [string, boolean][]}[]}
 */
export function textsOf({ old, rescored, new: now }, words) {
  if (!old) return [];
  const line = (/** @type {string} */ label, /** @type {[string, boolean][]} */ parts, /** @type {boolean} */ changed) => {
    /** @type {[string, boolean][]} */
    const nothing = [[words.nothing, changed]];
    return { label, parts: parts.some(([text]) => text) ? parts : nothing };
  };
  if (now) return [line(words.before, old.parts, false), line(words.after, now.parts, true)];
  return [line(rescored === null ? words.translation : words.before_and_after, old.parts, false)];
}

/**
 * @param {Record<string, string>} words
 * @param {{run(run: string): void, allOn(): void}} on
 */
export function makeEffect(words, on) {
  const node = el("div", { class: "effect", "aria-live": "polite" });
  const runs = segment(["after", "before"], (r) => [words[`run_${r}`], words[`run_${r}_hint`]], on.run, words.runs);
  return { node, show, height };

  /** @param {Effect} effect @param {import("./state.js").State} state */
  function show(effect, { pane, off, run }) {
    const waiting = !hasArrived(effect, off);
    runs.mark(run);
    node.hidden = pane === "cell" && !off.size && !waiting;
    node.classList.toggle("waiting", waiting);
    const marked = (texts) => texts.map(([text, changed]) => (changed ? el("mark", {}, text) : text));
    const lines = textsOf(effect, words).map(({ label, parts }) =>
      el("p", {}, el("span", { class: "which" }, label), " ", ...marked(parts)),
    );
    const sentence = el("p", { class: "sentence" }, ...fill(waiting ? words.waiting : sentenceOf(effect, words), {}));
    if (off.size) sentence.append(" ", button(on.allOn, { class: "link" }, words.all_on), " ", runs.node);
    const why = !waiting && effect.why ? [el("p", { class: "why" }, effect.why)] : [];
    node.replaceChildren(sentence, ...why, ...lines);
  }

  /**
   * px for the text about heads that are off: four lines with some air, and both translations, of which two lines each
   * are guaranteed. It does not depend on which heads are off, so that switching one does not make the grid jump.
   * @param {Effect} effect
   * @param {import("../kit/color.js").Look} look
   * @param {number} width
   */
  function height(effect, look, width) {
    const text = textsOf(effect, words)[0]?.parts.map(([part]) => part).join("") ?? "";
    const lines = measure(text, LINE / 1.4, look.font) > 0.85 * width ? 2 : 1;
    return (4.5 + 2 * lines) * LINE;
  }
}
