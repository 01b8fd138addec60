// @ts-check
// One step of a decode that all panels play together: the words so far, the later ones in grey, the candidates below.

import { drawCandidates } from "../kit/candidates.js";
import { el, filledText } from "../kit/dom.js";
import { probabilityOf } from "../kit/mark.js";
import { namedCandidates } from "../kit/piece.js";

const SIZES = { line: 18, size: 13, head: 0, air: 3.5 }; // px

/**
 * The translation as a text, its words marked; those that come after `step` are grey.
 * @param {import("../kit/tokens.js").Panel} panel
 * @param {number | null} step
 */
export function translationNodes(panel, step) {
  const { translation, parts = [], target_words: wordOf, probabilities = [], doubtful = [], underlined = [] } = panel;
  if (!parts.length) return [translation];
  const until = step === null || !panel.played ? Infinity : step;
  let later = false; // characters between words belong to the word before
  return parts.map(([text, word]) => {
    if (word === null) return later ? el("span", { class: "waiting" }, text) : text;
    later = wordOf.lastIndexOf(word) >= until;
    const now = wordOf[until - 1] === word;
    const low = !later && doubtful.includes(word);
    const under = !later && underlined.includes(word) && "underlined";
    const kinds = [later && "waiting", now && "now", low && "doubtful", under].filter(Boolean).join(" ");
    const said = low ? probabilityOf({ probability: probabilities[word] }) : null;
    return el("span", { class: kinds || null, title: said, "data-word": later ? null : word }, text);
  });
}

/**
 * The candidates of a step as bars, or that the translation has ended; of the same height at every step.
 * @param {import("../kit/tokens.js").Panel} panel
 * @param {number} step
 * @param {import("../kit/color.js").Look} look
 * @param {number} room px
 * @param {Record<string, string>} words
 */
export function candidatesNode(panel, step, look, room, words) {
  const { candidates: steps = [], taken = [] } = panel;
  const most = Math.max(0, ...steps.map((step) => step.length));
  const node = el("div", { class: "next" });
  node.style.minHeight = `${most * SIZES.line + 2}px`;
  if (step > steps.length) {
    if (steps.length) node.append(filledText(words.ended, { count: steps.length }));
    return node;
  }
  const ink = { candidates: namedCandidates(steps), taken, words, hue: panel.hue };
  const { node: bars, show } = drawCandidates(ink, look, room, SIZES);
  show(step - 1);
  node.append(bars);
  return node;
}

/** @param {import("../kit/tokens.js").Panel} panel */
export const hasCandidates = (panel) => Boolean(panel.candidates?.length);
