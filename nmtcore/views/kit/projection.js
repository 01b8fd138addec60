// @ts-check
// Projection: one picture fills the window in large type. The page enlarges it by the CSS property `zoom`, below which a
// drawing keeps its own px; values from the window, its height and pointers, are in px of the screen.

export const EVENT = "projection"; // on the document, when it begins, changes its size, or ends
const MARK = "data-projected"; // on the root element, while it lasts

export const projected = () => document.documentElement.hasAttribute(MARK);

/** @param {boolean} on */
export function announce(on) {
  document.documentElement.toggleAttribute(MARK, on);
  document.dispatchEvent(new CustomEvent(EVENT));
}

/** How many px of the screen one px of an element takes. @param {Element & {currentCSSZoom?: number}} node */
export const zoomOf = (node) => node.currentCSSZoom || 1;

/**
 * Where a pointer is in an element, in the element's px.
 * @param {PointerEvent | MouseEvent} event
 * @param {Element} node
 */
export function pointIn(event, node) {
  const { left, top } = node.getBoundingClientRect();
  const zoom = zoomOf(node);
  return { x: (event.clientX - left) / zoom, y: (event.clientY - top) / zoom };
}

/**
 * The px of the window's height that remain for a part of a picture.
 * @param {Element} node of the picture
 * @param {number} page px that the page spends above and below the part
 * @param {number} own px that the picture spends while projected, when there is nothing but the picture
 */
export function heightLeft(node, page, own) {
  return projected() ? (frameOf(node) ?? window.innerHeight) / zoomOf(node) - own : window.innerHeight - page;
}

// The height on the screen that the picture fills: half of a narrow window, beside a pinned picture.
function frameOf(/** @type {Element} */ node) {
  const text = getComputedStyle(node).getPropertyValue("--projected-height");
  return text ? parseFloat(text) : null;
}
