// @ts-check
// The strip of a pointer-generator below its matrix: g of every piece, the vocabulary's share of its probability.

import { css, inkOn, weightColor } from "../kit/color.js";
import { el, filledText } from "../kit/dom.js";
import { number } from "../kit/number.js";
import { nameAt } from "../kit/piece.js";

/**
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
