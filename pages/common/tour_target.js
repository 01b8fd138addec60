// @ts-check
// What a step of a tour points at, found by the keys of the page's containers and by selectors within them. Pictures
// live in shadow roots, which no selector reaches from outside: only here they are looked into.

/**
 * @typedef {{key: string, part: string, where: [string, string][]}} Target as `Target.to_json` in tour.py makes it
 */

/**
 * The first target that can be seen; null where none can.
 * @param {Target[]} targets
 */
export function find(targets) {
  for (const { key, part, where } of targets) {
    for (const host of document.querySelectorAll(`.st-key-${CSS.escape(key)}`)) {
      // Before a piece that goes on with a word the picture has a dot.
      const says = (/** @type {string} */ selector, /** @type {string} */ text) =>
        [text, `·${text}`].some((name) => within(host, selector)[0]?.textContent?.startsWith(name));
      const holds = where.every(([selector, text]) => says(selector, text));
      const found = holds && (part ? within(host, part).find(isSeen) : host);
      if (found && isSeen(found)) return found;
    }
  }
  return null;
}

/** @param {Element} node */
export function isSeen(node) {
  const { width, height } = node.getBoundingClientRect();
  return width > 0 && height > 0 && node.checkVisibility({ visibilityProperty: true });
}

/**
 * The elements that a selector names within an element, in the shadow roots below it too.
 * @param {Element | ShadowRoot} root
 * @param {string} selector
 * @returns {Element[]}
 */
function within(root, selector) {
  const found = [...root.querySelectorAll(selector)];
  for (const node of root.querySelectorAll("*")) {
    if (node.shadowRoot) found.push(...within(node.shadowRoot, selector));
  }
  return found;
}
