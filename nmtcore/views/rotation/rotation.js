// @ts-check
// The rotation from p to p + k: the whole table is here, so a slider never asks the server.

import { drawCircle } from "./circle.js";
import { parse as parseColor, readLook, setColors } from "../kit/color.js";
import { el, fill, filledText } from "../kit/dom.js";
import { makeEquation } from "./equation.js";
import { anySize, significant } from "../kit/notation.js";
import { number } from "../kit/number.js";
import { pairAt, readTable } from "./pair.js";
import { picture } from "../kit/picture.js";
import { makeSaving } from "../kit/saving.js";
import { parse, serialise, within } from "./state.js";
import { drawWaves } from "./waves.js";

const HEIGHT = 330;
const BESIDE = 640; // px from which circle and waves stand side by side
const GAP = 20;
const REST = 120; // ms without a change before the address is written

export default picture("rotation", ({ root, width, host }) => {
  let data = null;
  let table = null;
  let state = null;
  let shown = null;
  let writing = 0;

  return {
    read(sent) {
      data = { ...sent, hue: parseColor(sent.hue) };
      table = readTable(data);
      state = within(state ?? parse(host.get(), data), data);
    },
    draw,
    follow() {
      state = parse(host.get(), data);
      if (shown) show();
    },
    close: () => clearTimeout(writing),
  };

  function draw() {
    const look = readLook(root);
    setColors(root, look, data.hue);
    const whole = width.now();
    const beside = whole >= BESIDE;
    const size = Math.min(HEIGHT, whole);
    const across = beside ? whole - size - GAP : whole;
    shown = {
      look,
      below: beside ? null : size + 12,
      size,
      sliders: makeSliders(data, change),
      circle: drawCircle(data, look, size),
      waves: drawWaves(data, look, across, beside ? size : 260, data.words.axis),
      equation: makeEquation(),
      says: el("div", { class: "says" }),
    };
    const { sliders, circle, waves, equation, says } = shown;
    const pictures = el("div", { class: "pictures" }, circle.node, waves.node);
    const saving = makeSaving(data.words, data.words.figure, sheet, rows);
    const told = el("div", { class: "told" }, equation.node, says);
    root.replaceChildren(sliders.node, pictures, told, saving);
    show();
  }

  function change(name, value) {
    state = { ...state, [name]: value };
    show();
    clearTimeout(writing); // a slow call: once, when the slider comes to rest
    writing = setTimeout(() => host.set(serialise(state, data)), REST);
  }

  function show() {
    const pair = pairAt(data, table, state);
    const { words } = data;
    const values = { i: pair.i, p: pair.p, q: pair.q, k: pair.k, angle: number(pair.angle, 4) };
    const length = (2 * Math.PI) / pair.rate;
    shown.sliders.show(state);
    shown.circle.show(pair, filledText(words.circle, values));
    shown.waves.show(pair, filledText(words.waves, values));
    shown.equation.show(pair);
    const rate = { rate: significant(pair.rate, 6), length: length < 1000 ? number(length, 1) : number(length, 0) };
    const sentences = [
      fill(words.turn, values),
      fill(words.rate, rate),
      fill(words.error, { error: anySize(pair.error) }),
    ];
    shown.says.replaceChildren(...sentences.map((sentence) => el("p", {}, ...sentence)));
  }

  function sheet() {
    const { look, circle, waves, says, below, size } = shown;
    const at = below === null ? { x: size + GAP, y: 0 } : { x: 0, y: below };
    return {
      ...{ heading: data.title, lines: [...says.children].map((line) => line.textContent), look },
      parts: [{ node: circle.node, x: 0, y: 0 }, { node: waves.node, ...at }],
    };
  }

  function rows() {
    const { at } = pairAt(data, table, state);
    const lines = Array.from({ length: data.rows }, (_, p) => [p, data.tokens[p] ?? "", at(p).sin, at(p).cos]);
    return [["position", "token", `dimension ${2 * state.i}`, `dimension ${2 * state.i + 1}`], ...lines];
  }
});

// A slider for each of pair, position and distance. change(name, value); returns the row and show(place).
function makeSliders(data, change) {
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
