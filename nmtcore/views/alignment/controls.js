// @ts-check
// The one quiet row: which heads; behind a button that says the choice, matrix or ribbons, pieces or words, hiding and
// values; saving.

import { el, filledText, set } from "../kit/dom.js";
import { makeFold } from "../kit/fold.js";
import { makeSaveButtons } from "../kit/saving.js";

const WAYS = ["matrix", "ribbons", "both"];
const RULES = ["top", "least"];

// on: {view(changes), saved: what saves the figures (kit/saving.js)}; heads: of the page with many heads, or nothing. Returns the row's node, the nodes
// `links` and `saving`, which that page has elsewhere, and `show(view, fits)`.
export function makeControls(words, on, heads) {
  let current = null;
  const choice = (label, changes, test) => toggle(label, () => on.view(changes(current)), test);
  const group = (...items) => el("span", { class: "segment", role: "group" }, ...items.map((item) => item.button));
  const ways = WAYS.filter((way) => way !== "both" || heads).map((way) =>
    choice(
      words[way],
      () => ({ as: way }),
      (v) => v.as === way,
    ),
  );
  const pieces = choice(
    words.pieces,
    () => ({ words: false }),
    (v) => !v.words,
  );
  const whole = choice(
    words.words,
    () => ({ words: true }),
    (v) => v.words,
  );
  const hide = choice(
    words.hide,
    (v) => ({ hide: !v.hide }),
    (v) => v.hide,
  );
  const values = choice(
    words.values,
    (v) => ({ values: !v.values }),
    (v) => v.values,
  );
  const links = makeLinks(words, on);
  const saving = makeSaveButtons(words, on.saved);
  const fold = makeFold(group(...ways), group(pieces, whole), hide.button, values.button, ...(heads ? [] : [links.node]));
  const node = el(
    "div",
    { class: "controls", role: "toolbar", "aria-label": words.toolbar },
    ...(heads ? [heads.kinds] : []),
    fold.node,
    ...(heads ? [] : [saving]),
  );
  return { node, links: links.node, saving, show };

  function show(view, fits) {
    current = view;
    for (const item of [...ways, pieces, whole, hide, values]) item.show(view);
    const matrix = view.as !== "ribbons";
    values.button.hidden = !matrix;
    set(values.button, { disabled: !fits, title: fits ? null : words.too_small });
    links.node.hidden = view.as === "matrix";
    links.show(view);
    const chosen = [words[view.as], view.words ? words.words : words.pieces];
    fold.say([...chosen, view.hide && words.hide, view.values && !values.button.hidden && words.values].filter(Boolean).join(" · "));
  }
}

// How ribbons hide weak links: a rule and its threshold, in hundredths.
function makeLinks(words, on) {
  const options = RULES.map((rule) => el("option", { value: rule }));
  const rule = el("select", { "aria-label": words.links_rule }, ...options);
  const percent = el("input", { type: "range", min: 1, max: 100, "aria-label": words.links_share });
  rule.addEventListener("change", () => on.view({ rule: rule.value, percent: rule.value === "top" ? 70 : 10 }));
  percent.addEventListener("input", () => on.view({ percent: Number(percent.value) }));
  return { node: el("span", { class: "links" }, rule, percent), show };

  function show(view) {
    options.forEach((option) => {
      const share = option.value === view.rule ? view.percent : option.value === "top" ? 70 : 10;
      option.textContent = filledText(words[`links_${option.value}`], { share: `${share}%` });
    });
    rule.value = view.rule;
    percent.value = view.percent;
  }
}

function toggle(label, act, test) {
  const button = el("button", { type: "button", class: "toggle" }, label);
  button.addEventListener("click", act);
  return { button, show: (view) => set(button, { "aria-pressed": String(test(view)) }) };
}
