// @ts-check
// The what-ifs that hold, each of which can be undone.

import { button, el, filledText } from "../kit/dom.js";

// undo(codes) is told those that are left; nothing where nobody answers.
export function drawWhatIfs(words, whatifs, undo) {
  const leave = (attributes, left, text) => button(() => undo(left.map((what) => what.code).join("~")), attributes, text);
  const items = whatifs.map((what) => {
    const name = { "aria-label": filledText(words.undo, { what: what.text }), title: words.undo_short };
    const others = whatifs.filter((other) => other !== what);
    return el("span", { class: "whatif" }, what.text, undo ? leave(name, others, "×") : "");
  });
  const all = undo && items.length > 1 ? [leave({ class: "link" }, [], words.undo_all)] : [];
  return [el("b", {}, words.whatifs), ...items, ...all];
}
