// @ts-check
// Panels drawn side by side, linked when pointed at or picked, without the server.
// A drawing is {node, parts, width, height, mark(marks), reveal(marks)?}; another view is another function that
// returns one. With `makeChooser` the panels show one head of many, chosen beside them.

import { keepAddress, readView, VIEW, writePick, writeView } from "../kit/address.js";
import { css, parse, readLook, titleColor } from "../kit/color.js";
import { makeControls } from "./controls.js";
import { el, filledText, set } from "../kit/dom.js";
import { composeSvg, csvText } from "./export.js";
import { drawHeatmap, valuesFit } from "../kit/heatmap.js";
import { makeLayout } from "../kit/layout.js";
import { probabilityOf } from "../kit/mark.js";
import { readCodes, readParameter, writeLink } from "../kit/link_state.js";
import { describe, located, marksFor } from "./linking.js";
import { savePicture, saveTable } from "../kit/paper.js";
import { pieceName } from "../kit/piece.js";
import { makePlayer, stepByKeys } from "../kit/player.js";
import { moved, under } from "./pointing.js";
import { drawRibbons } from "./ribbons.js";
import { drawTable } from "./table.js";
import { makeView, unspaced } from "../kit/tokens.js";
import { drawVector } from "./vector.js";
import { watchWidth } from "../kit/width.js";

const ABOVE = 382; // px of a page with heads that are not rows of its figure
const MOST = 900; // px of rows
const BAR = 16; // px of a scroll bar below them
const NOTE = 26; // px of the line about ribbons

export function makePanels(parent, first, host, makeChooser = null) {
  const grid = el("div", { class: "panels" });
  const line = el("p", { class: "line" });
  const note = el("p", { class: "note", role: "status" });
  const spoken = el("div", { class: "unseen", "aria-live": "polite" });
  const tables = el("div", { class: "unseen" });
  const chosen = { panels: drawPanels, kind: otherTokens, written: writeUrl };
  const heads = makeChooser?.(first, chosen, host) ?? null;
  const controls = makeControls(first.words, { view: changeView, save: saveAs }, heads);
  const player = first.play ? makePlayer(first.words, (to) => goTo(to >= steps() ? null : to)) : null;
  const stage = el("div", { class: "stage" }, grid, ...(player ? [player.node] : []));
  const body = heads ? el("div", { class: "beside" }, heads.node, stage) : stage;
  const ends = heads ? [controls.saving, controls.links] : []; // the row above the figures has no room for them
  const foot = el(
    "div",
    { class: "foot" },
    ...[line, note].map((node, i) => el("div", {}, node, ...ends.slice(i, i + 1))),
  );
  const root = el(
    "div",
    { class: heads ? "view alignment with-heads" : "view alignment" },
    controls.node,
    body,
    foot,
    spoken,
    tables,
  );
  parent.append(root);

  let data = first;
  let pick = null;
  let view = VIEW;
  let step = null; // of a decode that is played, from 1; null shows all
  if (first.link) {
    pick = readParameter(first.link.pick);
    view = readView(readCodes(first.link.view));
    if (first.play) step = readParameter(first.link.step);
  }
  let look = null;
  let layout = null;
  let drawn = []; // [{view, drawing}]
  let hover = null;
  let tableTimer = 0;

  const width = watchWidth(grid, draw);
  const closing = [keepAddress(writeUrl)];
  // Without heads the panels have a pick that arrow keys move.
  if (heads && player) closing.push(stepByKeys(root, (by) => steps() && player.move((step ?? steps()) + by)));

  return {
    update(next) {
      const before = panels();
      data = next;
      heads?.update(next);
      const after = panels();
      if (pick && !outlives(pick, before[pick.panel], after[pick.panel])) pick = null;
      if (before.map(tokens).join() !== after.map(tokens).join() || step >= steps()) step = null;
      hover = null;
      if (step !== null) player.stop();
      if (width.measure()) draw();
      writeUrl();
    },
    close() {
      width.close();
      player?.stop();
      heads?.close();
      for (const end of closing) end();
      clearTimeout(tableTimer);
      root.remove();
    },
  };

  function panels() {
    return heads ? heads.panels(view.as) : data.panels.map((panel) => ({ ...panel, as: view.as }));
  }

  // Of the rows of a figure; where heads stand beside it, as much as the window has below the page's head.
  function height() {
    const notes = view.as === "matrix" && !view.words && !view.hide ? 0 : NOTE;
    return heads ? Math.max(data.height - notes, window.innerHeight - ABOVE - notes) : data.height;
  }

  // What a figure may take before it scrolls in itself: a page's own one, which scrolls anyway, its rows where it can.
  function tallest() {
    return heads || data.compact ? height() : Math.max(height(), Math.min(layout.bodyHeight, MOST) + BAR);
  }

  function draw() {
    look = readLook(root);
    root.style.setProperty("--muted", css(look.muted));
    root.style.setProperty("--line", css(look.line));
    root.classList.toggle("both", view.as === "both");
    heads?.draw(look, height());
    drawPanels();
  }

  function drawPanels() {
    const now = panels().map((p) => ({ ...p, hue: parse(p.hue) }));
    const views = now.map((panel) => makeView(panel, view, step));
    layout = makeLayout(views, width.now(), height(), look.font);
    const focused = root.getRootNode().activeElement?.dataset?.panel;
    drawn = views.map((v) => ({ view: v, drawing: drawingOf(v) }));
    grid.style.setProperty("--across", layout.across);
    grid.classList.toggle("narrow", layout.room < 320 && now.some((panel) => panel.translation));
    grid.replaceChildren(...drawn.flatMap(panelNodes));
    if (focused) grid.querySelector(`[data-panel="${focused}"]`)?.focus();
    controls.show(view, valuesFit(layout));
    showPlayer();
    const links = view.as !== "matrix" && filledText(data.words[`note_${view.rule}`], { share: `${view.percent}%` });
    const merged = view.words && [data.words.note_words, views.some(unspaced) && data.words.note_unspaced];
    const notes = [...(merged || []), view.hide && data.words.note_hide, links, ...meanings()];
    note.textContent = notes.filter(Boolean).join(" ");
    reveal(mark());
    clearTimeout(tableTimer);
    const shown = views.filter((v) => v.weights && !v.panel.twin);
    tableTimer = setTimeout(() => tables.replaceChildren(...shown.map(drawTable)), 400);
  }

  // What the marks on words mean, where there are any.
  function meanings() {
    return drawn.some(({ view: v }) => v.panel.doubtful?.length) ? [data.words.note_doubt] : [];
  }

  function drawingOf(v) {
    if (v.panel.vector) return drawVector(v, layout, look, data.words);
    if (!v.weights) return null;
    return v.panel.as === "ribbons"
      ? drawRibbons(v, layout, look, data.words)
      : drawHeatmap(v, layout, look, view.values);
  }

  function panelNodes({ view: v, drawing }, i) {
    const { title, caption, hue, twin } = v.panel;
    const heading = el("h3", {}, twin && i ? "" : title);
    heading.style.color = css(titleColor(look, hue));
    const figure = el("div", { class: "figure", "data-panel": i });
    figure.style.setProperty("--height", `${tallest() + layout.top}px`);
    if (drawing) {
      set(figure, { tabindex: 0, role: "application", "aria-roledescription": data.words.figure });
      set(figure, {
        "aria-label": filledText(v.panel.vector ? data.words.aria_vector : data.words.aria, { model: title }),
      });
      figure.append(drawing.node);
      listen(figure, i);
    } else {
      figure.style.minHeight = `${layout.top + Math.max(layout.bodyHeight, 4 * layout.cell)}px`;
      set(figure, { "aria-busy": "true" });
    }
    const items = twin && i ? [] : caption;
    const quiet = el("p", { class: "caption" }, ...items.flatMap((text, n) => (n ? [" · ", text] : [text])));
    return [el("section", { class: "panel" }, heading, el("p", { class: "translation" }, ...translationNodes(v.panel)), quiet, figure)];
  }

  function listen(figure, i) {
    const at = (event) => under(event, i, drawn[i].view, layout);
    figure.addEventListener("pointermove", (event) => event.pointerType === "mouse" && point(at(event)));
    figure.addEventListener("pointerleave", () => point(null));
    figure.addEventListener("click", (event) => {
      const focus = at(event);
      if (focus) setPick(same(focus, located(views(), pick)) ? null : focus);
    });
    figure.addEventListener("keydown", (event) => {
      const focus = moved(event.key, located(views(), pick), i, drawn[i].view);
      if (focus === undefined) return;
      event.preventDefault();
      hover = null;
      setPick(focus);
    });
  }

  function views() {
    return drawn.map((d) => d.view);
  }

  function point(focus) {
    if (same(focus, hover)) return;
    hover = focus;
    mark();
  }

  // The first piece of what is in focus, on both axes.
  function pieces(focus) {
    if (!focus) return null;
    const { rows, columns } = drawn[focus.panel].view;
    const piece = (axis, i) => (i < 0 ? null : axis[i].indices[0]);
    return { panel: focus.panel, target: piece(rows, focus.row), source: piece(columns, focus.col) };
  }

  function setPick(focus) {
    pick = pieces(focus);
    if (!pick) hover = null;
    reveal(mark());
    spoken.textContent = pick ? line.textContent : "";
    writeUrl();
  }

  function mark() {
    const all = views();
    const kept = located(all, pick);
    const focus = hover ?? kept ?? playing(all);
    const marks = marksFor(all, focus);
    drawn.forEach(({ drawing }, i) => drawing?.mark(marks[i]));
    line.replaceChildren(...describe(all, focus, marks, data.words, !hover && Boolean(kept)));
    line.append(...(heads?.cell(pieces(focus), !hover && Boolean(kept)) ?? []));
    set(root, { "data-picked": writePick(pick) });
    return marks;
  }

  function reveal(marks) {
    drawn.forEach(({ drawing }, i) => drawing?.reveal?.(marks[i]));
  }

  // The word of the step that is played is looked at as if it were pointed at.
  function playing(all) {
    const panel = step === null ? -1 : all.findIndex((v) => v.panel.played && v.weights);
    const row = panel < 0 ? -1 : all[panel].rows.findIndex((group) => group.indices.includes(step - 1));
    return row < 0 || all[panel].rows[row].later ? null : { panel, row, col: -1 };
  }

  function steps() {
    return Math.max(0, ...panels().map((panel) => (panel.played ? panel.target.length : 0)));
  }

  function wordAt(at) {
    const tokens = panels().find((panel) => panel.played)?.target ?? [];
    return tokens[at - 1] ? pieceName(tokens[at - 1]) : "";
  }

  function showPlayer() {
    if (!player) return;
    const count = steps();
    const at = step ?? count;
    const text = filledText(step === null ? data.words.all_steps : data.words.step, {
      step: at,
      count,
      word: wordAt(at),
    });
    player.show({ step: at, last: count, text: [text] });
    player.node.hidden = !count;
  }

  function goTo(next) {
    step = next;
    pick = null;
    hover = null;
    drawPanels();
    writeUrl();
  }

  function otherTokens() {
    pick = null;
    hover = null;
    draw();
  }

  function changeView(changes) {
    const layoutChanges = "as" in changes;
    view = { ...view, ...changes };
    hover = null;
    if (layoutChanges) draw();
    else drawPanels();
    writeUrl();
  }

  function writeUrl() {
    const played = player ? { step } : {};
    writeLink(data.link, { pick: writePick(pick), view: writeView(view), ...played, ...heads?.address() });
  }

  function saveAs(kind) {
    const shown = drawn.filter((d) => d.drawing);
    const heading = data.sentence || shown[0]?.view.panel.title || "";
    const name = [shown[0]?.view.panel.saved?.().title, heading].filter(Boolean).join(" ");
    if (kind === "csv") {
      const once = views().filter((v, i) => !i || !v.panel.twin);
      return saveTable(name, csvText(once));
    }
    return savePicture(name, kind, composeSvg(shown, layout, look, heading, meanings()));
  }
}

// The translation as a text, its words marked.
function translationNodes({ translation, parts = [], probabilities, doubtful }) {
  if (!parts.length) return [translation];
  return parts.map(([text, word]) => {
    if (!doubtful.includes(word)) return text;
    return el("span", { class: "doubtful", title: probabilityOf({ probability: probabilities[word] }) }, text);
  });
}

const same = (a, b) => (!a || !b ? !a && !b : a.panel === b.panel && a.row === b.row && a.col === b.col);

const tokens = (panel) => JSON.stringify([panel.source, panel.target]);

// A pick outlives new data only where its tokens are the same, or have not come yet.
function outlives(pick, before, after) {
  if (!after) return false;
  if (!after.target.length) return true;
  const inside = (pick.target ?? 0) < after.target.length && (pick.source ?? 0) < after.source.length;
  return inside && (!before?.target.length || tokens(before) === tokens(after));
}
