// The rounds of mask-predict: a sentence that is too wide goes on in a block below.
import assert from "node:assert/strict";
import { test } from "node:test";

import { blocks } from "../../nmtcore/views/mask_predict/rows.js";

test("words stand side by side while there is room, with a gap between them", () => {
  assert.deepEqual(blocks([30, 50, 40], 128), [
    { block: 0, x: 0 },
    { block: 0, x: 34 },
    { block: 0, x: 88 },
  ]);
});

test("what does not fit begins a new block, and a word wider than the room has one to itself", () => {
  assert.deepEqual(
    blocks([30, 50, 40, 200, 30], 127).map(({ block, x }) => [block, x]),
    [
      [0, 0],
      [0, 34],
      [1, 0],
      [2, 0],
      [3, 0],
    ],
  );
});
