// @ts-check
// The gates of a deep recurrent decoder: a step, a layer, and how that layer makes its new state. The record has all
// steps of all layers, so that choosing never asks the server.

import { css, parse, readLook, setColors } from "../kit/color.js";
import { makeTables } from "../kit/data_table.js";
import { el, filledText, set } from "../kit/dom.js";
import { picture } from "../kit/picture.js";
import { inputName } from "../kit/piece.js";
import { makeSaving } from "../kit/saving.js";
import { segment } from "../kit/segment.js";
import { makeAxis } from "../kit/tokens.js";
import { makeWalk } from "../kit/walk.js";
import { makeGates } from "../context_vector/gates.js";
import { parse as parseState, serialise } from "./state.js";

/**
 * @typedef {object} Sent what `data` in gates_by_layer/data.py returns
 * @property {string} model
 * @property {string} sentence
 * @property {string} hue
 * @property {number} size D
 * @property {string[]} target
 * @property {number[]} target_words the number of each piece's word
 * @property {string} cell
 * @property {object[]} layers for each layer the result of `gates_json` in context_vector/data.py
 * @property {number[][]} adds for each layer, the layers below whose summed states it reads
 * @property {Record<string, any>} words
 */

/** @param {Sent} sent */
function read(sent) {
  const target = makeAxis(sent.target, sent.target_words, { words: false, hide: false });
  return {
    ...sent,
    id: `${sent.sentence} ${sent.model} ${sent.target.join(" ")}`,
    ...{ target, T: target.length, D: sent.size, hue: parse(sent.hue) },
    input: (step) => inputName(target, step),
  };
}

export default picture("walk gates-by-layer", ({ root, width, host, first }) => {
  let data = null;
  /** @type {import("./state.js").State | null} */
  let state = null;
  let shown = null; // what is drawn: {look, gates, tables}
  let drawn = ""; // key of what is drawn
  const on = { place: () => state.place, go: (place) => change({ place }), show, says: () => shown.gates.sentence(), handBack };
  const walk = makeWalk(root, first.words, on);

  return {
    read(next) {
      const before = data;
      data = read(next);
      state ??= parseState(host.get(), data);
      if (before && before.id !== data.id) change({ place: parseState({}, data).place });
      change({ layer: Math.min(state.layer, data.layers.length - 1) });
      walk.stop();
    },
    draw,
    follow() {
      walk.stop();
      state = parseState(host.get(), data);
      if (shown) draw();
    },
    forget: () => (drawn = ""),
    handBack,
    close: walk.close,
  };

  function change(changes) {
    state = { ...state, ...changes };
  }

  function draw() {
    const look = readLook(root);
    const { layer } = state;
    const wanted = [data.id, layer, width.now(), css(look.background), look.font].join();
    if (wanted === drawn) return show(); // a run of the page that changed nothing here: keep the focus
    drawn = wanted;
    setColors(root, look, data.hue);
    const { words } = data;
    const own = { ...data, gates: data.layers[layer], reads: reads(data.adds[layer]) };
    const gates = makeGates(own, look, width.now(), (word) => walk.go({ word, part: 0 }));
    shown = { look, gates, tables: makeTables(words.open, shown?.tables) };
    gates.node.append(makeSaving(words, words.gates, sheet, gates.csv));
    const layers = segment([...data.layers.keys()], (n) => [String(n + 1)], choose, words.layer);
    layers.mark(layer);
    const choice = el("span", { class: "layers" }, el("span", { class: "label" }, words.layer), layers.node);
    const hadKeys = root.querySelector(".layers")?.contains(focused());
    const over = el("div", { class: "over" }, walk.node, choice);
    root.replaceChildren(over, gates.node, el("div", { class: "proofs" }, shown.tables.node), walk.spoken);
    if (hadKeys) /** @type {HTMLElement} */ (root.querySelector('.layers [aria-pressed="true"]')).focus();
    return show();
  }

  function focused() {
    return /** @type {Document | ShadowRoot} */ (root.getRootNode()).activeElement;
  }

  // What the layer reads at step j, as markup: the word or the states below, and the context.
  function reads(below) {
    return (j) => {
      const state = (number) => `s<sub>${j}</sub><sup>(${number})</sup>`;
      const read = below.length ? below.map(state).join(" + ") : `e(y<sub>${j - 1}</sub>)`;
      return `x<sub>${j}</sub> = [${read}; C<sub>${j}</sub>]`;
    };
  }

  function show() {
    const step = state.place.word;
    walk.show(data.target);
    shown.gates.show(step);
    shown.tables.show([shown.gates.numbers(step)]);
    set(root, { "data-step": step + 1, "data-layer": state.layer + 1 });
  }

  function choose(next) {
    change({ layer: next });
    draw();
    handBack();
  }

  function sheet() {
    const step = state.place.word + 1;
    const heading = filledText(data.words.title, { model: data.model, layer: state.layer + 1, step, sentence: data.sentence });
    return { heading, lines: [shown.gates.sentence()], parts: shown.gates.parts(), look: shown.look, signed: true };
  }

  function handBack() {
    if (!host.get().layer) return; // the section is being closed
    host.set(serialise(state), false);
  }
});
