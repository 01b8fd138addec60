// @ts-check
// The residual stream: a piece, a layer, its vectors row by row, and what the stream would say. The record has all pieces
// and all layers, so that choosing never asks the server; only with parts of layers off it translates again.

import { css, lineColor, parse, readLook, setColors } from "../kit/color.js";
import { makeTables } from "../kit/data_table.js";
import { el, fill, filledNodes, filledText } from "../kit/dom.js";
import { makeChoices } from "./choices.js";
import { makeLens } from "./lens.js";
import { readParameter, writeLink } from "../kit/link_state.js";
import { mounted } from "../kit/mount.js";
import { neighborLinks } from "../kit/neighbors.js";
import { rich } from "../kit/notation.js";
import { idOf, readStack } from "./record.js";
import { drawRows } from "./rows.js";
import { makeSaving } from "../kit/saving.js";
import { lensTable, rowTable } from "./tables.js";
import { watchWidth } from "../kit/width.js";

const FORMULAS = { pre: "x + F(LN(x))", post: "LN(x + F(x))" };

export default mounted(makeInstance);

function makeInstance(parent, given, host) {
  const root = el("div", { class: "view walk residual-stream" });
  parent.append(root);

  let data = null;
  let stacks = {}; // by the letter of their side, s or t
  let picked = null; // the piece that was chosen, {side, position}; null: that which the picture opens with
  let layer = 1; // that was asked for; the other stack may have fewer
  let look = null;
  let built = ""; // what the parts were made for
  let drawn = ""; // what is drawn in them
  let parts = null;
  const width = watchWidth(root, draw, () => {
    built = "";
    draw();
  });

  return {
    update(next) {
      const first = !data;
      data = next;
      stacks = { s: readStack(data.stacks.s), t: readStack(data.stacks.t) };
      if (first) open();
      if (picked && picked.position >= stacks[picked.side].names.length) picked = null;
      if (width.measure()) draw();
      writeUrl();
    },
    follow() {
      [picked, layer] = [null, 1];
      open();
      if (width.now()) draw();
      writeUrl();
    },
    close() {
      width.close();
      root.remove();
    },
  };

  // What the address asks for; what this sentence or this model lacks, the page has said.
  function open() {
    const asked = readParameter(data.link?.piece);
    if (asked && asked.position < stacks[asked.side].names.length) picked = asked;
    const number = readParameter(data.link?.layer) ?? 1;
    layer = number <= stacks[place().side].layers.length ? number : 1;
  }

  function place() {
    return picked ?? { side: data.opens[0], position: Number(data.opens.slice(1)) };
  }

  // The layer that is shown, counted from 0.
  function shownLayer() {
    return Math.min(layer, stacks[place().side].layers.length) - 1;
  }

  function draw() {
    look = readLook(root);
    const now = [idOf(data), css(look.background), look.font].join();
    if (now !== built) build();
    built = now;
    const { side, position } = place();
    const wanted = [now, width.now(), side, position, shownLayer()].join();
    if (wanted !== drawn) show(); // else the keys stay where they are
    drawn = wanted;
  }

  // What stays while pieces and layers change.
  function build() {
    const { words } = data;
    setColors(root, look, lineColor(look, parse(data.hue)));
    const choices = makeChoices(data, stacks, host, { piece, layer: otherLayer });
    const opened = parts?.tables.node.open; // the tables stay open
    parts = {
      choices,
      reads: el("p", { class: "reads" }),
      rows: frame("rows"),
      norm: el("p", { class: "norm" }, ...filledNodes(words[`norm_${data.norm}`], normNodes())),
      about: el("p", { class: "about" }),
      lens: frame("lens"),
      tables: makeTables(words.open, opened),
    };
    const saveRows = makeSaving(words, words.figure_rows, rowSheet, () => rowTable(data, shownRows()));
    const saveLens = makeSaving(words, words.figure_lens, lensSheet, () => lensTable(data, shownLens()));
    root.replaceChildren(
      choices.node,
      effect(),
      el("div", { class: "over" }, parts.reads, saveRows),
      parts.rows,
      parts.norm,
      el("div", { class: "over" }, parts.about, saveLens),
      parts.lens,
      el("div", { class: "proofs" }, parts.tables.node),
    );
    drawn = "";
  }

  function frame(kind) {
    return el("div", { class: `frame scroll ${kind}` });
  }

  // Says on a phone that the picture goes on at the right.
  function edge() {
    return el("div", { class: "edge" });
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
    const { side, position } = place();
    const { stack, reads, predicts } = stacks[side];
    parts.choices.show(place(), shownLayer());
    const said = fill(words[`reads_${stack}`], { piece: reads[position], next: predicts?.[position] });
    const which = el("b", { class: "which" }, `${words[`layer_${stack}`]} ${shownLayer() + 1}. `); // projected, no button says it
    parts.reads.replaceChildren(which, ...said, ...neighborLinks([[chosen(), `${side}${position}`]], words, host));
    const unlike = ["residual", "norm"].map((part) => `${stack}.${shownLayer() + 1}.${part}`);
    parts.norm.hidden = data.off.some((code) => unlike.includes(code)); // here the layer is not as the model is
    const [rows, lens, room] = [shownRows(), shownLens(), width.now()];
    parts.rows.replaceChildren(drawRows(data, rows, look, room), edge());
    const title = el("b", {}, words.lens_title);
    const pick = host.answers ? ` ${words.lens_pick}` : "";
    parts.about.replaceChildren(...filledNodes(words[`lens_${stack}`], { title }), pick);
    parts.lens.replaceChildren(makeLens(data, lens, look, room, host), edge());
    parts.tables.show([
      [rows.title, () => rowTable(data, rows)],
      [lens.title, () => lensTable(data, lens)],
    ]);
  }

  // The piece by its name: of the decoder, which is at work on the next one, that.
  function chosen() {
    const { side, position } = place();
    const { reads, predicts } = stacks[side];
    return (predicts ?? reads)[position];
  }

  function shownRows() {
    const { side, position } = place();
    const { stack, layers, lens } = stacks[side];
    const says = (row) => (row.says === undefined ? [] : lens[row.says].says[position]);
    const rows = layers[shownLayer()].map((row) => ({ ...row.at(position), says: says(row) }));
    return { stack, rows, layer: shownLayer() + 1, title: title("title_rows") };
  }

  function shownLens() {
    const { side, position } = place();
    const { columns, lens } = stacks[side];
    const stages = columns.map((n) => ({ ...lens[n], says: lens[n].says[position] }));
    return { stages, side: side === "s" ? "source" : "target", title: title("title_lens") };
  }

  function title(name) {
    const { side, position } = place();
    const { stack, reads, predicts } = stacks[side];
    const values = { model: data.model, layer: shownLayer() + 1, piece: reads[position], next: predicts?.[position] };
    return filledText(data.words[`${name}_${stack}`], { ...values, sentence: data.sentence });
  }

  function piece(next) {
    picked = next;
    draw();
    writeUrl();
  }

  function otherLayer(next) {
    layer = next + 1;
    draw();
    writeUrl();
  }

  function writeUrl() {
    if (!data) return;
    const code = picked && `${picked.side}${picked.position}`;
    writeLink(data.link, { piece: code === data.opens ? null : code, layer: shownLayer() + 1 });
  }

  function rowSheet() {
    const lines = [...parts.reads.childNodes].slice(1).filter((node) => node.nodeName !== "BUTTON"); // the title has the layer
    return sheet(shownRows().title, lines.map((node) => node.textContent).join(""), parts.rows.firstChild);
  }

  function lensSheet() {
    return sheet(shownLens().title, "", parts.lens.firstChild);
  }

  function sheet(heading, line, node) {
    const effects = data.effect.map((texts) => texts.filter(Boolean).join(" · "));
    return { heading, lines: [line, ...effects].filter(Boolean), parts: [{ node, x: 0, y: 0 }], look };
  }
}
