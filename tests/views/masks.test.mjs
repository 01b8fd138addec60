// Masks and softmax of a head, as the picture of a padded batch computes them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { maskedHead } from "../../nmtcore/views/masks/arithmetic.js";

const base64 = (numbers) => Buffer.from(new Float32Array(numbers).buffer).toString("base64");

// Two sentences, of 2 and 1 pieces; the decoder reads 1 and 2. Scores count up, so that each says where it stands.
function batch() {
  const kind = (layers, heads, rows) => ({
    layers,
    heads,
    scores: base64(Array.from({ length: layers * heads * rows * 2 }, (_, i) => i / 10)),
  });
  return {
    sources: [
      ["a", "<eos>"],
      ["<eos>", "<pad>"],
    ],
    inputs: [
      ["<sos>", "<pad>"],
      ["<sos>", "un"],
    ],
    lengths: { sources: [2, 1], inputs: [1, 2] },
    kinds: { cross: kind(1, 2, 3), encoder: kind(2, 1, 3), decoder: kind(1, 1, 3) },
  };
}

const rounded = (rows) => rows.map((row) => row.map((value) => Math.round(value * 1e4) / 1e4));

test("scores are those of the layer, the head and the sentence", () => {
  const at = (kind, layer, head, row) => rounded(maskedHead(batch(), { kind, layer, head, row }).scores);
  assert.deepEqual(at("cross", 0, 0, 0), [[0, 0.1]]);
  assert.deepEqual(at("cross", 0, 1, 1), [
    [0.8, 0.9],
    [1, 1.1],
  ]);
  assert.deepEqual(at("encoder", 1, 0, 1), [[1, 1.1]]);
});

test("padding and the future are hidden, and the weights of what is left add up to one", () => {
  const own = maskedHead(batch(), { kind: "decoder", layer: 0, head: 0, row: 0 });
  assert.deepEqual(own.padding, [
    [1, 0],
    [1, 0],
  ]);
  assert.deepEqual(own.future, [
    [1, 0],
    [1, 1],
  ]);
  assert.deepEqual(own.allowed, [
    [1, 0],
    [1, 0],
  ]);
  assert.deepEqual(rounded(own.weights), [[1, 0]], "queries that are padding are left out");
  const cross = maskedHead(batch(), { kind: "cross", layer: 0, head: 0, row: 1 });
  assert.deepEqual(cross.future.flat(), [1, 1, 1, 1]);
  const share = 1 / (1 + Math.exp(0.1));
  assert.deepEqual(rounded(cross.unmasked), rounded([[share, 1 - share], [share, 1 - share]]));
  assert.deepEqual(rounded([cross.kept]), rounded([[share, share]]));
  assert.deepEqual(cross.sums, [1, 1]);
});
