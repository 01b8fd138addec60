// @ts-check
// Many heads beside the one that is enlarged: a grid of thumbnails, a table that compares them, the arithmetic of one
// cell. Which kind, layer and head is enlarged is the browser's business; the server is asked for what needs a model or
// the vectors of a head: a translation with heads off, the score without each head, q, k, v.

import { makeCell } from "./cell.js";
import { css, parse as parseColor, lineColor } from "../kit/color.js";
import { makeCompare } from "./compare.js";
import { button, el, fill, filledText } from "../kit/dom.js";
import { cellRows, headRows } from "./rows.js";
import { measure } from "../kit/layout.js";
import { number } from "../kit/number.js";
import { weightsOf } from "./maps.js";
import { nameAt } from "../kit/piece.js";
import { projected } from "../kit/projection.js";
import { segment } from "../kit/segment.js";
import { PANES, codeOf, codeParts, isThere, offCode, parse, serialise } from "./state.js";
import { makeThumbs } from "./thumbs.js";

const NAMES = 29; // px of the names above the thumbnails
const ROOM = 78; // px that a pane and the words below it have beside the figure's height
const FULL = 138; // the same where the window is filled
const CAPTION = 44; // px of the words under the numbers of a cell
const LINE = 22.4; // px of a line of those words
const TALLER = 40; // px that the table takes beyond its height
const PATIENCE = 150; // ms without another request before the server is asked

// on: {panels() draws the enlarged head again, kind() after other tokens, handBack(run) the state}. Where the host does
// not answer, no head can be switched off, and only the panes stand there whose numbers are there.
export function makeChooser(first, on, host) {
  const words = first.words;
  let data = first.heads;
  let state = parse(host.get(), data);
  let look = null;
  let height = 0;
  let frame = 0;
  let timer = 0;
  let cellNow = null; // what the pane of one cell shows: {numbers, query, keys}

  const name = (place) => codeOf(state.kind, place);
  const thumbs = makeThumbs(words, { choose, enlarge, preview: peek, toggle: (p) => toggle(name(p)), alone });
  const compare = makeCompare(words, { choose: chooseOf, toggle });
  const bys = segment(["weight", "norm"], (b) => [words[`by_${b}`], words[`by_${b}_hint`]], otherBy, words.by);
  const cell = makeCell(words, bys.node);
  const parts = { grid: thumbs, head: { node: el("div", { class: "alone" }) }, compare, cell };
  const runs = segment(["after", "before"], (r) => [words[`run_${r}`], words[`run_${r}_hint`]], otherRun, words.runs);
  const kinds = segment(Object.keys(data.maps), (k) => [data.maps[k].name, data.maps[k].hint], otherKind);
  const there = { grid: true, head: true, compare: data.changes, cell: data.vectors };
  const offered = data.panes ?? PANES; // of a host that answers for some of them
  const panes = PANES.filter((name) => offered.includes(name) && (host.answers || there[name]));
  const tabs = segment(panes, (p) => [words[`pane_${p}`], ""], otherPane, words.panes);
  const hint = el("p", { class: "hint" });
  const only = button(keepOnly, { class: "link" });
  const effect = el("div", { class: "effect", "aria-live": "polite" });
  const holder = el("div", { class: "pane" });
  const node = el("div", { class: host.answers ? "heads" : "heads fixed" }, tabs.node, holder, effect, hint);

  return { node, kinds: kinds.node, panels, update, follow, draw, cell: showCell, alone: () => state.pane === "head", serialise: () => serialise(state, data), close };

  function change(changes) {
    state = { ...state, ...changes };
  }

  // The attention that is shown: with heads off that of the new translation, once it is there, or of the old.
  function maps() {
    const { off, run } = state;
    return off.size && run === "after" && data.after ? data.after : data.maps;
  }

  // What the panels show: the previewed or chosen head, as a matrix, as ribbons, or as both.
  function panels(as) {
    const { kind, pane } = state;
    const map = maps()[kind];
    const place = shownPlace();
    const at = [place.layer ?? map.layers, place.head ?? map.heads];
    const norms = normsOf(place);
    const panel = {
      title: map.titles[at[0]][at[1]],
      among: map.name,
      caption: norms ? [normCaption(norms)] : map.captions[at[0]][at[1]],
      hue: data.hue,
      source: map.keys,
      target: map.queries,
      source_words: map.key_words,
      target_words: map.query_words,
      weights: norms?.shares ?? weightsOf(map, place.layer, place.head),
      unnormalized: Boolean(norms),
      looks: norms ? words.arrives : null,
      kind,
      neighbors: maps() === data.maps ? data.neighbors : null, // the page has the vectors of the first translation
      causal: kind === "decoder",
      played: kind !== "encoder",
      vector: null,
      translation: "",
      saved: () => ({ title: map.saved[at[0]][at[1]], notes: savedNotes(map) }),
      table: pane === "grid" ? null : savedTable,
    };
    const shown = as === "both" ? ["matrix", "ribbons"] : [as];
    return shown.map((way) => ({ ...panel, as: way, twin: shown.length > 1 }));
  }

  // The previewed or chosen head.
  function shownPlace() {
    const { preview, layer, head } = state;
    return preview ?? { layer, head };
  }

  // The lengths of what arrives through a head; null where the weights are shown.
  function normsOf(place) {
    const { kind, pane, by } = state;
    const asked = pane === "cell" && by === "norm";
    return asked && vectorsOf(place) ? cell.norms(data.vectors, maps()[kind], kind === "decoder") : null;
  }

  // The vectors of a head in the run that is shown; null where they are not there.
  function vectorsOf(place) {
    const shown = maps() === data.maps ? "before" : "after";
    return data.vectors?.name === name(place) && data.vectors.run === shown ? data.vectors : null;
  }

  function normCaption({ most }) {
    return filledText(words.by_norm_caption, { most: number(most) });
  }

  function otherBy(next) {
    change({ by: next });
    bys.mark(next);
    on.panels();
    on.handBack();
  }

  // What a saved figure says below the sentence: the step that is played, the heads that are off and what came of it.
  function savedNotes(map) {
    const { kind, off } = state;
    const step = kind === "encoder" ? null : host.get().step;
    const count = map.queries.length;
    const whose = off.size ? words[`run_${maps() === data.maps ? "before" : "after"}_hint`] : null;
    const played =
      step && step < count && filledText(words.step, { step, count, word: nameAt(map.queries, step - 1, map.query_words) });
    const known = off.size && data.effect.off === offCode(off);
    const texts = data.effect.texts.map(({ label, parts }) => [label, ...parts.map(([text]) => text)]);
    const after = known
      ? [[data.effect.sentence, data.effect.why].filter(Boolean).join(" "), ...texts.map(([label, ...parts]) => `${label} ${parts.join("")}`)]
      : [];
    return [played, ...after, whose].filter(Boolean);
  }

  // The pane's own numbers; null while they are not there.
  function savedTable() {
    if (state.pane === "compare") return headRows(data, words, state.off);
    return cellNow && cellRows(cellNow.numbers, cellNow.query, cellNow.keys);
  }

  function update(next) {
    data = next.heads;
    const off = new Set([...state.off].filter((code) => isThere(codeParts(code), data)));
    change({ preview: null, off, ...(isThere(state, data) ? {} : data.chosen) });
    need();
  }

  // Where the address says, among the panes that are drawn here.
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
    runs.mark(state.run);
    const high = height + (projected() ? FULL : ROOM) - below();
    if (parts[pane] && holder.firstChild !== parts[pane].node) holder.replaceChildren(parts[pane].node);
    const hue = parseColor(data.hue);
    node.style.setProperty("--hue", css(lineColor(look, hue)));
    if (pane === "grid") thumbs.draw(maps()[kind], kind === "decoder", look, hue, node.clientWidth, high - NAMES);
    if (pane === "compare") compare.draw(data, high - TALLER);
    mark();
  }

  // px that the words about heads off can take: four lines and some air, and both translations, of which two lines each are sure of
  // their place. It does not depend on the heads that are off, so that switching one does not make the grid jump.
  function below() {
    const text = data.effect.texts[0]?.parts.map(([part]) => part).join("") ?? "";
    const lines = measure(text, LINE / 1.4, look.font) > 0.85 * node.clientWidth ? 2 : 1;
    return (4.5 + 2 * lines) * LINE;
  }

  // What can be done here; the best head is a link to it.
  function hintNodes() {
    const best = data.best;
    const link = button(() => chooseOf(best.kind, { layer: best.layer, head: best.head }), { class: "link" }, best?.name ?? "");
    const taps = window.matchMedia("(hover: none)").matches && words[`hint_${state.pane}_tap`];
    const nodes = (taps || words[`hint_${state.pane}`]).split("{head}").flatMap((text, i) => (i ? [link, text] : [text]));
    return ["grid", "head"].includes(state.pane) ? [...nodes, " ", only] : nodes;
  }

  // After a choice: states change, nothing is painted again.
  function mark() {
    const { kind, layer, head, pane, off } = state;
    const map = data.maps[kind];
    only.hidden = layer === null || head === null;
    only.textContent = filledText(words.keep_only, { count: map.layers * map.heads - 1, kind: map.name });
    if (pane === "grid") thumbs.mark({ layer, head }, (place) => off.has(name(place)));
    if (pane === "compare") compare.mark(name({ layer, head }), off);
    showEffect();
  }

  function choose(place) {
    chooseOf(state.kind, place);
  }

  // A click on a thumbnail; where the enlarged head stands below all of them, as on a phone, it is scrolled to.
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
      chooseOf(kind, place); // what is switched off is what one looks at
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

  // Ask the server for what is missing, once the wishes have settled: a translation with heads off, the score without each
  // head, the vectors of the head, or a pane. locked: whether a cell is picked.
  function need(locked = false) {
    const { layer, head, pane, off } = state;
    const mean = layer === null || head === null;
    const vectors = (pane === "cell" || locked) && !mean && !vectorsOf({ layer, head });
    const missing = vectors || data.effect.off !== offCode(off) || (pane === "compare" && !data.changes) || !parts[pane];
    clearTimeout(timer);
    if (missing) timer = setTimeout(() => on.handBack(true), PATIENCE);
  }

  function showEffect() {
    const { pane, off } = state;
    const waiting = data.effect.off !== offCode(off);
    effect.hidden = pane === "cell" && !off.size && !waiting;
    hint.hidden = off.size > 0 || !host.answers; // what came of it is news; how to do it is known by now
    effect.classList.toggle("waiting", waiting);
    const marked = (texts) => texts.map(([text, changed]) => (changed ? el("mark", {}, text) : text));
    const lines = data.effect.texts.map(({ label, parts: texts }) =>
      el("p", {}, el("span", { class: "which" }, label), " ", ...marked(texts)),
    );
    const sentence = el("p", { class: "sentence" }, ...fill(waiting ? words.waiting : data.effect.sentence, {}));
    if (off.size) {
      sentence.append(" ", button(() => switchTo(new Set()), { class: "link" }, words.all_on), " ", runs.node);
    }
    const why = !waiting && data.effect.why ? [el("p", { class: "why" }, data.effect.why)] : [];
    effect.replaceChildren(sentence, ...why, ...lines);
  }

  // The arithmetic of the piece pair in `focus`, live in its pane; and in a few words, for the line below the figure.
  function showCell(focus, locked) {
    const { kind, pane, off } = state;
    const map = maps()[kind];
    const place = shownPlace();
    const weights = weightsOf(map, place.layer, place.head);
    const largest = (values) => values.reduce((top, value, i) => (value > values[top] ? i : top), 0);
    const t = focus?.target ?? (focus ? largest(weights.map((row) => row[focus.source])) : 0);
    const s = focus?.source ?? largest(weights[t]);
    const known = vectorsOf(place);
    const mean = place.layer === null || place.head === null;
    const whole = focus && focus.target !== null && focus.source !== null;
    if (locked && whole) need(true);
    const causal = kind === "decoder";
    const numbers = cell.compute(known, map, causal, t, s);
    const keys = map.keys.map((_, i) => nameAt(map.keys, i, map.key_words));
    cellNow = numbers && { numbers, query: nameAt(map.queries, t, map.query_words), keys };
    const room = height - CAPTION - (off.size ? below() : 0);
    if (pane === "cell") cell.draw(numbers, { mean, map, causal, t, s, look, height: room });
    if (!whole || !numbers) return [];
    const names = { query: cellNow.query, key: keys[s] };
    return fill(` ${words.cell_line}`, { ...cell.values(numbers), ...names }, ["query", "key"]);
  }

  function close() {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  }
}
