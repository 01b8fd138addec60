// @ts-check
// The words as vectors: the neighbours of a picked piece, and the plane of all pieces of the sentences. The record has the
// neighbours of every piece, so that picking one never asks the server.

import { css, lineColor, parse, readLook, setColors } from "../kit/color.js";
import { makeTables } from "../kit/data_table.js";
import { el, filledNodes, filledText } from "../kit/dom.js";
import { rich } from "../kit/notation.js";
import { picture } from "../kit/picture.js";
import { makePieceRows } from "../kit/chips.js";
import { makeSaving } from "../kit/saving.js";
import { ASKED } from "../kit/scroll.js";
import { drawBars, table } from "../nearest/bars.js";
import { drawPlane, percent } from "./plane.js";
import { parse as parseState, serialise } from "./state.js";

const WIDE = 760; // px from which both pictures are side by side
const [SHARE, GAP] = [0.4, 28]; // of the width that the neighbours have then, and px between
const COSINE = "cos(x, y) = x\u00b7y / (|x| |y|)";

export default picture("walk embeddings", ({ root, width, host }) => {
  let data = null;
  /** @type {import("./state.js").State | null} */
  let state = null;
  let look = null;
  let built = ""; // key of the drawn parts
  let drawn = ""; // key of their contents
  let parts = null;
  document.addEventListener(ASKED, follow);

  return {
    read(next) {
      const kept = data === next ? state : { picked: next.picked };
      data = next;
      state = parseState(host.get(), data) ?? kept;
    },
    draw,
    follow,
    forget: () => (built = ""),
    handBack: () => handBack(false),
    close: () => document.removeEventListener(ASKED, follow),
  };

  // Go where the address leads now. The page finds a row that the record lacks.
  function follow() {
    const { vectors } = host.get();
    if (!vectors) return; // the section is being closed
    const asked = parseState({ vectors }, data);
    if (!asked) return void host.set(serialise({ picked: vectors }, vectors.id));
    state = asked;
    draw();
  }

  function draw() {
    look = readLook(root);
    const { words: _words, link: _link, picked: _first, ...record } = data;
    const now = JSON.stringify([record, css(look.background), look.font]);
    if (now !== built) build();
    built = now;
    const wanted = JSON.stringify([state, width.now()]);
    if (wanted !== drawn) show(); // else keep the focus
    drawn = wanted;
  }

  // The parts that stay while pieces are picked.
  function build() {
    const { words, sides } = data;
    setColors(root, look, lineColor(look, parse(data.hue)));
    const labelled = (side) => [side, { label: words[`pieces_${side}`], names: sides[side].names }];
    parts = {
      rows: makePieceRows(Object.fromEntries(["s", "t"].map(labelled)), pick),
      says: el("p", { class: "says" }),
      nearest: el("div", { class: "nearest" }),
      kind: el("p", {}),
      plane: el("div", { class: "plane" }),
      about: el("p", {}),
      savePlane: makeSaving(words, words.figure_plane, () => sheet("plane"), planeTable),
      tables: makeTables(words.open, parts?.tables),
      pair: el("div", { class: "pair" }),
    };
    const saveNearest = makeSaving(words, words.figure_nearest, () => sheet("nearest"), nearestTable);
    const formula = el("p", { class: "letters" }, ...rich(COSINE));
    const quiet = el("p", { class: "quiet" }, words.dot);
    const over = (...nodes) => el("div", { class: "over" }, ...nodes);
    parts.pair.append(
      el("div", {}, parts.says, parts.nearest, over(formula, saveNearest), parts.kind, quiet),
      el("div", {}, parts.plane, over(parts.savePlane), parts.about),
    );
    root.replaceChildren(...parts.rows.nodes, parts.pair, el("div", { class: "proofs" }, parts.tables.node));
    drawn = "";
  }

  function show() {
    const { words } = data;
    const { name, row, plane } = now();
    parts.rows.show(state.picked);
    const nearest = el("b", {}, filledText(words.nearest, { piece: name }));
    parts.says.replaceChildren(...filledNodes(words.row, { D: String(data.width), nearest }));
    const room = width.now();
    const wide = room >= WIDE;
    parts.pair.classList.toggle("wide", wide);
    const left = wide ? Math.floor((room - GAP) * SHARE) : room;
    const right = wide ? room - GAP - left : room;
    parts.nearest.replaceChildren(drawBars(data, row.nearest, title("nearest"), look, left));
    parts.kind.textContent = row.kind ? words[`kind_${row.kind}`] : "";
    parts.kind.hidden = !row.kind;
    const drawing = plane ? drawPlane(data, plane, now().id, title("plane"), look, right) : words.no_plane;
    parts.plane.replaceChildren(drawing);
    parts.savePlane.hidden = !plane;
    parts.about.replaceChildren(...(plane ? aboutPlane(plane) : []));
    const tables = [[title("nearest"), nearestTable], ...(plane ? [[title("plane"), planeTable]] : [])];
    parts.tables.show(tables);
  }

  // The picked row: its number, its name, its neighbours and note, and the plane that it is in.
  function now() {
    const { side, position } = state.picked;
    const from = position === null ? data.other : data.sides[side];
    const id = position === null ? from.id : from.ids[position];
    return { id, name: position === null ? from.name : from.names[position], row: from.rows[id], plane: from.plane };
  }

  function aboutPlane(plane) {
    const { words } = data;
    const [first, second] = plane.shares.map(percent);
    const values = { count: String(plane.ids.length), rest: String(data.width - 2) };
    const shares = el("b", {}, filledText(words.shares, { first, second }));
    return filledNodes(words.plane, { ...values, shares, tables: data.shared ? words.tables_one : words.tables_two });
  }

  function title(figure) {
    const values = { piece: now().name, model: data.model, sentence: data.sentence };
    return filledText(data.words[`title_${figure}`], values);
  }

  function nearestTable() {
    return table(now().row.nearest);
  }

  function planeTable() {
    const { plane } = now();
    return [["piece", "id", "x", "y"], ...plane.ids.map((id, n) => [plane.names[n], id, ...plane.points[n]])];
  }

  function sheet(figure) {
    return { heading: title(figure), parts: [{ node: parts[figure].firstChild, x: 0, y: 0 }], look };
  }

  // If the sides have separate tables, the arithmetic below is for this side: the page redraws it.
  function pick(place) {
    const other = !data.shared && place.side !== state.picked.side;
    state = { picked: place };
    draw();
    handBack(other);
  }

  // While the section is open: the page removes the parameter when it closes.
  function handBack(run) {
    if (host.get().vectors) host.set(serialise(state, data.other?.id), run);
  }
});
