// The alignment component: panels drawn side by side, linked when pointed at or picked, without the server.
// A drawing is {node, parts, width, height, mark(marks), reveal(marks)?}; another view is another function that
// returns one.

import { readAddress, readPick, readView, writeAddress, writePick, writeView } from "./address.js";
import { css, parse, readLook, titleColor } from "./color.js";
import { makeControls } from "./controls.js";
import { el, filledText, set } from "./dom.js";
import { composeSvg, csvText, fileName, pngBlob, save, svgText } from "./export.js";
import { drawHeatmap, valuesFit } from "./heatmap.js";
import { forgetWidths, makeLayout } from "./layout.js";
import { best, describe, located, marksFor } from "./linking.js";
import { drawTable } from "./table.js";
import { makeView } from "./tokens.js";
import { drawVector } from "./vector.js";

const instances = new WeakMap(); // Streamlit calls again, with the same parent, when data or theme change

export default function alignmentComponent({ parentElement, data, setStateValue }) {
  if (!instances.has(parentElement)) instances.set(parentElement, makeInstance(parentElement, data));
  const instance = instances.get(parentElement);
  instance.update(data, setStateValue);
  return () => {
    instance.close();
    instances.delete(parentElement);
  };
}

function makeInstance(parent, first) {
  const pathname = location.pathname;
  const grid = el("div", { class: "panels" });
  const line = el("p", { class: "line" });
  const note = el("p", { class: "note", role: "status" });
  const spoken = el("div", { class: "unseen", "aria-live": "polite" });
  const tables = el("div", { class: "unseen" });
  const controls = makeControls(first.words, { view: changeView, save: saveAs });
  const foot = el("div", { class: "foot" }, line, note);
  const root = el("div", { class: "alignment" }, controls.node, grid, foot, spoken, tables);
  parent.append(root);

  let data = first;
  let tell = () => {};
  let pick = first.picked;
  let view = { words: false, hide: false, values: true };
  if (first.url) {
    pick = readPick(readAddress(first.url)) ?? pick;
    view = readView(readAddress(`${first.url}-view`), view);
  }
  let look = null;
  let layout = null;
  let drawn = []; // [{view, drawing}]
  let hover = null;
  let width = 0;
  let tableTimer = 0;

  const resize = new ResizeObserver(([entry]) => {
    const now = Math.floor(entry.contentRect.width);
    if (now === width || now <= 0) return;
    width = now;
    draw();
  });
  resize.observe(grid);
  document.fonts?.ready.then(() => {
    forgetWidths();
    if (width) draw();
  });
  // Streamlit may write the address from its own copy, without our pick: put it back, on this page only.
  const restore = (event) => event.navigationType !== "traverse" && location.pathname === pathname && writeUrl();
  window.navigation?.addEventListener("currententrychange", restore);

  return {
    update(next, setStateValue) {
      tell = (value) => next.report && setStateValue("pick", value);
      if (pick && !outlives(pick, data.panels[pick.panel], next.panels[pick.panel])) pick = next.picked;
      data = next;
      hover = null;
      width = Math.floor(grid.getBoundingClientRect().width) || width;
      if (width) draw();
      writeUrl();
    },
    close() {
      resize.disconnect();
      window.navigation?.removeEventListener("currententrychange", restore);
      clearTimeout(tableTimer);
      root.remove();
    },
  };

  function draw() {
    look = readLook(root);
    root.style.setProperty("--muted", css(look.muted));
    root.style.setProperty("--line", css(look.line));
    const panels = data.panels.map((p) => ({ ...p, hue: parse(p.hue) }));
    const views = panels.map((panel) => makeView(panel, view));
    layout = makeLayout(views, width, data.height, look.font);
    const focused = root.getRootNode().activeElement?.dataset?.panel;
    drawn = views.map((v) => ({ view: v, drawing: drawingOf(v) }));
    grid.style.setProperty("--across", layout.across);
    grid.classList.toggle("narrow", layout.room < 320);
    grid.replaceChildren(...drawn.flatMap(panelNodes));
    if (focused) grid.querySelector(`[data-panel="${focused}"]`)?.focus();
    controls.show(view, valuesFit(layout));
    const notes = [view.words && data.words.note_words, view.hide && data.words.note_hide];
    note.textContent = notes.filter(Boolean).join(" ");
    reveal(mark());
    clearTimeout(tableTimer);
    tableTimer = setTimeout(() => tables.replaceChildren(...views.filter((v) => v.weights).map(drawTable)), 400);
  }

  function drawingOf(v) {
    if (v.panel.vector) return drawVector(v, layout, look, data.words);
    return v.weights ? drawHeatmap(v, layout, look, view.values) : null;
  }

  function panelNodes({ view: v, drawing }, i) {
    const { title, translation, caption, hue } = v.panel;
    const heading = el("h3", {}, title);
    heading.style.color = css(titleColor(look, hue));
    const figure = el("div", { class: "figure", "data-panel": i });
    figure.style.setProperty("--height", `${data.height + layout.top}px`);
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
    const quiet = el("p", { class: "caption" }, ...caption.flatMap((text, n) => (n ? [" · ", text] : [text])));
    return [el("section", { class: "panel" }, heading, el("p", { class: "translation" }, translation), quiet, figure)];
  }

  function listen(figure, i) {
    figure.addEventListener("pointermove", (event) => event.pointerType === "mouse" && point(at(event, i)));
    figure.addEventListener("pointerleave", () => point(null));
    figure.addEventListener("click", (event) => {
      const focus = at(event, i);
      if (focus) setPick(same(focus, located(views(), pick)) ? null : focus);
    });
    figure.addEventListener("keydown", (event) => {
      const focus = moved(event.key, located(views(), pick), i);
      if (focus === undefined) return;
      event.preventDefault();
      hover = null;
      setPick(focus);
    });
  }

  // What lies under the pointer: a token's label, or a cell by arithmetic.
  function at(event, panel) {
    const label = event.target.closest("[data-row], [data-column]");
    if (label) return { panel, row: Number(label.dataset.row ?? -1), col: Number(label.dataset.column ?? -1) };
    const body = drawn[panel].view.weights && event.target.closest("svg.body");
    if (!body) return null;
    const box = body.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top - 1) / layout.cell);
    const col = Math.floor((event.clientX - box.left - 1) / layout.cell);
    const inside = row >= 0 && col >= 0 && drawn[panel].view.weights[row] && col < drawn[panel].view.columns.length;
    return inside ? { panel, row, col } : null;
  }

  // The focus after a key, null to let go, undefined for a key that is not ours.
  function moved(key, from, panel) {
    if (key === "Escape") return null;
    const { rows, columns, weights } = drawn[panel].view;
    const step = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      Home: [-1e4, 0],
      End: [1e4, 0],
    }[key];
    if (!step) return undefined;
    const within = (value, size) => Math.min(size - 1, Math.max(0, value));
    if (!from || from.panel !== panel) return { panel, row: key === "End" ? rows.length - 1 : 0, col: -1 };
    if (step[0] && from.row < 0) return { ...from, row: weights ? best(weights.map((r) => r[from.col] || 0)) : 0 };
    if (step[1] && from.col < 0) return { ...from, col: weights ? best(weights[from.row]) : 0 };
    const row = step[0] ? within(from.row + step[0], rows.length) : from.row;
    return { panel, row, col: step[1] ? within(from.col + step[1], columns.length) : from.col };
  }

  function views() {
    return drawn.map((d) => d.view);
  }

  function point(focus) {
    if (same(focus, hover)) return;
    hover = focus;
    mark();
  }

  function setPick(focus) {
    const piece = (axis, i) => (i < 0 ? null : axis[i].indices[0]);
    const from = focus && drawn[focus.panel].view;
    pick = focus && { panel: focus.panel, target: piece(from.rows, focus.row), source: piece(from.columns, focus.col) };
    if (!pick) hover = null;
    reveal(mark());
    spoken.textContent = pick ? line.textContent : "";
    writeUrl();
    tell(writePick(pick));
  }

  function mark() {
    const all = views();
    const kept = located(all, pick);
    const focus = hover ?? kept;
    const marks = marksFor(all, focus);
    drawn.forEach(({ drawing }, i) => drawing?.mark(marks[i]));
    line.replaceChildren(...describe(all, focus, marks, data.words, !hover && Boolean(kept)));
    set(root, { "data-picked": writePick(pick) });
    return marks;
  }

  function reveal(marks) {
    drawn.forEach(({ drawing }, i) => drawing?.reveal?.(marks[i]));
  }

  function changeView(changes) {
    view = { ...view, ...changes };
    hover = null;
    draw();
    writeUrl();
  }

  function writeUrl() {
    if (data.url) writeAddress({ [data.url]: writePick(pick), [`${data.url}-view`]: writeView(view) });
  }

  async function saveAs(kind) {
    const shown = drawn.filter((d) => d.drawing);
    const heading = data.sentence || shown[0]?.view.panel.title || "";
    if (kind === "csv")
      return save(fileName(heading, kind), new Blob(["\ufeff", csvText(views())], { type: "text/csv" }));
    const picture = composeSvg(shown, layout, look, heading);
    const blob = kind === "png" ? await pngBlob(picture) : new Blob([svgText(picture)], { type: "image/svg+xml" });
    return save(fileName(heading, kind), blob);
  }
}

const same = (a, b) => (!a || !b ? !a && !b : a.panel === b.panel && a.row === b.row && a.col === b.col);

// A pick outlives new data only where its tokens are the same, or have not come yet.
function outlives(pick, before, after) {
  if (!after) return false;
  if (!after.target.length) return true;
  const key = (panel) => JSON.stringify([panel.source, panel.target]);
  const inside = (pick.target ?? 0) < after.target.length && (pick.source ?? 0) < after.source.length;
  return inside && (!before?.target.length || key(before) === key(after));
}
