// @ts-check
// The one vector: the record of a whole decode is here, so that walking through it never asks the server.

import { drawCandidates } from "../kit/candidates.js";
import { css, readLook, setColors } from "../kit/color.js";
import { el, fill, filledText, set } from "../kit/dom.js";
import { makeGates } from "./gates.js";
import { plain, quote, rich } from "../kit/notation.js";
import { neighborLinks } from "../kit/neighbors.js";
import { number } from "../kit/number.js";
import { picture } from "../kit/picture.js";
import { sentenceName } from "../kit/piece.js";
import { drawPicture } from "./picture.js";
import { heightLeft, pointIn } from "../kit/projection.js";
import { makePlan } from "./plan.js";
import { bringIntoSight } from "../kit/reach.js";
import { makeSaving } from "../kit/saving.js";
import { parse as parseState, serialise } from "./state.js";
import { read } from "./states.js";
import { makeTables } from "./tables.js";
import { makeWalk } from "../kit/walk.js";

const ASIDE = 286; // px of the words and the candidates beside the picture
const GAP = 28;
const LEAST = 20; // px of a column: if all are narrower, the picture takes the whole width instead
const ABOVE = 420; // px that a projector's screen spends above and below the cells
const OWN = 150; // px above and below the cells of a projected picture
const MOST = 660; // px of the cells

export default picture("walk context-vector", ({ root, width, host, first }) => {
  let data = null;
  /** @type {Record<string, any> | null} */
  let shown = null; // what is drawn: {picture, candidates, tables, ...}
  let drawn = ""; // key of what is drawn
  /** @type {import("./state.js").State | null} */
  let state = null;

  const on = { place: () => state.place, go: (place) => change({ place }), show, says: () => shown.wrote.textContent, handBack };
  const walk = makeWalk(root, first.words, on);

  return {
    read(next) {
      const before = data;
      data = read(next);
      state ??= parseState(host.get(), data);
      if (before && before.id !== data.id) state = parseState({}, data);
      walk.stop();
    },
    draw,
    follow() {
      walk.stop();
      state = { ...parseState(host.get(), data), lacking: state.lacking };
      if (shown) show();
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
    const whole = width.now();
    const wanted = [data.id, whole, css(look.background), look.font, state.lacking].join();
    if (wanted === drawn) return show(); // a run of the page that changed nothing here: keep the focus
    drawn = wanted;
    setColors(root, look, data.hue);
    const room = Math.max(250, Math.min(MOST, heightLeft(root, ABOVE, OWN)));
    const narrow = makePlan(data, whole - ASIDE - GAP, room, look.font);
    const beside = narrow.cell >= LEAST && narrow.width <= whole - ASIDE - GAP;
    const plan = beside ? narrow : makePlan(data, whole, room, look.font);
    const gates = data.gates && makeGates(data, look, whole, (word) => walk.go({ word, part: 0 }));
    shown = {
      ...{ look, plan, beside },
      picture: drawPicture(data, plan, look),
      candidates: drawCandidates(data, look, Math.min(whole, ASIDE)),
      formulas: el("div", { class: "formulas" }),
      wrote: el("p", { class: "wrote" }),
      like: el("p", { class: "like" }),
      tables: makeTables(data, shown?.tables, gates?.numbers),
      tip: el("div", { class: "tip", hidden: true }),
      gates,
    };
    const { picture, candidates, formulas, wrote, tables, tip } = shown;
    const { words } = data;
    const over = el("div", { class: "over" }, walk.node, makeSaving(words, words.figure, states, tables.states));
    const values = { D: data.D, all: (data.S * data.D).toLocaleString("en"), C: "C" };
    const says = el("p", { class: "says" }, ...fill(words.says, values, ["C"]));
    const bars = el("div", {}, candidates.node, makeSaving(words, words.candidates, chances, tables.candidates));
    const scroll = el("div", { class: "frame scrolls", tabindex: 0, role: "group", "aria-label": words.frame }, picture.node);
    const aside = el("div", { class: "aside" }, says, el("div", {}, formulas, wrote, shown.like), bars);
    const grid = el("div", { class: beside ? "grid beside" : "grid" }, el("div", { class: "held" }, scroll, tip), aside);
    const { lacking } = state;
    const ignored = lacking && filledText(words.ignored, { asked: String(lacking), low: 1, high: data.T });
    const remarks = [ignored, data.finished ? "" : words.unfinished].filter(Boolean).join(" · ");
    const note = remarks ? el("p", { class: "note", role: "status" }, remarks) : "";
    show();
    root.replaceChildren(over, note, grid, ...gatesPane(), tables.node, walk.spoken);
    shown.scroll = scroll;
    scroll.addEventListener("click", choose);
    scroll.addEventListener("pointermove", point);
    scroll.addEventListener("pointerleave", () => point(null));
    scroll.addEventListener("scroll", () => point(null));
    reveal();
  }

  // The strips of the gates with their saving controls; for a cell without gates, a sentence.
  function gatesPane() {
    const { words } = data;
    if (data.cell === "rnn") return [el("p", { class: "note" }, words.gates_none)];
    if (!shown.gates) return [];
    const { node, csv } = shown.gates;
    node.append(makeSaving(words, words.gates, gatesSheet, csv));
    return [node];
  }

  // A click on a decoder state or its word goes to its step; on an encoder state, to its neighbours.
  function choose(event) {
    const name = event.target.closest("[data-column]");
    const column = name ? Number(name.dataset.column) : (shown.picture.under(event)?.column ?? data.S);
    if (column > data.S) return walk.go({ word: column - data.S - 1, part: 0 });
    if (column === data.S) return undefined;
    change({ source: column });
    return show();
  }

  function show() {
    const step = state.place.word;
    const { picture, candidates, formulas, wrote, tables } = shown;
    shown.gates?.show(step);
    walk.show(data.target);
    picture.show(step, filledText(data.words.picture, { S: data.S, D: data.D, T: data.T, j: step + 1 }));
    candidates.show(step);
    tables.show(step);
    formulas.replaceChildren(...equations(step).map((markup) => el("p", { class: "letters" }, ...rich(markup))));
    const [last, word] = [quote(data.input(step)), quote(sentenceName(data.target[step]))];
    wrote.replaceChildren(...fill(data.words.wrote, { last, word, p: number(data.probabilities[step]) }, ["word"]));
    /** @type {[string, string][]} */
    const pieces = [[sentenceName(data.target[step]), `t${step}`]];
    const { source } = state;
    if (source >= 0) pieces.unshift([sentenceName(data.source[source]), `s${source}`]);
    shown.like.replaceChildren(...neighborLinks(pieces, data.words, host));
    point(null);
    reveal();
    set(root, { "data-step": step + 1 });
  }

  function equations(step) {
    const ends = data.bothWays ? `h\u20d7<sub>${data.S}</sub>; h\u20d6<sub>1</sub>` : `h<sub>${data.S}</sub>`;
    const last = `e(y<sub>${step}</sub>)`;
    return [
      `C = tanh(W [${ends}])`,
      "s<sub>0</sub> = tanh(V C)",
      `s<sub>${step + 1}</sub> = f(s<sub>${step}</sub>, ${data.everyStep ? `[${last}; C]` : last})`,
    ];
  }

  // If the picture is wider than the page, keep its step visible.
  function reveal() {
    const { scroll, plan } = shown;
    if (!scroll || plan.width <= width.now()) return; // measuring costs a layout
    if (state.place.word === 0 && scroll.scrollLeft === 0) return; // it opens at the beginning of the sentence
    bringIntoSight(scroll, { x: plan.left(data.S + 1 + state.place.word), width: plan.cell });
  }

  // The cell under the pointer; null if there is none.
  function point(event) {
    const { picture, tip, scroll } = shown;
    const found = event && picture.under(event);
    const cell = found && found.column - data.S - 1 <= state.place.word ? found : null; // later states are not visible yet
    tip.hidden = !cell;
    if (!cell) return picture.point(-1);
    const { column, component } = cell;
    picture.point(column, component);
    scroll.classList.toggle("leads", column !== data.S);
    const word = data.word(column);
    const value = number(data.value(column, component), 3);
    const values = { word: word && quote(sentenceName(word)), i: component + 1, state: data.state(column), value };
    tip.replaceChildren(...fill(word ? data.words.named : data.words.unnamed, values, ["word", "value"]));
    const { x, y } = pointIn(event, scroll);
    const room = scroll.offsetWidth;
    const side = x > room / 2 ? x - tip.offsetWidth - 14 : x + 14;
    tip.style.left = `${Math.max(0, Math.min(room - tip.offsetWidth, side))}px`;
    return (tip.style.top = `${y + 14}px`);
  }

  function handBack() {
    host.set(serialise(state), false);
  }

  function saved(...parts) {
    const step = state.place.word;
    const heading = filledText(data.words.title, { model: data.model, step: step + 1, sentence: data.sentence });
    return { heading, lines: [shown.wrote.textContent], parts, look: shown.look };
  }

  function states() {
    const { picture, candidates, plan } = shown;
    const beside = { node: candidates.node, x: plan.width + GAP, y: plan.top };
    const sheet = saved({ node: picture.node, x: 0, y: 0 }, beside);
    sheet.lines.push(...equations(state.place.word).map(plain));
    return { ...sheet, signed: true };
  }

  function gatesSheet() {
    const sheet = saved(...shown.gates.parts());
    sheet.lines.push(shown.gates.sentence());
    return { ...sheet, signed: true };
  }

  function chances() {
    return saved({ node: shown.candidates.node, x: 0, y: 0 });
  }
});
