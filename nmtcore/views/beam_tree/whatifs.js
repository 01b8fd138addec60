// @ts-check
// The what-ifs that hold, each of which can be undone.

import { el, filledText } from "../kit/dom.js";

// undo(codes) is told those that are left; nothing where nobody answers.
export function drawWhatIfs(words, whatifs, undo) {
  const button = (attributes, left, text) => {
    const made = el("button", { type: "button", ...attributes }, text);
    made.addEventListener("click", () => undo(left.map((what) => what.code).join("~")));
    return made;
  };
  const items = whatifs.map((what) => {
    const name = { "aria-label": filledText(words.undo, { what: what.text }), title: words.undo_short };
    const others = whatifs.filter((other) => other !== what);
    return el("span", { class: "whatif" }, what.text, undo ? button(name, others, "×") : "");
  });
  const all = undo && items.length > 1 ? [button({ class: "link" }, [], words.undo_all)] : [];
  return [el("b", {}, words.whatifs), ...items, ...all];
}
