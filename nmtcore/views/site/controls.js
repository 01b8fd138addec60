// @ts-check
// The one row of controls of a page: the sentence, examples to try, and behind a button the settings chosen once.

import { button, el, filledText } from "../kit/dom.js";

/**
 * @param {import("./page.js").Settings} settings
 * @param {() => import("./page.js").Question} question the question in the address now
 * @param {(changes: Record<string, string | null>) => void} change of the address, by the names of its parameters
 */
export function makeControls(settings, question, change) {
  const { says, pairs, choose } = settings;
  const several = choose === "several";
  const left = Object.fromEntries(settings.forget.map((name) => [name, null])); // picks in another sentence
  const box = el("input", { type: "text", name: "text", autocomplete: "off", "aria-label": says.sentence, placeholder: says.empty, enterkeyhint: "go" });
  const examples = el("details", {}, el("summary", {}, says.try), el("div", { class: "sheet" }));
  const summary = el("summary", {});
  const pair = el("select", { "aria-label": says.languages }, ...Object.entries(pairs).map(([code, { label }]) => el("option", { value: code }, label)));
  const models = el("fieldset", {});
  const width = el("input", { type: "range", min: 1, max: 20 });
  const chosen = el("details", {}, summary, el("div", { class: "sheet" }, pair, ...(choose ? [models] : []), el("label", {}, says.width, el("br"), width)));
  const node = el("form", { class: "question", role: "search" }, box, examples, chosen);
  const set = (/** @type {Record<string, string | null>} */ changes) => change({ ...left, ...changes });
  node.addEventListener("submit", (event) => {
    event.preventDefault();
    set({ text: box.value });
    box.blur();
  });
  pair.addEventListener("change", () => {
    const same = pairs[pair.value].source.code === pairs[question().pair].source.code;
    set({ pair: pair.value === Object.keys(pairs)[0] ? null : pair.value, ...(same ? {} : { text: null }), models: null, model: null });
  });
  width.addEventListener("change", () => set({ beam: Number(width.value) === settings.beam ? null : width.value }));
  models.addEventListener("change", () => {
    const on = [...models.querySelectorAll("input")].filter((input) => input.checked).map((input) => input.value);
    if (!on.length) show(); // the last one cannot be removed
    else set(several ? { models: on.slice(0, 4).join("~") } : { model: on[0] });
  });
  document.addEventListener("click", ({ target }) => {
    for (const details of [examples, chosen]) if (!details.contains(/** @type {Node} */ (target))) details.open = false;
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") examples.open = chosen.open = false;
  });
  show();
  return { node, show, set };

  function show() {
    const now = question();
    const { label, examples: sentences, models: all } = pairs[now.pair];
    box.value = now.text;
    box.lang = pairs[now.pair].source.code;
    pair.value = now.pair;
    width.value = String(now.beam);
    const count = filledText(says.models, { shown: now.models.length, all: Object.keys(all).length });
    const beam = now.beam === 1 ? says.greedy : filledText(says.beam, { width: now.beam });
    const which = several ? [count] : choose ? [all[now.models[0]].title] : [];
    summary.textContent = [label, ...which, beam].join(" · ");
    models.replaceChildren(
      ...Object.entries(all).map(([name, { title }]) => {
        const checked = now.models.includes(name);
        const full = several && !checked && now.models.length >= 4;
        const input = { type: several ? "checkbox" : "radio", name: "models", value: name, checked, disabled: full };
        return el("label", {}, el("input", input), ` ${title}`);
      }),
    );
    examples.lastElementChild.replaceChildren(
      ...sentences.map(({ name, text }) => {
        const take = () => {
          examples.open = false;
          set({ text });
        };
        return button(take, {}, el("b", {}, name), `: ${text}`);
      }),
    );
  }
}
