// @ts-check
// A walk through a decode, word by word: its player, its keys, and the state, returned when stepping pauses.

import { el, fill } from "./dom.js";
import { sentenceName } from "./piece.js";
import { makePlayer, stepByKeys } from "./player.js";
import { afterKey, indexOf, placeAt } from "./place.js";

const REST = 120; // ms without a step before the address is written: a slow call

// on: {place() is the position, where() the message for it, if not the usual one, fresh() whether nobody has
// stepped yet, go(place) changes it, show() draws it, says() what a screen reader hears after a person's own step, handBack() returns the state};
// parts: the steps of each piece. The words of the player are those that the picture opens with.
export function makeWalk(root, words, on, parts = 1) {
  let count = 1; // target pieces
  let writing = 0;
  const spoken = el("div", { class: "unseen", "aria-live": "polite" });
  const tell = () => (spoken.textContent = on.says());
  const player = makePlayer(words, (index, byHand) => reach(placeAt(index, parts), byHand), 0);
  const from = () => (on.fresh?.() ? { word: 0, part: -1 } : on.place()); // before the first, so that one step on is the first
  const step = () => indexOf(from(), parts);
  const moveBy = (by) => player.move(step() + by);
  const forgetKeys = stepByKeys(root, moveBy);
  root.addEventListener("keydown", onKey);

  return {
    node: player.node,
    spoken,
    tell,
    go: (next) => player.move(indexOf(next, parts)),
    show,
    text: player.text,
    stop: player.stop,
    close() {
      player.stop();
      clearTimeout(writing);
      forgetKeys();
    },
  };

  function reach(next, byHand) {
    on.go(next);
    on.show(true);
    clearTimeout(writing);
    writing = setTimeout(on.handBack, REST);
    if (byHand) tell();
  }

  // labels: of the target pieces.
  function show(labels) {
    count = labels.length;
    const place = on.place();
    const values = { j: place.word + 1, T: count, k: place.part + 1, word: sentenceName(labels[place.word]) };
    const text = fill(on.where?.() ?? words.where, values, ["word"]);
    player.show({ step: step(), last: count * parts - 1, text, fresh: on.fresh?.() });
  }

  // While the player or the words have the focus: up and down go from word to word, Home and End to the ends.
  function onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select")) return;
    const now = /^Arrow(Up|Down)$/.test(event.key) ? on.place() : from(); // from the opening too, down goes to the second word
    const next = event.target.closest(".player, .chips") && afterKey(event.key, now, count, parts);
    if (!next) return;
    event.preventDefault();
    player.move(indexOf(next, parts));
  }
}
