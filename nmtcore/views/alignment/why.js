// @ts-check
// Why a word was written: its probability, the alternatives, and what the model makes of a word that
// somebody expected. The page answers; its verdict comes with the next data and is shown beside the box.

import { button, el, fill } from "../kit/dom.js";
import { number, probabilityText } from "../kit/number.js";
import { candidateName, nameAt, pieceName } from "../kit/piece.js";

/**
 * @typedef {import("../kit/tokens.js").Panel} Panel
 * @typedef {import("../kit/records.js").VerdictRecord} Verdict
 */

/**
 * @param {Record<string, string>} words
 * @param {((asked: string | null) => void) | null} ask for a verdict; null if nobody can translate
 */
export function makeWhy(words, ask) {
  /** @type {Verdict | null} */
  let verdict = null;
  let waits = ""; // for the verdict on this
  let [place, form] = ["", el("form")]; // the box keeps its text as long as its word is picked and present

  return {
    /** @param {Verdict | null} next */
    update(next) {
      verdict = next;
      if (next?.asked === waits) waits = "";
    },
    /** What is asked about the picked word; null if there is no verdict. */
    pick() {
      const [panel, target] = (verdict?.asked ?? "").split(".").map(Number);
      return verdict ? { panel, target, source: null, word: true } : null;
    },
    nodes,
  };

  /**
   * @param {Panel} panel
   * @param {number} number of the panel
   * @param {number} piece the picked one, from 0
   * @param {boolean} whole whether its word is
   */
  function nodes(panel, number, piece, whole) {
    const pieces = piecesOfWord(panel, piece);
    if (!panel.candidates?.[piece]) return [];
    const step = whole ? leastLikely(panel, pieces) : piece;
    const here = `${number}.${step}.`;
    const own = verdict && ownWord(verdict.asked, number, pieces) ? verdict : null;
    const written = el("p", {}, ...said(panel, pieces, words));
    const instead = el("p", { class: "others" }, ...others(panel, step, here));
    if (!ask) return [el("div", { class: "why" }, written, instead)];
    const now = [number, pieces[0], ...panel.source, ...panel.target].join(" ");
    return [el("div", { class: "why" }, written, expected(here, now, own), instead, answered(own, number, pieces))];
  }

  /** @param {string} asked */
  function take(asked) {
    if (asked === verdict?.asked) return;
    waits = asked;
    ask?.(asked);
  }

  /** @param {Panel} panel @param {number} step @param {string} here */
  function others(panel, step, here) {
    const id = panel.taken?.[step];
    const others = (panel.candidates?.[step] ?? []).filter((candidate) => candidate[2] !== id);
    const nodes = others.map(([piece, p, other]) => {
      const says = `${candidateName(piece, pieceName(piece))} ${probabilityText(p)}`;
      return ask ? button(() => take(`${here}${other}`), { class: "instead", "data-take": other }, says) : el("span", {}, says);
    });
    const link = panel.search ? [el("a", { href: `${panel.search}&search-step=${step + 1}` }, words.why_search)] : [];
    return [el("span", {}, ...fill(words.why_instead, { piece: named(panel, step) }, ["piece"])), ...nodes, ...link];
  }

  /** @param {string} here @param {string} now the word, if it is there @param {Verdict | null} own */
  function expected(here, now, own) {
    if (now === place) return form;
    const typed = /^\d+\.\d+\.=(.*)$/s.exec(own?.asked ?? "")?.[1] ?? "";
    const says = { placeholder: words.why_either, enterkeyhint: "go" };
    const box = el("input", { type: "text", class: "expected", autocomplete: "off", maxlength: 400, value: typed, ...says });
    place = now;
    form = el("form", {}, el("label", {}, words.why_expected, " ", box), el("button", { class: "instead" }, words.why_compare));
    form.addEventListener("keydown", (event) => event.stopPropagation()); // letters are shortcuts of the page
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (box.value.trim()) take(`${here}=${box.value.trim()}`);
    });
    return form;
  }

  /** @param {Verdict | null} own @param {number} number @param {number[]} pieces */
  function answered(own, number, pieces) {
    const node = el("div", { class: "verdict", role: "status" });
    if (waits && ownWord(waits, number, pieces)) node.append(words.why_waits);
    else if (own) {
      const close = button(() => ask?.(null), { class: "instead", "aria-label": words.why_close, title: words.why_close }, "×");
      const text = own.parts.map(([part, marked]) => el(marked ? "u" : "span", {}, part));
      node.append(close);
      if (own.parts.length) node.append(el("p", {}, `${own.title}: `, el("b", {}, ...text), ` ${own.notes} · `));
      node.append(...own.says.flatMap((line) => [el("p", {}, line), " "]));
    }
    return node;
  }
}

/** The pieces of the word of one. @param {Panel} panel @param {number} piece */
const piecesOfWord = ({ target_words: wordOf }, piece) => wordOf.flatMap((word, i) => (word === wordOf[piece] ? [i] : []));

/** @param {string} asked @param {number} number @param {number[]} pieces */
const ownWord = (asked, number, pieces) => pieces.some((piece) => asked.startsWith(`${number}.${piece}.`));

/** @param {Panel} panel @param {number} step */
const named = ({ target, target_words: wordOf }, step) => nameAt(target, step, wordOf);

/** The probability of what was written at a step. @param {Panel} panel @param {number} step */
const probability = (panel, step) => panel.candidates?.[step].find(([, , id]) => id === panel.taken?.[step])?.[1] ?? 0;

/** @param {Panel} panel @param {number[]} pieces */
const leastLikely = (panel, pieces) => pieces.reduce((least, i) => (probability(panel, i) < probability(panel, least) ? i : least));

/** @param {Panel} panel @param {number[]} pieces @param {Record<string, string>} words */
function said(panel, pieces, words) {
  const model = panel.title;
  const first = probability(panel, pieces[0]);
  if (pieces.length === 1) return fill(words.why_written, { model, word: named(panel, pieces[0]), probability: number(first) }, ["word"]);
  const word = pieces.map((i) => pieceName(panel.target[i])).join("");
  const product = number(pieces.reduce((all, i) => all * probability(panel, i), 1));
  const factors = pieces.map((i) => `${named(panel, i)} ${number(probability(panel, i))}`).join(" × ");
  return fill(words.why_product, { model, word, probability: product, factors }, ["word"]);
}
