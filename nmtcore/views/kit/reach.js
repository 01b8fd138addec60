// @ts-check
// Scrolling parts can be reached by key, without a pointer; parts that are fully visible are not tab stops.

/**
 * What shows all that it has is no stop on the way.
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

// Scrolls a part that is out of sight to the middle; along an axis on which it has no place nothing moves.
export function bringIntoSight(node, { x = node.scrollLeft, y = node.scrollTop, width = 0, height = 0 }) {
  const middle = (at, long, from, room) => (at < from || at + long > from + room ? at + (long - room) / 2 : from);
  node.scrollLeft = middle(x, width, node.scrollLeft, node.clientWidth);
  node.scrollTop = middle(y, height, node.scrollTop, node.clientHeight);
}
