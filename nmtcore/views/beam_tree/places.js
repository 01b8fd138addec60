// @ts-check
// The layout. One column per step; in it the continued hypotheses, in the order of the tree, so that no
// two of their edges cross, and the best path straight along the top; below them, under the cut, the dropped candidates.

import { filledText } from "../kit/dom.js";
import { measure } from "../kit/layout.js";
import { number } from "../kit/number.js";
import { pieceName } from "../kit/piece.js";
import { projected } from "../kit/projection.js";
import { byRank, wasChosen } from "./record.js";

export const CHIP = { height: 27, size: 15, pad: 8 };
export const SMALL = { height: 21, size: 13.5, pad: 6, pitch: 24 };
const READ = 18 / 1080; // of a projector's height: type that the last row can read
export const LABEL = 12.5; // px of the numbers under the chips
const SMALLEST = 10; // px of these numbers in a tree shrunk to be visible whole
const LABEL_PAD = 3; // px from the chip's edge to them, with a small gap
const PITCH = 45; // px between lanes
const GAP = { least: 10, most: 84 }; // px between columns, where the edges bend
const TOP = 31; // px for the step numbers
const EDGE = 8; // px left of the root
const BUDGET = 345; // px for lanes and dropped candidates together
const MOST = 6000; // dropped candidates drawn at once
const BESIDE = { usual: 190, projected: 130 }; // px kept free at the right for the last step's dropped candidates
const beside = () => BESIDE[projected() ? "projected" : "usual"];
const smallForm = () => (projected() ? { ...SMALL, size: CHIP.size } : SMALL); // all type can be read from the last row

/**
 * Scale of a tree on the screen: whole if it is still legible. Otherwise it scrolls: for a class, which reads from
 * afar, at the smallest legible size; for a single reader at full size.
 * @param {{width: number, steps: number}} places
 * @param {number} room
 * @param {number} zoom of the picture
 */
export function scaleOf({ width, steps }, room, zoom) {
  if (projected()) return Math.min(1, Math.max(room / width, (READ * window.innerHeight) / (CHIP.size * zoom)));
  const whole = Math.min(1, room / steps);
  return whole * LABEL < SMALLEST ? 1 : whole;
}

export function makePlaces(record, winner, mode, room, look) {
  const lanes = lanesOf(record, winner);
  const form = smallForm();
  const cut = TOP + lanes.count * PITCH + 3;
  const few = Math.max(3, Math.min(9, Math.floor((BUDGET - lanes.count * PITCH) / SMALL.pitch)));
  const limit = mode === "all" ? Math.max(few, Math.floor(MOST / record.length)) : few; // a step's, until all are asked for
  const dropped = record.steps.map((nodes) => nodes.filter((n) => n.parent >= 0 && !lanes.row.has(n.id)).sort(byRank));
  const columns = columnsOf(record, lanes, dropped, mode, room, look);
  const most = Math.max(0, ...dropped.map((d) => d.length));
  const rows = mode === "none" ? 0 : Math.min(most, few + 1);
  const height = cut + (rows ? 10 + rows * SMALL.pitch : 8);
  const steps = columns.at(-1).right + EDGE; // px of all columns
  const row = (id) => lanes.row.get(id);
  const sizes = { height, width: widthAt(columns.length - 1), steps, widthAt };
  return { columns, lanes, dropped, limit, cut, ...sizes, lane, small, form, row };

  // With the dropped candidates of the current step, with their numbers beside them.
  function widthAt(step) {
    return Math.max(steps, mode === "step" && most ? columns[step].x + beside() + EDGE : 0);
  }

  function lane(node) {
    const column = columns[node.step];
    const y = TOP + lanes.row.get(node.id) * PITCH;
    return { x: column.x, y, middle: y + CHIP.height / 2, width: chipWidth(node, CHIP, look), height: CHIP.height };
  }

  function small(node, index) {
    const y = cut + 8 + index * SMALL.pitch;
    const size = { width: chipWidth(node, form, look), height: form.height };
    return { x: columns[node.step].x, y, middle: y + SMALL.height / 2, ...size };
  }
}

// The node to which an arrow key leads: the parent, the likeliest drawn child, or a neighbour in the column.
export function neighbour(key, node, record, places, withDropped) {
  if (key === "ArrowLeft") return node.parent > 0 ? record.nodes[node.parent] : node;
  if (key === "ArrowRight") {
    const next = node.children.filter((n) => places.row(n.id) !== undefined);
    return next.sort((a, b) => places.row(a.id) - places.row(b.id))[0] ?? node;
  }
  const column = [...places.lanes.inOrder[node.step], ...(withDropped ? places.dropped[node.step] : [])];
  const at = column.indexOf(node) + (key === "ArrowDown" ? 1 : -1);
  return column[Math.min(column.length - 1, Math.max(0, at))];
}

const chipWidth = (node, { size, pad }, look) => Math.ceil(measure(pieceName(node.token), size, look.code) + 2 * pad);

// Lanes: in every column the nodes keep the order of the tree and are as near to their parents as that allows.
function lanesOf(record, winner) {
  const shown = (node) => wasChosen(node) || node.lines.size > 0;
  const reach = new Map(); // the length of each branch: long ones are drawn straight, short ones branch off below
  for (const node of [...record.nodes].sort((a, b) => b.step - a.step)) {
    if (!shown(node)) continue;
    const far = Math.max(node.step, reach.get(node.id) ?? 0);
    reach.set(node.id, far);
    if (node.parent >= 0) reach.set(node.parent, Math.max(far, reach.get(node.parent) ?? 0));
  }
  const best = new Set();
  for (let node = winner; node; node = record.nodes[node.parent]) best.add(node.id);
  const importance = (n) => (best.has(n.id) ? 0 : n.lines.has("greedy") ? 1 : n.lines.has("before") ? 2 : 3);
  const order = (a, b) => importance(a) - importance(b) || reach.get(b.id) - reach.get(a.id) || a.rank - b.rank;

  let column = [record.nodes[0]];
  const inOrder = [column];
  while (column.length) {
    column = column.flatMap((node) => node.children.filter(shown).sort(order));
    if (column.length) inOrder.push(column);
  }
  const count = Math.max(...inOrder.map((nodes) => nodes.length));
  const row = new Map([[0, 0]]);
  for (const nodes of inOrder.slice(1)) {
    let next = 0;
    let parent = -1;
    const rows = nodes.map((node) => {
      const wanted = node.parent === parent ? next : Math.max(next, row.get(node.parent));
      parent = node.parent;
      next = wanted + 1;
      return wanted;
    });
    for (let i = rows.length - 1, most = count - 1; i >= 0; i -= 1, most -= 1) {
      most = Math.min(most, rows[i]);
      rows[i] = most;
    }
    nodes.forEach((node, i) => row.set(node.id, rows[i]));
  }
  return { row, count, inOrder };
}

function columnsOf(record, lanes, dropped, mode, room, look) {
  const widths = record.steps.map((_, step) => {
    const chips = (lanes.inOrder[step] ?? []).map((n) => {
      const labels = step ? [usualLabel(n, look.words)] : [];
      return Math.max(chipWidth(n, CHIP, look), ...labels.map((text) => measure(text, LABEL, look.font) + LABEL_PAD));
    });
    const rest = mode === "all" ? dropped[step].map((n) => chipWidth(n, smallForm(), look) + besideWidth(n, look)) : [];
    return Math.ceil(Math.max(24, ...chips, ...rest));
  });
  const needed = widths.reduce((sum, w) => sum + w, 0) + 2 * EDGE + (mode === "step" ? beside() / 2 : 0);
  const spare = (room - needed) / Math.max(1, widths.length - 1);
  const gap = Math.floor(Math.min(GAP.most, Math.max(GAP.least, spare)));
  let x = EDGE;
  return widths.map((width) => {
    const column = { x, width, right: x + width, gap };
    x += width + gap;
    return column;
  });
}

export const besideText = (node) => (node.rank ? `${number(node.total)}  #${node.rank}` : number(node.total));

const besideWidth = (node, look) => measure(besideText(node), LABEL, look.font) + 8;

// The numbers that are always under a chip.
function usualLabel(node, words) {
  return node.token === "<eos>" ? filledText(words.score, { value: number(-10) }) : number(node.total);
}
