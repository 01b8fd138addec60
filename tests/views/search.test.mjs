// A recorded search in the browser: ranked again for other penalties, and walked along.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  freePlaces,
  lengthPenalty,
  nameOf,
  overtaken,
  pathTo,
  phrase,
  ranking,
  readRecord,
  winnerChanges,
} from "../../nmtcore/views/beam_tree/record.js";
import { reason } from "../../nmtcore/views/beam_tree/card.js";
import { afterKey, indexOf, placeAt } from "../../nmtcore/views/kit/place.js";

// <sos> → la → <eos>, and <sos> → le → chat → <eos>; `ta` was dropped.
const DATA = {
  width: 2,
  nodes: {
    parent: [-1, 0, 0, 0, 1, 2, 5],
    step: [0, 1, 1, 1, 2, 2, 3],
    token: ["<sos>", "▁la", "▁le", "▁ta", "<eos>", "▁chat", "<eos>"],
    token_id: [1, 5, 6, 7, 2, 8, 2],
    log_probability: [0, -0.5, -0.7, -3, -1.5, -0.3, -1.2],
    total: [0, -0.5, -0.7, -3, -2, -1, -2.2],
    coverage: [0, -0.1, -0.2, -0.9, -1.4, -0.3, -0.2],
    rank: [0, 1, 2, 3, 2, 1, 1],
    fate: ["root", "kept", "kept", "pruned", "finished", "kept", "finished"],
  },
  ends: [
    { id: 4, text: "la" },
    { id: 6, text: "le chat" },
  ],
  lines: [{ kind: "greedy", nodes: pathOf("▁la", "<eos>") }],
};

// A line's nodes, as its own search has recorded them.
function pathOf(...token) {
  const ids = { "▁la": 5, "▁le": 6, "▁ta": 7, "▁chat": 8, "<eos>": 2 };
  const column = (of) => token.map((piece, n) => of(piece, n));
  const numbers = { log_probability: () => -1, total: (_, n) => -1 - n, coverage: () => 0, rank: () => 1, fate: () => "kept" };
  const own = { parent: (_, n) => n, step: (_, n) => n + 1, token: (piece) => piece, token_id: (piece) => ids[piece] };
  return Object.fromEntries(Object.entries({ ...own, ...numbers }).map(([name, of]) => [name, column(of)]));
}

test("the score is log P by the length penalty, and coverage", () => {
  const record = readRecord(DATA);
  for (const [alpha, beta] of [
    [0, 0],
    [0.6, 0],
    [1, 0.4],
    [5, 0],
  ]) {
    const scores = [4, 6].map((id) => {
      const { total, step, coverage } = record.nodes[id];
      return total / ((5 + step) / 6) ** alpha + beta * coverage;
    });
    const wanted = scores[0] >= scores[1] ? [4, 6] : [6, 4];
    assert.deepEqual(
      ranking(record, { alpha, beta }).map((end) => end.node.id),
      wanted,
      `${alpha} ${beta}`,
    );
  }
  assert.equal(ranking(record, { alpha: 0, beta: 0 })[0].text, "la");
  assert.equal(ranking(record, { alpha: 5, beta: 0 })[0].text, "le chat", "length is rewarded");
  assert.equal(lengthPenalty(1, 0.6), 1);
});

test("a path leads from the first token, without <sos>", () => {
  const record = readRecord(DATA);
  assert.deepEqual(
    pathTo(record, record.nodes[6]).map((node) => node.id),
    [2, 5, 6],
  );
  assert.equal(phrase(pathTo(record, record.nodes[6])), "le chat");
  assert.deepEqual([...record.nodes[4].lines], ["greedy"]);
  assert.deepEqual([freePlaces(record, 2), freePlaces(record, 3)], [2, 1], "a finished hypothesis holds its place");
});

test("a line that leaves the tree grows its own nodes, and a candidate none", () => {
  const nodes = pathOf("▁le", "▁la", "<eos>");
  const lines = [...DATA.lines, { kind: "before", nodes }, { kind: "candidate", nodes: pathOf("▁ta", "<eos>") }];
  const record = readRecord({ ...DATA, lines });
  assert.deepEqual(record.lines.map(({ path }) => path), [[1, 4], [2, 7, 8], []]);
  assert.deepEqual(record.nodes.slice(7).map(({ id, parent, rank, fate }) => [id, parent, rank, fate]), [
    [7, 2, 0, "beside"],
    [8, 7, 0, "beside"],
  ]);
  assert.deepEqual(record.nodes[2].children.map(({ id }) => id), [5, 7]);
  assert.deepEqual([[...record.nodes[2].lines], record.last, record.length], [["before"], 3, 3]);
});

test("a walk moves by steps and by words, and stays inside", () => {
  const place = { word: 1, part: 2 };
  assert.deepEqual(placeAt(indexOf(place)), place);
  assert.deepEqual(afterKey("ArrowRight", place, 3), { word: 1, part: 3 });
  assert.deepEqual(afterKey("ArrowDown", place, 3), { word: 2, part: 2 });
  assert.deepEqual(afterKey("ArrowDown", { word: 2, part: 2 }, 3), {
    word: 2,
    part: 2,
  });
  assert.deepEqual(afterKey("End", place, 3), { word: 2, part: 5 });
  assert.equal(afterKey("Enter", place, 3), null);
});

test("the winner changes where two scores are equal", () => {
  const record = readRecord(DATA);
  const near = (found, expected) => {
    assert.equal(found.length, expected.length);
    found.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 2e-4, `${value}, not ${expected[i]}`));
  };
  // -2 / (7/6)^a = -2.2 / (8/6)^a; and -2 - 1.4 b = -2.2 - 0.2 b.
  near(winnerChanges(record, { alpha: 1.7, beta: 0 }, "alpha", 2), [Math.log(1.1) / Math.log(8 / 7)]);
  near(winnerChanges(record, { alpha: 0, beta: 0 }, "beta", 2), [1 / 6]);
  near(winnerChanges(record, { alpha: 0, beta: 1 }, "alpha", 2), []);
  near(winnerChanges(record, { alpha: 0, beta: 0 }, "alpha", 0.7), []);
});

test("greedy's prefix is overtaken where it is no longer the likeliest of its step", () => {
  const record = readRecord(DATA);
  const found = overtaken(record, { path: [1, 4] });
  assert.equal(found.at.id, 4, "▁la leads at step 1, its <eos> is second at step 2");
  assert.equal(found.best.id, 5);
  assert.equal(found.gone, null, "it ended, and was never dropped");
  assert.equal(overtaken(record, { path: [2, 5, 6] }).at.id, 2);
  assert.equal(overtaken(record, { path: [1] }), null, "it leads as long as it goes");
  const dropped = overtaken(record, { path: [3] });
  assert.deepEqual([dropped.at.id, dropped.best.id, dropped.gone.id], [3, 1, 3]);
});

test("a candidate is named in its hypothesis, with a dot where its piece goes on with a word", () => {
  const token = ["<sos>", "▁la", "▁cha", "▁ta", "<eos>", "t", "<eos>"];
  const record = readRecord({ ...DATA, nodes: { ...DATA.nodes, token } });
  assert.deepEqual([2, 5, 6].map((id) => nameOf(record, record.nodes[id])), ["cha", "·t", "<eos>"]);
});

test("a required word says so, and those beside it name it", () => {
  const words = { why_required: "required", why_not_required: "{token} is", why_forbidden: "forbidden", why_pruned: "dropped" };
  const fates = (fate) => readRecord({ ...DATA, nodes: { ...DATA.nodes, fate: DATA.nodes.fate.map((is, id) => fate[id] ?? is) } });
  const why = (record, id) => reason(record.nodes[id], { data: {}, record, words, ranked: [] });
  const [one, ...others] = DATA.nodes.parent.flatMap((parent, id) => (parent === 0 ? [id] : []));
  const required = fates(Object.fromEntries(others.map((id) => [id, "forbidden"])));
  assert.equal(why(required, one), "required");
  assert.equal(why(required, others[0]), `${nameOf(required, required.nodes[one])} is`);
  assert.equal(why(fates({ [others[0]]: "forbidden" }), others[0]), "forbidden", "two others may stay");
});

test("grid beam search keeps and drops by the number of constraint tokens met, not by rank alone", () => {
  const words = { why_kept: "{free} free", why_kept_grid: "kept {rank} of {width}", why_pruned_grid: "dropped {rank}" };
  const record = readRecord({ ...DATA, nodes: { ...DATA.nodes, rank: [0, 1, 3, 2, 2, 1, 1] } });
  const why = (id, grid) => reason(record.nodes[id], { data: { grid }, record, words, ranked: [] });
  assert.equal(why(2, true), "kept 3 of 2", "a rank beyond the width can stay");
  assert.equal(why(3, true), "dropped 2", "a rank within it can go");
  assert.equal(why(2, false), "2 free");
});
