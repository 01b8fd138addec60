// @ts-check
// The tree in the frame that it scrolls in, with the card of one candidate beside its chip.

import { el } from "../kit/dom.js";
import { zoomOf } from "../kit/projection.js";
import { drawTree } from "./drawing.js";
import { makePlaces, neighbour, scaleOf } from "./places.js";

const DROPPED = 120; // px to the right of a column that its dropped candidates take
const BEFORE = 140; // px that stay visible before a column

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

/** Put the card beside its chip, or under it on a narrow screen.
 * @param {HTMLElement} card
 * @param {{box: {x: number, y: number, width: number, height: number}, small: boolean}} chip  small: whether it is a dropped
 *   candidate's, which has its numbers at its side
 * @param {number} scale  of the drawn tree: 1, except when projected, as wide as its frame
 * @param {HTMLElement} frame  in which the tree scrolls
 * @param {HTMLElement} stage  in which the card must stay */
export function placeCard(card, { box: drawn, small }, scale, frame, stage) {
  const box = { x: scale * drawn.x, y: scale * drawn.y, width: scale * drawn.width, height: scale * drawn.height };
  const left = box.x + frame.offsetLeft - frame.scrollLeft;
  const top = box.y + frame.offsetTop - frame.scrollTop;
  const beside = left + box.width + (small ? 88 : 14);
  const before = left - card.offsetWidth - 14;
  const fits = beside + card.offsetWidth <= stage.clientWidth;
  const under = !fits && before < 0;
  const x = under ? left : fits ? beside : before;
  const y = under ? top + box.height + 22 : Math.min(top, stage.clientHeight - card.offsetHeight);
  card.style.left = `${Math.max(0, Math.min(x, stage.clientWidth - card.offsetWidth))}px`;
  card.style.top = `${under ? y : Math.max(0, y)}px`;
}

/** Scroll sideways so that a step's column and its dropped candidates are visible.
 * @param {HTMLElement} frame
 * @param {{x: number, right: number}} column
 * @param {boolean} smooth  unless the reader asked for less motion */
export function scrollToColumn(frame, column, smooth) {
  const room = frame.clientWidth;
  const right = column.right + DROPPED;
  const left = column.x - BEFORE;
  if (left >= frame.scrollLeft && right <= frame.scrollLeft + room) return;
  const still = !smooth || matchMedia("(prefers-reduced-motion: reduce)").matches;
  frame.scrollTo({
    left: Math.max(0, right > frame.scrollLeft + room ? right - room * 0.75 : left),
    behavior: still ? "instant" : "smooth",
  });
}

/** Scroll up or down so that a chip is visible.
 * @param {HTMLElement} frame
 * @param {{y: number, height: number}} box */
export function scrollToChip(frame, box) {
  const seen = box.y >= frame.scrollTop && box.y + box.height + 24 <= frame.scrollTop + frame.clientHeight;
  if (!seen) frame.scrollTop = Math.max(0, box.y - frame.clientHeight / 2);
}
