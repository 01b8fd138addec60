// @ts-check
// Chips of the pieces in a row: dragged with mouse or finger, or moved with the arrow keys. A new order is asked for.

import { el, set } from "../../nmtcore/views/kit/dom.js";
import { mounted } from "../../nmtcore/views/kit/mount.js";

export default mounted((parent, _data, host) => {
  const row = el("div", { class: "own-order", role: "group" });
  parent.append(row);
  let drawn = ""; // what the chips were made from
  let known = ""; // the order last given or asked for
  let waiting = false; // for the answer to it
  let held = null;

  // The pieces as the address has them, counted from one.
  const order = () => [...row.children].map((chip) => Number(chip.dataset.piece) + 1).join(".");

  row.addEventListener("pointerdown", (event) => {
    held = chipOf(event.target);
    if (!held) return;
    row.setPointerCapture(event.pointerId); // the row captures the pointer: a chip that moves in the document would lose it
    held.classList.add("held");
  });
  row.addEventListener("pointermove", (event) => {
    if (held) put(held, chipAt(event.clientX, event.clientY));
  });
  for (const name of ["pointerup", "pointercancel"]) row.addEventListener(name, release);
  row.addEventListener("keydown", (event) => {
    const chip = chipOf(event.target);
    const next = { ArrowLeft: chip?.previousElementSibling, ArrowRight: chip?.nextElementSibling }[event.key];
    if (!chip || !next) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "ArrowLeft") next.before(chip);
    else next.after(chip);
    chip.focus(); // a chip loses the focus when it moves
    ask();
  });

  return {
    update({ label, pieces, order: given }) {
      set(row, { "aria-label": label });
      const present = given.map((piece) => piece + 1).join(".");
      const made = JSON.stringify(pieces);
      if (made === drawn && (held || (waiting && known !== present))) return; // an answer older than the last move
      [known, waiting] = [present, false];
      if (made === drawn && order() === present) return;
      drawn = made;
      row.replaceChildren(...given.map((i) => makeChip(i, pieces[i])));
    },
    close() {
      row.remove();
    },
  };

  function makeChip(i, piece) {
    return el("button", { type: "button", "data-piece": String(i) }, el("small", {}, String(i + 1)), piece);
  }

  function chipOf(target) {
    return target instanceof Element ? target.closest("button") : null;
  }

  // The chip under the pointer: in its line, the first whose right edge the pointer has not passed.
  function chipAt(x, y) {
    const chips = [...row.children];
    return chips.find((chip) => {
      const { right, top, bottom } = chip.getBoundingClientRect();
      return y >= top && y <= bottom && x <= right;
    });
  }

  // The held chip takes the place of the other.
  function put(chip, other) {
    if (!other || other === chip) return;
    const later = chip.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (later) other.after(chip);
    else other.before(chip);
  }

  function release() {
    if (!held) return;
    held.classList.remove("held");
    held.focus();
    held = null;
    ask();
  }

  function ask() {
    if (order() === known) return;
    [known, waiting] = [order(), true];
    host.set({ order: known });
  }
});
