// @ts-check
// A press that leads to the section "words as vectors", wherever it is: this page may have to open it first.

export const ASKED = "neighbors-asked"; // event on the document, for an open section
const MARK = Symbol.for("alignment-lab scroll"); // on the window, for a closed one: each picture is its own bundle

export function askToScroll() {
  /** @type {any} */ (window)[MARK] = true;
  document.dispatchEvent(new CustomEvent(ASKED));
}

// Whether somebody has asked since the last call.
export function takeScroll() {
  const window_ = /** @type {any} */ (window);
  const asked = Boolean(window_[MARK]);
  window_[MARK] = false;
  return asked;
}
