// @ts-check
// What the page's style asks of the page as a whole, as an attribute of its body. A style that looked for it itself, by
// `:has()`, would be reckoned anew for all of the page whenever any part of it changes.

// Says whether a part of this class is on the page, `data-tour` say; to be called when it comes and when it goes.
export function tellPresence(/** @type {string} */ part) {
  document.body.toggleAttribute(`data-${part}`, document.querySelector(`.${part}`) !== null);
}
