// Playing a recorded decode: first, back, play, forward, last, a slider and a speed. Nothing is computed again.

import { el, filledText, set } from "./dom.js";
import { icon } from "./icons.js";

const SPEEDS = [0.5, 1, 2, 4]; // steps a second
const STEPPED = ".with-heads, .tree"; // where arrow keys step; the panels of Translate have a pick that they move
const OWN_KEYS = 'input, select, textarea, [role="application"], [role="dialog"], .thumbs'; // have a use for them

// go(step) is told a step from 1 to `count`, or null for all. Returns {node, show(step, count, word), stop()}.
export function makePlayer(words, go) {
  let step = null;
  let count = 0;
  let timer = 0;
  const button = (name, act) => {
    const made = el("button", { type: "button", title: words[name], "aria-label": words[name] }, icon(name));
    made.addEventListener("click", act);
    return made;
  };
  const here = () => step ?? count;
  const move = (to) => {
    stop();
    leap(to);
  };
  const leap = (to) => go(to >= count ? null : Math.max(1, to));
  const play = button("play", () => (timer ? stop() : start()));
  const slider = el("input", { type: "range", min: 1, step: 1, "aria-label": words.step_slider });
  slider.addEventListener("input", () => move(Number(slider.value)));
  const speed = el("select", { "aria-label": words.speed, title: words.speed });
  speed.append(
    ...SPEEDS.map((rate) => el("option", { value: rate, selected: rate === 1 }, filledText(words.rate, { rate }))),
  );
  speed.addEventListener("change", () => timer && start());
  const label = el("span", { class: "step" });
  const node = el(
    "div",
    { class: "player", role: "toolbar", "aria-label": words.player },
    button("first", () => move(1)),
    button("back", () => move(here() - 1)),
    play,
    button("forward", () => move(here() + 1)),
    button("last", () => move(count)),
    slider,
    speed,
    label,
  );
  stepByKeys(node, (by) => move(here() + by));
  return { node, show, stop };

  function start() {
    stop();
    if (here() >= count) go(1);
    timer = setInterval(() => (here() + 1 >= count ? move(count) : leap(here() + 1)), 1000 / Number(speed.value));
    face(true);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    face(false);
  }

  function face(playing) {
    const name = playing ? "pause" : "play";
    play.replaceChildren(icon(name));
    set(play, { title: words[name], "aria-label": words[name] });
  }

  function show(now, steps, word) {
    step = now;
    count = steps;
    set(slider, { max: Math.max(1, count) });
    slider.value = here();
    label.textContent = filledText(now === null ? words.all_steps : words.step, { step: here(), count, word });
    slider.setAttribute("aria-valuetext", label.textContent);
  }
}

// Left and right step while what has the keys has no use for them: the page as it opens, a link to it, a button of the
// component that `node` stands in. Ends when `node` has left the page.
export function stepByKeys(node, step) {
  document.addEventListener("keydown", onKey);

  function onKey(event) {
    if (!node.isConnected) return document.removeEventListener("keydown", onKey);
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const around = node.closest(STEPPED);
    if (!by || !around || node.hidden || event.defaultPrevented) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.composedPath()[0];
    const free = around.contains(target) ? !target.closest(OWN_KEYS) : target === document.body || target.closest("a");
    if (!free) return;
    event.preventDefault();
    step(by);
  }
}
