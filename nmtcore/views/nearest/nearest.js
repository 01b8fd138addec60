// @ts-check
// The pieces nearest to one vector: bars, what saves them, and their numbers as a table.

import { readLook, setColors } from "../kit/color.js";
import { makeTables } from "../kit/data_table.js";
import { el } from "../kit/dom.js";
import { mounted } from "../kit/mount.js";
import { makeSaving } from "../kit/saving.js";
import { watchWidth } from "../kit/width.js";
import { drawBars, table } from "./bars.js";

export default mounted(makeInstance);

function makeInstance(parent) {
  const root = el("div", { class: "view walk nearest-pieces" });
  parent.append(root);
  let data = null;
  let tables = null;
  const width = watchWidth(root, draw);

  return {
    update(next) {
      data = next;
      if (width.measure()) draw();
    },
    close() {
      width.close();
      root.remove();
    },
  };

  function draw() {
    const { words, title, nearest } = data;
    const look = readLook(root);
    setColors(root, look);
    const bars = drawBars(data, nearest, title, look, width.now());
    const picture = () => ({ heading: title, parts: [{ node: bars, x: 0, y: 0 }], look });
    tables = makeTables(words.open, tables?.node.open);
    tables.show([[title, () => table(nearest)]]);
    root.replaceChildren(bars, el("div", { class: "over" }, tables.node, makeSaving(words, words.figure_nearest, picture, () => table(nearest))));
  }
}
