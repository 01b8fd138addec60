// @ts-check
// Page-wide conditions for the page's style, as attributes of its body. A style that tested them itself, by
// `:has()`, would be recomputed for the whole page whenever any part of it changes.

// Say whether a part with this class is on the page, as in `data-tour`; call it when the part comes and goes.
export function tellPresence(/** @type {string} */ part) {
  document.body.toggleAttribute(`data-${part}`, document.querySelector(`.${part}`) !== null);
}
