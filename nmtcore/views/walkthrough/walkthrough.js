// @ts-check
// The stepper: the whole record of a decode is here, so walking through it never asks the server. Only an override of
// its attention does.

import { makeOverride } from "./override.js";
import { makeChips } from "../kit/chips.js";
import { readLook, setColors } from "../kit/color.js";
import { drawDiagram } from "./diagram.js";
import { el, filledText, set } from "../kit/dom.js";
import { makeExplain } from "./explain.js";
import { makeLab } from "./lab.js";
import { drawMatrix, layoutOf } from "./matrix.js";
import { matrixParts } from "../kit/sheet.js";
import { neighborLinks } from "../kit/neighbors.js";
import { makeNumbers } from "./numbers.js";
import { picture } from "../kit/picture.js";
import { heightOf, partAt } from "./plan.js";
import { PARTS, writePlace } from "../kit/place.js";
import { read } from "./record.js";
import { heightLeft, pointIn } from "../kit/projection.js";
import { makeSaving } from "../kit/saving.js";
import { largest } from "./softmax.js";
import { OPENING, parse as parseState, serialise } from "./state.js";
import { makeView } from "../kit/tokens.js";
import { makeWalk } from "../kit/walk.js";

const BESIDE = 860; // px from which the matrix stands beside the diagram
const GAP = 28;
const CAPTION = 30; // px above the matrix
const LOW = 380; // px of a matrix that stands below the diagram
const ABOVE = 378; // px that a projector's screen spends above and below the rows
const OWN = 240; // px above and below the rows of a projected picture
const MOST = 640; // px of the rows

export default picture("walk", ({ root, width, host, first }) => {
  /** @type {Record<string, any> | null} */
  let data = null;
  /** @type {Record<string, any> | null} */
  let shown = null; // what is drawn: {rows, chips, explain, diagram, matrix, override, numbers, lab}
  /** @type {import("./state.js").State | null} */
  let state = null;

  const where = () => (state.fresh ? first.words.where_all : first.words.where);
  const on = { place: () => state.place, where, fresh: () => state.fresh, go, show, says: () => shown.explain.text(), handBack };
  const walk = makeWalk(root, first.words, on, PARTS);

  return {
    read(next) {
      const before = data;
      data = read(next);
      state ??= parseState(host.get(), data);
      const inside = state.place.word < data.target.length;
      if (before && (before.mark !== data.mark || !inside)) change({ place: OPENING, fresh: true });
      if (before && before.id !== data.id) change({ source: -1, hover: -1, lacking: null });
      walk.stop();
    },
    draw,
    follow() {
      walk.stop();
      state = { ...parseState(host.get(), data), lacking: state.lacking };
      if (shown) show(true);
    },
    handBack,
    close: walk.close,
  };

  function go(place) {
    change({ place, fresh: false });
  }

  function change(changes) {
    state = { ...state, ...changes };
  }

  function draw() {
    const look = readLook(root);
    setColors(root, look, data.hue);
    const view = makeView(data, { words: false, hide: false });
    const labels = view.columns;
    const whole = width.now();
    const beside = whole >= BESIDE;
    const room = Math.max(220, Math.min(MOST, heightLeft(root, ABOVE, OWN)));
    const most = beside ? Math.floor(whole * 0.34) : whole;
    const high = beside ? heightOf(labels.length, room) - CAPTION : LOW;
    const layout = layoutOf(view, most, high, look.font);
    const across = beside ? whole - Math.min(most, layout.width + 6) - GAP : whole;
    shown = {
      look,
      layout,
      across: beside ? across + GAP : 0,
      rows: view.rows,
      chips: makeChips(data.words.chips, view.rows, (word) => walk.go({ word, part: state.place.part })),
      explain: makeExplain(data, labels),
      diagram: drawDiagram(data, labels, look, across, room),
      matrix: drawMatrix(view, layout, look, (word) => walk.go({ word, part: Math.max(state.place.part, 2) })),
      override: makeOverride(data, labels, { ask: override }),
      numbers: makeNumbers(data, labels, shown?.numbers),
    };
    const heat = (temperature) => {
      change({ temperature });
      handBack();
    };
    shown.lab = data.lab && makeLab(data, labels, look, whole, state.temperature, heat);
    const { chips, explain, diagram, matrix, override: bar, numbers } = shown;
    if (!data.finished) chips.node.append(el("span", { class: "quiet" }, data.words.unfinished));
    const over = el("div", { class: "over" }, walk.node, makeSaving(data.words, data.words.figure, sheet, rows));
    const grid = el("div", { class: beside ? "grid beside" : "grid" }, diagram.node, matrixNode(matrix));
    const { lacking } = state;
    const ignored = lacking && filledText(data.words.ignored, { step: lacking, T: data.target.length });
    const note = ignored ? el("p", { class: "note", role: "status" }, ignored) : "";
    diagram.show(state.place); // before it is on the page: new elements are not animated
    shown.lab?.show(state.place);
    const below = [host.answers ? bar.node : "", numbers.node, shown.lab?.node ?? "", walk.spoken];
    // A formula visible below the diagram leaves it the height; on a phone it would be out of sight there.
    const seen = beside ? [grid, explain.formula] : [explain.formula, grid];
    root.replaceChildren(over, chips.node, note, bar.result ?? "", explain.says, ...seen, ...below);
    explain.fit();
    listen(diagram);
    show(true);
  }

  function matrixNode(matrix) {
    const figure = el("div", { class: "matrix" }, el("p", { class: "caption" }, data.words.matrix), matrix.node);
    set(figure, { role: "img", "aria-label": data.words.matrix_aria });
    if (shown.across) matrix.node.style.maxHeight = `${Math.max(shown.diagram.height - CAPTION, 200)}px`;
    return figure;
  }

  function listen({ node, body, scroll, plan }) {
    const at = (event) =>
      Math.max(-1, Math.min(data.states.length - 1, Math.floor(pointIn(event, body).y / plan.row)));
    body.addEventListener("pointermove", (event) => event.pointerType === "mouse" && point(at(event)));
    body.addEventListener("pointerleave", () => point(-1));
    body.addEventListener("click", (event) => {
      // The last step says nothing of one source piece: there a number leads to the step that reckons it out.
      const part = state.place.part === PARTS - 1 ? partAt(plan, pointIn(event, body).x) : 0;
      choose(at(event) === state.source && !part ? -1 : at(event));
      if (part) walk.go({ word: state.place.word, part });
    });
    node.addEventListener("click", ({ target }) => {
      const head = target.closest("[data-head]");
      if (head) walk.go({ word: state.place.word, part: Number(head.dataset.head) });
    });
    scroll.addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      choose(Math.max(0, Math.min(data.states.length - 1, (state.source < 0 ? focus() - by : state.source) + by)));
      walk.tell();
    });
  }

  function point(source) {
    if (source === state.hover) return;
    change({ hover: source });
    show(false);
  }

  function choose(source) {
    change({ source });
    show(true);
  }

  function focus() {
    const { place, source, hover } = state;
    if (hover >= 0) return hover;
    return source >= 0 ? source : largest(data.weights[place.word]);
  }

  function show(reveal) {
    const source = focus();
    const { place, source: chosen, hover } = state;
    walk.show(shown.rows);
    shown.chips.show(place.word, place.word + Number(place.part === PARTS - 1));
    shown.explain.show(place, source);
    shown.diagram.show(place);
    shown.diagram.mark(source, chosen, reveal && hover < 0);
    shown.matrix.show(place, chosen);
    shown.override.show(place, chosen);
    showNeighbors(source);
    shown.numbers.show(place);
    shown.lab?.show(place);
    set(root, { "data-step": writePlace(place) });
  }

  // Neighbours of the source piece whose numbers are spelled out, and of this step's word, which an override may have changed.
  function showNeighbors(source) {
    const { word } = state.place;
    /** @type {[string, string][]} */
    const pieces = [[data.labels[source], `s${source}`]];
    if (!data.override) pieces.push([data.said[word], `t${word}`]);
    shown.override.like.replaceChildren(...neighborLinks(pieces, data.words, host));
  }

  function override(code) {
    walk.stop();
    if (host.set({ override: code ? `${code}.${data.mark}` : null })) shown.override.busy();
  }

  function handBack() {
    if (!data) return;
    host.set(serialise(state, data), false);
  }

  function sheet() {
    const { diagram, matrix, layout, look, across } = shown;
    const { plan, parts } = diagram;
    const lines = [`${walk.text()}.`, ...shown.explain.lines(state.place)];
    const x = across || 0;
    const foot = plan.top + plan.body + plan.foot;
    const y = across ? 0 : foot + (plan.wide ? 0 : Number(parts.next.getAttribute("height"))) + 20;
    const next = plan.wide ? { x: plan.left, y: plan.body - plan.shown } : { x: 0, y: foot };
    return {
      ...{ heading: data.title, file: `${writePlace(state.place)} ${data.title}`, lines, look },
      parts: [
        { node: parts.head, x: 0, y: 0 },
        { node: parts.body, x: 0, y: plan.top },
        { node: parts.foot, x: 0, y: plan.top + plan.body },
        { node: parts.next, ...next },
        ...matrixParts(matrix, layout, x, y),
      ],
    };
  }

  function rows() {
    const head = ["target position", "target", "source position", "source"];
    const line = (j, i) => [data.scores[j][i], data.weights[j][i], data.numpy.scores[j][i], data.numpy.weights[j][i]];
    const sources = data.states.map((_, i) => i);
    const lines = data.said.flatMap((word, j) => sources.map((i) => [j + 1, word, i + 1, data.labels[i], ...line(j, i)]));
    return [[...head, "score", "weight", "score NumPy", "weight NumPy"], ...lines];
  }
});
