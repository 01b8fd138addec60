// The state of the turn: what a link asks for where the table has it, and back.

import assert from "node:assert/strict";
import { test } from "node:test";

import { parse, serialise, within } from "../../nmtcore/views/rotation/state.js";

const LIMITS = {
  first: { i: 0, position: 0, k: 1 },
  opens: { i: 5, position: 2, k: 3 },
  last: { i: 5, position: 40, k: 32 },
};

test("a host without a state opens with the usual turn, which is left out of an address", () => {
  assert.deepEqual(parse({}, LIMITS), LIMITS.opens);
  assert.deepEqual(serialise(LIMITS.opens, LIMITS), { i: null, position: null, k: null });
});

test("what the table lacks is as usual, the rest as asked, 0 too", () => {
  const state = parse({ i: 6, position: 0, k: 32 }, LIMITS);
  assert.deepEqual(state, { i: 5, position: 0, k: 32 });
  assert.deepEqual(serialise(state, LIMITS), { i: null, position: 0, k: 32 });
});

test("a shorter sentence has fewer positions", () => {
  const shorter = { ...LIMITS, last: { ...LIMITS.last, position: 31 } };
  assert.deepEqual(within({ i: 1, position: 39, k: 2 }, shorter), { i: 1, position: 31, k: 2 });
});
