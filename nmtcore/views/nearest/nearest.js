// @ts-check
// The pieces nearest to one vector: bars, saving controls, and their numbers as a table.

import { readLook, setColors } from "../kit/color.js";
import { makeTables } from "../kit/data_table.js";
import { el } from "../kit/dom.js";
import { picture } from "../kit/picture.js";
import { makeSaving } from "../kit/saving.js";
import { drawBars, table } from "./bars.js";

export default picture("walk nearest-pieces", ({ root, width }) => {
  let data = null;
  let tables = null;
  return { read: (next) => (data = next), draw };

  function draw() {
    const { words, title, nearest } = data;
    const look = readLook(root);
    setColors(root, look);
    const bars = drawBars(data, nearest, title, look, width.now());
    const sheet = () => ({ heading: title, parts: [{ node: bars, x: 0, y: 0 }], look });
    tables = makeTables(words.open, tables);
    tables.show([[title, () => table(nearest)]]);
    root.replaceChildren(bars, el("div", { class: "over" }, tables.node, makeSaving(words, words.figure_nearest, sheet, () => table(nearest))));
  }
});
