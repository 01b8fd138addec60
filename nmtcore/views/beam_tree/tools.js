// @ts-check
// The quiet rows: alpha and beta over the tree; under it what the lines mean and which dropped candidates are drawn, and
// the what-ifs in force.

import { css } from "../kit/color.js";
import { button, el, filledText, set, svg } from "../kit/dom.js";
import { number } from "../kit/number.js";

const MODES = ["none", "step", "all"];
export const USUAL = 2; // the sliders' end; further if a link says so

/** How the paths of other results are drawn. */
export const DASHED = {
  before: { "stroke-width": 3, "stroke-dasharray": "1 6" },
  greedy: { "stroke-width": 3, "stroke-dasharray": "8 6" },
};

// on: {penalties(changes, done), mode(name)}. Returns both nodes and `show(state, look)`.
export function makeTools(words, on) {
  const alpha = penalty("α", words.alpha, words.alpha_does, (value, done) => on.penalties({ alpha: value }, done));
  const beta = penalty("β", words.beta, words.beta_does, (value, done) => on.penalties({ beta: value }, done));
  const modes = MODES.map((name) =>
    button(() => on.mode(name), { class: "toggle", "data-mode": name }, words[`mode_${name}`]),
  );
  const segment = el("span", { class: "segment", role: "group", "aria-label": words.modes }, ...modes);
  const choice = el("span", { class: "choice" }, el("span", {}, words.modes), segment);
  const legend = el("span", { class: "legend", "aria-hidden": "true" });
  const named = { class: "penalties", role: "group", "aria-label": words.penalties };
  const penalties = el("span", named, alpha.node, beta.node);
  return { penalties, legend, choice, show };

  function show({ penalties, attention, mode, kinds, changes }, look) {
    alpha.show(penalties.alpha, changes.alpha);
    beta.show(penalties.beta, changes.beta);
    beta.node.hidden = !attention;
    for (const button of modes) set(button, { "aria-pressed": String(button.dataset.mode === mode) });
    const samples = {
      best: { stroke: css(look.text), "stroke-width": 4.5 },
      ...(kinds.has("greedy") && { greedy: { stroke: css(look.greedy), ...DASHED.greedy } }),
      ...(kinds.has("before") && { before: { stroke: css(look.muted), ...DASHED.before, "stroke-linecap": "round" } }),
      ...(mode !== "none" && { dropped: { stroke: css(look.pruned), "stroke-width": 1.5 } }),
    };
    const items = Object.entries(samples).map(([name, style]) => sample(style, words[`legend_${name}`]));
    legend.replaceChildren(...items, scale(look, words.legend_scale));
  }
}

// does: what a larger value prefers, in two or three words.
function penalty(sign, title, does, act) {
  const slider = el("input", { type: "range", min: 0, max: USUAL, step: 0.05, "aria-label": title });
  const value = el("output", {});
  slider.addEventListener("input", () => act(Number(slider.value), false));
  slider.addEventListener("change", () => act(Number(slider.value), true));
  const ticks = el("span", { class: "ticks", "aria-hidden": "true" });
  const track = el("span", { class: "track" }, slider, ticks);
  const node = el("label", { class: "penalty", title }, el("span", { class: "sign" }, sign), track, value);
  node.append(el("span", { class: "does" }, does));
  return { node, show };

  // changes: the values at which another translation wins, one tick each.
  function show(now, changes) {
    const max = Math.max(USUAL, Math.ceil(now));
    ticks.replaceChildren(...changes.map((at) => tick(at / max)));
    set(slider, { max, step: Number.isInteger(Math.round(now * 2000) / 100) ? 0.05 : "any" });
    slider.value = now;
    value.textContent = number(now);
  }
}

// The middle of the slider's handle, 16 px wide, at this share of its range.
function tick(share) {
  const node = el("i", {});
  node.style.left = `calc(8px + (100% - 16px) * ${share.toFixed(4)})`;
  return node;
}

function sample(style, text) {
  const line = svg("svg", { width: 34, height: 10 }, svg("path", { d: "M2 5H32", fill: "none", ...style }));
  return el("span", {}, line, text);
}

function scale(look, text) {
  const bar = el("i", { class: "scale" });
  bar.style.background = `linear-gradient(to right, color-mix(in srgb, ${css(look.hue)} 22%, ${css(look.background)}), ${css(look.hue)})`;
  return el("span", {}, "\u22124", bar, "0", ` ${text}`);
}

// What-ifs, each of which can be undone. undo(codes) gets the remaining ones; hidden if nobody answers.
export function drawWhatIfs(words, whatifs, undo) {
  const leave = (attributes, left, text) => button(() => undo(left.map((what) => what.code).join("~")), attributes, text);
  const items = whatifs.map((what) => {
    const name = { "aria-label": filledText(words.undo, { what: what.text }), title: words.undo_short };
    const others = whatifs.filter((other) => other !== what);
    return el("span", { class: "whatif" }, what.text, undo ? leave(name, others, "×") : "");
  });
  const all = undo && items.length > 1 ? [leave({ class: "link" }, [], words.undo_all)] : [];
  return [el("b", {}, words.whatifs), ...items, ...all];
}
