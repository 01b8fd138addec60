// @ts-check
import { button, el, set } from "./dom.js";

/**
 * A segmented control: buttons of which one is pressed.
 *
 * @template T
 * @param {T[]} values
 * @param {(value: T) => string[]} labelOf label and hint of a value
 * @param {(value: T) => void} choose
 * @param {string} [title] name of the choice, for screen readers
 */
export function segment(values, labelOf, choose, title = "") {
  const buttons = values.map((value) => {
    const [label, hint] = labelOf(value);
    return button(() => choose(value), { title: hint || null }, label);
  });
  const node = el("span", { class: "segment", role: "group", "aria-label": title || null }, ...buttons);
  return { node, mark: (now) => buttons.forEach((made, i) => set(made, { "aria-pressed": String(values[i] === now) })) };
}
