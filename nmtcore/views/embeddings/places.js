// @ts-check
// Greedy label placement: where to put each name beside its point so that it covers the least.

/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */

const LINE = 17; // px of a line of a name
const [NEAR, RING] = [11, 17]; // px from the middle of a point to its name; the same for the picked one, which has a ring
const POINT = 6; // px from the middle of a point to its edge
const COVERED = 0.2; // the largest share of a name that may overlap something else
// The offset of a name's middle from its point, in half widths and in lines; the first of equally good ones wins.
const PLACES = [
  ...[[1, 0], [-1, 0], [0, -0.9], [0, 0.9]],
  ...[[0.9, -0.8], [-0.9, -0.8], [0.9, 0.8], [-0.9, 0.8]],
];

/**
 * The middle of each name, the picked one first, then from left to right; null for a name without room, but never
 * for the picked one.
 * @param {number[][]} points in px
 * @param {number[]} widths of the names
 * @param {number} picked -1 for none
 * @param {Box} frame that must contain all names
 * @returns {(number[] | null)[]}
 */
export function namePlaces(points, widths, picked, frame) {
  const dots = points.map(([x, y]) => ({ left: x - POINT, right: x + POINT, top: y - POINT, bottom: y + POINT }));
  /** @type {Box[]} */
  const taken = [];
  /** @type {(number[] | null)[]} */
  const chosen = points.map(() => null);
  const order = points
    .map((_, i) => i)
    .sort((a, b) => Number(b === picked) - Number(a === picked) || points[a][0] - points[b][0] || points[a][1] - points[b][1]);
  for (const i of order) {
    const near = i === picked ? RING : NEAR;
    const others = [...taken, ...dots.filter((_, n) => n !== i)];
    const places = PLACES.map(([across, down]) => {
      const [x, y] = [points[i][0] + across * (widths[i] / 2 + near), points[i][1] + down * LINE];
      const box = { left: x - widths[i] / 2, right: x + widths[i] / 2, top: y - LINE / 2, bottom: y + LINE / 2 };
      const outside = area(box) - overlap(box, frame);
      return { middle: [x, y], box, covered: others.reduce((sum, other) => sum + overlap(box, other), outside) };
    });
    const best = places.reduce((least, one) => (one.covered < least.covered ? one : least));
    if (i !== picked && best.covered > COVERED * area(best.box)) continue;
    chosen[i] = best.middle;
    taken.push(best.box);
  }
  return chosen;
}

/** @param {Box} box */
const area = ({ left, right, top, bottom }) => (right - left) * (bottom - top);

/** The area of two boxes' intersection. @param {Box} a @param {Box} b */
function overlap(a, b) {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return Math.max(0, across) * Math.max(0, down);
}
