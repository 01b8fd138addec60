// Which piece of source or translation an index of an axis means: the decoder's own inputs begin with <sos>.

import assert from "node:assert/strict";
import { test } from "node:test";

import { codeOf, rowCode } from "../../nmtcore/views/kit/neighbors.js";

test("cross attention has the translation in its rows and the source in its columns", () => {
  assert.equal(codeOf("cross", "target", 4), "t4");
  assert.equal(codeOf("cross", "source", 2), "s2");
});

test("both axes of the encoder are the source", () => {
  assert.equal(codeOf("encoder", "target", 3), "s3");
  assert.equal(codeOf("encoder", "source", 0), "s0");
});

test("both axes of the decoder are one behind the translation", () => {
  assert.equal(codeOf("decoder", "target", 3), "t2");
  assert.equal(codeOf("decoder", "source", 1), "t0");
  assert.equal(codeOf("decoder", "source", 0), null);
});

test("a piece of the vocabulary is a row of the table of its side", () => {
  assert.equal(rowCode("target", 4711), "t.4711");
  assert.equal(rowCode("source", 5), "s.5");
});
