// @ts-check
// The one quiet row: the tabs beside many heads; behind a button that says the choice, matrix or ribbons, pieces or words,
// hiding and values; saving.

import { button, el, filledText, set } from "../kit/dom.js";
import { makeFold } from "../kit/fold.js";
import { makeSaveButtons } from "../kit/saving.js";

const WAYS = ["matrix", "ribbons", "both"];
const RULES = ["top", "least"];

// on: {view(changes), saved: what saves the figures (kit/saving.js)}; heads: given on the page with many heads. Returns the row's node, the nodes
// `links` and `saving`, which that page has elsewhere, and `show(view, fits)`.
export function makeControls(words, on, heads) {
  let current = null;
  const group = (...items) => el("span", { class: "segment", role: "group" }, ...items.map((item) => item.button));
  // A button for one value of a switch, and one that toggles a switch.
  const choice = (label, name, value) => toggle(label, () => on.view({ [name]: value }), (view) => view[name] === value);
  const flip = (name) => toggle(words[name], () => on.view({ [name]: !current[name] }), (view) => view[name]);
  const ways = WAYS.filter((way) => way !== "both" || heads).map((way) => choice(words[way], "as", way));
  const [pieces, whole] = [choice(words.pieces, "words", false), choice(words.words, "words", true)];
  const [hide, values] = [flip("hide"), flip("values")];
  const links = makeLinks(words, on);
  const saving = makeSaveButtons(words, on.saved);
  const fold = makeFold(group(...ways), group(pieces, whole), hide.button, values.button, ...(heads ? [] : [links.node]));
  const items = heads ? [heads.tabs, fold.node] : [fold.node, saving];
  const node = el("div", { class: "controls", role: "toolbar", "aria-label": words.toolbar }, ...items);
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
    fold.say([...chosen, view.hide && words.hide, view.values && matrix && fits && words.values].filter(Boolean).join(" · "));
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
  const made = button(act, { class: "toggle" }, label);
  return { button: made, show: (view) => set(made, { "aria-pressed": String(test(view)) }) };
}
