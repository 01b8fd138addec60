// @ts-check
// Colours and letters of the tree: those of the page, and one for each kind of path.

import { mix, parse, readLook, lineColor } from "../kit/color.js";

// accented: an element whose outline has the theme's accent; colors: of the model, the greedy path and what was dropped.
export function readTreeLook(root, accented, colors, words) {
  const look = readLook(root);
  const dark = look.background[1] < look.text[1];
  return {
    ...look,
    code: getComputedStyle(root).getPropertyValue("--st-code-font") || "monospace",
    accent: parse(getComputedStyle(accented).outlineColor),
    hue: lineColor(look, parse(colors.hue)),
    greedy: parse(colors.greedy),
    pruned: mix(look.background, parse(colors.pruned), dark ? 0.45 : 1), // as faint as on white
    words,
  };
}
