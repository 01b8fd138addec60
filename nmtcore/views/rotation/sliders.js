// @ts-check
// A slider for each of pair, position and distance.

import { el } from "../kit/dom.js";

// change(name, value); returns the row and show(place).
export function makeSliders(data, change) {
  const sliders = Object.entries(data.words.sliders).map(([name, label]) => {
    const input = el("input", { type: "range", min: data.first[name], max: data.last[name], step: 1 });
    const value = el("output");
    input.addEventListener("input", () => change(name, Number(input.value)));
    const node = el("label", { class: name }, el("span", {}, label, " ", value), input);
    node.hidden = data.first[name] >= data.last[name];
    return { node, show: (place) => ((input.value = place[name]), (value.textContent = place[name])) };
  });
  const node = el("div", { class: "sliders" }, ...sliders.map((slider) => slider.node));
  return { node, show: (place) => sliders.forEach((slider) => slider.show(place)) };
}
