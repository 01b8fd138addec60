// @ts-check
// Softmax at a temperature: exp(beta / tau). Its sharpness, and how much of its gradient is left.

import { makeBar } from "../kit/bars.js";
import { css, signedColor } from "../kit/color.js";
import { button, drawing, el, fill, set, svg } from "../kit/dom.js";
import { measure, shorten } from "../kit/layout.js";
import { anySize, rich } from "../kit/notation.js";
import { number } from "../kit/number.js";
import { sentenceName } from "../kit/piece.js";
import { entropy, gradient, softmax } from "./softmax.js";

const MOST = 24; // words whose gradient is drawn
const LIMIT = 0.25; // the maximum of y (1 - y): full colour
const ROW = 20;
const HEAD = 26;

export function makeTemperature(data, labels, look, width, initial, changed) {
  const { words } = data.lab;
  const [coldest, hottest] = data.lab.temperatures;
  const size = width >= 560 ? 14 : 12;
  const count = Math.min(MOST, labels.length);
  const left = Math.min(Math.max(...labels.map((l) => measure(sentenceName(l), size, look.font))), width * 0.18) + 10;
  const share = Math.ceil(measure("0.88", size, look.font)) + 8;
  const whole = Math.min(width, 640);
  const cell = Math.min(ROW, (whole - left - share) * (0.6 / count));
  const grid = { x: whole - count * cell - 2 };
  const bar = { x: left, width: grid.x - left - share - 18 };
  const height = HEAD + count * ROW + 6;
  const picture = drawing(whole, height, { "font-family": look.font, "aria-hidden": "true" });
  const title = (x, text) => svg("text", { x, y: 15, "font-size": size - 0.5, fill: css(look.muted) }, text);
  picture.append(title(bar.x, "y = softmax(β / τ)"), title(grid.x, "diag(y) − y yᵀ"));
  const lines = Array.from({ length: count }, (_, r) => makeLine(r));
  const frame = { x: grid.x, y: HEAD, width: count * cell, height: count * ROW, fill: "none", stroke: css(look.line) };
  picture.append(...lines.map((l) => l.node), svg("rect", frame));

  const range = { min: Math.log2(coldest), max: Math.log2(hottest), step: "any" };
  const slider = el("input", { type: "range", ...range, "aria-label": words.slider });
  const value = el("output", { class: "value" });
  const presets = [1, data.lab.root_d].map((t) =>
    button(() => change(t), { class: "act" }, t === 1 ? "τ = 1" : `τ = √d = ${number(t, t % 1 ? 2 : 0)}`),
  );
  slider.addEventListener("input", () => change(snapped(2 ** Number(slider.value))));
  const says = el("p", { class: "says" });
  const finding = el("p", { class: "says" });
  const words_left =
    labels.length > count ? el("p", { class: "quiet" }, ...fill(words.most, { count, S: labels.length })) : "";
  const control = el("div", { class: "heat" }, el("label", {}, "τ", slider), value, ...presets);
  const formula = el("p", { class: "formula" }, ...rich(words.gradient_formula));
  const node = el(
    "div",
    { class: "temperature" },
    el("div", { class: "drawn" }, control, picture),
    el("div", { class: "told" }, formula, says, finding, el("p", { class: "quiet" }, words.only_here), words_left),
  );
  let at = 0;
  let tau = snapped(initial);
  const lines_ = () => [value.textContent, says.textContent, finding.textContent];
  return { node, svg: picture, show, lines: lines_, rows, signed: true };

  function change(next) {
    tau = Math.min(hottest, Math.max(coldest, next));
    show(at);
    changed(tau);
  }

  // Two digits are enough for a link; near 1 and the root of d the slider snaps.
  function snapped(requested) {
    const near = [1, data.lab.root_d].find((t) => Math.abs(Math.log2(requested / t)) < 0.06);
    return near ?? Number(requested.toPrecision(2));
  }

  function makeLine(r) {
    const y = HEAD + r * ROW;
    const text = (x, anchor) =>
      svg("text", { x, y: y + ROW * 0.7, "text-anchor": anchor, "font-size": size - 0.5, fill: css(look.text) });
    const word = text(left - 8, "end");
    const place = { x: bar.x, y: y + 4, width: bar.width, height: ROW - 8 };
    const now = makeBar(look, { ...place, color: data.hue, outlined: true });
    const share = text(bar.x + bar.width + 6, "start");
    const cells = Array.from({ length: count }, (_, c) =>
      svg("rect", { x: grid.x + c * cell, y, width: cell + 0.2, height: ROW + 0.2 }),
    );
    return { node: svg("g", {}, word, ...now.nodes, share, ...cells), word, now, share, cells };
  }

  function show(j) {
    at = j;
    const scores = data.scores[j];
    const y = softmax(scores, tau);
    const own = softmax(scores);
    const drawn = [...scores.keys()]
      .sort((a, b) => scores[b] - scores[a])
      .slice(0, count)
      .sort((a, b) => a - b);
    const slopes = gradient(drawn.map((i) => y[i]));
    drawn.forEach((i, r) => {
      const line = lines[r];
      line.word.textContent = shorten(sentenceName(labels[i]), size, look.font, left - 10);
      line.now.show(y[i], { outline: tau === 1 ? null : own[i] });
      line.share.textContent = number(y[i]);
      line.cells.forEach((c, k) => set(c, { fill: css(signedColor(look, slopes[r][k], LIMIT)) }));
    });
    const bits = entropy(y);
    const steepest = Math.max(...y.map((v) => v * (1 - v)));
    slider.value = Math.log2(tau);
    value.textContent = `τ = ${number(tau, tau % 1 ? 2 : 0)}`;
    slider.setAttribute("aria-valuetext", value.textContent);
    presets.forEach((b, n) => set(b, { "aria-pressed": String(tau === [1, data.lab.root_d][n]) }));
    const most = number(Math.log2(scores.length));
    const values = { bits: number(bits), most, words: number(2 ** bits, 1), slope: anySize(steepest) };
    says.replaceChildren(...fill(words.sharp, values, ["bits", "words"]));
    finding.replaceChildren(...fill(words.slope, values, ["slope"]));
  }

  function rows() {
    const y = softmax(data.scores[at], tau);
    const slopes = gradient(y).map((row) => row.map((slope) => slope / tau)); // of softmax(score / tau)
    const heads = ["source position", "source", "score", "temperature", "weight"];
    return [
      [...heads, ...labels.map((_, i) => `d weight / d score ${i + 1}`)],
      ...labels.map((l, i) => [i + 1, sentenceName(l), data.scores[at][i], tau, y[i], ...slopes[i]]),
    ];
  }
}
