// @ts-check
// What scrolls can be reached by key, by those who have no pointer; what shows all that it has is no stop on the way.

/**
 * @template {HTMLElement} Node
 * @param {Node} node with a room of its own, in which it scrolls where it needs more
 */
export function reachable(node) {
  new ResizeObserver(() => {
    const scrolls = node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight;
    if (scrolls) node.setAttribute("tabindex", "0");
    else node.removeAttribute("tabindex");
  }).observe(node);
  return node;
}
