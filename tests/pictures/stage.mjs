// A page without a browser (jsdom), on which a picture of nmtcore/views is drawn, pointed at and pressed. It lays nothing
// out: elements have a width by decree, and a letter is as wide as half its height. So a picture is the same text on
// every machine, whatever fonts it has.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const ROOT = new URL("../../", import.meta.url);
const tools = createRequire(new URL(".venv/node/", ROOT));
const { JSDOM } = tools("jsdom");
const THEME = { "--st-background-color": "#ffffff", "--st-text-color": "#1f2430", "--st-code-font": "monospace" };
const HEIGHT = 720; // of the window

const { window } = new JSDOM("<!doctype html><body></body>", { url: "https://lab.example/", pretendToBeVisual: true });
export const saved = []; // files that the picture has saved: {name, text}
const asked = []; // what the picture has asked its host
let width = 1200;
let frames = [];

for (const name of ["document", "location", "history", "Node", "Element", "HTMLElement", "SVGElement", "CustomEvent", "Event"])
  globalThis[name] = window[name];
for (const name of ["MouseEvent", "KeyboardEvent", "XMLSerializer", "DOMParser", "ShadowRoot", "Image", "AbortController"])
  globalThis[name] = window[name];
Object.assign(globalThis, {
  window,
  requestAnimationFrame: (run) => frames.push(run),
  cancelAnimationFrame: (number) => (frames[number - 1] = null),
  matchMedia: (asks) => ({ matches: asks.includes("reduced-motion"), addEventListener() {}, removeEventListener() {} }),
  getComputedStyle: (node) => styled(node),
  ResizeObserver: class {
    constructor(seen) {
      this.seen = seen;
    }
    observe(node) {
      const rect = { width, height: 400 };
      frames.push(() => this.seen([{ target: node, contentRect: rect }]));
    }
    disconnect() {}
  },
  PointerEvent: class extends window.MouseEvent {
    pointerType = "mouse";
  },
});
Object.defineProperty(globalThis, "navigator", { value: window.navigator, configurable: true });
window.matchMedia = globalThis.matchMedia;
window.getComputedStyle = globalThis.getComputedStyle;
window.innerWidth = width;
window.innerHeight = HEIGHT;

/** The theme's colours, and letters without a family. */
function styled(node) {
  const color = /var\((--[\w-]+), (#\w+)\)/.exec(node.style?.color ?? "");
  const rgb = (text) => `rgb(${[1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16)).join(", ")})`;
  return {
    color: color ? rgb(THEME[color[1]] ?? (color[2].length === 4 ? color[2].replace(/\w/g, "$&$&") : color[2])) : "",
    outlineColor: "rgb(43, 90, 155)",
    fontFamily: "sans",
    getPropertyValue: (name) => THEME[name] ?? node.style?.getPropertyValue(name) ?? "",
  };
}

// jsdom keeps only colours that it can read, and no variables.
const { set } = Object.getOwnPropertyDescriptor(window.CSSStyleDeclaration.prototype, "color") ?? {};
if (set)
  Object.defineProperty(window.CSSStyleDeclaration.prototype, "color", {
    get() {
      return this.written ?? "";
    },
    set(text) {
      this.written = text;
      set.call(this, text);
    },
  });

const { prototype } = window.Element;
for (const name of ["clientWidth", "offsetWidth", "scrollWidth"])
  Object.defineProperty(prototype, name, { get: () => width, configurable: true });
prototype.getBoundingClientRect = function () {
  return { x: 0, y: 0, left: 0, top: 0, right: width, bottom: 400, width, height: 400, toJSON() {} };
};
Object.assign(prototype, { scrollTo() {}, scrollIntoView() {} });
const wide = (text, size) => [...text].reduce((sum, one) => sum + (one > "\u2e7f" ? size : size / 2), 0);

/** A canvas that measures letters, and keeps what is painted on it: a row of hexadecimal colours a row of dots. */
window.HTMLCanvasElement.prototype.getContext = function () {
  return {
    measureText: (text) => ({ width: wide(text, 100) }),
    createImageData: (columns, rows) => ({ width: columns, height: rows, data: new Uint8ClampedArray(4 * columns * rows) }),
    putImageData: ({ data, width: columns }) => {
      const dots = Array.from({ length: data.length / 4 }, (_, n) => data.slice(4 * n, 4 * n + 4));
      const hex = dots.map((dot) => [...dot].map((part) => part.toString(16).padStart(2, "0")).join(""));
      const rows = Array.from({ length: hex.length / columns }, (_, n) => hex.slice(n * columns, (n + 1) * columns));
      this.setAttribute("data-painted", rows.map((row) => row.join(" ")).join(" / "));
    },
    drawImage() {},
  };
};
window.HTMLCanvasElement.prototype.toDataURL = function () {
  return this.getAttribute("data-painted") ?? "";
};
window.HTMLAnchorElement.prototype.click = function () {
  if (this.download) saved.push({ name: this.download, blob: blobs.get(this.href) });
};
const blobs = new Map();
globalThis.Blob = class {
  constructor(parts) {
    this.text = parts.map((part) => part.text ?? part).join("");
  }
};
globalThis.fetch = async () => ({ ok: false }); // no outlines: letters stay letters
globalThis.CSS = { escape: (text) => text };
globalThis.URL = Object.assign(URL, {
  createObjectURL: (blob) => (blobs.set(`blob:${blobs.size}`, blob), `blob:${blobs.size - 1}`),
  revokeObjectURL() {},
});

let last = () => {};

/** The record of this name, as tests/pictures/records.py has made it. */
export const record = async (name) => JSON.parse(await readFile(new URL(`records/${name}.json`, import.meta.url), "utf8"));

/** Let time pass: frames come at once, and what waits for a time of the clock in its turn. */
export async function pass(milliseconds) {
  const until = now + milliseconds;
  for (;;) {
    for (let round = 0; round < 3 || frames.length; round += 1) {
      const due = frames;
      frames = [];
      due.forEach((run) => run?.(now));
      await new Promise((done) => setImmediate(done));
    }
    const next = [...timers.entries()].sort(([, one], [, other]) => one.at - other.at)[0];
    if (!next || next[1].at > until) break;
    timers.delete(next[0]);
    now = next[1].at;
    next[1].run();
  }
  now = until;
}

const REST = 450; // ms after an act: tables are filled and the address is written, and a player has not moved on
let now = 0;
let names = 0;
const timers = new Map();
globalThis.setTimeout = (run, wait = 0) => (timers.set((names += 1), { at: now + wait, run }), names);
globalThis.clearTimeout = (name) => timers.delete(name);

/**
 * Draws a picture: `{root, address, asked, act, close}`. query: of the address; across: px of the window.
 * @param {{view: string, data: any}} what
 */
export async function draw({ view, data }, query = "", across = 1200) {
  width = window.innerWidth = across;
  window.history.replaceState(null, "", `/${query}`);
  const { default: picture } = await import(new URL(`nmtcore/views/${view}/${view}.js`, ROOT));
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  asked.length = saved.length = 0;
  timers.clear();
  const tell = (name, value) => asked.push({ [name]: value });
  const chosen = {}; // what the picture has set, as a notebook hears it
  const onSet = (values) => Object.assign(chosen, values);
  const call = (sent = data) => picture({ parentElement: root, data: structuredClone(sent), setTriggerValue: tell, onSet });
  last(); // one that a failed test left
  let close = call();
  last = () => close();
  await pass(REST);
  return { root, asked, chosen, act, again, close: () => close(), address: () => window.location.search };

  /** The host calls once more, with the same data or others. */
  async function again(sent = data) {
    close = call(sent);
    await pass(REST);
  }

  /** One thing that a person does: `click .play`, `key ArrowRight .frame`, `point [data-row="1"]`, `set input 3`,
   * `save csv`, `wait 1000` ms. */
  async function act(line) {
    const [kind, ...rest] = line.split(" ");
    if (kind === "wait") await pass(Number(rest[0]) - REST);
    else if (kind === "open") open(found(rest.join(" ")));
    else if (kind === "key") press(rest[0], found(rest.slice(1).join(" ")));
    else if (kind === "set") input(found(rest.slice(0, -1).join(" ")), rest.at(-1));
    else if (kind === "save") {
      open(found(".saving details"));
      found(`.save[data-kind="${rest[0]}"]`).dispatchEvent(new window.MouseEvent("click"));
    }
    else mouse(kind, found(rest.join(" ")));
    await pass(REST);
  }

  function found(selector) {
    const node = selector ? root.querySelector(selector) : document.body;
    if (!node) throw new Error(`The picture has no ${selector}.`);
    return node;
  }
}

/** Opens a `<details>`, which jsdom tells nobody. */
function open(node) {
  node.open = true;
  node.dispatchEvent(new window.Event("toggle"));
}

function press(key, node) {
  if (node !== document.body) node.focus?.();
  node.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
}

function input(node, value) {
  node.value = value;
  for (const type of ["input", "change"]) node.dispatchEvent(new window.Event(type, { bubbles: true }));
}

const MOUSE = {
  point: ["pointerover", "pointerenter", "mouseover", "mouseenter", "pointermove", "mousemove"],
  leave: ["pointerout", "pointerleave", "mouseout", "mouseleave"],
  dblclick: ["click", "dblclick"],
  click: ["pointerdown", "mousedown", "pointerup", "mouseup", "click"],
  "shift-click": ["click"],
};

function mouse(kind, node) {
  for (const type of MOUSE[kind]) {
    const bubbles = !type.endsWith("enter") && !type.endsWith("leave");
    const where = { detail: 1, clientX: 9, clientY: 9, shiftKey: kind === "shift-click" };
    node.dispatchEvent(new globalThis.PointerEvent(type, { bubbles, cancelable: true, composed: true, ...where }));
  }
}

/** An element as lines of text: an element a line, numbers with two decimals at most. */
export function text(node, depth = 0) {
  const indent = "  ".repeat(depth);
  if (node.nodeType === 3) return node.data.trim() ? [`${indent}${escaped(node.data)}`] : [];
  if (node.nodeType !== 1) return [];
  const tag = node.localName;
  const attributes = [...node.attributes].map(({ name, value }) => ` ${name}="${escaped(rounded(value))}"`).join("");
  const open = `${indent}<${tag}${attributes}>`;
  const held = node === document.activeElement && node !== document.body ? " (focused)" : "";
  const state = ["value", "checked"].flatMap((name) => (tag === "input" && node[name] ? [` ${name}: ${node[name]}`] : []));
  const inside = [...node.childNodes].flatMap((child) => text(child, depth + 1));
  const short = inside.length === 1 && node.firstChild?.nodeType === 3;
  return short ? [`${open}${inside[0].trim()}${held}`] : [`${open}${state.join("")}${held}`, ...inside];
}

const rounded = (value) => value.replace(/-?\d+\.\d{3,}(e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(2))));
const escaped = (value) => value.replace(/\n/g, "\\n");
