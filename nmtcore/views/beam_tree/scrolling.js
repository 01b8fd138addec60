// @ts-check
// Scrolling in the frame of the beam tree: to the column of a step, to a chip far down.

const DROPPED = 120; // px to the right of a column that its dropped candidates take
const BEFORE = 140; // px that stay visible before a column

/** Scroll sideways so that a step's column and its dropped candidates are visible.
 * @param {HTMLElement} frame
 * @param {{x: number, right: number}} column
 * @param {boolean} smooth  unless the reader asked for less motion */
export function scrollToColumn(frame, column, smooth) {
  const room = frame.clientWidth;
  const right = column.right + DROPPED;
  const left = column.x - BEFORE;
  if (left >= frame.scrollLeft && right <= frame.scrollLeft + room) return;
  const still = !smooth || matchMedia("(prefers-reduced-motion: reduce)").matches;
  frame.scrollTo({
    left: Math.max(0, right > frame.scrollLeft + room ? right - room * 0.75 : left),
    behavior: still ? "instant" : "smooth",
  });
}

/** Scroll up or down so that a chip is visible.
 * @param {HTMLElement} frame
 * @param {{y: number, height: number}} box */
export function scrollToChip(frame, box) {
  const seen = box.y >= frame.scrollTop && box.y + box.height + 24 <= frame.scrollTop + frame.clientHeight;
  if (!seen) frame.scrollTop = Math.max(0, box.y - frame.clientHeight / 2);
}
