// @ts-check
// One step of a decode that all panels play together: the words so far, those to come in grey, the candidates below.

import { drawCandidates } from "../kit/candidates.js";
import { el, fill, filledText } from "../kit/dom.js";
import { probabilityOf } from "../kit/mark.js";
import { number } from "../kit/number.js";
import { candidateName, pieceName } from "../kit/piece.js";

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
  let later = false; // what stands between words goes with the word before it
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
 * The candidates of a step as bars, or that the translation has ended; as tall in every step.
 * @param {import("../kit/tokens.js").Panel} panel
 * @param {number} step
 * @param {import("../kit/color.js").Look} look
 * @param {number} room px
 * @param {Record<string, string>} words
 */
export function candidatesNode(panel, step, look, room, words) {
  const { candidates: found = [], taken = [] } = panel;
  const most = Math.max(0, ...found.map((step) => step.length));
  const node = el("div", { class: "next" });
  node.style.minHeight = `${most * SIZES.line + 2}px`;
  if (step > found.length) {
    if (found.length) node.append(filledText(words.ended, { count: found.length }));
    return node;
  }
  const named = found.map((step) => step.map(([piece, p, id]) => [candidateName(piece, pieceName(piece)), p, id]));
  const ink = { candidates: named, taken, words, hue: panel.hue };
  const { node: bars, show } = drawCandidates(ink, look, room, SIZES);
  show(step - 1);
  node.append(bars);
  return node;
}

/**
 * Why a piece was written: its probability, other candidates, each a button that translates on from it, a box for what a
 * person expected, and the way to this step in beam search.
 * @param {import("../kit/tokens.js").Panel} panel
 * @param {number} step from 0
 * @param {Record<string, string>} words
 * @param {((asked: number | string) => void) | null} take an id, or `=` and what was typed; nothing where nobody can translate
 */
export function whyNodes(panel, step, words, take) {
  const found = panel.candidates?.[step];
  if (!found) return [];
  const id = panel.taken?.[step];
  const others = found.filter((candidate) => candidate[2] !== id);
  const written = found.find((candidate) => candidate[2] === id);
  const said = written
    ? fill(words.why_written, { piece: pieceName(written[0]), probability: number(written[1]) }, ["piece"])
    : [];
  const buttons = others.map(([piece, p, other]) => {
    const says = `${candidateName(piece, pieceName(piece))} ${number(p)}`;
    if (!take) return el("span", {}, says);
    const button = el("button", { type: "button", class: "instead" }, says);
    button.addEventListener("click", () => take(other));
    return button;
  });
  if (take) buttons.push(expectedBox(words, take));
  const link = panel.search ? [el("a", { href: `${panel.search}&search-step=${step + 1}` }, words.why_search)] : [];
  const why = el("span", { class: "why" }, el("span", {}, ...said), el("span", {}, words.why_instead), ...buttons, ...link);
  return [why];
}

/** @param {Record<string, string>} words @param {(asked: string) => void} take */
function expectedBox(words, take) {
  const says = { placeholder: words.why_expected, "aria-label": words.why_expected, enterkeyhint: "go" };
  const box = el("input", { type: "text", class: "expected", autocomplete: "off", maxlength: 400, ...says });
  const form = el("form", {}, box);
  form.addEventListener("keydown", (event) => event.stopPropagation()); // letters are shortcuts of the page
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (box.value.trim()) take(`=${box.value.trim()}`);
  });
  return form;
}

/** @param {import("../kit/tokens.js").Panel} panel */
export const hasCandidates = (panel) => Boolean(panel.candidates?.length);
