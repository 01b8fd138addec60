// @ts-check
// The grid of thumbnails: one row per layer, one column per head, the means of both at the ends.

import { css, weightColor } from "../kit/color.js";
import { button, el, filledText, set } from "../kit/dom.js";
import { measure } from "../kit/layout.js";
import { weightsOf } from "./maps.js";
import { paintPixels } from "../kit/pixels.js";

const LABEL = 58; // px of the names of the layers
const LEAST = 26; // px of a thumbnail: seven rows of them and the new translation fit on a projector
const MOST = 150;
const SIZE = 13.5; // px of the names
// px between thumbnails, of border and air in one, and of the narrowest with its switch: if there is less room,
// heads are closer, as sixteen are, and if even that does not fit, the grid scrolls.
const WIDE = { gap: 6, edge: 12, narrowest: 32 };
const CLOSE = { gap: 2, edge: 4, narrowest: 24 };
const ROLE = 12; // px of the name of a head's role, for which a thumbnail makes room; also in heads.css

// on: {choose(place) by a key, enlarge(place) by a click, preview(place or null), toggle(place), alone(place)}; a place is {layer, head}, null: a mean.
export function makeThumbs(words, on) {
  const node = el("div", { class: "thumbs scroll", role: "group" });
  let built = ""; // what is drawn
  let shown = null; // {map, cells: [{place, node, enlarge, toggle}]}
  node.addEventListener("pointerleave", () => on.preview(null));
  node.addEventListener("keydown", (event) => {
    const at = shown.cells.findIndex((cell) => cell.node.contains(event.target));
    const across = shown.map.heads + 1;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across }[event.key];
    if (!step || at < 0) return;
    event.preventDefault();
    const edge = Math.abs(step) === 1 && Math.floor((at + step) / across) !== Math.floor(at / across);
    const next = edge ? null : shown.cells[at + step];
    if (!next) return;
    on.choose(next.place);
    next.enlarge.focus();
  });
  return { node, draw, mark };

  // One canvas pixel per weight, scaled up by the browser; masked cells stay transparent, over hatching.
  // off: heads that count in no average.
  // says: {title(place), role(place)}.
  function draw(map, says, causal, look, hue, room, height, off) {
    const without = off.map(({ layer, head }) => `${layer}.${head}`);
    const wanted = [map.weights, map.queries, map.keys, room, height, css(hue), css(look.background), ...without].join(" ");
    if (wanted === built) return; // as after a switch: keep the focus
    built = wanted;
    const [rows, columns] = [map.queries.length, map.keys.length];
    const mean = Math.ceil(measure(words.mean, SIZE, look.font)); // px of the last name, which has a whole column
    const each = Math.min((room - LABEL) / (map.heads + 1), (room - LABEL - mean - WIDE.gap) / map.heads);
    const { gap, edge, narrowest } = each - WIDE.gap < WIDE.narrowest ? CLOSE : WIDE;
    const wide = Math.max(narrowest, Math.min(MOST, each - gap));
    const places = [...Array(map.layers).keys(), null].map((layer) => [...Array(map.heads).keys(), null].map((head) => ({ layer, head })));
    const roles = places.map((line) => line.map(says.role));
    const named = roles.map((line) => line.some(Boolean)); // rows with a named head
    const high = (height - ROLE * named.filter(Boolean).length) / (map.layers + 1) - gap;
    const fits = Math.min((wide - edge) / columns, (high - edge) / rows);
    const unit = Math.max(fits, Math.min(LEAST, wide - edge) / Math.max(rows, columns));
    const sizes = `--wide: ${wide}px; --last: ${Math.max(wide, mean)}px; --high: ${Math.max(unit * rows + edge, gap === CLOSE.gap ? narrowest : 0)}px`;
    set(node, { style: `--heads: ${map.heads}; --gap: ${gap}px; ${sizes}` });
    node.classList.toggle("close", gap === CLOSE.gap);
    const ramp = rampOf(look, hue);
    const cells = [];
    const numbers = [...Array(map.heads).keys()].map((h) => h + 1);
    const heads = numbers.map((head) => filledText(words.head, { head }));
    const whole = heads.every((name) => measure(name, SIZE, look.font) <= wide + gap); // else numbers alone
    const top = [...(whole ? heads : numbers.map(String)), words.mean].map((name) => el("span", { class: "name" }, name));
    const lines = places.flatMap((of, l) => {
      const name = l < map.layers ? filledText(words.layer, { layer: l + 1 }) : words.mean;
      const line = of.map((place, h) => thumb(place, named[l] ? roles[l][h] : null));
      cells.push(...line);
      return [el("span", { class: "name layer" }, name), ...line.map((cell) => cell.node)];
    });
    const active = node.getRootNode().activeElement;
    const held = shown?.cells.find((cell) => cell.node.contains(active));
    const again = held && cells.find((cell) => cell.node.dataset.head === held.node.dataset.head);
    const switching = held?.toggle === active;
    const corner = el("span", { class: "name layer" }, whole ? "" : filledText(words.head, { head: "" }).trim());
    node.replaceChildren(corner, ...top, ...lines);
    shown = { map, cells };
    (switching ? again?.toggle : again?.enlarge)?.focus({ preventScroll: true }); // keep the focus on its head

    // role: null if no head of its row has one.
    function thumb(place, role) {
      const { layer, head } = place;
      const canvas = el("canvas", { width: columns, height: rows });
      canvas.style.width = `${unit * columns}px`;
      canvas.style.height = `${unit * rows}px`;
      const weights = weightsOf(map, layer, head, off);
      paintPixels(canvas, (t, s) => (causal && s > t ? null : ramp[Math.round(weights[t][s] * 255)]));
      const name = says.title(place);
      const enlarge = el("button", { type: "button", class: "enlarge" }, canvas);
      const box = el("div", { class: "thumb", "data-head": `${layer ?? "mean"}.${head ?? "mean"}` }, enlarge);
      if (role !== null) enlarge.append(el("span", { class: "role" }, role));
      box.classList.toggle("named", role !== null);
      box.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && on.preview(place));
      const mean = layer === null || head === null;
      enlarge.addEventListener("click", (event) => (event.shiftKey && !mean ? on.toggle(place) : on.enlarge(place)));
      if (mean) return { place, node: box, enlarge, toggle: null };
      enlarge.addEventListener("dblclick", (event) => !event.shiftKey && on.alone(place));
      enlarge.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.shiftKey)) return;
        event.preventDefault(); // else the button is clicked too
        (event.ctrlKey ? on.alone : on.toggle)(place);
      });
      const said = { "aria-label": filledText(words.switch, { head: name }), title: words.switch_hint };
      const toggle = button(() => on.toggle(place), { class: "switch", role: "switch", ...said });
      box.append(toggle);
      return { place, node: box, enlarge, toggle };
    }
  }

  // Which head is enlarged and which are off: only titles, classes and states; nothing is repainted.
  function mark(choice, isOff, titleOf) {
    for (const { place, node: box, enlarge, toggle } of shown.cells) {
      const chosen = place.layer === choice.layer && place.head === choice.head;
      const off = toggle !== null && isOff(place);
      box.classList.toggle("chosen", chosen);
      box.classList.toggle("off", off);
      const title = titleOf(place);
      set(enlarge, { "aria-pressed": String(chosen), tabindex: chosen ? 0 : -1, "aria-label": title, title });
      if (toggle) set(toggle, { "aria-checked": String(!off), tabindex: chosen || off ? 0 : -1 });
    }
  }
}

function rampOf(look, hue) {
  return Array.from({ length: 256 }, (_, i) => weightColor(look, hue, i / 255).map(Math.round));
}
