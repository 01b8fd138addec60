// @ts-check
import { el, set } from "./dom.js";

/**
 * A segmented control: buttons of which one is pressed.
 *
 * @template T
 * @param {T[]} values
 * @param {(value: T) => string[]} labelOf label and hint of a value
 * @param {(value: T) => void} choose
 * @param {string} [title] what is chosen, for screen readers
 */
export function segment(values, labelOf, choose, title = "") {
  const buttons = values.map((value) => {
    const [label, hint] = labelOf(value);
    const button = el("button", { type: "button", title: hint || null }, label);
    button.addEventListener("click", () => choose(value));
    return { value, button };
  });
  const node = el(
    "span",
    { class: "segment", role: "group", "aria-label": title || null },
    ...buttons.map((b) => b.button),
  );
  return { node, mark: (now) => buttons.forEach((b) => set(b.button, { "aria-pressed": String(b.value === now) })) };
}
