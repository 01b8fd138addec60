// @ts-check
// A diff of two texts, word by word, as nmtcore/text/diff.py makes it with difflib: the longest common run of words
// first, then the parts on either side of it.

const WORD = /\s+|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\s\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+/g;

/** @typedef {[string, boolean][]} Segments parts of a text, which join to it, and whether the other text lacks them */

/**
 * @param {string} before
 * @param {string} after
 * @returns {[Segments, Segments]}
 */
export function wordDiff(before, after) {
  const [old, now] = [before.match(WORD) ?? [], after.match(WORD) ?? []];
  /** @type {[Segments, Segments]} */
  const parts = [[], []];
  let [i, j] = [0, 0];
  for (const [start, at, size] of [...joined(matches(old, now, 0, old.length, 0, now.length)), [old.length, now.length, 0]]) {
    add(parts[0], old.slice(i, start), true);
    add(parts[1], now.slice(j, at), true);
    add(parts[0], old.slice(start, start + size), false);
    add(parts[1], now.slice(at, at + size), false);
    [i, j] = [start + size, at + size];
  }
  return parts;
}

/** @param {Segments} parts @param {string[]} run @param {boolean} changed */
function add(parts, run, changed) {
  const text = run.join("");
  if (text) parts.push([text, changed && Boolean(text.trim())]);
}

/**
 * Common runs in order: the start of each in both texts, and its length.
 * @param {string[]} a
 * @param {string[]} b
 * @param {number} from
 * @param {number} to
 * @param {number} start
 * @param {number} end
 * @returns {[number, number, number][]}
 */
function matches(a, b, from, to, start, end) {
  let best = /** @type {[number, number, number]} */ ([from, start, 0]);
  let lengths = new Map();
  for (let i = from; i < to; i++) {
    const next = new Map();
    for (let j = start; j < end; j++) {
      if (a[i] !== b[j]) continue;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best[2]) best = [i - size + 1, j - size + 1, size];
    }
    lengths = next;
  }
  const [i, j, size] = best;
  if (!size) return [];
  return [...matches(a, b, from, i, start, j), best, ...matches(a, b, i + size, to, j + size, end)];
}

/** Join adjacent runs. @param {[number, number, number][]} runs */
function joined(runs) {
  /** @type {[number, number, number][]} */
  const blocks = [];
  for (const [i, j, size] of runs) {
    const last = blocks[blocks.length - 1];
    if (last && last[0] + last[2] === i && last[1] + last[2] === j) last[2] += size;
    else blocks.push([i, j, size]);
  }
  return blocks;
}
