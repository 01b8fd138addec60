// Where the frame of the beam tree scrolls to, and where a candidate's card stands.
import assert from "node:assert/strict";
import { test } from "node:test";

import { placeCard, scrollToChip, scrollToColumn } from "../../nmtcore/views/beam_tree/frame.js";

// A frame of 700 x 310 px; what it is asked to scroll to.
function makeFrame(scrollLeft, scrollTop = 0) {
  const asked = [];
  const frame = { clientWidth: 700, clientHeight: 310, scrollLeft, scrollTop, offsetLeft: 5, offsetTop: 9 };
  return { ...frame, asked, scrollTo: (to) => asked.push(to) };
}

globalThis.matchMedia = (query) => ({ matches: globalThis.still && query.includes("reduce") });

test("a column that is seen with its dropped candidates moves nothing", () => {
  const frame = makeFrame(200);
  scrollToColumn(frame, { x: 340, right: 780 }, true); // from 200 to 900
  assert.deepEqual(frame.asked, []);
});

test("a column beyond the right edge comes to three quarters of the frame, one before the left edge into it", () => {
  const frame = makeFrame(200);
  scrollToColumn(frame, { x: 341, right: 781 }, true);
  scrollToColumn(frame, { x: 339, right: 400 }, true);
  scrollToColumn(frame, { x: 90, right: 150 }, true);
  assert.deepEqual(frame.asked, [
    { left: 901 - 525, behavior: "smooth" },
    { left: 199, behavior: "smooth" },
    { left: 0, behavior: "smooth" },
  ]);
});

test("it jumps when it is asked to, or the system asks for less motion", () => {
  const frame = makeFrame(0);
  scrollToColumn(frame, { x: 900, right: 950 }, false);
  globalThis.still = true;
  scrollToColumn(frame, { x: 900, right: 950 }, true);
  globalThis.still = false;
  assert.deepEqual(
    frame.asked.map((to) => to.behavior),
    ["instant", "instant"],
  );
});

test("a chip far down comes to the middle, one that is seen stays", () => {
  const frame = makeFrame(0, 40);
  scrollToChip(frame, { y: 40, height: 286 }); // with 24 px below it, up to 350
  assert.equal(frame.scrollTop, 40);
  scrollToChip(frame, { y: 41, height: 286 });
  assert.equal(frame.scrollTop, 0);
  scrollToChip(frame, { y: 777, height: 20 });
  assert.equal(frame.scrollTop, 777 - 155);
});

test("a card stands beside its chip, before it at the right edge, under it on a narrow screen, and in the stage", () => {
  const placed = (box, small, clientWidth, scale = 1) => {
    const card = { offsetWidth: 230, offsetHeight: 120, style: {} };
    placeCard(card, { box, small }, scale, makeFrame(100, 10), { clientWidth, clientHeight: 330 });
    return [card.style.left, card.style.top];
  };
  const box = { x: 400, y: 61, width: 50, height: 22 }; // at 305, 60 on the stage
  assert.deepEqual(placed(box, false, 700), ["369px", "60px"]);
  assert.deepEqual(placed(box, true, 700), ["443px", "60px"]);
  assert.deepEqual(placed(box, true, 660), ["61px", "60px"]);
  assert.deepEqual(placed({ ...box, x: 300 }, false, 360), ["130px", "104px"]);
  assert.deepEqual(placed({ ...box, y: 301 }, false, 700), ["369px", "210px"]);
  assert.deepEqual(placed({ ...box, y: -200 }, false, 700), ["369px", "0px"]);
  assert.deepEqual(placed(box, false, 700, 0.5), ["144px", "29.5px"]); // its chip at 105, 29.5, 25 wide
});
