// @ts-check
// The residual stream: a piece, a layer, its vectors row by row, and what the stream would say. The record has all pieces
// and all layers, so that choosing never asks the server; only with parts of layers off it translates again.

import { css, lineColor, parse, readLook, setColors } from "../kit/color.js";
import { makeTables } from "../kit/data_table.js";
import { el, fill, filledNodes, filledText, set } from "../kit/dom.js";
import { makeChoices } from "./choices.js";
import { lensTable, makeLens } from "./lens.js";
import { neighborLinks } from "../kit/neighbors.js";
import { picture } from "../kit/picture.js";
import { rich } from "../kit/notation.js";
import { heightLeft, projected } from "../kit/projection.js";
import { idOf, readStack } from "./record.js";
import { drawRows, rowTable } from "./rows.js";
import { makeSaving } from "../kit/saving.js";
import { parse as parseState, serialise } from "./state.js";

const OWN = 40; // px of the line above the rows of a projected picture
const MOST = 1.35; // how much larger its rows are, at most
const FORMULAS = { pre: "x + F(LN(x))", post: "LN(x + F(x))" };

export default picture("walk residual-stream", ({ root, width, host }) => {
  let data = null;
  let stacks = {}; // by the letter of their side, s or t
  /** @type {import("./state.js").State | null} */
  let state = null;
  let look = null;
  let built = ""; // key of the drawn parts
  let drawn = ""; // key of their contents
  let parts = null;
  return {
    read(next) {
      data = next;
      stacks = { s: readStack(data.stacks.s), t: readStack(data.stacks.t) };
      state ??= parseState(host.get(), data);
      const { side, position } = state.piece;
      if (position >= stacks[side].names.length) change({ piece: parseState({}, data).piece });
    },
    draw,
    follow() {
      state = parseState(host.get(), data);
      if (width.now()) draw();
      handBack();
    },
    forget: () => (built = ""),
    handBack,
  };

  function change(changes) {
    state = { ...state, ...changes };
  }

  // The page runs if it was drawn with other parts off.
  function handBack() {
    return host.set(serialise(state, data));
  }

  // The layer that is shown, counted from 0.
  function shownLayer() {
    return Math.min(state.layer, stacks[state.piece.side].layers.length) - 1;
  }

  function draw() {
    look = readLook(root);
    const now = [idOf(data), css(look.background), look.font].join();
    if (now !== built) build();
    built = now;
    const { side, position } = state.piece;
    const wanted = [now, width.now(), side, position, shownLayer()].join();
    if (wanted !== drawn) show(); // else keep the focus
    drawn = wanted;
  }

  // The parts that stay while pieces and layers change.
  function build() {
    const { words } = data;
    setColors(root, look, lineColor(look, parse(data.hue)));
    const on = { piece: (piece) => choose({ piece }), layer: (index) => choose({ layer: index + 1 }), toggle };
    const choices = makeChoices(data, stacks, host, on);
    parts = {
      choices,
      reads: el("p", { class: "reads" }),
      rows: frame("rows"),
      norm: el("p", { class: "norm" }, ...filledNodes(words[`norm_${data.norm}`], normNodes())),
      about: el("p", { class: "about" }),
      lens: frame("lens"),
      tables: makeTables(words.open, parts?.tables),
    };
    const saveRows = makeSaving(words, words.figure_rows, rowSheet, () => rowTable(data, shownRows()));
    const saveLens = makeSaving(words, words.figure_lens, lensSheet, () => lensTable(data, shownLens()));
    const over = (...nodes) => el("div", { class: "over" }, ...nodes);
    const [rows, lens] = [over(parts.reads, saveRows), over(parts.about, saveLens)];
    const proofs = el("div", { class: "proofs" }, parts.tables.node);
    root.replaceChildren(choices.node, effect(), rows, parts.rows, parts.norm, lens, parts.lens, proofs);
    drawn = "";
  }

  function frame(kind) {
    return el("div", { class: `frame scroll ${kind}` });
  }

  function normNodes() {
    return { name: el("b", {}, data.words[`name_${data.norm}`]), formula: el("span", { class: "letters" }, ...rich(FORMULAS[data.norm])) };
  }

  // The translations before and after parts went off.
  function effect() {
    const line = ([title, text, remark]) =>
      el("div", { class: "line" }, el("b", {}, title), el("p", {}, text), el("small", {}, remark));
    return el("div", { class: "effect", "aria-live": "polite", hidden: !data.effect.length }, ...data.effect.map(line));
  }

  function show() {
    const { words } = data;
    const { side, position } = state.piece;
    const { stack, reads, predicts } = stacks[side];
    parts.choices.show(state.piece, shownLayer(), state.off);
    const said = fill(words[`reads_${stack}`], { piece: reads[position], next: predicts?.[position] });
    const which = el("b", { class: "which" }, `${words[`layer_${stack}`]} ${shownLayer() + 1}. `); // projected, no button says it
    parts.reads.replaceChildren(which, ...said, ...neighborLinks([[chosen(), `${side}${position}`]], words, host));
    const unlike = ["residual", "norm"].map((part) => `${stack}.${shownLayer() + 1}.${part}`);
    parts.norm.hidden = data.off.some((code) => unlike.includes(code)); // here the layer differs from the model's
    const [rows, lens, room] = [shownRows(), shownLens(), width.now()];
    parts.rows.replaceChildren(largest(rows, room));
    const title = el("b", {}, words.lens_title);
    const pick = host.answers && words.neighbors ? ` ${words.lens_pick}` : "";
    parts.about.replaceChildren(...filledNodes(words[`lens_${stack}`], { title }), pick);
    parts.lens.replaceChildren(makeLens(data, lens, look, room, host));
    parts.tables.show([[rows.title, () => rowTable(data, rows)], [lens.title, () => lensTable(data, lens)]]);
  }

  // The rows; when a window is filled, as large as its height allows.
  function largest(rows, room) {
    const drawing = drawRows(data, rows, look, room);
    const high = Number(drawing.getAttribute("height"));
    const grown = projected() ? Math.min(MOST, heightLeft(root, 0, OWN) / high) : 1;
    if (grown <= 1) return drawing;
    const larger = drawRows(data, rows, look, room / grown);
    set(larger, { width: room, height: high * grown });
    return larger;
  }

  // The piece by its name; in the decoder, the next one, which it is working on.
  function chosen() {
    const { side, position } = state.piece;
    const { reads, predicts } = stacks[side];
    return (predicts ?? reads)[position];
  }

  function shownRows() {
    const { side, position } = state.piece;
    const { stack, layers, lens } = stacks[side];
    const says = (row) => (row.says === undefined ? [] : lens[row.says].says[position]);
    const rows = layers[shownLayer()].map((row) => ({ ...row.at(position), says: says(row) }));
    return { stack, rows, layer: shownLayer() + 1, title: title("title_rows") };
  }

  function shownLens() {
    const { side, position } = state.piece;
    const { columns, lens } = stacks[side];
    const stages = columns.map((n) => ({ ...lens[n], says: lens[n].says[position] }));
    return { stages, side: side === "s" ? "source" : "target", title: title("title_lens") };
  }

  function title(name) {
    const { side, position } = state.piece;
    const { stack, reads, predicts } = stacks[side];
    const values = { model: data.model, layer: shownLayer() + 1, piece: reads[position], next: predicts?.[position] };
    return filledText(data.words[`${name}_${stack}`], { ...values, sentence: data.sentence });
  }

  function choose(changes) {
    change(changes);
    draw();
    handBack();
  }

  // Toggle these parts.
  function toggle(codes) {
    const off = new Set(state.off);
    for (const code of codes) if (!off.delete(code)) off.add(code);
    change({ off });
    parts.choices.show(state.piece, shownLayer(), off);
    if (handBack()) root.querySelector(".effect")?.classList.add("waiting");
  }

  function rowSheet() {
    const lines = [...parts.reads.childNodes].slice(1).filter((node) => node.nodeName !== "BUTTON"); // the title has the layer
    const line = lines.map((node) => node.textContent).join("");
    return { ...sheet(shownRows().title, line, parts.rows.firstChild), signed: true };
  }

  function lensSheet() {
    return sheet(shownLens().title, "", parts.lens.firstChild);
  }

  function sheet(heading, line, node) {
    const effects = data.effect.map((texts) => texts.filter(Boolean).join(" · "));
    return { heading, lines: [line, ...effects].filter(Boolean), parts: [{ node, x: 0, y: 0 }], look };
  }
});
