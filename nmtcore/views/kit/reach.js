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

// Scrolls a hidden part to the middle; an axis that is not given does not move.
export function bringIntoSight(node, { x = node.scrollLeft, y = node.scrollTop, width = 0, height = 0 }) {
  const middle = (at, long, from, room) => (at < from || at + long > from + room ? at + (long - room) / 2 : from);
  node.scrollLeft = middle(x, width, node.scrollLeft, node.clientWidth);
  node.scrollTop = middle(y, height, node.scrollTop, node.clientHeight);
}
