// @ts-check
// Panels drawn side by side and linked by pointing or picking, without the server.
// A drawing is {node, parts, width, height, mark(marks), reveal(marks)?}; another view is another function that
// returns one. With `makeChooser` the panels show one head of many, chosen beside them.

import { writePick } from "../kit/address.js";
import { css, parse, readLook, setColors, titleColor } from "../kit/color.js";
import { makeControls } from "./controls.js";
import { el, filledText, set } from "../kit/dom.js";
import { sourceOf } from "./export.js";
import { drawHeatmap, FRAME } from "../kit/heatmap.js";
import { fillLayout, makeLayout, valuesFit } from "../kit/layout.js";
import { describe, located, marksAt, marksFor, rowsOfWord } from "./linking.js";
import { codeOf, neighborLinks } from "../kit/neighbors.js";
import { nameAt, pieceName } from "../kit/piece.js";
import { makePlayer, stepByKeys } from "../kit/player.js";
import { heightLeft, projected, zoomOf } from "../kit/projection.js";
import { candidatesNode, drawTable, generationNode, hasCandidates, meanings, translationNodes } from "./panel_text.js";
import { moved, under } from "./pointing.js";
import { drawRibbons } from "./ribbons.js";
import { outlives, parse as parseState, same, sameTokens, serialise } from "./state.js";
import { makeView, unspaced } from "../kit/tokens.js";
import { drawVector } from "./vector.js";
import { makeWhy } from "./why.js";
import { watchWidth } from "../kit/width.js";

const ABOVE = 460; // px of a page with heads besides the rows of its figure: its player is above the caption
const ABOVE_ALONE = 232; // px around a single head, with the player beside it: column names belong to its figure
const PLAYER = 40; // px below the rows, also of the heads beside them
const MOST = 900; // px of rows
const OWN = 250; // px above and below the rows of a projected picture
const OWN_HEAD = 170; // px of that with heads beside the figure
const CANDIDATES = 95; // px of them below its columns
const CHROME = 150; // px of a line of panels besides its rows: title, translation, names, caption
const AIR = 4; // px below it
const LOWEST = 200; // least px of its rows
const BAR = 16; // px of a scroll bar below them
const NOTE = 26; // px of the line about ribbons
const NARROW = 600; // px of a phone
const PHONE = 640; // px of a window, as in alignment.css
const EDGE = 24; // px of it that show the next model

/**
 * @template {import("../kit/records.js").AlignmentRecord & {link?: Record<string, any>}} Data
 * @param {HTMLElement | ShadowRoot} parent
 * @param {Data} first
 * @param {import("../kit/mount.js").Host} host
 * @param {((first: Data, on: {panels(): void, kind(): void, handBack(run?: boolean): void}, host: import("../kit/mount.js").Host) => any) | null} makeChooser
 */
export function makePanels(parent, first, host, makeChooser = null) {
  const grid = el("div", { class: "panels" });
  const line = el("div", { class: "line" });
  const note = el("p", { class: "note", role: "status" });
  const spoken = el("div", { class: "unseen", "aria-live": "polite" });
  const tables = el("div", { class: "unseen" });
  const chosen = { panels: drawPanels, kind: otherTokens, handBack };
  const heads = makeChooser?.(first, chosen, host) ?? null;
  const controls = makeControls(first.words, { view: changeView, saved: sourceOf(() => ({ data, drawn, layout, look, state, marks: mark() })) }, heads);
  const player = first.play ? makePlayer(first.words, (to) => goTo(to >= steps() ? null : to)) : null;
  const stage = el("div", { class: "stage" }, grid, ...(heads && player ? [player.node] : []));
  const body = heads ? el("div", { class: "beside" }, heads.node, stage) : stage;
  // They do not fit in the row above the figures.
  const ends = heads ? [controls.saving, controls.links] : player ? [controls.saving] : [];
  const lines = [line, note].map((node, i) => el("div", {}, node, ...ends.slice(i, i + 1)));
  const foot = el("div", { class: "foot" }, ...lines);
  const kind = heads ? "view alignment with-heads" : "view alignment";
  const root = el("div", { class: kind }, controls.node, body, foot, spoken, tables);
  parent.append(root);

  let data = first;
  const plays = Boolean(first.play);
  let state = parseState(host.get(), plays);
  let look = null;
  let layout = null;
  let drawn = []; // [{view, drawing}]
  let tableTimer = 0;
  // A verdict in a link opens its word's panel.
  const ask = "instead" in (data.link ?? {}) ? (asked) => void (host.set({ instead: asked }), mark()) : null;
  const why = makeWhy(first.words, ask);
  why.update(first.verdict ?? null);
  state.pick ??= why.pick();

  const width = watchWidth(grid, draw);
  // Within a figure arrow keys move the pick.
  // From all steps at once, one step forward is the first.
  const stepNow = (by) => state.step ?? (by === 1 ? 0 : steps());
  const forgetKeys = player && stepByKeys(root, (by) => steps() && player.move(stepNow(by) + by));

  return {
    update(next) {
      const before = panels();
      data = next;
      why.update(next.verdict ?? null);
      heads?.update(next);
      const after = panels();
      const { pick } = state;
      if (pick && !outlives(pick, before[pick.panel], after[pick.panel])) change({ pick: null });
      const ready = after.every((panel) => panel.target.length); // a link's step waits for a slow model
      if (!sameTokens(before, after)) change({ step: null, stepped: false });
      else if (ready && state.step >= steps()) change({ step: null });
      change({ hover: null });
      if (state.step !== null) player.stop();
      if (width.measure()) draw();
      handBack();
    },
    follow() {
      player?.stop();
      state = parseState(host.get(), plays);
      heads?.follow();
      if (state.step >= steps()) change({ step: null });
      if (layout) draw();
      handBack();
    },
    close() {
      width.close();
      player?.stop();
      heads?.close();
      forgetKeys?.();
      clearTimeout(tableTimer);
      root.remove();
    },
  };

  function change(changes) {
    state = { ...state, ...changes };
  }

  // run: whether the page must act on it; picking costs the server nothing.
  function handBack(run = false) {
    host.set({ ...serialise(state, plays), ...heads?.serialise() }, run);
  }

  function panels() {
    return heads ? heads.panels(state.view.as) : data.panels.map((panel) => ({ ...panel, as: state.view.as }));
  }

  // Height of a figure's rows; with heads beside it, all that the window has below the page's head.
  function height() {
    const { view, stepped } = state;
    const notes = view.as === "matrix" && !view.words && !view.hide ? 0 : NOTE;
    if (projected()) return Math.max(LOWEST, heightLeft(root, 0, heads ? OWN_HEAD : OWN + (stepped ? CANDIDATES : 0)));
    const above = alone() ? ABOVE_ALONE : ABOVE;
    return heads ? Math.max(data.height - notes, window.innerHeight - above - notes) : data.height;
  }

  // Whether a single head fills the window's height.
  function alone() {
    return Boolean(heads?.alone() && !projected() && columnsOf(body));
  }

  // The height of a figure before it scrolls inside: on a page, which scrolls anyway, all its rows if possible.
  function tallest() {
    if (layout.fills) return layout.bodyHeight + BAR;
    return heads || data.compact || projected() ? height() : Math.max(height(), Math.min(layout.bodyHeight, MOST) + BAR);
  }

  function draw() {
    look = readLook(root);
    setColors(root, look);
    root.classList.toggle("both", state.view.as === "both");
    root.classList.toggle("as-ribbons", state.view.as === "ribbons");
    heads?.draw(look, height() + (projected() ? 0 : PLAYER));
    drawPanels();
  }

  function drawPanels() {
    const { view, step } = state;
    const now = panels().map((p) => ({ ...p, hue: parse(p.hue) }));
    const views = now.map((panel) => makeView(panel, view, step));
    const fills = projected();
    const swiped = !heads && !fills && views.length > 1 && window.innerWidth <= PHONE; // see alignment.css
    const opening = swiped && !grid.classList.contains("swiped");
    grid.classList.toggle("swiped", swiped);
    const made = (high) => makeLayout(views, width.now() - (swiped ? EDGE : 0), high, look.font);
    layout = { ...made(height() - (alone() ? made(height()).top : 0)), zoom: zoomOf(root) };
    if (fills) layout = { ...fillLayout(views, width.now(), height(), CHROME, look.font), zoom: zoomOf(root) };
    const focused = root.getRootNode().activeElement?.dataset?.panel;
    drawColumns(views);
    if (opening) openAt(state.pick?.panel ?? Math.max(0, views.findIndex((v) => v.weights)));
    if (fills) fillHeight(views);
    if (focused) grid.querySelector(`[data-panel="${focused}"]`)?.focus();
    controls.show(view, valuesFit(layout));
    showPlayer();
    const links = view.as !== "matrix" && filledText(data.words[`note_${view.rule}`], { share: `${view.percent}%` });
    const merged = view.words && [data.words.note_words, views.some(unspaced) && data.words.note_unspaced];
    const notes = [...(merged || []), view.hide && !views.some((v) => v.panel.unnormalized) && data.words.note_hide, links, ...meanings(views, data.words)];
    note.textContent = notes.filter(Boolean).join(" ");
    reveal(mark());
    clearTimeout(tableTimer);
    const shown = views.filter((v) => v.weights && !v.panel.twin);
    tableTimer = setTimeout(() => tables.replaceChildren(...shown.map(drawTable)), 400);
  }

  // When models are swiped: start at the link's, or at one with attention.
  function openAt(i) {
    grid.scrollLeft = grid.children[i].offsetLeft - grid.children[0].offsetLeft;
  }

  function drawColumns(views) {
    drawn = views.map((v, i) => ({ view: v, drawing: drawingOf(v, i) }));
    const slim = layout.slim?.slice(0, layout.across).map((share) => `minmax(0, ${share}fr)`).join(" ");
    grid.style.setProperty("--columns", slim ?? `repeat(${layout.across}, minmax(0, 1fr))`);
    grid.classList.toggle("tight", Boolean(layout.tight));
    grid.classList.toggle("narrow", layout.room < 320 && views.some(({ panel }) => panel.translation));
    const below = state.stepped && views.some(({ panel }) => hasCandidates(panel));
    grid.classList.toggle("playing", below);
    grid.replaceChildren(...drawn.flatMap((d, i) => panelNodes(d, i, below)));
  }

  // Again, once it is known how much of the window everything but the rows takes.
  function fillHeight(views) {
    const lines = views.length / layout.across;
    const besides = heads && columnsOf(body); // the heads, not below the figure
    const others = besides ? Math.max(0, body.offsetHeight - stage.offsetHeight) : 0;
    const rest = root.scrollHeight - others - lines * layout.bodyHeight;
    const left = heightLeft(root, 0, rest + AIR);
    layout = { ...fillLayout(views, width.now(), left + (lines - 1) * CHROME, CHROME, look.font), zoom: zoomOf(root) };
    drawColumns(views);
  }

  // px of a column's width
  function roomOf(i) {
    return Math.floor(layout.room * (layout.slim?.[i] ?? 1));
  }

  function drawingOf(v, i) {
    if (v.panel.vector) return drawVector(v, { ...layout, room: roomOf(i) }, look, data.words);
    if (!v.weights) return null;
    return v.panel.as === "ribbons"
      ? drawRibbons(v, layout, look, data.words)
      : drawHeatmap(v, layout, look, state.view.values);
  }

  function panelNodes({ view: v, drawing }, i, below) {
    const { step } = state;
    const { title, caption, hue, twin, among } = v.panel;
    const whole = among && projected() ? `${among} · ${title}` : title; // projected, no button says which kind it is
    const heading = el("h3", { "aria-level": 2 }, twin && i ? "" : whole);
    heading.style.color = css(titleColor(look, hue));
    const [before, after] = [views()[i - 1], views()[i + 1]];
    const models = [before && `\u2039 ${before.panel.title}`, after && `${after.panel.title} \u203a`].filter(Boolean).join(" · ");
    if (grid.classList.contains("swiped"))
      heading.append(" ", el("small", {}, filledText(data.words.swipe, { number: i + 1, count: drawn.length, models })));
    const figure = el("div", { class: "figure", "data-panel": i });
    figure.style.setProperty("--height", `${tallest() + layout.top + FRAME}px`);
    if (drawing) {
      const said = filledText(v.panel.vector ? data.words.aria_vector : data.words.aria, { model: title });
      set(figure, { tabindex: 0, role: "application", "aria-roledescription": data.words.figure, "aria-label": said });
      figure.append(drawing.node);
      listen(figure, i);
    } else {
      figure.style.minHeight = `${layout.top + Math.max(layout.bodyHeight, 4 * layout.cell)}px`;
      set(figure, { "aria-busy": "true" });
    }
    const items = twin && i ? [] : caption;
    const quiet = el("p", { class: "caption" }, items.join(" · "));
    const chances = below ? candidatesNode(v.panel, step ?? steps(), look, roomOf(i), data.words) : "";
    const text = el("p", { class: "translation" }, ...translationNodes(v.panel, step));
    text.addEventListener("click", (event) => pickWord(event.target.closest("[data-word]")?.dataset.word, i));
    const strip = v.panel.generation?.length ? generationNode(v.panel, step, look, data.words) : null;
    const picture = strip ? el("div", { class: "copying" }, figure, strip) : figure;
    return [el("section", { class: "panel" }, heading, text, picture, quiet, chances)];
  }

  function listen(figure, i) {
    const at = (event) => under(event, i, drawn[i].view, layout);
    figure.addEventListener("pointermove", (event) => event.pointerType === "mouse" && point(at(event)));
    figure.addEventListener("pointerleave", () => point(null));
    figure.addEventListener("click", (event) => {
      const focus = at(event);
      if (focus) setPick(same(focus, located(views(), state.pick)) ? null : focus);
    });
    figure.addEventListener("keydown", (event) => {
      const focus = moved(event.key, located(views(), state.pick), i, drawn[i].view);
      if (focus === undefined || (!focus && !state.pick)) return; // with nothing to deselect, Escape belongs to the page
      event.preventDefault();
      change({ hover: null });
      setPick(focus);
    });
  }

  function pickWord(word, i) {
    const { view } = drawn[i];
    const rows = rowsOfWord(view, view.panel.target_words.indexOf(Number(word ?? -1)));
    if (rows.length) setPick({ panel: i, row: rows[0], col: -1, ...(rows.length > 1 ? { rows } : {}) });
  }

  function views() {
    return drawn.map((d) => d.view);
  }

  function point(focus) {
    if (same(focus, state.hover) || line.querySelector("input:focus")) return; // typed text stays
    change({ hover: focus });
    mark();
  }

  // The first piece of the focus, on both axes.
  function pieces(focus) {
    if (!focus) return null;
    const { rows, columns } = drawn[focus.panel].view;
    const piece = (axis, i) => (i < 0 ? null : axis[i].indices[0]);
    const word = Boolean(focus.rows) || (rows[focus.row]?.indices.length > 1 && focus.col < 0);
    return { panel: focus.panel, target: piece(rows, focus.row), source: piece(columns, focus.col), word };
  }

  function setPick(focus) {
    change({ pick: pieces(focus) });
    if (!state.pick) change({ hover: null });
    reveal(mark());
    spoken.textContent = state.pick ? line.textContent : "";
    handBack();
  }

  function mark() {
    const { pick, step, hover } = state;
    const all = views();
    const kept = located(all, pick);
    const played = step === null || hover || kept ? null : marksAt(all, step);
    const focus = hover ?? kept ?? playing(played);
    const marks = played ?? marksFor(all, focus);
    drawn.forEach(({ drawing }, i) => drawing?.mark(marks[i]));
    const chances = played && all.some((v) => hasCandidates(v.panel));
    const said = chances ? [data.words.chances] : describe(all, focus, marks, data.words, !hover && Boolean(kept));
    const at = projected() && player && step !== null ? [`${player.text()}. `] : []; // the player is hidden
    const cell = heads?.cell(pieces(focus), !hover && Boolean(kept)) ?? [];
    const held = root.getRootNode().activeElement;
    line.replaceChildren(...at, ...said, ...cell, ...(kept ? [...(hover ? [] : neighbors()), ...reasons()] : []));
    if (held?.isConnected && line.contains(held)) held.focus(); // it was moved
    set(root, { "data-picked": writePick(pick), "data-idle": !focus && !chances && !at.length });
    return marks;
  }

  // For a picked word of a translation: why the model wrote it, and what else it might have written.
  function reasons() {
    const { panel, target, word } = state.pick;
    return target === null ? [] : why.nodes(drawn[panel].view.panel, panel, target, Boolean(word));
  }

  // For the pick: links to the most similar pieces.
  function neighbors() {
    const { pick } = state;
    const { panel } = drawn[pick.panel].view;
    if (typeof panel.neighbors !== "string") return [];
    /** @type {["source" | "target", number | null][]} */
    const axes = [["source", pick.source], ["target", pick.target]];
    const picked = axes.filter(([, piece]) => piece !== null);
    /** @type {[string, string][]} */
    const pieces = picked.map(([axis, piece]) => [nameAt(panel[axis], piece, panel[`${axis}_words`]), codeOf(panel.kind, axis, piece)]);
    return neighborLinks(pieces, data.words, host, panel.neighbors).flatMap((link) => [" ", link]);
  }

  function reveal(marks) {
    drawn.forEach(({ drawing }, i) => drawing?.reveal?.(marks[i]));
  }

  // The word of the played step is treated as if it were pointed at.
  function playing(marks) {
    const panel = marks ? marks.findIndex((m) => m.said) : -1;
    return panel < 0 ? null : { panel, row: marks[panel].rows[0], col: -1 };
  }

  function steps() {
    return Math.max(0, ...panels().map((panel) => (panel.played ? panel.target.length : 0)));
  }

  // What all panels write at a step; empty if they differ.
  function wordAt(at) {
    const written = new Set(panels().flatMap((panel) => (panel.played ? [panel.target[at - 1] ?? ""] : [])));
    const [word] = written;
    return written.size === 1 && word ? pieceName(word) : "";
  }

  function showPlayer() {
    if (!player) return;
    const count = steps();
    const { step } = state;
    const at = step ?? count;
    const word = wordAt(at);
    const said = step === null ? data.words.all_steps : word ? data.words.step : data.words.step_of;
    player.show({ step: at, last: count, text: [filledText(said, { step: at, count, word })] });
    player.node.hidden = !count;
    if (heads) return;
    const narrow = layout.across === 1 && layout.room < NARROW; // a phone's figures scroll away from the row above them
    const home = narrow ? foot : controls.node;
    if (player.node.parentNode !== home) home.insertBefore(player.node, narrow ? home.firstChild : null);
    root.classList.toggle("stepping", step !== null);
  }

  function goTo(next) {
    change({ step: next, stepped: true, pick: null, hover: null });
    drawPanels();
    handBack();
  }

  function otherTokens() {
    change({ pick: null, hover: null });
    draw();
  }

  function changeView(changes) {
    change({ view: { ...state.view, ...changes }, hover: null });
    if ("as" in changes) draw();
    else drawPanels();
    handBack();
  }
}

// Whether parts of a picture stand side by side.
const columnsOf = (/** @type {Element} */ node) => getComputedStyle(node).gridTemplateColumns?.includes(" ");
