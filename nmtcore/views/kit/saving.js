// @ts-check
// Saves a picture: one quiet button, behind it the kinds of files, and the requirements of papers and slides.

import { copyText } from "./clipboard.js";
import { css, drawFor, greyOf, signedGrey } from "./color.js";
import { button, el, filledText } from "./dom.js";
import { makeFold } from "./fold.js";
import { number } from "./number.js";
import { fetchOutlines, outlineLetters } from "./outline.js";
import { REDRAW, SAVE_PAGE, template } from "./page_file.js";
import { csvOf, saveFile, saveTable } from "./paper.js";
import { pdfOf } from "./pdf.js";
import { canvasOf, repainted } from "./pixels.js";
import { composeSheet, ended } from "./sheet.js";

const KINDS = ["svg", "png", "pdf", "csv", "html"];
/** @type {Record<string, [number, number] | null>} mm of a picture's width and height, at most: IEEE's and ACL's columns */
const WIDTHS = { screen: null, column: [84, 230], page: [174, 230], slide: [305, 165] };
const COLORS = ["screen", "light", "grey"];
const INCH = 25.4; // mm
const [PX, DENSE] = [96 / INCH, 300 / INCH]; // dots per mm: of a page on the screen, and of print
const SCREENS = 2; // dots per px, of a picture as wide as on the screen
const POINT = INCH / 72; // mm
const XLINK = "http://www.w3.org/1999/xlink";

/**
 * @typedef {{caption: boolean, numbers: boolean | null, width: string, colors: string}} Options
 * @typedef {object} Source of what is saved
 * @property {(options: Options) => {file: string, root: SVGSVGElement} | null} picture
 * @property {() => {file: string, text: string}} table
 * @property {boolean} [drawing] whether its page is the drawing alone, for a figure without its own data and script
 * @property {boolean} [signed] whether that drawing's images show signed numbers
 * @property {() => boolean | null} [numbers] whether its cells show numbers now; null if they cannot
 */

/** @type {Options} one choice for all pictures of a page */
const chosen = { caption: true, numbers: null, width: "screen", colors: "screen" };
const sources = new WeakMap(); // by a button's node; a picture that redraws itself may have another

/**
 * @param {any} words
 * @param {Source} source
 * @param {string} [name] of the picture, if a page has several
 */
export function makeSaveButtons(words, source, name = "") {
  const fold = makeFold();
  fold.say(words.save);
  const node = el("span", { class: "saving" }, fold.node);
  fold.node.firstElementChild.setAttribute("aria-label", `${words.save}${name && `: ${name}`}`);
  sources.set(node, source);
  fold.node.addEventListener("toggle", () => fold.node.hasAttribute("open") && fold.sheet.replaceChildren(...makeSheetNodes(words, node)));
  return node;
}

/** A picture of one sheet (see sheet.js), with `file` if its name says more than its heading, and `signed` if red and
 * blue are numbers below and above zero; csv(): rows. */
export function makeSaving(words, name, picture, csv) {
  const fileOf = ({ file, heading }) => file ?? heading;
  const said = ({ signed, lines = [], look }) => (signed ? [...lines, signsOf(words, look.grey)] : lines);
  const source = {
    picture(options) {
      const sheet = picture();
      return { file: fileOf(sheet), root: composeSheet({ ...sheet, lines: said(sheet) }, options) };
    },
    table: () => ({ file: picture().heading, text: csvOf(csv()) }),
  };
  return makeSaveButtons(words, source, name);
}

/** What the colours of signed numbers mean, or the greys in their place. */
export const signsOf = (words, grey) => words.saving[grey ? "signs_grey" : "signs"];

function makeSheetNodes(words, node) {
  const said = words.saving;
  const place = node.closest(".view")?.parentNode ?? null;
  const size = el("p", { class: "size", role: "status" });
  const kinds = KINDS.filter((kind) => kind !== "html" || template.address || sources.get(node).drawing);
  const buttons = kinds.map((kind) =>
    button(() => save(kind, node, place), { class: "save", "data-kind": kind }, kind.toUpperCase()),
  );
  const select = (name, options, text) => {
    const choice = el("select", { "data-choice": name }, ...options.map((value) => el("option", { value }, said[`${name}_${value}`])));
    choice.value = chosen[name];
    choice.addEventListener("change", () => choose({ [name]: choice.value }));
    return el("label", {}, `${text} `, choice);
  };
  const check = (name, text, now) => {
    const box = el("input", { type: "checkbox", "data-choice": name });
    box.checked = now;
    box.addEventListener("change", () => choose({ [name]: box.checked }));
    return el("label", {}, box, ` ${text}`);
  };
  const { numbers } = sources.get(node);
  const now = numbers?.() ?? null;
  const cite = el("input", { type: "text", class: "cite", readonly: true, "aria-label": said.cite, value: citation(said, node) });
  const copying = async () => (copy.textContent = (await copyText(cite.value)) ? said.copied : said.copy);
  const copy = button(copying, { class: "save" }, said.copy);
  cite.addEventListener("focus", () => cite.select());
  choose({});
  return [
    el("div", { class: "kinds" }, ...buttons),
    select("width", Object.keys(WIDTHS), said.width),
    select("colors", COLORS, said.colors),
    check("caption", said.caption, chosen.caption),
    ...(now === null ? [] : [check("numbers", said.numbers, chosen.numbers ?? now)]),
    size,
    el("div", { class: "citing" }, cite, copy),
  ];

  // For a picture on paper: whether its type is legible there.
  function choose(changes) {
    Object.assign(chosen, changes);
    const root = WIDTHS[chosen.width] && sources.get(node).picture(chosen)?.root;
    if (!root) return size.replaceChildren();
    const wide = millimetres(root);
    const letters = [...root.querySelectorAll("text")].map((text) => parseFloat(text.getAttribute("font-size") ?? text.style.fontSize) || 14);
    const least = (Math.min(...letters) * wide) / Number(root.getAttribute("width")) / POINT;
    size.textContent = filledText(said.size, { width: number(wide, 0), points: number(least, 1) });
    return undefined;
  }
}

// mm that a drawing is wide.
function millimetres(root) {
  const [width, height] = ["width", "height"].map((name) => Number(root.getAttribute(name)));
  const room = WIDTHS[chosen.width];
  return room ? width * Math.min(room[0] / width, room[1] / height) : width / PX;
}

function citation(said, node) {
  const title = sources.get(node).picture(chosen)?.root.querySelector("title")?.textContent ?? "";
  const link = location.protocol.startsWith("http") ? location.href : "";
  return filledText(said.citation, { title: ended(title), year: new Date().getFullYear(), link }).trim();
}

async function save(kind, node, place) {
  if (kind === "html" && !sources.get(node).drawing) return node.dispatchEvent(new CustomEvent(SAVE_PAGE, { bubbles: true, composed: true }));
  if (kind === "csv") {
    const { file, text } = sources.get(node).table();
    return saveTable(file, text);
  }
  const made = composed(node, place);
  if (!made) return undefined;
  const { file, root } = made;
  const outlines = await fetchOutlines();
  const wide = millimetres(root);
  const stage = el("div", { style: "position: absolute; left: -99999px; top: 0" }, root);
  document.body.append(stage);
  try {
    if (outlines) outlineLetters(root, outlines);
    if (chosen.colors === "grey") await withoutColors(root, sources.get(node).signed ? signedGrey : greyOf);
    if (kind === "html") return saveFile(file, kind, pageOf(root));
    if (kind === "pdf") return saveFile(file, kind, await pdfOf(root, wide, root.querySelector("title")?.textContent ?? file));
    const { width, height } = root.viewBox.baseVal;
    if (WIDTHS[chosen.width]) {
      root.setAttribute("width", `${number(wide, 2)}mm`);
      root.setAttribute("height", `${number((wide * height) / width, 2)}mm`);
    }
    const text = `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}`;
    const blob = new Blob([text], { type: "image/svg+xml" });
    const dots = WIDTHS[chosen.width] ? wide * DENSE : width * SCREENS;
    return saveFile(file, kind, kind === "svg" ? blob : await rasterized(blob, dots, (dots * height) / width));
  } finally {
    stage.remove();
  }
}

// A page with a drawing, which has its title. It is as wide as its window allows.
function pageOf(root) {
  const page = document.implementation.createHTMLDocument(root.querySelector("title")?.textContent ?? "");
  page.documentElement.lang = document.documentElement.lang;
  page.head.append(el("meta", { charset: "utf-8" }), el("meta", { name: "viewport", content: "width=device-width" }));
  page.body.append(root.cloneNode(true));
  page.body.lastElementChild?.setAttribute("style", "max-width: 100%; height: auto");
  return new Blob([`<!doctype html>\n${page.documentElement.outerHTML}`], { type: "text/html" });
}

// In other colours a picture is redrawn, copied, and drawn as before: invisible, since nothing is painted in between.
function composed(node, place) {
  if (chosen.colors === "screen" || !place) return sources.get(node).picture(chosen);
  const index = [...place.querySelectorAll(".saving")].indexOf(node);
  try {
    drawFor(/** @type {"light" | "grey"} */ (chosen.colors));
    place.dispatchEvent(new CustomEvent(REDRAW));
    return sources.get([...place.querySelectorAll(".saving")][index]).picture(chosen);
  } finally {
    drawFor("");
    place.dispatchEvent(new CustomEvent(REDRAW));
  }
}

// Every remaining colour becomes a grey of the same lightness. imageGrey: for colours in images.
async function withoutColors(root, imageGrey) {
  for (const image of root.querySelectorAll("image")) {
    const grey = await repainted(image.href.baseVal, imageGrey);
    image.removeAttributeNS(XLINK, "href"); // Plotly's
    image.setAttribute("href", grey);
  }
  for (const node of root.querySelectorAll("*")) {
    const look = getComputedStyle(node);
    for (const name of ["fill", "stroke"]) {
      const [r, g, b, alpha = 1] = (/^rgba?\(([^)]*)\)/.exec(look[name])?.[1] ?? "").split(",").map(Number);
      if (b === undefined || !alpha || !(node.hasAttribute(name) || node.style[name])) continue;
      node.style[name] = "";
      node.setAttribute(name, css(greyOf([r, g, b])));
    }
  }
}

async function rasterized(blob, width, height) {
  const url = URL.createObjectURL(blob);
  try {
    const canvas = await canvasOf(url, Math.round(width), Math.round(height));
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}
