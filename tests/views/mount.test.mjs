// One instance a place: it lasts as long as the last call that drew it, whatever the order of openings and closings.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = Object.assign(new EventTarget(), {
  documentElement: { hasAttribute: () => false },
  body: { toggleAttribute: () => {} },
});
globalThis.location = new URL("https://lab.example/dot?step=2&tour=4");
globalThis.history = { state: null, replaceState: (_state, _title, url) => (globalThis.location = new URL(url)) };
const { bring, readAddress } = await import("../../nmtcore/views/kit/address.js");
const { mounted } = await import("../../nmtcore/views/kit/mount.js");

/** A place on a page, and what happened there. */
function place() {
  const seen = [];
  const parentElement = { querySelector: () => null };
  const draw = mounted(() => {
    seen.push("made");
    return {
      update: (data) => seen.push(data),
      follow: () => seen.push(`followed to ${readAddress("step")}`),
      close: () => seen.push("closed"),
    };
  });
  return { seen, draw: (data) => draw({ parentElement, data }) };
}

test("data that come later are drawn by the same instance, and the last call closes it", () => {
  const { seen, draw } = place();
  draw(1);
  const close = draw(2);
  close();
  assert.deepEqual(seen, ["made", 1, 2, "closed"]);
});

test("a first call that is closed after a second has drawn leaves the picture alone", () => {
  const { seen, draw } = place();
  const early = draw(1);
  const late = draw(2);
  early();
  assert.deepEqual(seen, ["made", 1, 2]);
  late();
  assert.deepEqual(seen, ["made", 1, 2, "closed"]);
});

test("a place that was closed can be drawn again", () => {
  const { seen, draw } = place();
  const close = draw(1);
  close();
  draw(2);
  close(); // once more: the place is another picture's now
  assert.deepEqual(seen, ["made", 1, "closed", "made", 2]);
});

test("a picture follows the address where its own parameters are set in it, as long as it is there", () => {
  const { seen, draw } = place();
  const data = { link: { place: { name: "step" } } };
  const close = draw(data);
  bring({ step: "3.1", tour: "5" });
  bring({ step: "3.1" }); // where it is already
  bring({ head: "cross.1.1", tour: null }); // of another picture
  bring({ step: null });
  assert.deepEqual(seen, ["made", data, "followed to 3.1", "followed to null"]);
  close();
  bring({ step: "4.1" });
  assert.deepEqual(seen.slice(4), ["closed"]);
});

test("the page runs where it was drawn with another value, or a value changes that another part of it had changed", () => {
  const asked = [];
  let host = null;
  const draw = mounted((_parent, _data, given) => {
    host = given;
    return { update: () => {}, close: () => {} };
  });
  const parentElement = { querySelector: () => null };
  const setTriggerValue = (name, texts) => asked.push([name, texts]);
  const piece = { name: "vectors", kind: "text", default: "", runs: true, now: "s3" };
  const word = { name: "word", kind: "text", default: "" };
  bring({ vectors: "s3", word: null });
  const close = draw({ parentElement, setTriggerValue, data: { link: { piece, word } } });
  assert.equal(host.set({ piece: "s3", word: "a" }), false, "it was drawn with this piece; of the word it knows nothing");
  bring({ vectors: null }); // hidden, by a part of the page that ran alone
  assert.equal(host.set({ piece: "s3" }), true);
  assert.deepEqual(asked, [["state", { piece: "s3", word: "a" }]]);
  assert.equal(host.set({ piece: "s4" }, false), false, "still moving");
  assert.equal(host.set({ piece: "s4" }), true, "at rest: no change now, and the page was drawn before it");
  assert.deepEqual(host.get(), { piece: "s4", word: "a" });
  close();
});
