// @ts-check
// The tree in the frame that it scrolls in, with the card of one candidate beside its chip.

import { el } from "../kit/dom.js";
import { zoomOf } from "../kit/projection.js";
import { placeCard } from "./card.js";
import { drawTree } from "./drawing.js";
import { makePlaces, neighbour, scaleOf } from "./places.js";
import { scrollToChip, scrollToColumn } from "./scrolling.js";

/** @param {Record<string, string>} words */
export function makeFrame(words) {
  const said = { role: "application", "aria-roledescription": words.figure, "aria-label": words.aria };
  const node = el("div", { class: "frame scrolls", tabindex: 0, ...said });
  const stage = el("div", { class: "stage" }, node);
  let drawn = null; // {drawing, places, scale}: scale of the tree on the screen
  let card = null; // {node, of}: of a candidate

  node.addEventListener("scroll", place);
  return {
    node,
    stage,
    drawing: () => drawn?.drawing,
    chip: (candidate) => drawn.drawing.chips.get(candidate?.id),
    // The candidate to which an arrow key leads. all: whether dropped ones are drawn.
    next: (key, from, record, all) => neighbour(key, from, record, drawn.places, all),
    holdsCard: (target) => Boolean(card?.node.contains(target)),
    enterCard: () => card?.node.querySelector("button")?.focus({ preventScroll: true }),
    draw,
    reveal,
    showCard,
    toChip,
  };

  // best: the finished hypothesis whose lane is the first; width: of the stage, if the frame has none yet.
  function draw(record, best, mode, look, width) {
    const room = node.clientWidth || width;
    const places = makePlaces(record, best, mode, room, look);
    const drawing = drawTree(record, places, look, mode);
    node.replaceChildren(drawing.node);
    const scale = scaleOf(places, room, zoomOf(node));
    drawing.node.style.setProperty("zoom", String(scale));
    drawn = { drawing, places, scale };
  }

  function reveal(step, smooth) {
    const column = drawn?.places.columns[step];
    if (column) scrollToColumn(node, { x: column.x * drawn.scale, right: column.right * drawn.scale }, smooth);
  }

  function toChip(candidate) {
    const chip = drawn.drawing.chips.get(candidate.id);
    if (chip) scrollToChip(node, { y: chip.box.y * drawn.scale, height: chip.box.height * drawn.scale });
  }

  // made: the card of the candidate; null for none.
  function showCard(candidate, made) {
    card?.node.remove();
    card = made && { node: made, of: candidate };
    if (!card) return;
    stage.append(card.node);
    place();
  }

  function place() {
    if (card) placeCard(card.node, drawn.drawing.chips.get(card.of.id), drawn.scale, node, stage);
  }
}
