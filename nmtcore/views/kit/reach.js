// @ts-check
// Scrolling parts can be reached by key, without a pointer; parts that are fully visible are not tab stops.

/**
 * @template {HTMLElement} Node
 * @param {Node} node that scrolls if its contents need more room
 */
export function reachable(node) {
  new ResizeObserver(() => {
    const scrolls = node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight;
    if (scrolls) node.setAttribute("tabindex", "0");
    else node.removeAttribute("tabindex");
  }).observe(node);
  return node;
}
