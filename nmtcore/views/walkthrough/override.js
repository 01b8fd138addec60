// @ts-check
// An override of attention: all attention of this step on another source piece, or spread evenly. The model then goes on from there.

import { el, fill, filledText, set } from "../kit/dom.js";
import { quote } from "../kit/notation.js";
import { sentenceName } from "../kit/piece.js";

// on: {ask(code)}: `3.s5` looks at source piece 5 in step 3, `3.all` everywhere, nothing undoes.
export function makeOverride(data, labels, on) {
  const words = data.words.override;
  const hint = el("span", { class: "hint" });
  const here = el("button", { type: "button", class: "act here" });
  const even = el("button", { type: "button", class: "act even" }, words.everywhere);
  const undo = el("button", { type: "button", class: "act undo" }, words.undo);
  const like = el("span", { class: "like" });
  const node = el(
    "div",
    { class: "override", role: "group", "aria-label": words.title },
    el("b", {}, words.title),
    hint,
    here,
    even,
    like,
  );
  let place = { word: 0 };
  let chosen = -1;
  here.addEventListener("click", () => on.ask(`${place.word + 1}.s${chosen + 1}`));
  even.addEventListener("click", () => on.ask(`${place.word + 1}.all`));
  undo.addEventListener("click", () => on.ask(""));
  return { node, like, result: data.override ? outcome() : null, show, busy };

  function show(next, source) {
    [place, chosen] = [next, source];
    const values = { j: place.word + 1, word: chosen < 0 ? "" : quote(sentenceName(labels[chosen])) };
    hint.replaceChildren(...fill(chosen < 0 ? words.hint : words.chosen, values, ["word"]));
    here.replaceChildren(...fill(words.here, values, ["word"]));
    set(here, { hidden: chosen < 0 });
  }

  function busy() {
    for (const button of [here, even, undo]) set(button, { disabled: true });
  }

  // Before and after, with what differs marked in more than colour.
  function outcome() {
    const { step, at, before, after } = data.override;
    const values = { j: step + 1, word: at === null ? "" : quote(sentenceName(labels[at])) };
    const same = [...before, ...after].every(([, changed]) => !changed);
    const told = el(
      "p",
      { class: "told" },
      ...fill(at === null ? words.was_even : words.was, values, ["word"]),
      " ",
      same ? words.same : "",
      " ",
      undo,
    );
    const side = (name, parts, tag) =>
      el(
        "p",
        { class: tag },
        el("span", { class: "which" }, name),
        ...parts.map(([text, changed]) => (changed ? el(tag, {}, text) : text)),
      );
    return el(
      "div",
      { class: "outcome", role: "status", "aria-label": filledText(words.outcome, {}) },
      told,
      side(words.before, before, "del"),
      side(words.after, after, "ins"),
    );
  }
}
