// @ts-check
// The choices: a piece of either side, a layer, and the parts of that layer that are off.

import { button, el, set } from "../kit/dom.js";
import { makePieceRows } from "../kit/chips.js";
import { segment } from "../kit/segment.js";

const SIDES = ["s", "t"];

// on: {piece({side, position}), layer(index), toggle(codes of parts)}
export function makeChoices(data, stacks, host, on) {
  const { words } = data;
  const labelled = (side) => ({ label: words[`pieces_${stacks[side].stack}`], names: stacks[side].names });
  const pieces = makePieceRows(Object.fromEntries(SIDES.map((side) => [side, labelled(side)])), on.piece);
  const controls = Object.fromEntries(SIDES.map((side) => [side, makeControls(side)]));
  const row = el("div", { class: "controls" });
  const node = el("div", { class: "choices" }, ...pieces.nodes, row);
  return { node, show };

  function makeControls(side) {
    const { stack, layers, switches } = stacks[side];
    const name = words[`layer_${stack}`];
    const numbers = segment([...layers.keys()], (n) => [String(n + 1)], on.layer, name);
    numbers.node.classList.add("layers");
    const buttons = switches.map((part) => button(() => on.toggle([code(part)]), {}, words.parts[part]));
    const all = button(() => on.toggle([...off]), { class: "link" }, words.all_on);
    const group = { class: "switches", role: "group", "aria-label": words.switch_off };
    const switching = el("span", group, words.switch_off, ...buttons, all);
    const nodes = [el("span", { class: "label" }, name), numbers.node, ...(host.answers ? [switching] : [])];
    let layer = 0;
    let off = new Set();
    return { nodes, show };

    function code(part) {
      return `${stack}.${layer + 1}.${part}`;
    }

    function show(now, partsOff) {
      [layer, off] = [now, partsOff];
      numbers.mark(layer);
      switches.forEach((part, i) => set(buttons[i], { "aria-pressed": String(off.has(code(part))) }));
      all.hidden = !off.size;
    }
  }

  // piece: the one shown; layer: counted from 0; off: codes of parts.
  function show(piece, layer, off) {
    const { side } = piece;
    pieces.show(piece);
    if (row.firstChild !== controls[side].nodes[0]) row.replaceChildren(...controls[side].nodes);
    controls[side].show(layer, off);
  }
}
