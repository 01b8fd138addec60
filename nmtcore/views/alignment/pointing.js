// @ts-check
// From a pointer or a key to a focus {panel, row, col}; -1 for a row or column that is not part of it.

import { pointIn } from "../kit/projection.js";
import { best } from "./linking.js";

// What is under the pointer: a token's label, a ribbon, or a cell by arithmetic.
export function under(event, panel, view, layout) {
  const label = event.target.closest("[data-row], [data-column]");
  if (label) {
    const [row, col] = [Number(label.dataset.row ?? -1), Number(label.dataset.column ?? -1)];
    return view.rows[row]?.later ? null : { panel, row, col };
  }
  const link = event.target.closest("[data-link]");
  if (link) {
    const [row, col] = link.dataset.link.split(",").map(Number);
    return { panel, row, col };
  }
  const body = view.weights && event.target.closest("svg.body");
  if (!body) return null;
  const { x, y } = pointIn(event, body);
  const row = Math.floor((y - 1) / layout.tall);
  const col = Math.floor((x - 1) / layout.cell);
  const inside = row >= 0 && col >= 0 && view.rows[row] && !view.rows[row].later && col < view.columns.length;
  return inside ? { panel, row, col } : null;
}

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const STEPS = { ...ARROWS, Home: [-1e4, 0], End: [1e4, 0] };

// The focus after a key, null to clear it, undefined for a key that is not ours.
export function moved(key, from, panel, { rows, columns, weights }) {
  if (key === "Escape") return null;
  const step = STEPS[key];
  if (!step) return undefined;
  const last = rows.filter((row) => !row.later).length - 1;
  const within = (value, end) => Math.min(end, Math.max(0, value));
  if (!from || from.panel !== panel) return { panel, row: key === "End" ? last : 0, col: -1 };
  if (step[0] && from.row < 0) return { ...from, row: weights ? best(weights.map((r) => r[from.col] || 0)) : 0 };
  if (step[1] && from.col < 0) return { panel, row: from.row, col: weights ? best([...weights[from.row]]) : 0 };
  const row = step[0] ? within(from.row + step[0], last) : from.row;
  return { panel, row, col: step[1] ? within(from.col + step[1], columns.length - 1) : from.col };
}
