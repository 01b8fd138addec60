// @ts-check
// A picture saved as its own page: the page without data comes from the server, data and theme from the screen.

import { saveFile } from "./paper.js";

export const SAVE_PAGE = "save-page"; // event of a button in the picture
export const REDRAW = "redraw"; // event on a picture's element: the picture redraws itself

// The address of this picture's page without data; empty on a host that has none, such as that page itself.
export const template = { address: "" };

const EMPTY = 'id="data">{}<'; // the page's data in views/html.py; no tag in full, or this would open one in such a page
const THEME = ["background-color", "secondary-background-color", "text-color", "border-color", "primary-color"]
  .concat("link-color", "font", "code-font")
  .map((name) => `--st-${name}`);

/**
 * @param {Record<string, any>} data what the picture draws
 * @param {Record<string, any>} state what the reader has chosen in it
 * @param {HTMLElement} place where it is drawn
 */
export async function savePage(data, state, place) {
  const empty = await (await fetch(new URL(template.address, document.baseURI))).text();
  // The app's other pages, to which panels link, are not available to the file.
  const panels = data.panels?.map((/** @type {any} */ panel) => ({ ...panel, neighbors: null, more: null }));
  const held = JSON.stringify({ ...data, panels, link: undefined, page: undefined, opens_with: state }).replaceAll("<", "\\u003c");
  const style = getComputedStyle(place);
  const theme = [["color-scheme", style.colorScheme], ...THEME.map((name) => [name, style.getPropertyValue(name).trim()])]
    .filter(([, value]) => value && !/[<>{};]/.test(value))
    .map(([name, value]) => `${name}: ${value};`);
  const text = empty
    .replace(EMPTY, () => EMPTY.replace("{}", () => held))
    .replace("</head>", () => `<style>:root { ${theme.join(" ")} }</style>\n</head>`);
  saveFile(String(data.sentence || "attention"), "html", new Blob([text], { type: "text/html" }));
}
