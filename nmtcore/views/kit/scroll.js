// @ts-check
// A press that leads to the section "words as vectors", wherever it stands: this page may have to open it first.

export const ASKED = "neighbors-asked"; // event of the document, for a section that is open
const MARK = Symbol.for("alignment-lab scroll"); // on the window, for one that is not: each picture is a bundle of its own

export function askToScroll() {
  /** @type {any} */ (window)[MARK] = true;
  document.dispatchEvent(new CustomEvent(ASKED));
}

// Whether somebody has asked since; told once.
export function takeScroll() {
  const window_ = /** @type {any} */ (window);
  const asked = Boolean(window_[MARK]);
  window_[MARK] = false;
  return asked;
}
