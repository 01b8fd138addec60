// Masks and softmax of a head, as the picture of a padded batch computes them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { joinPadding, maskedHead } from "../../nmtcore/views/masks/arithmetic.js";

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
    source_words: [
      [0, 1],
      [0, 1],
    ],
    input_words: [
      [0, 1],
      [0, 1],
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
  assert.deepEqual(own.queries, ["<sos>"], "queries that are padding are left out");
  assert.deepEqual([own.padding, own.future, own.allowed], [[[1, 0]], [[1, 0]], [[1, 0]]]);
  assert.deepEqual(rounded(own.weights), [[1, 0]]);
  const longer = maskedHead(batch(), { kind: "decoder", layer: 0, head: 0, row: 1 });
  assert.deepEqual(longer.padding, [
    [1, 1],
    [1, 1],
  ]);
  assert.deepEqual(longer.future, [
    [1, 0],
    [1, 1],
  ]);
  assert.deepEqual(longer.allowed, longer.future);
  const cross = maskedHead(batch(), { kind: "cross", layer: 0, head: 0, row: 1 });
  assert.deepEqual(cross.future.flat(), [1, 1, 1, 1]);
  const share = 1 / (1 + Math.exp(0.1));
  assert.deepEqual(rounded(cross.unmasked), rounded([[share, 1 - share], [share, 1 - share]]));
  assert.deepEqual(rounded([cross.kept]), rounded([[share, share]]));
  assert.deepEqual(cross.sums, [1, 1]);
});

test("much padding is one column, with the weights of all its places", () => {
  const made = (pads) => {
    const keys = ["un", "chat", ...Array(pads).fill("<pad>")];
    const scores = base64([0.5, 1.5, ...Array(pads).fill(0.25)]);
    const rows = { sources: [keys], inputs: [["<sos>"]], lengths: { sources: [2], inputs: [1] } };
    const words = { source_words: [keys.map((_, i) => i)], input_words: [[0]] };
    return maskedHead(
      { ...rows, ...words, kinds: { cross: { layers: 1, heads: 1, scores } } },
      { kind: "cross", layer: 0, head: 0, row: 0 },
    );
  };
  const few = joinPadding(made(3));
  assert.deepEqual([few.joined, few.keys.length, few.scores], [0, 5, made(3).scores]);
  const whole = made(4);
  const joined = joinPadding(whole);
  assert.deepEqual([joined.joined, joined.keys], [4, ["un", "chat", "<pad> × 4"]]);
  assert.deepEqual([joined.padding, joined.future, joined.allowed], [[[1, 1, 0]], [[1, 1, 1]], [[1, 1, 0]]]);
  assert.deepEqual(rounded([joined.unmasked[0].slice(0, 2)]), rounded([whole.unmasked[0].slice(0, 2)]));
  assert.ok(Math.abs(joined.unmasked[0].reduce((a, b) => a + b) - 1) < 1e-12);
  assert.deepEqual(joined.weights[0], whole.weights[0].slice(0, 3));
  assert.deepEqual([joined.kept, joined.sums], [whole.kept, whole.sums]);
});
