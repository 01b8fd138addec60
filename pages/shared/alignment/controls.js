// The one quiet row: pieces or words, hiding, values, saving.

import { el, set } from "./dom.js";

// on: {view(changes), save(kind)}. Returns the row's node and `show(view, fits)`.
export function makeControls(words, on) {
  const choice = (label, changes, test) => toggle(label, () => on.view(changes(current)), test);
  let current = { words: false, hide: false, values: true };
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
  const saves = ["svg", "png", "csv"].map((kind) => {
    const button = el(
      "button",
      { type: "button", class: "save", "aria-label": `${words.save} ${kind.toUpperCase()}` },
      kind.toUpperCase(),
    );
    button.addEventListener("click", () => on.save(kind));
    return button;
  });
  const segment = el("span", { class: "segment", role: "group" }, pieces.button, whole.button);
  const saving = el("span", { class: "saving" }, el("span", {}, words.save), ...saves);
  const node = el(
    "div",
    { class: "controls", role: "toolbar", "aria-label": words.toolbar },
    segment,
    hide.button,
    values.button,
    saving,
  );
  return { node, show };

  function show(view, fits) {
    current = view;
    for (const item of [pieces, whole, hide, values]) item.show(view);
    set(values.button, { disabled: !fits, title: fits ? null : words.too_small });
  }
}

function toggle(label, act, test) {
  const button = el("button", { type: "button", class: "toggle" }, label);
  button.addEventListener("click", act);
  return { button, show: (view) => set(button, { "aria-pressed": String(test(view)) }) };
}
