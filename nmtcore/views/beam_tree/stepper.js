// First, back, play, forward, last, a slider and a speed: replays the search without the server.

import { el, filledText, set } from "../kit/dom.js";
import { icon } from "../kit/icons.js";
import { stepByKeys } from "../kit/player.js";

const SPEEDS = [0.5, 1, 2];
const PAUSE = 1000; // ms a step at speed 1

// on(step) is called for every change. Returns the row's node, `show(step, last, whole)` and `stop()`;
// whole: the search is shown as a whole and not yet replayed, so that the first step is still to come.
export function makeStepper(words, on) {
  let step = 1;
  let last = 1;
  let whole = true;
  let speed = 1;
  let timer = 0;
  const button = (name, act) => {
    const made = el(
      "button",
      { type: "button", class: name, "aria-label": words[name], title: words[name] },
      icon(name),
    );
    made.addEventListener("click", act);
    return made;
  };
  const move = (to) => {
    stop();
    on(Math.min(last, Math.max(1, to)));
  };
  const first = button("first", () => move(1));
  const back = button("back", () => move(step - 1));
  const play = button("play", () => (timer ? stop() : start()));
  const forward = button("forward", () => move(step + 1));
  const end = button("last", () => move(last));
  const slider = el("input", { type: "range", min: 1, step: 1, "aria-label": words.slider });
  slider.addEventListener("input", () => move(Number(slider.value)));
  const place = el("span", { class: "place" });
  const pace = el("button", { type: "button", class: "pace", "aria-label": words.speed, title: words.speed }, "1×");
  pace.addEventListener("click", () => {
    speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
    pace.textContent = `${speed}×`;
    if (timer) start();
  });
  const node = el(
    "div",
    { class: "stepper", role: "group", "aria-label": words.stepper },
    first,
    back,
    play,
    forward,
    end,
    pace,
    slider,
    place,
  );
  stepByKeys(node, (by) => move(step + by));
  return { node, show, stop };

  function show(now, length, all) {
    [step, last, whole] = [now, length, all];
    set(slider, { max: last });
    slider.value = step;
    place.textContent = filledText(words.step_of, { step, steps: last });
    for (const [item, off] of [
      [first, step <= 1 && !whole],
      [back, step <= 1],
      [forward, step >= last],
      [end, step >= last],
    ])
      set(item, { disabled: off });
  }

  function start() {
    clearInterval(timer);
    if (step >= last || whole) on(1);
    timer = setInterval(() => {
      on(Math.min(last, step + 1));
      if (step >= last) stop();
    }, PAUSE / speed);
    face("pause");
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    face("play");
  }

  function face(name) {
    set(play, { "aria-label": words[name], title: words[name] });
    play.replaceChildren(icon(name));
  }
}
