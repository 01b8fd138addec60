// What is said of heads that are off.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { sentenceOf, textsOf } from "../../nmtcore/views/heads/effect.js";

const { words } = JSON.parse(readFileSync(new URL("../pictures/records/heads-table.json", import.meta.url))).data;
const text = (words, log_probability) => ({ parts: words ? [[words, false]] : [], log_probability });
const one = { off: ["cross.2.1"], old: text("a b", -1.234), rescored: -1.5, new: null };
const many = { ...one, off: Array(8).fill("cross.2.1"), old: text("", -1), new: text("", -2) };

for (const [effect, sentence, ...texts] of [
  [{ ...one, off: [], rescored: null }, "log P −1.23 with all heads on.", "Translation: a b"],
  [{ ...one, rescored: -1.2301 }, "Off: cross layer 2 head 1. Neither the translation nor its log P of −1.23 changes.", "Before and after: a b"],
  [one, "Off: cross layer 2 head 1. The translation stays the same; its log P goes from −1.23 to −1.50.", "Before and after: a b"],
  [many, "Off: 8 heads. The translation changes. The old one's log P goes from −1.00 to −1.50; the new one has −2.00.", "Before: (nothing)", "After: (nothing)"],
  [{ ...one, old: null }, ""],
])
  test(`it says: ${sentence || "nothing"}`, () => {
    assert.equal(sentenceOf(effect, words), sentence);
    assert.deepEqual(textsOf(effect, words).map(({ label, parts }) => `${label} ${parts[0][0]}`), texts);
  });
