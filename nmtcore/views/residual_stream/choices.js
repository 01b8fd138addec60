// @ts-check
// What can be chosen: a piece of either side, a layer, and the parts of that layer that are off.

import { makeChips } from "../kit/chips.js";
import { el, set } from "../kit/dom.js";
import { segment } from "../kit/segment.js";

const SIDES = ["s", "t"];

// on: {piece({side, position}), layer(index)}. Parts are switched by the server, which translates again.
export function makeChoices(data, stacks, host, on) {
  const { words } = data;
  const off = new Set(data.off);
  const chips = Object.fromEntries(SIDES.map((side) => [side, makePieces(side)]));
  const controls = Object.fromEntries(SIDES.map((side) => [side, makeControls(side)]));
  const row = el("div", { class: "controls" });
  const node = el("div", { class: "choices" }, ...SIDES.map((side) => chips[side].node), row);
  return { node, show };

  function makePieces(side) {
    const { stack, names } = stacks[side];
    const label = words[`pieces_${stack}`];
    const labels = names.map((name) => ({ label: name }));
    const made = makeChips(label, labels, (position) => on.piece({ side, position }));
    const node = el("div", { class: "pieces", "data-side": side }, el("span", { class: "label" }, label), made.node);
    return { node, show: made.show };
  }

  function makeControls(side) {
    const { stack, layers, switches } = stacks[side];
    const name = words[`layer_${stack}`];
    const numbers = segment([...layers.keys()], (n) => [String(n + 1)], on.layer, name);
    numbers.node.classList.add("layers");
    const buttons = switches.map((part) => {
      const button = el("button", { type: "button" }, words.parts[part]);
      return { part, button };
    });
    const all = el("button", { type: "button", class: "link" }, words.all_on);
    all.addEventListener("click", () => ask([...off]));
    const group = { class: "switches", role: "group", "aria-label": words.switch_off };
    const switching = el("span", group, words.switch_off, ...buttons.map(({ button }) => button), all);
    const nodes = [el("span", { class: "label" }, name), numbers.node, ...(host.answers ? [switching] : [])];
    let layer = 0;
    for (const { part, button } of buttons) button.addEventListener("click", () => ask([code(part)]));
    return { nodes, show };

    function code(part) {
      return `${stack}.${layer + 1}.${part}`;
    }

    // These parts change: what was on goes off, what was off on.
    function ask(codes) {
      for (const one of codes) if (!off.delete(one)) off.add(one);
      show(layer);
      node.parentElement?.querySelector(".effect")?.classList.add("waiting");
      host.ask("off", [...off].sort().join("_"));
    }

    function show(now) {
      layer = now;
      numbers.mark(layer);
      for (const { part, button } of buttons) set(button, { "aria-pressed": String(off.has(code(part))) });
      all.hidden = !off.size;
    }
  }

  // place: the piece that is shown; layer: counted from 0.
  function show({ side, position }, layer) {
    for (const one of SIDES) chips[one].show(one === side ? position : -1, Infinity);
    if (row.firstChild !== controls[side].nodes[0]) row.replaceChildren(...controls[side].nodes);
    controls[side].show(layer);
  }
}
