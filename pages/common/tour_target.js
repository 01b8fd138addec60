// @ts-check
// What a step of a tour points at, found by the keys of the page's containers and by selectors within them. Pictures
// live in shadow roots, which no selector reaches from outside: only this module looks into them.

/**
 * @typedef {{key: string, part: string}} Target as `Target.to_json` in tour.py makes it
 */

/**
 * All visible elements of the first visible target; nothing if none is visible.
 * @param {Target[]} targets
 */
export function find(targets) {
  for (const { key, part } of targets) {
    const hosts = [...document.querySelectorAll(`.st-key-${CSS.escape(key)}`)];
    const nodes = hosts.flatMap((host) => (part ? within(host, part) : [host])).filter(isSeen);
    if (nodes.length) return nodes;
  }
  return [];
}

/** The box around some elements, in the window. @param {Element[]} nodes at least one */
export function around(nodes) {
  const boxes = nodes.map((node) => node.getBoundingClientRect());
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
  return new DOMRect(left, top, right - left, bottom - top);
}

/** @param {Element} node */
export function isSeen(node) {
  const { width, height } = node.getBoundingClientRect();
  return width > 0 && height > 0 && node.isConnected && node.checkVisibility({ visibilityProperty: true });
}

/**
 * The elements that a selector names within an element, in the shadow roots below it too.
 * @param {Element | ShadowRoot} root
 * @param {string} selector
 * @returns {Element[]}
 */
function within(root, selector) {
  const nodes = [...root.querySelectorAll(selector)];
  for (const node of root.querySelectorAll("*")) {
    if (node.shadowRoot) nodes.push(...within(node.shadowRoot, selector));
  }
  return nodes;
}
