// @ts-check
// The effect of switching heads off: the sentence about the score, both translations, and the one shown.

import { button, el, fill } from "../kit/dom.js";
import { measure } from "../kit/layout.js";
import { segment } from "../kit/segment.js";
import { offCode } from "./state.js";

const LINE = 22.4; // px of a line of those words

/**
 * @param {Record<string, string>} words
 * @param {{run(run: string): void, allOn(): void}} on
 */
export function makeEffect(words, on) {
  const node = el("div", { class: "effect", "aria-live": "polite" });
  const runs = segment(["after", "before"], (r) => [words[`run_${r}`], words[`run_${r}_hint`]], on.run, words.runs);
  return { node, show, height };

  /** @param {import("../kit/records.js").EffectRecord} effect @param {import("./state.js").State} state */
  function show(effect, { pane, off, run }) {
    const waiting = effect.off !== offCode(off);
    runs.mark(run);
    node.hidden = pane === "cell" && !off.size && !waiting;
    node.classList.toggle("waiting", waiting);
    const marked = (texts) => texts.map(([text, changed]) => (changed ? el("mark", {}, text) : text));
    const lines = effect.texts.map(({ label, parts }) =>
      el("p", {}, el("span", { class: "which" }, label), " ", ...marked(parts)),
    );
    const sentence = el("p", { class: "sentence" }, ...fill(waiting ? words.waiting : effect.sentence, {}));
    if (off.size) sentence.append(" ", button(on.allOn, { class: "link" }, words.all_on), " ", runs.node);
    const why = !waiting && effect.why ? [el("p", { class: "why" }, effect.why)] : [];
    node.replaceChildren(sentence, ...why, ...lines);
  }

  /**
   * px for the text about heads that are off: four lines with some air, and both translations, of which two lines each
   * are guaranteed. It does not depend on which heads are off, so that switching one does not make the grid jump.
   * @param {import("../kit/records.js").EffectRecord} effect
   * @param {import("../kit/color.js").Look} look
   * @param {number} width
   */
  function height(effect, look, width) {
    const text = effect.texts[0]?.parts.map(([part]) => part).join("") ?? "";
    const lines = measure(text, LINE / 1.4, look.font) > 0.85 * width ? 2 : 1;
    return (4.5 + 2 * lines) * LINE;
  }
}
