// @ts-check
// Why divide by the root of d: the variance of q . k grows with the number of components, shown with the model's own numbers.

import { css, mix, titleColor } from "../kit/color.js";
import { drawing, el, fill, svg } from "../kit/dom.js";
import { rich } from "../kit/notation.js";
import { number } from "../kit/number.js";

export function drawRoot(data, look, width) {
  const { root } = data.lab;
  const { words } = data.lab;
  const [w, h] = [Math.min(width, 520), 250];
  const pad = { left: 50, right: 14, top: 14, bottom: 40 };
  const top = Math.max(...root.matched, ...root.shuffled, root.d) * 1.05;
  const x = (d) => pad.left + (d / root.d) * (w - pad.left - pad.right);
  const y = (v) => h - pad.bottom - (v / top) * (h - pad.top - pad.bottom);
  const picture = drawing(w, h, { "font-family": look.font, role: "img", "aria-label": words.root_aria });
  const line = (values, settings) => {
    const points = values.map((v, n) => `${x(root.sizes[n]).toFixed(1)} ${y(v).toFixed(1)}`);
    return svg("path", { d: `M${points.join("L")}`, fill: "none", "stroke-width": 2.5, ...settings });
  };
  const text = (at, up, words_, settings = {}) =>
    svg("text", { x: at, y: up, "font-size": 13, fill: css(look.muted), ...settings }, words_);
  const step = nice(top / 5);
  for (let v = 0; v <= top; v += step) {
    picture.append(
      svg("path", { d: `M${pad.left} ${y(v)}H${w - pad.right}`, stroke: css(look.grid) }),
      text(pad.left - 6, y(v) + 4, String(v), { "text-anchor": "end" }),
    );
  }
  for (const d of [0, root.d / 4, root.d / 2, (3 * root.d) / 4, root.d])
    picture.append(text(x(d), h - pad.bottom + 18, String(Math.round(d)), { "text-anchor": "middle" }));
  picture.append(
    text((pad.left + w) / 2, h - 5, words.components, { "text-anchor": "middle" }),
    line(root.matched, { stroke: css(data.hue) }),
    line(root.shuffled, { stroke: css(mix(look.background, look.text, 0.5)) }),
    line(root.sizes, { stroke: css(look.text), "stroke-dasharray": "5 4", "stroke-width": 1.5 }),
  );
  const key = (mark, sentence) =>
    el("li", {}, el("span", { class: `mark ${mark}` }), el("span", {}, ...fill(sentence, values())));
  const list = el("ul", { class: "keys" }, ...["theory", "shuffled", "matched"].map((name) => key(name, words[name])));
  list.style.setProperty("--title", css(titleColor(look, data.hue)));
  const told = el(
    "div",
    { class: "told" },
    el("p", { class: "formula" }, ...rich(words.root_formula)),
    list,
    el("p", { class: "says" }, ...fill(words.own, values())),
  );
  return { node: el("div", { class: "temperature" }, el("div", { class: "drawn" }, picture), told), svg: picture, rows };

  function values() {
    const last = (list) => number(list.at(-1), 0);
    return {
      ...{ d: root.d, root: number(Math.sqrt(root.d), Math.sqrt(root.d) % 1 ? 2 : 0) },
      ...{ shuffled: last(root.shuffled), matched: last(root.matched), query: number(root.query) },
      ...{ states: number(root.states), measured: number(root.measured, 1), scaled: number(root.measured / root.d) },
    };
  }

  function rows() {
    const lines = root.sizes.map((d, n) => [d, d, root.shuffled[n], root.matched[n]]);
    return [["components", "independent", "shuffled", "matched"], ...lines];
  }
}

// 1, 2 or 5 times a power of ten.
function nice(size) {
  const power = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5, 10].find((n) => n * power >= size) * power;
}
