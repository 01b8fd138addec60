// @ts-check
// Settings folded behind a button that says the choice: a disclosure whose sheet lies over the picture.

import { el } from "./dom.js";

/**
 * @param {...Node} items the folded items
 * @returns {{node: HTMLElement, sheet: HTMLElement, say: (text: string) => void}} say: what the button says
 */
export function makeFold(...items) {
  const summary = el("summary", {});
  const sheet = el("div", { class: "sheet" }, ...items);
  const node = el("details", { class: "fold" }, summary, sheet);
  const inside = (event) => event.composedPath().includes(node);
  const close = (event) => {
    if (!inside(event)) node.open = false;
  };
  node.addEventListener("toggle", () => {
    asSheet(sheet, node.open);
    node.classList.toggle("upward", node.getBoundingClientRect().top > window.innerHeight / 2);
    if (node.open) document.addEventListener("pointerdown", close);
    else document.removeEventListener("pointerdown", close);
  });
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !node.open) return;
    event.stopPropagation();
    node.open = false;
    summary.focus();
  });
  return { node, sheet, say: (text) => (summary.textContent = text) };
}

// On a phone at the foot of the screen, in the top layer: a picture confines fixed elements inside it.
function asSheet(sheet, open) {
  if (!sheet.showPopover) return;
  if (sheet.matches(":popover-open")) sheet.hidePopover();
  const phone = open && window.matchMedia("(max-width: 640px)").matches;
  sheet.popover = phone ? "manual" : null;
  if (phone) sheet.showPopover();
}
