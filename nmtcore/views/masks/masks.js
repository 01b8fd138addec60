// @ts-check
// Masks and batches: three sentences as one padded batch, and the effect of two masks on one head in one of them. All heads
// were sent, so another one is shown without the server.

import { css, parse, readLook, setColors } from "../kit/color.js";
import { table } from "../kit/data_table.js";
import { el, filledText, svg } from "../kit/dom.js";
import { number } from "../kit/number.js";
import { picture } from "../kit/picture.js";
import { nameAt } from "../kit/piece.js";
import { pointIn, projected, zoomOf } from "../kit/projection.js";
import { makeSaving, signsOf } from "../kit/saving.js";
import { segment } from "../kit/segment.js";
import { matrixParts } from "../kit/sheet.js";
import { joinPadding, maskedHead } from "./arithmetic.js";
import { drawBatch } from "./batch.js";
import { TYPE, drawMatrix, layoutOf, numberSize } from "./matrix.js";
import { parse as parseState, serialise, shown as shownPlace } from "./state.js";

const MASKS = ["padding", "future", "allowed"];
const NUMBERS = ["scores", "unmasked", "weights"];
const ALL = [...MASKS, ...NUMBERS];
const READABLE = 22; // px of a cell from which matrices are side by side
const NARROW = 640; // px of the picture, below which they are stacked
const BETWEEN = 20; // px; also in masks.css
const CUT = 32; // letters of a sentence that its button shows; Chinese characters are wider
const WIDE = /\p{Script=Han}/u;
const HEADING = 22; // px above a saved matrix

export default picture("masks", ({ root, width, host, first }) => {
  const [rows, places] = [el("div", { class: "controls" }), el("div", { class: "controls places" })];
  const [says, batch, matrices] = [el("p"), el("div", { class: "batch scroll" }), el("div", { class: "matrices" })];
  const which = el("p", { class: "which" });
  const [tables, tip] = [el("div", { class: "unseen" }), el("div", { class: "tip", hidden: true })];
  places.append(makeSaving(first.words, "", sheet, csv));
  root.append(rows, says, batch, places, which, matrices, tables, tip);
  let data = first;
  let drawn = ""; // key: sentences, width and colours
  let look = null;
  let layout = null;
  let across = 1;
  let head = null; // the numbers of the head that is shown, with one column for much padding
  let shown = {}; // its matrices by name: {caption, drawing, figure}
  const controls = new Map(); // the switches by their parameter: {node, labels, mark}
  let state = parseState(host.get());
  let place = shownPlace(state, data); // {kind, layer, head, row}, all but the kind from 0
  let later = 0;
  return {
    read(sent) {
      data = sent;
      place = shownPlace(state, data);
    },
    draw,
    follow() {
      state = parseState(host.get());
      place = shownPlace(state, data);
      if (width.now()) drawAll();
    },
    forget: () => (drawn = ""),
    close: () => clearTimeout(later),
  };

  /** @param {Partial<import("./arithmetic.js").Place>} change */
  function choose({ row, ...change }) {
    const before = place;
    const named = { ...before, ...change };
    state = row === undefined ? { ...state, named } : { ...state, row };
    place = shownPlace(state, data);
    if (state.named) state = { ...state, named: { kind: place.kind, layer: place.layer, head: place.head } };
    host.set(serialise(state));
    if (place.kind !== before.kind || place.row !== before.row) return drawAll();
    drawControls();
    drawHead(NUMBERS);
  }

  function draw() {
    const { background, font } = readLook(root);
    const { sources, inputs, model } = data;
    const now = JSON.stringify([model, sources, inputs, width.now(), css(background), font]);
    if (now !== drawn) drawAll();
    drawn = now;
  }

  function drawAll() {
    look = readLook(root);
    setColors(root, look);
    drawControls();
    const { words, sources, inputs, lengths, hue } = data;
    const [source, input] = [[sources, lengths.sources, data.source_words], [inputs, lengths.inputs, data.input_words]];
    const [pieces, real, groups] = place.kind === "encoder" ? source : input;
    const share = 1 - real.reduce((a, b) => a + b, 0) / (pieces.length * pieces[0].length);
    const filled = filledText(words.filled, { percent: `${Math.round(100 * share)}%` });
    says.replaceChildren(el("b", {}, words.batch), " ", filled);
    const drawing = drawBatch(pieces, groups, real, place.row, width.now(), parse(hue), look);
    batch.replaceChildren(drawing);
    drawHead(ALL);
  }

  function drawControls() {
    const { words, sentences, kinds } = data;
    const most = (text) => (WIDE.test(text) ? CUT / 2 : CUT);
    const cut = (text) => (text.length <= most(text) ? text : `${text.slice(0, most(text) - 2)}…`);
    const upTo = (count) => [...Array(count).keys()];
    const counted = (value) => [String(value + 1)];
    control(rows, "row", words.sentence, upTo(sentences.length), (row) => [`${row + 1}  ${cut(sentences[row])}`]);
    control(places, "kind", words.kind, Object.keys(kinds), (kind) => [words.kinds[kind]]);
    control(places, "layer", words.layer, upTo(kinds[place.kind].layers), counted);
    control(places, "head", words.head, upTo(kinds[place.kind].heads), counted);
  }

  // A switch, remade if its values change: otherwise it keeps the focus.
  function control(line, name, label, values, labelOf) {
    const known = controls.get(name);
    const labels = values.map((value) => labelOf(value)[0]).join("\n");
    if (known?.labels !== labels) {
      const { node, mark } = segment(values, labelOf, (value) => choose({ [name]: value }), label);
      const named = el("span", { class: `named ${name}` }, el("small", {}, label), node);
      controls.set(name, { node: named, labels, mark });
      if (known) known.node.replaceWith(named);
      else line.insertBefore(named, line.querySelector(".saving"));
    }
    controls.get(name).mark(place[name]);
  }

  // Some of the six matrices; the others stay as they are.
  function drawHead(names) {
    head = joinPadding(maskedHead(data, place));
    which.textContent = line();
    if (names.includes("padding")) arrange();
    const { queries, keys, groups, allowed, kept, sums } = head;
    const more = { scores: { allowed }, unmasked: { sums: kept }, weights: { allowed, sums } };
    for (const name of names) {
      const how = MASKS.includes(name) ? "mask" : name === "scores" ? "scores" : "weights";
      const matrix = { queries, keys, groups, values: head[name], ...more[name] };
      const drawing = drawMatrix(matrix, how, layout, look, parse(data.hue), point);
      const caption = captionOf(name);
      const figure = el("figure", { class: name }, el("figcaption", {}, ...caption), drawing.node);
      const before = shown[name]?.figure;
      if (before) before.replaceWith(figure);
      else matrices.append(figure);
      shown[name] = { caption: caption.map(textOf).join(""), drawing, figure };
    }
    tip.hidden = true;
    clearTimeout(later);
    later = setTimeout(() => tables.replaceChildren(...ALL.map(tableOf))); // visible matrices come first
  }

  // As many matrices side by side as leave their numbers legible; two if none are.
  function arrange() {
    const room = width.now();
    const column = (count) => Math.floor((room - BETWEEN * (count - 1)) / count);
    const layouts = new Map([3, 2, 1].map((count) => [count, layoutOf(head, column(count), look.font)]));
    const type = projected() ? (TYPE * window.innerHeight) / zoomOf(root) : 0; // px; the rest is scrolled to
    const read = (layout) => (type ? numberSize(layout, look.font) >= type : layout.cell >= READABLE);
    const readable = [3, 2].find((count) => layouts.get(count).fits && read(layouts.get(count)));
    across = room < NARROW ? 1 : (readable ?? (type ? 1 : 2));
    layout = layouts.get(across);
    root.style.setProperty("--across", String(across));
  }

  // The name of a matrix in bold, and the note about it.
  function captionOf(name) {
    const { words } = data;
    const other = { future: place.kind !== "decoder" && "no_future", scores: look.grey && "scores_grey" };
    const [title, rest] = words[other[name] || name];
    const before = { future: "× ", allowed: "= " }[name] ?? "";
    const formula = name === "scores" ? [" q·k/√d", el("sub", {}, "k")] : [];
    const after = rest ? `${formula.length ? ", " : ": "}${rest}` : "";
    return [before, el("b", {}, title), ...formula, after];
  }

  function tableOf(name) {
    const { queries, keys, groups, allowed } = head;
    const digits = MASKS.includes(name) ? 0 : 2;
    const masked = (value) => (Number.isNaN(value) ? "\u2212\u221e" : `${number(value, digits)} → \u2212\u221e`);
    const hidden = { scores: masked, weights: () => number(0) };
    const cell = (value, t, s) => (name in hidden && !allowed[t][s] ? hidden[name](value) : number(value, digits));
    const row = (line, t) => [nameAt(queries, t, groups.queries), ...line.map((value, s) => cell(value, t, s))];
    return table(shown[name].caption, ["", ...keys.map((_, s) => nameAt(keys, s, groups.keys))], head[name].map(row));
  }

  // Mark what is pointed at in all six matrices.
  function point(cell, event) {
    const { words } = data;
    for (const { drawing } of Object.values(shown)) {
      drawing.mark({ rows: cell ? [cell.t] : [], col: cell ? cell.s : -1, tint: null, origin: false, dim: false });
    }
    tip.hidden = !cell;
    if (!cell) return;
    const { t, s } = cell;
    const [score, unmasked, weight] = NUMBERS.map((name) => number(head[name][t][s], 4));
    const { queries, keys, groups } = head;
    const names = { query: nameAt(queries, t, groups.queries), key: nameAt(keys, s, groups.keys) };
    const masks = { padding: head.padding[t][s], future: head.future[t][s], allowed: head.allowed[t][s] };
    const numbers = head.joined && s === head.real ? words.joined : words.numbers;
    const lines = [filledText(words.masks, { ...names, ...masks }), filledText(numbers, { score, unmasked, weight })];
    tip.replaceChildren(...lines.map((line) => el("div", {}, line)));
    const { x, y } = pointIn(event, root);
    tip.style.left = `${Math.max(0, Math.min(width.now() - tip.offsetWidth, x + 14))}px`;
    tip.style.top = `${y + 16}px`;
  }

  function heading() {
    return filledText(data.words.title, { sentence: data.sentences[0] });
  }

  function line() {
    const { words } = data;
    const { row, kind, layer, head } = place;
    return filledText(words.saved, { row: row + 1, kind: words.kinds[kind], layer: layer + 1, head: head + 1 });
  }

  function sheet() {
    const top = batch.firstElementChild;
    const parts = [{ node: top, x: 0, y: 0 }];
    const wide = Math.max(...ALL.map((name) => shown[name].drawing.width)) + BETWEEN;
    let y = Number(top.getAttribute("height")) + BETWEEN;
    for (let from = 0; from < ALL.length; from += across) {
      const beside = ALL.slice(from, from + across).map((name) => shown[name]);
      beside.forEach(({ caption, drawing }, i) => {
        const words = svg("text", { x: 0, y: 15, "font-size": 15, fill: css(look.text) }, caption);
        const x = i * wide;
        parts.push({ node: svg("svg", { width: wide, height: HEADING }, words), x, y });
        parts.push(...matrixParts(drawing, layout, x, y + HEADING));
      });
      y += HEADING + Math.max(...beside.map(({ drawing }) => drawing.height)) + BETWEEN;
    }
    const signs = `${data.words.scores[0]}. ${signsOf(data.words, look.grey)}`;
    return { heading: heading(), lines: [line(), says.textContent, signs], look, parts, file: `${heading()} ${line()}` };
  }

  // One row per cell, with each place of padding separate.
  function csv() {
    const whole = maskedHead(data, place);
    const at = (name, t, s) => (MASKS.includes(name) ? whole[name][t][s] : whole[name][t][s].toFixed(6));
    const names = (side) => whole[side].map((_, i) => nameAt(whole[side], i, whole.groups[side]));
    const [queries, keys] = [names("queries"), names("keys")];
    const cells = queries.flatMap((query, t) =>
      keys.map((key, s) => [t + 1, query, s + 1, key, ...ALL.map((name) => at(name, t, s))]),
    );
    return [["query position", "query", "key position", "key", ...ALL], ...cells];
  }
});

const textOf = (part) => (typeof part === "string" ? part : part.textContent);
