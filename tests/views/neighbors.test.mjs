// Which piece of source or translation an index of an axis means: the decoder's own inputs begin with <sos>.

import assert from "node:assert/strict";
import { test } from "node:test";

import { codeOf, rowCode } from "../../nmtcore/views/kit/neighbors.js";

for (const [kind, axis, index, code] of [
  ...[["cross", "target", 4, "t4"], ["cross", "source", 2, "s2"]],
  ...[["encoder", "target", 3, "s3"], ["encoder", "source", 0, "s0"]],
  ...[["decoder", "target", 3, "t2"], ["decoder", "source", 1, "t0"], ["decoder", "source", 0, null]],
])
  test(`${kind} attention, ${axis} ${index}: ${code}`, () => assert.equal(codeOf(kind, axis, index), code));

test("a piece of the vocabulary is a row of the table of its side", () => {
  assert.deepEqual([rowCode("target", 4711), rowCode("source", 5)], ["t.4711", "s.5"]);
});
