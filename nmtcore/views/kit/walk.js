// A walk through a decode: where it stands, playing, the keys, and the address, written when the walk comes to rest.

import { keepAddress } from "./address.js";
import { PARTS, afterKey, indexOf, placeAt } from "./place.js";

const REST = 120; // ms without a step before the address is written: a slow call

// words(): how many target pieces; pause(): ms of a step while it plays. on: {show(reveal) draws, told() after a
// person's own step, address() writes the place}; parts: the steps of each piece.
export function makeWalk(root, { words, pause }, on, parts = PARTS) {
  let place = placeAt(0, parts);
  let timer = 0;
  let writing = 0;
  root.addEventListener("keydown", onKey);
  document.addEventListener("keydown", onPageKey);
  const forget = keepAddress(on.address);

  return {
    get place() {
      return place;
    },
    set place(next) {
      place = next;
    },
    get playing() {
      return timer !== 0;
    },
    go: userGo,
    play,
    stop,
    close() {
      stop();
      clearTimeout(writing);
      document.removeEventListener("keydown", onPageKey);
      forget();
    },
  };

  function go(next) {
    place = next;
    on.show(true);
    clearTimeout(writing);
    writing = setTimeout(on.address, REST);
  }

  function userGo(next) {
    stop();
    go(next);
    on.told();
  }

  function play() {
    if (timer) {
      stop();
      return on.show(false);
    }
    const last = words() * parts - 1;
    if (indexOf(place, parts) === last) go(placeAt(0, parts));
    const tick = () => {
      if (indexOf(place, parts) === last) {
        stop();
        return on.show(false);
      }
      timer = setTimeout(tick, pause());
      return go(placeAt(indexOf(place, parts) + 1, parts));
    };
    timer = setTimeout(tick, pause() / 2);
    return on.show(false);
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
  }

  // Left and right walk, wherever the keys are; the other keys only where nothing else has a use for them.
  function onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, pre, .heat")) return;
    const sideways = ["ArrowLeft", "ArrowRight"].includes(event.key);
    const ours = sideways || event.target.closest(".transport, .chips");
    const next = ours ? afterKey(event.key, place, words(), parts) : null;
    if (!next) return;
    event.preventDefault();
    userGo(next);
  }

  // The same while nothing on the page has a use for the keys: after a click on the link to this page, it has them.
  function onPageKey(event) {
    if (document.activeElement === document.body || document.activeElement.closest("a")) onKey(event);
  }
}
