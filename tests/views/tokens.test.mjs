// From pieces to rows and columns: words, hidden tokens, weights, links, layout, and keys that move the pick.

import assert from "node:assert/strict";
import { test } from "node:test";

import { located, marksAt, marksFor } from "../../nmtcore/views/alignment/linking.js";
import { linksOf } from "../../nmtcore/views/alignment/ribbons.js";
import { moved } from "../../nmtcore/views/alignment/pointing.js";
import { characters, downwards, makeLayout, measure, shorten } from "../../nmtcore/views/kit/layout.js";
import { makePlan } from "../../nmtcore/views/context_vector/plan.js";
import { candidateName, nameAt } from "../../nmtcore/views/kit/piece.js";
import { makeAxis, makeView } from "../../nmtcore/views/kit/tokens.js";

// A browser measures letters; here every one is half as wide as it is tall.
globalThis.document = {
  createElement: () => ({
    getContext: () => ({
      measureText: (text) => ({ width: 50 * [...text].length }),
    }),
  }),
};

const SOURCE = ["▁the", "▁ta", "ble", ".", "<eos>"];
const WORDS = [0, 1, 1, 2, 3];
const TARGET = ["▁la", "▁ta", "ble", "<eos>"];
const WEIGHTS = [
  [0.7, 0.1, 0.1, 0.05, 0.05],
  [0.1, 0.5, 0.2, 0.1, 0.1],
  [0, 0.3, 0.5, 0, 0.2],
  [0, 0, 0, 0.25, 0.75],
];
const PANEL = {
  source: SOURCE,
  target: TARGET,
  source_words: WORDS,
  target_words: [0, 1, 1, 2],
  weights: WEIGHTS,
};
const VIEW = { words: false, hide: false, rule: "top", percent: 70 };
const near = (found, wanted) => found.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) < 1e-12, `${found}`));

test("pieces of a word are one group, named by all of them", () => {
  const axis = makeAxis(SOURCE, WORDS, { words: true, hide: false });
  assert.deepEqual(
    axis.map((group) => [group.label, group.indices]),
    [
      ["the", [0]],
      ["table", [1, 2]],
      [".", [3]],
      ["<eos>", [4]],
    ],
  );
});

test("weights of words are summed over source pieces and averaged over target pieces", () => {
  const view = makeView(PANEL, { ...VIEW, words: true });
  near(view.weights[1], [0.05, 0.75, 0.05, 0.15]);
});

test("the window of local attention covers the pieces of a row, and a row to come has none", () => {
  const panel = { ...PANEL, played: true, windows: [[0, 0], [0, 1], [1, 3], [3, 4]] };
  assert.deepEqual(makeView(panel, VIEW).windows, panel.windows);
  assert.deepEqual(makeView(panel, { ...VIEW, words: true }).windows, [[0, 0], [0, 2], [2, 3]]);
  assert.deepEqual(makeView(panel, VIEW, 2).windows, [[0, 0], [0, 1], null, null]);
  assert.deepEqual(makeView(PANEL, VIEW).windows, []);
});

test("a doubtful word is marked whole, as one row or as its pieces", () => {
  const panel = { ...PANEL, probabilities: [0.9, 0.4, 0.99], doubtful: [1] };
  const marked = (view) => makeView(panel, view).rows.map((row) => [row.label, row.doubtful, row.probability]);
  assert.deepEqual(marked({ ...VIEW, words: true }), [
    ["la", false, 0.9],
    ["table", true, 0.4],
    ["<eos>", false, 0.99],
  ]);
  assert.deepEqual(
    marked(VIEW).map(([, doubtful]) => doubtful),
    [false, true, true, false],
  );
  assert.deepEqual(
    makeView(PANEL, VIEW).rows.map((row) => row.doubtful),
    [false, false, false, false],
  );
});

test("a step marks in every panel its own word, and what is to come waits", () => {
  const played = { ...PANEL, played: true, waits: true };
  const short = { ...played, target: ["▁x", "<eos>"], target_words: [0, 1], weights: WEIGHTS.slice(0, 2) };
  const vector = { ...played, weights: null, vector: [0.5] };
  const at = (step, view = VIEW) => {
    const views = [played, short, vector].map((panel) => makeView(panel, view, step));
    return { rows: marksAt(views, step).map((mark) => mark.rows), waits: views[0].rows.map((row) => row.waits) };
  };
  assert.deepEqual(at(2), { rows: [[1], [1], [1]], waits: [false, false, true, true] });
  assert.deepEqual(at(3), { rows: [[2], [], [2]], waits: [false, false, false, true] }, "the short one has ended");
  const words = { ...VIEW, words: true };
  assert.deepEqual(at(2, words), { rows: [[], [1], []], waits: [false, true, true] }, "half a word is not there yet");
  assert.deepEqual(at(3, words), { rows: [[1], [], [1]], waits: [false, false, true] });
});

test("hidden tokens leave rows that sum to one", () => {
  const view = makeView(PANEL, { ...VIEW, hide: true });
  assert.deepEqual([view.columns.length, view.rows.length], [3, 3]);
  for (const row of view.weights) assert.ok(Math.abs(row.reduce((a, b) => a + b) - 1) < 1e-12);
});

test("what a mask closes and what is still to come is no zero", () => {
  const causal = {
    ...PANEL,
    source: TARGET,
    source_words: [0, 1, 1, 2],
    weights: WEIGHTS,
    kind: "decoder",
    played: true,
  };
  const view = makeView(causal, VIEW, 2);
  assert.deepEqual(
    view.weights.map((row) => row.map(Number.isNaN)),
    [
      [false, true, true, true],
      [false, false, true, true],
      [true, true, true, true],
      [true, true, true, true],
    ],
  );
});

test("the strongest links are shown until their share is reached, or all above a threshold", () => {
  const links = (rule, percent) => linksOf(WEIGHTS, 1, { rule, percent }).map((link) => link.c);
  assert.deepEqual(links("top", 70), [1, 2]);
  assert.deepEqual(links("top", 1), [1], "at least one");
  assert.deepEqual(links("least", 10), [1, 2, 0, 3, 4]);
  assert.deepEqual(links("least", 60), []);
});

test("a picked piece is found in the group that holds it", () => {
  const views = [makeView(PANEL, { ...VIEW, words: true })];
  assert.deepEqual(located(views, { panel: 0, target: 2, source: null }), {
    panel: 0,
    row: 1,
    col: -1,
  });
  assert.equal(located(views, { panel: 3, target: 0, source: null }), null);
  const [mark] = marksFor(views, { panel: 0, row: 1, col: -1 });
  assert.deepEqual(mark.said, [1, 1], "the sentence names where the row looks most");
});

test("a picked word is its rows together, and its weights are their mean", () => {
  const views = [makeView(PANEL, VIEW)];
  const [first, last] = [1, 2]; // pieces of one word
  const focus = located(views, { panel: 0, target: last, source: null, word: true });
  assert.deepEqual(focus, { panel: 0, row: first, col: -1, rows: [first, last] });
  const [mark] = marksFor(views, focus);
  assert.deepEqual(mark.rows, [first, last]);
  mark.tint.forEach((share, c) => assert.ok(Math.abs(share - (WEIGHTS[first][c] + WEIGHTS[last][c]) / 2) < 1e-9));
  assert.equal(mark.whole, makeView(PANEL, { ...VIEW, words: true }).rows[1].label);
});

test("arrow keys move the pick and stay inside", () => {
  const view = makeView(PANEL, VIEW);
  assert.deepEqual(moved("ArrowDown", null, 0, view), {
    panel: 0,
    row: 0,
    col: -1,
  });
  assert.deepEqual(moved("ArrowRight", { panel: 0, row: 1, col: -1 }, 0, view), { panel: 0, row: 1, col: 1 });
  assert.deepEqual(moved("ArrowDown", { panel: 0, row: 3, col: 0 }, 0, view), {
    panel: 0,
    row: 3,
    col: 0,
  });
  assert.equal(moved("Escape", null, 0, view), null);
  assert.equal(moved("a", null, 0, view), undefined);
});

test("a word that is too long ends with an ellipsis and fits", () => {
  assert.equal(measure("abcd", 20, "serif"), 40);
  assert.equal(shorten("abcdef", 20, "serif", 40), "abc…");
  assert.equal(shorten("😀😀😀😀", 20, "serif", 30), "😀😀…", "whole characters");
  assert.equal(shorten("ab", 20, "serif", 5), "a…", "one character stays");
});

test("a layout fits its room, with the largest cells", () => {
  const views = [1, 2, 3, 4].map(() => makeView(PANEL, VIEW));
  for (const [width, across] of [
    [1200, 4],
    [600, 2],
    [300, 1],
  ]) {
    const layout = makeLayout(views, width, 400, "serif");
    assert.equal(layout.across, across);
    assert.ok(layout.width <= layout.room && layout.cell <= 44 && layout.cell >= 14);
    assert.equal(layout.bodyHeight, 4 * layout.cell);
  }
  assert.ok(makeLayout(views, 1200, 80, "serif").cell < makeLayout(views, 1200, 400, "serif").cell);
});

test("in half a window long sentences stand below one another, and none has to be scrolled sideways", () => {
  const long = Array.from({ length: 23 }, (_, i) => `▁w${i}`);
  const panel = {
    ...PANEL,
    source: long,
    source_words: long.map((_, i) => i),
    weights: TARGET.map(() => long.map(() => 1 / long.length)),
  };
  const views = Array.from({ length: 4 }, () => makeView(panel, VIEW));
  const half = makeLayout(views, 630, 400, "serif");
  assert.equal(half.across, 1);
  assert.ok(half.width <= half.room);
  assert.equal(makeLayout(views, 1200, 400, "serif").across, 4, "smaller cells before another line");
  const longer = views.map((view) => ({ ...view, columns: [...view.columns, ...view.columns] }));
  assert.equal(makeLayout(longer, 1200, 400, "serif").across, 2);
  assert.equal(makeLayout(views.slice(2), 630, 400, "serif").across, 2, "two stay beside each other");
});

test("Chinese words are written downwards, others lean", () => {
  assert.deepEqual(["长颈鹿", "·午", "␣", "the", "·s", "a猫"].map(downwards), [true, true, true, false, false, false]);
  const { y } = characters("长颈鹿", 10, 100, 20);
  assert.deepEqual(y.split(" ").map(Number), [56.8, 78.4, 100]);
});

test("a piece that goes on with the word before it is marked, whatever stands between words", () => {
  const pieces = ["▁Nou", "s", "▁", "merveil", "leux", "▁l", "'", "eau", "▁3", "0", "房", "子", ".", "<eos>"];
  const groups = makeAxis(pieces, null, { words: false, hide: false });
  const marked = groups.filter((group) => group.goesOn).map((group) => group.label);
  assert.deepEqual(marked, ["s", "leux", "0"]);
  const words = [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7];
  assert.ok(makeAxis(pieces, words, { words: true, hide: false }).every((group) => !group.goesOn));
  assert.equal(candidateName("s", "s"), "·s");
  assert.equal(candidateName("▁s", "s"), "s");
});

test("a Chinese piece that goes on with a word of the segmenter is marked", () => {
  const pieces = ["▁", "桌", "子", "上", "有", "一", "本", "<eos>"];
  const words = [0, 0, 0, 1, 2, 3, 3, 4];
  const marked = (view) => makeAxis(pieces, words, view).filter((group) => group.goesOn).map((group) => group.label);
  assert.deepEqual(marked({ words: false, hide: false }), ["子", "本"]);
  assert.deepEqual(marked({ words: true, hide: false }), []);
  assert.deepEqual([2, 3, 6].map((i) => nameAt(pieces, i, words)), ["·子", "上", "·本"]);
});

test("a state's name says where a piece goes on with the word before it", () => {
  const [source, target] = [SOURCE, TARGET].map((pieces) => makeAxis(pieces, null, { words: false, hide: false }));
  const plan = makePlan({ S: source.length, T: target.length, D: 8, source, target }, 800, 300, "any");
  const names = plan.names.map(({ text }) => text);
  assert.deepEqual(names, ["the", "ta", "·ble", ".", "<eos>", null, "la", "ta", "·ble", "<eos>"]);
});

test("a piece that goes on with a word is named with a dot, the same letters as a word without", () => {
  const pieces = ["▁sell", "s", "▁s", "2", ".", "▁", "a"];
  assert.deepEqual(pieces.map((_, i) => nameAt(pieces, i)), ["sell", "·s", "s", "·2", ".", "␣", "a"]);
});
