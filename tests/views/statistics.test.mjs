// Statistics of heads on made-up maps, against slow and obvious references.

import assert from "node:assert/strict";
import { test } from "node:test";

import { makeColumns } from "../../nmtcore/views/heads/statistics.js";
import { inBase64 } from "../../nmtcore/views/kit/binary.js";

const SOURCE = ["▁the", "▁cat", "▁,", "<eos>", "▁sat", ".", "<eos>"]; // a typed "<eos>" is not the closing one
const TARGET = ["▁le", "▁chat", "▁est", "▁là", "<eos>"];
const AXES = { cross: [TARGET, SOURCE], encoder: [SOURCE, SOURCE], decoder: [["<sos>", ...TARGET.slice(0, -1)], ["<sos>", ...TARGET.slice(0, -1)]] };
const near = (found, wanted, most = 2e-4) => assert.ok(Math.abs(found - wanted) < most, `${found}, not ${wanted}`);

// A map of (L, H, T, S) weights as the browser gets it.
function mapOf(queries, keys, weights) {
  const packed = Uint16Array.from(weights.flat(3), (weight) => Math.round(65535 * weight));
  return { layers: weights.length, heads: weights[0].length, queries, keys, weights: inBase64(packed) };
}

const statistic = (id, kind, rows, place = { layer: 0, head: 0 }, [queries, keys] = AXES[kind]) =>
  makeColumns({ [kind]: mapOf(queries, keys, [[rows]]) }).find((column) => column.id === id).of({ kind, ...place });

// Two layers with three heads, of unequal weights; in the decoder none ahead.
function made(kind) {
  const [queries, keys] = AXES[kind];
  const head = (n) =>
    queries.map((_, t) => {
      const row = keys.map((_, s) => (kind === "decoder" && s > t ? 0 : (1 + Math.sin(7 * n + 3 * t + 5 * s)) ** 3));
      return row.map((weight) => weight / row.reduce((a, b) => a + b));
    });
  return [[0, 1, 2].map(head), [3, 4, 5].map(head)];
}

// number(row, t) averaged over the rows that count.
function meanOfRows(rows, kind, last, number) {
  const values = rows.slice(0, last).map(number).slice(kind === "decoder" ? 1 : 0);
  return values.reduce((a, b) => a + b) / values.length;
}

for (const kind of Object.keys(AXES)) {
  test(`entropy, distance and shares are their definitions: ${kind}`, () => {
    const weights = made(kind);
    const columns = makeColumns({ [kind]: mapOf(...AXES[kind], weights) });
    const stretch = kind === "cross" ? (SOURCE.length - 1) / (TARGET.length - 1) : 1;
    const sum = (row, times) => row.reduce((total, weight, s) => total + weight * times(s), 0);
    const expected = {
      entropy: (row) => -sum(row, (s) => (row[s] > 0 ? Math.log2(row[s]) : 0)),
      marker: (row) => (kind === "decoder" ? row[0] : row.at(-1)),
      punctuation: (row) => (kind === "decoder" ? 0 : row[2] + row[5]),
      distance: (row, t) => sum(row, (s) => Math.abs(s - t * stretch)),
    };
    for (const [id, number] of Object.entries(expected)) {
      const last = kind === "cross" && id === "marker" ? -1 : undefined; // <eos> is written there
      const { of } = columns.find((column) => column.id === id);
      for (const layer of [0, 1])
        for (const head of [0, 1, 2]) near(of({ kind, layer, head }), meanOfRows(weights[layer][head], kind, last, number));
      const mean = weights[1][0].map((row, t) => row.map((_, s) => (weights[1][0][t][s] + weights[1][1][t][s] + weights[1][2][t][s]) / 3));
      near(of({ kind, layer: 1, head: null }), meanOfRows(mean, kind, last, number));
    }
  });

  test(`diagonality is a weighted correlation: ${kind}`, () => {
    const weights = made(kind)[1][2];
    const pairs = weights.slice(kind === "decoder" ? 1 : 0).flatMap((row, t) => row.map((weight, s) => [weight, t, s]));
    const total = pairs.reduce((sum, [weight]) => sum + weight, 0);
    const expected = (of) => pairs.reduce((sum, [weight, t, s]) => sum + weight * of(t, s), 0) / total;
    const [j, i] = [expected((t) => t), expected((_, s) => s)];
    const spread = Math.sqrt(expected((t) => t * t) - j * j) * Math.sqrt(expected((_, s) => s * s) - i * i);
    near(statistic("diagonal", kind, weights), (expected((t, s) => t * s) - j * i) / spread);
  });
}

test("a map of one row still has its numbers, and keys without a marker no share on it", () => {
  const row = [SOURCE.map(() => 1 / 7)];
  near(statistic("marker", "cross", row, undefined, [["<eos>"], SOURCE]), 1 / 7);
  near(statistic("distance", "cross", row, undefined, [["<eos>"], SOURCE]), 3);
  near(statistic("entropy", "decoder", [[1]], undefined, [["<sos>"], ["<sos>"]]), 0);
  near(statistic("marker", "decoder", [[1]], undefined, [["<sos>"], ["<sos>"]]), 1);
  assert.equal(statistic("marker", "cross", row, undefined, [["<eos>"], [...SOURCE.slice(0, -1), "▁end"]]), 0);
});

test("the diagonal and its opposite correlate most; even weights, or one key, not at all", () => {
  const eye = SOURCE.map((_, t) => SOURCE.map((_, s) => Number(s === t)));
  near(statistic("diagonal", "encoder", eye), 1);
  near(statistic("diagonal", "encoder", [...eye].reverse()), -1);
  near(statistic("diagonal", "encoder", eye.map((row) => row.map(() => 1 / 7))), 0);
  assert.equal(statistic("diagonal", "encoder", eye.map((row) => row.map((_, s) => Number(s === 6)))), 0);
});

test("agreement with other measures is of cross attention alone, the means last", () => {
  const maps = Object.fromEntries(Object.keys(AXES).map((kind) => [kind, mapOf(...AXES[kind], made(kind))]));
  const { of } = makeColumns(maps, { agreement: [[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8], [0.11, 0.12, 0.13, 0.14]] }).at(-1);
  assert.equal(of({ kind: "cross", layer: 1, head: 2 }), 0.7);
  assert.equal(of({ kind: "cross", layer: null, head: 1 }), 0.12);
  assert.equal(of({ kind: "cross", layer: 0, head: null }), 0.4);
  assert.equal(of({ kind: "encoder", layer: 0, head: 0 }), null);
});
