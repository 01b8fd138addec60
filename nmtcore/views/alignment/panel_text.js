// @ts-check
// What stands around a panel's figure: the translation, the candidates of a step that all panels play together, the strip g
// of a pointer-generator, the legend of the marks on words, and the numbers as a table for screen readers.

import { drawCandidates } from "../kit/candidates.js";
import { css, inkOn, weightColor } from "../kit/color.js";
import { table } from "../kit/data_table.js";
import { el, filledText } from "../kit/dom.js";
import { probabilityOf, titleOf } from "../kit/mark.js";
import { number } from "../kit/number.js";
import { nameAt, namedCandidates, sentenceName } from "../kit/piece.js";

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

/**
 * The strip below the matrix of a pointer-generator: g of every piece, the vocabulary's share of its probability.
 * @param {import("../kit/tokens.js").Panel} panel
 * @param {number | null} step of a decode that is played: later pieces keep their place, invisible
 * @param {import("../kit/color.js").Look} look
 * @param {Record<string, string>} words
 */
export function generationNode(panel, step, look, words) {
  const cells = (panel.generation ?? []).map((g, i) => {
    const ground = weightColor(look, panel.hue, g);
    const piece = nameAt(panel.target, i, panel.target_words);
    const cell = el("span", { class: "cell", title: filledText(words.generation_cell, { word: piece, g: number(g) }) });
    cell.append(piece, el("small", {}, number(g)));
    cell.style.background = css(ground);
    cell.style.color = css(inkOn(look, ground));
    if (step !== null && i >= step) cell.style.visibility = "hidden";
    return cell;
  });
  const name = el("em", { title: words.generation }, "g");
  return el("div", { class: "generation", role: "group", "aria-label": words.generation }, name, ...cells);
}

/**
 * The legend of the marks on words, if there are any.
 * @param {any[]} views
 * @param {Record<string, string>} words
 * @returns {string[]}
 */
export function meanings(views, words) {
  const doubtful = views.some((v) => v.panel.doubtful?.length) && words.note_doubt;
  const framed = views.some((v) => v.panel.windows?.length && v.panel.as !== "ribbons") && words.note_window;
  const marked = views.find((v) => v.panel.underlined?.length);
  const underlined = marked && words[marked.panel.meaning];
  const strip = views.some((v) => v.panel.generation?.length) && words.note_generation;
  return [doubtful, underlined, strip, framed].filter(Boolean);
}

/** The same numbers as a table. @param {any} view */
export function drawTable({ panel, rows, columns, weights }) {
  const name = (row) => el("th", { scope: "row" }, row.doubtful ? titleOf(row) : sentenceName(row));
  const lines = rows.map((row, r) => [name(row), ...weights[r].map((w) => (Number.isNaN(w) ? "" : w.toFixed(2)))]);
  return table([panel.title, ...panel.caption].join(", "), ["", ...columns.map(sentenceName)], lines);
}
