// First, back, play, forward, last; the slider; the speed; and the target pieces as chips, each a way to its word.

import { el, fill, set } from "./dom.js";
import { icon } from "./icons.js";
import { indexOf, placeAt } from "./place.js";

const SPEEDS = [0.5, 1, 2, 4]; // steps a second

// labels: of the target pieces; parts: the steps of each; before: what this one replaces, whose speed it keeps.
// on: {go(place), play()}. Returns nodes and show(place, playing).
export function makeTransport(words, labels, on, parts, before) {
  const last = labels.length * parts - 1;
  let at = 0;
  let scrolls = null; // measured once: it costs a layout
  const button = (name, act) => {
    const made = el("button", { type: "button", class: `key ${name}`, "aria-label": words[name], title: words[name] });
    made.append(icon(name));
    made.addEventListener("click", act);
    return made;
  };
  const jump = (index) => on.go(placeAt(Math.min(last, Math.max(0, index)), parts));
  const play = button("play", on.play);
  const keys = [
    button("first", () => jump(0)),
    button("back", () => jump(at - 1)),
    play,
    button("forward", () => jump(at + 1)),
    button("last", () => jump(last)),
  ];
  const slider = el("input", { type: "range", min: 0, max: last, step: 1, "aria-label": words.slider });
  slider.addEventListener("input", () => jump(Number(slider.value)));
  const speed = el("select", { "aria-label": words.speed, title: words.speed });
  speed.append(...SPEEDS.map((s) => el("option", { value: s }, `${s}\u00d7`)));
  speed.value = before ? before.speed() : "1";
  const where = el("span", { class: "where" });
  const node = el(
    "div",
    { class: "transport", role: "group", "aria-label": words.stepper },
    ...keys,
    slider,
    where,
    speed,
  );

  const chips = labels.map(({ label, faint }, word) => {
    const chip = el("button", { type: "button", class: faint ? "chip quiet" : "chip" }, label);
    chip.addEventListener("click", () => on.go({ word, part: at % parts }));
    return chip;
  });
  const line = el("div", { class: "chips", role: "group", "aria-label": words.chips }, ...chips);
  return { node, line, show, speed: () => speed.value, pause: () => 1000 / Number(speed.value) };

  function show(place, playing) {
    at = indexOf(place, parts);
    slider.value = at;
    const values = { j: place.word + 1, T: labels.length, k: place.part + 1, word: labels[place.word].label };
    where.replaceChildren(...fill(words.where, values, ["word"]));
    slider.setAttribute("aria-valuetext", where.textContent);
    set(keys[0], { disabled: at === 0 });
    set(keys[1], { disabled: at === 0 });
    set(keys[3], { disabled: at === last });
    set(keys[4], { disabled: at === last });
    const name = playing ? "pause" : "play";
    play.replaceChildren(icon(name));
    set(play, { "aria-label": words[name], title: words[name] });
    chips.forEach((chip, word) => {
      const known = word < place.word || (word === place.word && place.part === parts - 1);
      set(chip, { "aria-current": word === place.word && "step", "data-to-come": !known && word !== place.word });
    });
    if (!line.isConnected) return;
    scrolls ??= line.scrollHeight > line.clientHeight + 1;
    if (!scrolls) return;
    const chip = chips[place.word];
    const hidden =
      chip.offsetTop < line.scrollTop || chip.offsetTop + chip.offsetHeight > line.scrollTop + line.clientHeight;
    if (hidden) line.scrollTop = chip.offsetTop - 4;
  }
}
