// @ts-check
// Plays a recorded decode: first, back, play, forward, last, a slider, the position, and a speed. Nothing is
// recomputed. One player for every picture.

import { button, el, set, svg } from "./dom.js";

const SPEEDS = [0.5, 1, 2, 4]; // steps a second
/** What is on the buttons, drawn in a box of 16 by 16. */
const SHAPES = {
  first: "M4 3v10M13 3L6.5 8l6.5 5z",
  back: "M11.5 3L5 8l6.5 5z",
  play: "M4.5 2.5L13 8l-8.5 5.5z",
  pause: "M4.5 3h2.2v10H4.5zM9.3 3h2.2v10H9.3z",
  forward: "M4.5 3L11 8l-6.5 5z",
  last: "M12 3v10M3 3l6.5 5L3 13z",
};
const TAKEN = 'input, select, textarea, pre, [role="application"], [role="dialog"], .thumbs'; // elements that use the keys themselves

// go(step, byHand) is called at every step, counted from `from`; byHand: a person made it, not the player.
// show({step, last, text, fresh}): text are nodes or strings; fresh: nothing has been replayed yet, so that even the
// first step is still to come.
export function makePlayer(words, go, from = 1) {
  let step = from;
  let last = from;
  let fresh = false;
  let timer = 0;
  const key = (name, act) => button(act, { class: name, "aria-label": words[name], title: words[name] }, icon(name));
  const play = key("play", () => (timer ? stop() : start()));
  const first = key("first", () => move(from));
  const back = key("back", () => move(step - 1));
  const forward = key("forward", () => move(step + 1));
  const end = key("last", () => move(last));
  const slider = el("input", { type: "range", min: from, step: 1, "aria-label": words.slider });
  slider.addEventListener("input", () => move(Number(slider.value)));
  const where = el("span", { class: "where" });
  const speed = el("select", { "aria-label": words.speed, title: words.speed });
  speed.append(...SPEEDS.map((rate) => el("option", { value: rate, selected: rate === 1 }, `${rate}\u00d7`)));
  const parts = [first, back, play, forward, end, slider, where, speed];
  const node = el("div", { class: "player", role: "group", "aria-label": words.player }, ...parts);
  return { node, move, show, stop, text: () => where.textContent };

  function move(to) {
    stop();
    go(within(to), true);
  }

  function within(to) {
    return Math.min(last, Math.max(from, to));
  }

  // From the last step it starts again. The first step comes sooner than the others, so that a click has a visible effect.
  function start() {
    if (fresh || step >= last) go(from, false);
    timer = setTimeout(next, pause() / 2);
    face("pause");
  }

  function next() {
    timer = setTimeout(next, pause());
    go(within(step + 1), false);
    if (step >= last) stop();
  }

  function pause() {
    return 1000 / Number(speed.value);
  }

  function stop() {
    if (timer) face("play");
    clearTimeout(timer);
    timer = 0;
  }

  function face(name) {
    play.replaceChildren(icon(name));
    set(play, { title: words[name], "aria-label": words[name] });
  }

  function show(now) {
    ({ step, last, fresh = false } = now);
    set(slider, { max: Math.max(from, last) });
    slider.value = step;
    where.replaceChildren(...now.text);
    slider.setAttribute("aria-valuetext", where.textContent);
    for (const key of [back, ...(fresh ? [] : [first])]) set(key, { disabled: step <= from });
    for (const key of [forward, end]) set(key, { disabled: step >= last });
    if (fresh) set(first, { disabled: false });
  }
}

// Left and right step, Home and End go to the first and last step, wherever in `root` nothing else has a use for these
// keys; and on the page while nothing has the focus, as when it opens, or after a click on a link. step: by how many, without
// end for Home and End. Returns a function that ends this.
export function stepByKeys(root, step) {
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);

  function onKey(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (!by || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.composedPath()[0];
    const free = root.contains(target) ? !target.closest(TAKEN) : target === document.body || target.closest?.("a");
    if (!free) return;
    event.preventDefault();
    step(by);
  }
}

function icon(name) {
  const ink = { fill: "currentColor", stroke: "currentColor", "stroke-width": 1.6, "stroke-linejoin": "round" };
  const path = svg("path", { d: SHAPES[name], ...ink });
  return svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, path);
}
