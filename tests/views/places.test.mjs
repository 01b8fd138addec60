// Names beside points: none covers another, and the picked one is always there.

import assert from "node:assert/strict";
import { test } from "node:test";

import { namePlaces } from "../../nmtcore/views/embeddings/places.js";

const WIDE = { left: -1000, right: 1000, top: -1000, bottom: 1000 };

const boxOf = ([x, y], width) => [x - width / 2, x + width / 2, y - 8.5, y + 8.5];
const common = (a, b) => Math.max(0, Math.min(a[1], b[1]) - Math.max(a[0], b[0])) * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[2], b[2]));

test("where all stand close the picked one is named and no name covers much of another", () => {
  const points = Array.from({ length: 90 }, (_, n) => [40 * Math.sin(7 * n), 40 * Math.cos(13 * n)]);
  const widths = points.map((_, n) => 40 + (n % 5));
  const places = namePlaces(points, widths, 7, WIDE);
  const shown = places.flatMap((place, n) => (place ? [boxOf(place, widths[n])] : []));
  assert.ok(places[7]);
  assert.ok(shown.length > 5 && shown.length < 90);
  for (const [i, box] of shown.entries())
    for (const other of shown.slice(0, i)) assert.ok(common(box, other) <= 0.2 * 17 * 44);
});

test("a name with room stands to the right of its point, a picked one further away", () => {
  const [alone, picked] = namePlaces([[0, 0], [300, 0]], [50, 50], 1, WIDE);
  assert.deepEqual(alone, [36, 0]);
  assert.deepEqual(picked, [342, 0]);
});

test("names of two near points stand apart, and none leaves the frame", () => {
  const widths = [60, 60, 60];
  const [first, second] = namePlaces([[0, 0], [12, -4], [300, 0]], widths, -1, WIDE);
  assert.ok(first && second && common(boxOf(first, 60), boxOf(second, 60)) === 0);
  const [inside] = namePlaces([[95, 50]], [60], -1, { left: 0, right: 100, top: 0, bottom: 100 });
  assert.ok(inside && inside[0] + 30 <= 100);
});
