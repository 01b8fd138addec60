// @ts-check
// An override of attention: all attention of this step on another source piece, or spread evenly. The model then continues from there.

import { button, el, fill, set } from "../kit/dom.js";
import { quote } from "../kit/notation.js";
import { sentenceName } from "../kit/piece.js";

// on: {ask(code)}: `3.s5` looks at source piece 5 in step 3, `3.all` everywhere, nothing undoes.
export function makeOverride(data, labels, on) {
  const words = data.words.override;
  const hint = el("span", { class: "hint" });
  const here = button(() => on.ask(`${place.word + 1}.s${chosen + 1}`), { class: "act here" });
  const even = button(() => on.ask(`${place.word + 1}.all`), { class: "act even" }, words.everywhere);
  const undo = button(() => on.ask(""), { class: "act undo" }, words.undo);
  const like = el("span", { class: "like" });
  const group = { class: "override", role: "group", "aria-label": words.title };
  const node = el("div", group, el("b", {}, words.title), hint, here, even, like);
  let place = { word: 0 };
  let chosen = -1;
  return { node, like, result: data.override ? outcome() : null, show, busy };

  function show(next, source) {
    [place, chosen] = [next, source];
    const values = { j: place.word + 1, word: chosen < 0 ? "" : quote(sentenceName(labels[chosen])) };
    hint.replaceChildren(...fill(chosen < 0 ? words.hint : words.chosen, values, ["word"]));
    here.replaceChildren(...fill(words.here, values, ["word"]));
    set(here, { hidden: chosen < 0 });
  }

  function busy() {
    for (const made of [here, even, undo]) set(made, { disabled: true });
  }

  // Before and after, with differences marked by more than colour.
  function outcome() {
    const { step, at, before, after } = data.override;
    const values = { j: step + 1, word: at === null ? "" : quote(sentenceName(labels[at])) };
    const same = [...before, ...after].every(([, changed]) => !changed);
    const was = fill(at === null ? words.was_even : words.was, values, ["word"]);
    const told = el("p", { class: "told" }, ...was, " ", same ? words.same : "", " ", undo);
    const side = (name, parts, tag) => {
      const marked = parts.map(([text, changed]) => (changed ? el(tag, {}, text) : text));
      return el("p", { class: tag }, el("span", { class: "which" }, name), ...marked);
    };
    const attributes = { class: "outcome", role: "status", "aria-label": words.outcome };
    return el("div", attributes, told, side(words.before, before, "del"), side(words.after, after, "ins"));
  }
}
