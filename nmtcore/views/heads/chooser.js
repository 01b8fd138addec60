// @ts-check
// Many heads beside the enlarged one: a grid of thumbnails, a table that compares them, the arithmetic of one
// cell. Which kind, layer and head is enlarged is the browser's business; the server is asked for what needs a model or
// the vectors of a head: a translation with heads off, the score without each head, q, k, v.

import { cellRows, makeCell } from "./cell.js";
import { css, parse as parseColor, lineColor } from "../kit/color.js";
import { headRows, makeCompare } from "./compare.js";
import { described, nameOf, roleOf, titleOf } from "./describe.js";
import { button, el, fill, filledText } from "../kit/dom.js";
import { hasArrived, makeEffect } from "./effect.js";
import { weightsOf } from "./maps.js";
import { headPanels, placesOff, shownMaps, shownPlace, titled, vectorsOf } from "./panel.js";
import { nameAt } from "../kit/piece.js";
import { segment } from "../kit/segment.js";
import { PANES, codeOf, codeParts, isThere, parse, serialise } from "./state.js";
import { makeThumbs } from "./thumbs.js";

const NAMES = 29; // px of the names above the thumbnails
const ROOM = 138; // px that a pane and the new translation add to the figure's height
const CAPTION = 44; // px of the words under the numbers of a cell
const TALLER = 40; // px that the table takes beyond its height
const PATIENCE = 150; // ms without another request before the server is asked

/**
 * If the host does not answer, no head can be switched off, and only the panes with data are shown.
 * @param {import("../kit/records.js").HeadsPicture} first
 * @param {{panels(): void, kind(): void, handBack(run?: boolean): void}} on panels: draws the enlarged head again; kind:
 *   after other tokens; handBack: the state
 * @param {import("../kit/mount.js").Host} host
 */
export function makeChooser(first, on, host) {
  const words = first.words;
  let data = described(first.heads, words);
  let state = parse(host.get(), data);
  let [look, height] = [null, 0]; // key of what is drawn in the pane
  let frame = 0;
  let timer = 0;

  const here = (place) => ({ ...place, kind: state.kind });
  const name = (place) => codeOf(here(place));
  const title = (place) => titleOf(here(place), data.names, words);
  const role = (place) => roleOf(here(place), data.names, words);
  const thumbs = makeThumbs(words, { choose, enlarge, preview: peek, toggle: (p) => toggle(name(p)), alone });
  const compare = makeCompare(words, { choose: chooseOf, toggle });
  const bys = segment(["weight", "norm"], (b) => [words[`by_${b}`], words[`by_${b}_hint`]], otherBy, words.by);
  const cell = makeCell(words, bys.node);
  const parts = { grid: thumbs, head: { node: el("div", { class: "alone" }) }, compare, cell };
  const kinds = segment(Object.keys(data.maps), (k) => words.kinds[k], otherKind);
  const there = { grid: true, head: true, compare: data.changes, cell: data.vectors };
  const offered = data.panes ?? PANES; // from a host that answers for only some of them
  const panes = PANES.filter((name) => offered.includes(name) && (host.answers || there[name]));
  const tabs = segment(panes, (p) => [words[`pane_${p}`], ""], otherPane, words.panes);
  const hint = el("p", { class: "hint" });
  const only = button(keepOnly, { class: "link" });
  const effect = makeEffect(words, { run: otherRun, allOn: () => switchTo(new Set()) });
  const holder = el("div", { class: "pane" });
  const node = el("div", { class: host.answers ? "heads" : "heads fixed" }, kinds.node, holder, effect.node, hint);

  return { node, tabs: tabs.node, panels, update, follow, draw, cell: showCell, alone: () => state.pane === "head", serialise: () => serialise(state, data), close };

  function change(changes) {
    state = { ...state, ...changes };
  }

  // What the panels show: the previewed or chosen head, as a matrix, as ribbons, or as both.
  function panels(as) {
    const table = state.pane === "grid" ? null : savedTable;
    return headPanels(data, state, words, { as, norms: norms(), table, step: () => host.get().step });
  }

  // The lengths of what arrives through the head; null if the weights are shown.
  function norms() {
    const { kind, pane, by } = state;
    const vectors = pane === "cell" && by === "norm" ? vectorsOf(data, state, shownPlace(state)) : null;
    return vectors && cell.norms(vectors, shownMaps(data, state)[kind], kind === "decoder");
  }

  function otherBy(next) {
    change({ by: next });
    bys.mark(next);
    on.panels();
    on.handBack();
  }

  // The pane's own numbers; null until they arrive.
  function savedTable() {
    if (state.pane === "compare") return headRows(data, words, state.off);
    const { numbers, query, keys } = inCell();
    return numbers && cellRows(numbers, query, keys);
  }

  /** @param {import("../kit/records.js").HeadsPicture} next */
  function update(next) {
    data = described(next.heads, words);
    const off = new Set([...state.off].filter((code) => isThere(codeParts(code), data)));
    change({ preview: null, off, ...(isThere(state, data) ? {} : data.chosen) });
    need();
  }

  // The address's pane, among those drawn here.
  function follow() {
    state = parse(host.get(), data);
    need();
  }

  function draw(now, room) {
    const { kind, pane } = state;
    look = now;
    height = room;
    kinds.mark(kind);
    tabs.mark(pane);
    bys.mark(state.by);
    hint.replaceChildren(...hintNodes());
    const high = height + ROOM - below();
    if (parts[pane] && holder.firstChild !== parts[pane].node) holder.replaceChildren(parts[pane].node);
    const hue = parseColor(data.hue);
    node.style.setProperty("--hue", css(lineColor(look, hue)));
    const map = shownMaps(data, state)[kind];
    if (pane === "grid") thumbs.draw(map, { title, role }, kind === "decoder", look, hue, node.clientWidth, high - NAMES, placesOff(data, state));
    if (pane === "compare") compare.draw(data, high - TALLER);
    mark();
  }

  // px of the words about heads off
  function below() {
    return effect.height(data.effect, look, node.clientWidth);
  }

  // The hint; the best head in it is a link.
  function hintNodes() {
    const best = data.best;
    const link = button(() => chooseOf(best.kind, { layer: best.layer, head: best.head }), { class: "link" }, best ? nameOf(best, words) : "");
    const taps = window.matchMedia("(hover: none)").matches && words[`hint_${state.pane}_tap`];
    const hint = filledText(taps || words[`hint_${state.pane}`], { note: data.note });
    const nodes = hint.split("{head}").flatMap((text, i) => (i ? [link, text] : [text]));
    return ["grid", "head"].includes(state.pane) ? [...nodes, " ", only] : nodes;
  }

  // After a choice: states change, nothing is repainted.
  function mark() {
    const { kind, layer, head, pane, off } = state;
    only.hidden = layer === null || head === null;
    only.textContent = filledText(words.keep_only, { head: nameOf({ kind, layer, head }, words) });
    if (pane === "grid") thumbs.mark({ layer, head }, (place) => off.has(name(place)), (place) => titled(title(place), data, state, words, place));
    if (pane === "compare") compare.mark(name({ layer, head }), off);
    effect.show(data.effect, state);
    hint.hidden = off.size > 0 || !host.answers; // announce the result; how to do it is known by now
  }

  function choose(place) {
    chooseOf(state.kind, place);
  }

  // A click on a thumbnail; if the enlarged head is below them, as on a phone, scroll to it.
  function enlarge(place) {
    choose(place);
    const stage = node.nextElementSibling;
    if (!stage || stage.getBoundingClientRect().top < node.getBoundingClientRect().bottom) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    stage.scrollIntoView({ block: "start", behavior: still ? "instant" : "smooth" });
  }

  function chooseOf(of, place) {
    const otherTokens = of !== state.kind;
    change({ kind: of, layer: place.layer, head: place.head, preview: null });
    if (otherTokens) on.kind();
    else {
      mark();
      on.panels();
    }
    on.handBack();
    need();
  }

  function otherKind(next) {
    const map = data.maps[next];
    const keep = (index, size) => (index === null || index < size ? index : 0);
    chooseOf(next, { layer: keep(state.layer, map.layers), head: keep(state.head, map.heads) });
  }

  function otherPane(next) {
    change({ pane: next });
    if (parts[next]) {
      draw(look, height);
      on.panels();
    } else tabs.mark(next);
    on.handBack();
    need();
  }

  // Previews follow the pointer at most once a frame.
  function peek(place) {
    const { layer, head } = state;
    change({ preview: place && (place.layer !== layer || place.head !== head) ? place : null });
    if (!frame) frame = requestAnimationFrame(() => ((frame = 0), on.panels()));
  }

  function toggle(item) {
    if (!host.answers) return;
    const off = new Set(state.off);
    if (!off.delete(item)) {
      off.add(item);
      const { kind, ...place } = codeParts(item);
      chooseOf(kind, place); // a head that is switched off is the one to look at
    }
    switchTo(off);
  }

  // This head over the whole width. Nothing in the model changes.
  function alone(place) {
    choose(place);
    otherPane("head");
  }

  // Switch off all others of its kind.
  function keepOnly() {
    const { layers, heads } = data.maps[state.kind];
    const all = [...Array(layers * heads).keys()];
    const off = new Set([...state.off, ...all.map((i) => name({ layer: Math.floor(i / heads), head: i % heads }))]);
    off.delete(name(state));
    switchTo(off);
  }

  function switchTo(off) {
    change({ off });
    if (!off.size && state.run === "after" && data.after) on.kind(); // the old translation's attention again
    else on.panels(); // the title says what is off
    mark();
    on.handBack();
    need();
  }

  function otherRun(next) {
    if (state.run === next) return;
    change({ run: next });
    on.kind();
    on.handBack();
    need();
  }

  // Ask the server for what is missing, after a pause without further choices: a translation with heads off, the score without each
  // head, the vectors of the head, or a pane. locked: whether a cell is picked.
  function need(locked = false) {
    const { layer, head, pane, off } = state;
    const mean = layer === null || head === null;
    const vectors = (pane === "cell" || locked) && !mean && !vectorsOf(data, state, { layer, head });
    const missing = vectors || !hasArrived(data.effect, off) || (pane === "compare" && !data.changes) || !parts[pane];
    clearTimeout(timer);
    if (missing) timer = setTimeout(() => on.handBack(true), PATIENCE);
  }

  // The piece pair in focus, else the one with the largest weight, with its arithmetic: null until it is known.
  function inCell() {
    const { kind, focus } = state;
    const map = shownMaps(data, state)[kind];
    const place = shownPlace(state);
    const weights = weightsOf(map, place.layer, place.head);
    const largest = (values) => values.reduce((top, value, i) => (value > values[top] ? i : top), 0);
    const t = focus?.target ?? (focus ? largest(weights.map((row) => row[focus.source])) : 0);
    const s = focus?.source ?? largest(weights[t]);
    const numbers = cell.compute(vectorsOf(data, state, place), map, kind === "decoder", t, s);
    const keys = map.keys.map((_, i) => nameAt(map.keys, i, map.key_words));
    return { map, place, t, s, numbers, query: nameAt(map.queries, t, map.query_words), keys };
  }

  // The arithmetic of the piece pair in `focus`, live in its pane; and in a few words, for the line below the figure.
  function showCell(focus, locked) {
    change({ focus });
    const { kind, pane, off } = state;
    const { map, place, t, s, numbers, query, keys } = inCell();
    const mean = place.layer === null || place.head === null;
    const whole = focus && focus.target !== null && focus.source !== null;
    if (locked && whole) need(true);
    const room = height - CAPTION - (off.size ? below() : 0);
    if (pane === "cell") cell.draw(numbers, { mean, map, causal: kind === "decoder", t, s, look, height: room });
    if (!whole || !numbers) return [];
    return fill(` ${words.cell_line}`, { ...cell.values(numbers), query, key: keys[s] }, ["query", "key"]);
  }

  function close() {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  }
}
