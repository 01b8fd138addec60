// @ts-check
// Many heads beside the one that is enlarged: a grid of thumbnails, a table that compares them, the arithmetic of one
// cell. Which kind, layer and head is enlarged is the browser's business; the server is asked for what needs a model or
// the vectors of a head: a translation with heads off, the score without each head, q, k, v.

import { readAddress } from "../kit/address.js";
import { readParameter } from "../kit/link_state.js";
import { makeCell } from "./cell.js";
import { css, parse, lineColor } from "../kit/color.js";
import { makeCompare } from "./compare.js";
import { el, fill, filledText } from "../kit/dom.js";
import { cellRows, headRows } from "./rows.js";
import { measure } from "../kit/layout.js";
import { number } from "../kit/number.js";
import { weightsOf } from "./maps.js";
import { nameAt } from "../kit/piece.js";
import { segment } from "../kit/segment.js";
import { makeThumbs } from "./thumbs.js";

const OF_THE_PAGE = ["layer", "batch"]; // panes that the page itself draws, in the place of all this
const PANES = ["grid", "head", "compare", "cell", ...OF_THE_PAGE];
const NAMES = 29; // px of the names above the thumbnails
const ROOM = 78; // px that a pane and the words below it have beside the figure's height
const CAPTION = 44; // px of the words under the numbers of a cell
const LINE = 22.4; // px of a line of those words
const TALLER = 40; // px that the table takes beyond its height
const PATIENCE = 150; // ms without another wish before the server is asked

const code = (index) => (index === null ? "mean" : index + 1);

// on: {panels() draws the enlarged head again, kind() after other tokens, written() the address}. Where the host does not answer,
// no head can be switched off, and only the panes stand there whose numbers are there.
export function makeChooser(first, on, host) {
  const words = first.words;
  let data = first.heads;
  let { kind, layer, head } = opening();
  let pane = data.pane;
  let paneChosen = false; // by the reader, in this picture
  let off = new Set(data.off); // "cross.2.3"
  let run = readParameter(first.link?.run) ?? data.run; // whose attention is shown while heads are off
  let preview = null;
  let look = null;
  let height = 0;
  let frame = 0;
  let timer = 0;
  let asked = "";
  let by = readParameter(first.link?.by) ?? "weight"; // what the matrix beside one cell shows
  let cellNow = null; // what the pane of one cell shows: {found, query, keys}

  const name = (place, of = kind) => `${of}.${code(place.layer)}.${code(place.head)}`;
  const thumbs = makeThumbs(words, { choose, enlarge, preview: peek, toggle: (p) => toggle(name(p)), alone });
  const compare = makeCompare(words, { choose: chooseOf, toggle });
  const bys = segment(["weight", "norm"], (b) => [words[`by_${b}`], words[`by_${b}_hint`]], otherBy, words.by);
  const cell = makeCell(words, bys.node);
  const parts = { grid: thumbs, head: { node: el("div", { class: "alone" }) }, compare, cell };
  const runs = segment(["after", "before"], (r) => [words[`run_${r}`], words[`run_${r}_hint`]], otherRun, words.runs);
  const kinds = segment(Object.keys(data.maps), (k) => [data.maps[k].name, data.maps[k].hint], otherKind);
  const there = { grid: true, head: true, compare: data.changes, cell: data.vectors };
  const panes = PANES.filter((name) => host.answers || there[name]);
  const tabs = segment(panes, (p) => [words[`pane_${p}`], ""], otherPane, words.panes);
  const hint = el("p", { class: "hint" });
  const only = el("button", { type: "button", class: "link" });
  only.addEventListener("click", keepOnly);
  const effect = el("div", { class: "effect", "aria-live": "polite" });
  const holder = el("div", { class: "pane" });
  const node = el("div", { class: host.answers ? "heads" : "heads fixed" }, tabs.node, holder, effect, hint);

  return { node, kinds: kinds.node, panels, update, follow, draw, cell: showCell, address, close };

  // The head that the address names: the page may know an older one, where somebody chose this one in another pane.
  function opening(unnamed = null) {
    const asked = readParameter(first.link?.head, unnamed);
    const map = data.maps[asked?.kind];
    if (!map) return data.chosen;
    const [l, h] = [asked.layer, asked.head].map((part) => (part === "mean" ? null : part - 1));
    return l < map.layers && h < map.heads ? { kind: asked.kind, layer: l, head: h } : data.chosen;
  }

  // The attention that is shown: with heads off that of the new translation, once it is there, or of the old.
  function maps() {
    return off.size && run === "after" && data.after ? data.after : data.maps;
  }

  // What the panels show: the previewed or chosen head, as a matrix, as ribbons, or as both.
  function panels(as) {
    const map = maps()[kind];
    const place = preview ?? { layer, head };
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

  // The lengths of what arrives through a head; null where the weights are shown.
  function normsOf(place) {
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
    by = next;
    bys.mark(by);
    on.panels();
    on.written();
  }

  // What a saved figure says below the sentence: the step that is played, the heads that are off and what came of it.
  function savedNotes(map) {
    const step = kind === "encoder" ? null : readParameter(first.link?.step);
    const count = map.queries.length;
    const whose = off.size ? words[`run_${maps() === data.maps ? "before" : "after"}_hint`] : null;
    const played =
      step && step < count && filledText(words.step, { step, count, word: nameAt(map.queries, step - 1, map.query_words) });
    const known = off.size && data.effect.off === offCode();
    const texts = data.effect.texts.map(({ label, parts: found }) => [label, ...found.map(([text]) => text)]);
    const after = known
      ? [[data.effect.sentence, data.effect.why].filter(Boolean).join(" "), ...texts.map(([label, ...found]) => `${label} ${found.join("")}`)]
      : [];
    return [played, ...after, whose].filter(Boolean);
  }

  // The pane's own numbers; null while they are not there.
  function savedTable() {
    if (pane === "compare") return headRows(data, words, off);
    return cellNow && cellRows(cellNow.found, cellNow.query, cellNow.keys);
  }

  function update(next) {
    const map = next.heads.maps[kind];
    if (map?.weights !== data.maps[kind].weights) asked = ""; // of another translation
    data = next.heads;
    preview = null;
    if (!map || layer >= map.layers || head >= map.heads) ({ kind, layer, head } = data.chosen);
    off = new Set([...off].filter((item) => isThere(item)));
    need();
  }

  // Where the address says, among the panes that are drawn here.
  function follow() {
    ({ kind, layer, head } = opening(data.opening));
    const asked = readParameter(first.link?.pane);
    pane = asked in parts ? asked : PANES[0];
    run = readParameter(first.link?.run) ?? "after";
    preview = null;
    need();
  }

  function isThere(item) {
    const [of, l, h] = item.split(".");
    return data.maps[of] && l <= data.maps[of].layers && h <= data.maps[of].heads;
  }

  function draw(now, room) {
    look = now;
    height = room;
    kinds.mark(kind);
    tabs.mark(pane);
    bys.mark(by);
    hint.replaceChildren(...hintNodes());
    runs.mark(run);
    const high = height + ROOM - below();
    if (parts[pane] && holder.firstChild !== parts[pane].node) holder.replaceChildren(parts[pane].node);
    const hue = parse(data.hue);
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

  // What can be done here; the head that is best for this sentence is a link to it.
  function hintNodes() {
    const best = data.best;
    const link = el("button", { type: "button", class: "link" }, best?.name ?? "");
    link.addEventListener("click", () => chooseOf(best.kind, { layer: best.layer, head: best.head }));
    const nodes = words[`hint_${pane}`].split("{head}").flatMap((text, i) => (i ? [link, text] : [text]));
    return ["grid", "head"].includes(pane) ? [...nodes, " ", only] : nodes;
  }

  // After a choice: states change, nothing is painted again.
  function mark() {
    const map = data.maps[kind];
    only.hidden = layer === null || head === null;
    only.textContent = filledText(words.keep_only, { count: map.layers * map.heads - 1, kind: map.name });
    if (pane === "grid") thumbs.mark({ layer, head }, (place) => off.has(name(place)));
    if (pane === "compare") compare.mark(name({ layer, head }), off);
    showEffect();
  }

  function choose(place) {
    chooseOf(kind, place);
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
    const otherTokens = of !== kind;
    ({ layer, head } = place);
    kind = of;
    preview = null;
    if (otherTokens) on.kind();
    else {
      mark();
      on.panels();
    }
    on.written();
    need();
  }

  function otherKind(next) {
    const map = data.maps[next];
    const keep = (index, size) => (index === null || index < size ? index : 0);
    chooseOf(next, { layer: keep(layer, map.layers), head: keep(head, map.heads) });
  }

  function otherPane(next) {
    pane = next;
    paneChosen = true;
    if (!parts[pane]) {
      tabs.mark(pane);
      on.written();
      return need();
    }
    draw(look, height);
    on.panels();
    on.written();
    need();
  }

  // Previews follow the pointer at most once a frame.
  function peek(place) {
    preview = place && (place.layer !== layer || place.head !== head) ? place : null;
    if (!frame) frame = requestAnimationFrame(() => ((frame = 0), on.panels()));
  }

  function toggle(item) {
    if (!host.answers) return;
    if (!off.delete(item)) off.add(item);
    switched();
  }

  // This head over the whole width. Nothing in the model changes.
  function alone(place) {
    choose(place);
    otherPane("head");
  }

  // Switch off all others of its kind.
  function keepOnly() {
    const { layers, heads } = data.maps[kind];
    const all = [...Array(layers * heads).keys()];
    const places = all.map((i) => name({ layer: Math.floor(i / heads), head: i % heads }));
    off.delete(name({ layer, head }));
    for (const other of places) if (other !== name({ layer, head })) off.add(other);
    switched();
  }

  function switched() {
    if (!off.size && run === "after" && data.after) on.kind(); // the old translation's attention again
    mark();
    on.written();
    need();
  }

  function otherRun(next) {
    if (run === next) return;
    run = next;
    on.kind();
    on.written();
    need();
  }

  function offCode() {
    return [...off].sort().join("_");
  }

  // Ask the server for what is missing, once the wishes have settled.
  function need(locked = false) {
    const mean = layer === null || head === null;
    const vectors = (pane === "cell" || locked) && !mean && !vectorsOf({ layer, head });
    const missing = vectors || data.effect.off !== offCode() || (pane === "compare" && !data.changes) || !parts[pane];
    const cells = locked || pane === "cell" ? "cell" : "";
    const wish = [pane, name({ layer, head }), offCode(), cells, run].join(" ");
    clearTimeout(timer);
    if (!missing || wish === asked || !host.answers) return;
    timer = setTimeout(() => {
      asked = wish;
      host.keep("ask", wish);
    }, PATIENCE);
  }

  function showEffect() {
    const waiting = data.effect.off !== offCode();
    effect.hidden = pane === "cell" && !off.size && !waiting;
    hint.hidden = off.size > 0 || !host.answers; // what came of it is news; how to do it is known by now
    effect.classList.toggle("waiting", waiting);
    const marked = (texts) => texts.map(([text, changed]) => (changed ? el("mark", {}, text) : text));
    const lines = data.effect.texts.map(({ label, parts: texts }) =>
      el("p", {}, el("span", { class: "which" }, label), " ", ...marked(texts)),
    );
    const sentence = el("p", { class: "sentence" }, ...fill(waiting ? words.waiting : data.effect.sentence, {}));
    if (off.size) {
      const restore = el("button", { type: "button", class: "link" }, words.all_on);
      restore.addEventListener("click", () => {
        off.clear();
        switched();
      });
      sentence.append(" ", restore, " ", runs.node);
    }
    const why = !waiting && data.effect.why ? [el("p", { class: "why" }, data.effect.why)] : [];
    effect.replaceChildren(sentence, ...why, ...lines);
  }

  // The arithmetic of the piece pair in `focus`, live in its pane; and in a few words, for the line below the figure.
  function showCell(focus, locked) {
    const map = maps()[kind];
    const place = preview ?? { layer, head };
    const weights = weightsOf(map, place.layer, place.head);
    const largest = (values) => values.reduce((top, value, i) => (value > values[top] ? i : top), 0);
    const t = focus?.target ?? (focus ? largest(weights.map((row) => row[focus.source])) : 0);
    const s = focus?.source ?? largest(weights[t]);
    const known = vectorsOf(place);
    const mean = place.layer === null || place.head === null;
    if (locked && focus.target !== null && focus.source !== null) need(true);
    const causal = kind === "decoder";
    const found = cell.compute(known, map, causal, t, s);
    const keys = map.keys.map((_, i) => nameAt(map.keys, i, map.key_words));
    cellNow = found && { found, query: nameAt(map.queries, t, map.query_words), keys };
    const room = height - CAPTION - (off.size ? below() : 0);
    if (pane === "cell") cell.draw(found, { mean, map, causal, t, s, look, height: room });
    const complete = focus && focus.target !== null && focus.source !== null && found;
    if (!complete) return [];
    const names = { query: nameAt(map.queries, t, map.query_words), key: nameAt(map.keys, s, map.key_words) };
    return fill(` ${words.cell_line}`, { ...cell.values(found), ...names }, ["query", "key"]);
  }

  function address() {
    const standard = data.opening;
    const here = name({ layer, head });
    return {
      head: here === standard ? null : here,
      off: offCode() || null,
      run: off.size ? run : null,
      by,
      // While the page goes over to the pane that it draws itself, Streamlit may mount an older copy of this picture.
      ...(!paneChosen && OF_THE_PAGE.includes(readAddress("pane")) ? {} : { pane: pane === PANES[0] ? null : pane }),
    };
  }

  function close() {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  }
}
